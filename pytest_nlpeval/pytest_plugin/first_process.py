"""pytest goes on in a child of its first process, which waits, where packages of others add tasks or sources of baselines.

C code can end a process with 0 (see `cli.apart`). Only an exit code 0 that pytest did not tell is replaced; all else is as if there were
one process.
"""

from __future__ import annotations

import os
import signal
import sys
from threading import active_count

from pytest_nlpeval.cli.apart import Ended, fork, note
from pytest_nlpeval.cli.process import leave
from pytest_nlpeval.cli.usage import USAGE
from pytest_nlpeval.config.meaning import SOURCE_GROUP
from pytest_nlpeval.foreign_process import BEFORE
from pytest_nlpeval.libraries import metadata
from pytest_nlpeval.pytest_plugin.interrupts import is_pytests_own
from pytest_nlpeval.tasks import ENTRY_POINT_GROUP

_PR_SET_PDEATHSIG = 1  # of Linux


def go_on_apart() -> None:
    """Go on in a child process, if code of other packages may run, this is pytest's own process, and a fork would lose no thread."""
    if sys.platform == "linux" and is_pytests_own() and active_count() == 1 and _has_code_of_others():
        first = os.getpid()

        def end_with_first() -> None:
            from ctypes import CDLL

            CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != first:
                leave(1)

        fork(_end, end_with_first)
        BEFORE.append(note)


def _has_code_of_others() -> bool:
    return any(metadata.entry_points(group=group) for group in (ENTRY_POINT_GROUP, SOURCE_GROUP))


def _end(ended: Ended) -> None:
    """Leave as the child did, with what it told if C code ends it behind that; say so if it ended by itself before it told anything."""
    is_interrupt = ended.code == -signal.SIGINT  # of a task's own code, say, which the child tells (see `interrupts`)
    if ended.told is None and (ended.code == 0 or (ended.code < 0 and not (ended.asked or is_interrupt))):
        ended.say("Upgrade that, tell whoever wrote it, or leave out what needs it (--nlpeval-suite)")
        leave(128 - ended.code if ended.code else USAGE)
    leave(128 - ended.code if ended.code < 0 else ended.code or ended.told or 0)

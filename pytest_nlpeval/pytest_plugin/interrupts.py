"""An interrupt of `pytest --nlpeval` is one line where pytest itself does not tell of it: before the run begins, and after its items.

pytest takes an interrupt in between to its exit code 2. Of any other Python would show where the program was, with a traceback.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from pathlib import Path
from types import TracebackType


def is_pytests_own() -> bool:
    """Whether this process was started as pytest, and not by a program that calls `pytest.main` and goes on."""
    program = Path(sys.argv[0])
    return program.name in ("pytest", "py.test") or program.parts[-2:] == ("pytest", "__main__.py")


_before = sys.excepthook


def _tell(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Say in one line that the process was interrupted; Python then ends it as SIGINT does."""
    if issubclass(kind, KeyboardInterrupt):
        os.write(2, b"nlpeval: interrupted\n")
    else:
        _before(kind, error, traceback)


def begin() -> None:
    """From now on, tell of interrupts in one line, if this is pytest's own process."""
    if is_pytests_own():
        sys.excepthook = _tell


def give_back() -> None:
    """Leave interrupts to Python: this run is none of ours."""
    if sys.excepthook is _tell:
        sys.excepthook = _before


def end() -> None:
    """Let an interrupt that comes when Python ends end the process in silence: all is told by then."""
    if sys.excepthook is _tell and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_DFL)  # the last to be registered is called first

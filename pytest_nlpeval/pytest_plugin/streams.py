"""The standard output of `pytest --nlpeval`: where it takes nothing, nobody reads how the gates are, and the exit code is 2.

pytest would end with 1, as if a gate had failed.
"""

from __future__ import annotations

import atexit
import sys

from pytest_nlpeval.cli.process import CLOSED, drop, open_streams, say, unwritable
from pytest_nlpeval.cli.usage import USAGE
from pytest_nlpeval.pytest_plugin.interrupts import is_pytests_own


def begin() -> None:
    """Open the standard streams that are closed, in pytest's own process; end it with a line if the output is one of them."""
    if is_pytests_own() and open_streams():
        say(CLOSED)
        raise SystemExit(USAGE)


def check(text: str) -> None:
    """End pytest's own process with a line if the standard output does not take a text: its disk is full, or its reader went away."""
    stream = sys.__stdout__
    if stream is None or not is_pytests_own():
        return
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        atexit.register(say, unwritable(error))  # pytest still has the standard streams
        atexit.register(drop, stream)
        raise SystemExit(USAGE) from None

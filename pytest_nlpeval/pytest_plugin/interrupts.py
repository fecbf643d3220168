"""An interrupt of `pytest --nlpeval` is one line where pytest itself does not tell of it: before the run begins, and after its items.

pytest takes an interrupt in between to its exit code 2. Of any other Python would show where the program was, with a traceback. It would
also lose one, and go on, where a destructor runs, where it imports, or where it waits for threads in the end.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def is_pytests_own() -> bool:
    """Whether this process was started as pytest, and not by a program that calls `pytest.main` and goes on."""
    program = Path(sys.argv[0])
    return program.name in ("pytest", "py.test") or program.parts[-2:] == ("pytest", "__main__.py")


_LINE = b"nlpeval: interrupted\n"
_before = sys.excepthook
_before_lost = sys.unraisablehook


def _tell(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Say in one line that the process was interrupted; Python then ends it as SIGINT does."""
    if issubclass(kind, KeyboardInterrupt):
        os.write(2, _LINE)
    else:
        _before(kind, error, traceback)


def _end(lost: sys.UnraisableHookArgs) -> None:
    """End the process as SIGINT does, with the same line, where Python loses an interrupt."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.write(2, _LINE)
        signal.raise_signal(signal.SIGINT)
    else:
        _before_lost(lost)


def begin() -> None:
    """From now on, tell of interrupts in one line, if this is pytest's own process."""
    if is_pytests_own():
        sys.excepthook = _tell
        sys.unraisablehook = _end


def stop_if_lost(session: pytest.Session) -> None:
    """Let an interrupt that Python loses stop a run of pytest behind the item that runs: pytest would warn of it, and go on."""
    before = sys.unraisablehook
    session.config.add_cleanup(partial(setattr, sys, "unraisablehook", before))

    def stop(lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            session.shouldstop = "interrupted"
            if controller := session.config.pluginmanager.get_plugin("dsession"):  # xdist's, which does not look at the session
                controller.shouldstop = "interrupted"
        else:
            before(lost)

    sys.unraisablehook = stop


@contextmanager
def unfinished_removed() -> Iterator[None]:
    """Meanwhile, SIGTERM and SIGHUP remove unfinished files before they end this process, unless somebody else handles these signals."""
    first, before = os.getpid(), {}

    def end(number: int, _frame: FrameType | None) -> None:
        module = sys.modules.get("pytest_nlpeval.writing")
        if module and os.getpid() == first:  # what code of other packages forks has the same handlers
            getattr(module, "remove_unfinished", int)()  # it may be in the middle of being imported
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    if current_thread() is main_thread():
        numbers = (getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
        before = {number: signal.signal(number, end) for number in numbers if signal.getsignal(number) is signal.SIG_DFL}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def give_back() -> None:
    """Leave interrupts to Python: this run is none of ours."""
    if sys.excepthook is _tell:
        sys.excepthook = _before
    if sys.unraisablehook is _end:
        sys.unraisablehook = _before_lost


def end() -> None:
    """Let an interrupt that comes when Python ends end the process in silence: all is told by then."""
    if sys.excepthook is _tell and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_DFL)  # the last to be registered is called first

"""The command as a process of its own: how it ends on a signal, and what it does without standard streams.

Whatever is imported here is imported before signals have their handlers.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from contextlib import contextmanager, suppress

from pytest_nlpeval.cli.usage import USAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import TextIO

PATIENCE = 2.0
"""How many seconds tidying up may take before the process ends without."""

CLOSED = "the standard output is closed; redirect it, to /dev/null if nobody wants it"

leave = os._exit
"""Ends the process at once, as `os._exit` does before code of others runs (`foreign_process.kept_running`)."""

_THREADS = "OPENBLAS_NUM_THREADS"  # which NumPy's library for matrices reads once, when it is loaded

_WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}
SIGNALS = {getattr(signal, name): word for name, word in _WORDS.items() if hasattr(signal, name)}
"""The signals that end the command, and what it says then."""

_own: set[int] = set()
"""The number of the command's process, and of a child that goes on with the command: what others fork has the same handlers."""


def as_process(command: Callable[[], int]) -> int:
    """Return the exit code of a command that has this process for itself.

    From now until the process has ended, SIGINT, SIGTERM and SIGHUP end it with one line and the exit code 128 + N, unless whoever
    started it ignores them. A mistake of this program is told with its traceback, and the exit code is 2: 1 would say that a gate failed.

    The garbage collector stays off. It would walk all modules, documents and reports again and again, among which are hardly any circles.
    """
    gc.disable()
    go_on()
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)
    atexit.register(_ignore_signals)  # the first to be registered is called last
    is_closed = open_streams()
    try:
        if is_closed:
            say(CLOSED)
            return USAGE
        code = command()
    except SystemExit as stop:  # of argparse
        code = stop.code if isinstance(stop.code, int) else USAGE
    except Exception:  # noqa: BLE001 - a mistake of this program is no failed gate
        from traceback import format_exc

        from pytest_nlpeval.cli.output import tell

        tell("nlpeval: this is a mistake of pytest-nlpeval; please report it", "bad")
        for line in format_exc().splitlines():
            tell(line)
        code = USAGE
    gc.freeze()  # Python would look for circles among all objects once more before it ends
    code = code if _flush() else USAGE
    if process := sys.modules.get("pytest_nlpeval.foreign_process"):
        process.ends_with(code)  # whatever code of others does when Python ends
    _tell(code)
    return code


def go_on() -> None:
    """Say that this process is the command's: it says so where a signal ends it."""
    _own.add(os.getpid())


@contextmanager
def numpy_in_one_thread() -> Iterator[None]:
    """Let NumPy start no threads for matrices if it is imported meanwhile, unless whoever started this process chose their number.

    Starting them takes a quarter of importing NumPy, and `metrics.weighting` multiplies in one thread. Programs that a run starts choose
    for themselves.
    """
    if _THREADS in os.environ:
        yield
        return
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        del os.environ[_THREADS]


def open_streams() -> bool:
    """Open what is closed of standard input, output and error, so that no file takes its place; return whether the output was closed."""
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
    is_closed = sys.stdout is None
    if is_closed:
        sys.stdout = _nowhere()
    if sys.stderr is None:
        sys.stderr = _nowhere()
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - open until the process ends
    return is_closed


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - open until the process ends


def _flush() -> bool:
    """Write what is still to be written of the standard output; return whether that succeeded, or the reader went away."""
    from pytest_nlpeval.cli.streams import out  # which the command has imported

    try:
        out().flush()
    except BrokenPipeError:
        drop(out())
    except OSError as error:
        drop(out())
        say(unwritable(error))
        return False
    return True


def unwritable(error: OSError) -> str:
    """Return what is said of a standard output that cannot be written."""
    return f"the standard output cannot be written: {error.strerror}"


def drop(stream: TextIO) -> None:
    """Drop whatever is still written to a stream of the process."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def say(text: str) -> None:
    """Print a line on the standard error, whatever has become of Python's stream."""
    with suppress(OSError):  # nobody is there to read it
        os.write(2, f"nlpeval: {text}\n".encode())


def _tell(code: int) -> None:
    """Tell the process that waits for this one, if there is one, that all is done."""
    if apart := sys.modules.get("pytest_nlpeval.cli.apart"):
        getattr(apart, "tell", int)(code)  # it may be in the middle of being imported


def _ignore_signals() -> None:
    """Ignore signals: all is done, and the exit code stands. Python would forget the handlers next, and a signal end it without a line."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _end(number: int, _frame: FrameType | None) -> None:
    """End the process here and now: unwinding would meet code that cannot be interrupted, such as imports of C modules.

    One that an executor or a task has forked ends in silence: line and unfinished files are of the command's process.
    """
    _ignore_signals()
    if os.getpid() not in _own:
        leave(128 + number)
    if threading := sys.modules.get("threading"):
        setattr(threading, "excepthook", lambda _: None)  # noqa: B010 - one may meet workers that have ended, too

    def say_and_exit(*_: object) -> None:
        say(SIGNALS[signal.Signals(number)])
        _tell(128 + number)
        leave(128 + number)

    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, say_and_exit)  # tidying up may wait for what the interrupted code holds
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        _tidy()
    finally:
        if hasattr(signal, "SIGALRM"):
            signal.setitimer(signal.ITIMER_REAL, 0)  # the line is said once
        say_and_exit()


def _tidy() -> None:
    """Take away the progress bar, what is unfinished, what processes share, and git. Workers and programs end after this process."""
    for module, function in (
        ("pytest_nlpeval.cli.progress", "wipe"),
        ("pytest_nlpeval.writing", "remove_unfinished"),
        ("pytest_nlpeval.cli.pool", "remove_shared"),
        ("pytest_nlpeval.baselines.git_process", "end_running"),
    ):
        if module in sys.modules:  # wholly imported, or else the function is not there
            getattr(sys.modules[module], function, int)()

"""Code of other packages works in a child of the first process, which waits, and ends with the exit code that the child tells it.

What ends a process in C (`exit`, `_exit`, `exec`, or a library that calls them on its errors) does so behind Python's back, with any exit
code. Only another process sees that nothing was decided then.
"""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import NamedTuple

from pytest_nlpeval import foreign_process
from pytest_nlpeval.cli.process import SIGNALS, leave, say
from pytest_nlpeval.cli.process import go_on as go_on_as_command
from pytest_nlpeval.cli.streams import keep
from pytest_nlpeval.cli.usage import USAGE
from pytest_nlpeval.wording import printable

_FIRST = os.getpid()
_telling: dict[int, int] = {}
"""The pipe to the first process, by the number of the process that goes on: one that is forked elsewhere tells nothing."""

_noted: set[str] = set()
_LONGEST_NAME = 100

_DONE = b"\0"
"""What comes before the exit code, and behind the names of those whose code is imported."""


class Ended(NamedTuple):
    """How the child ended: its exit code, or minus the number of a signal; and the exit code that it told before, if it told one.

    `asked` is the signal that the first process passed on to it, 0 if there was none; `names` are those whose code was imported.
    """

    code: int
    told: int | None
    asked: int
    names: tuple[str, ...]

    def say(self, cure: str) -> None:
        """Say that nothing is decided, why, and what to do."""
        how = f"exit code {self.code}" if self.code >= 0 else f"signal {-self.code}, {signal.strsignal(-self.code)}"
        whose = f": {', '.join(map(printable, self.names))}" if self.names else ""
        say(
            f"the process ended in the middle of the run ({how}); nothing of it counts. It ran code of other packages, which can end it "
            f"behind Python's back{whose}. {cure}"
        )


def go_on(name: str) -> None:
    """Go on in a child of the command's process, if this is none yet, before what is called so in another package is imported.

    From then on the standard streams are the command's own. Where there is no fork, it goes on in its process.
    """
    if os.getpid() == _FIRST and hasattr(os, "fork"):
        end_of_first, until_the_end = os.pipe()

        def end_with_first() -> None:
            go_on_as_command()
            os.close(until_the_end)
            Thread(target=_end_after, args=(end_of_first,), daemon=True).start()

        fork(_end_command, end_with_first)
        foreign_process.go_on()
    keep()
    note(name)


def note(name: str) -> None:
    """Tell the first process, if this is its child, whose code is imported next; once, for a pipe that nobody reads holds 64 KiB."""
    if name not in _noted and (telling := _telling.get(os.getpid())):
        _noted.add(name)
        with suppress(OSError):  # whoever closes the pipe is told of without names
            os.write(telling, f"{name[:_LONGEST_NAME]}\n".encode(errors="replace"))


def tell(code: int) -> None:
    """Tell the first process, if this is its child, with which exit code all is done."""
    with suppress(KeyError, OSError):  # whoever closes the pipe has told nothing
        os.write(_telling[os.getpid()], _DONE + str(code).encode())


def fork(end: Callable[[Ended], object], begin: Callable[[], object]) -> None:
    """Return in a child process, which calls `begin` before signals reach it; the first one waits, calls `end`, and is no more.

    No thread of this package runs yet.
    """
    hearing, telling = os.pipe()
    before = signal.getsignal(signal.SIGCHLD) or signal.SIG_DFL
    signal.signal(signal.SIGCHLD, _ignore)  # to ignore it would be not to be told
    signals = {signal.SIGCHLD, *(number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN)}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads that somebody else has started
            child = os.fork()
        if child:
            try:
                os.close(telling)
                end(_wait(child, hearing, signals))
            finally:
                leave(USAGE)  # the child alone goes on, whatever goes wrong here
        os.close(hearing)
        _telling[os.getpid()] = telling
        begin()  # a thread that starts here leaves signals to this one
    finally:
        signal.signal(signal.SIGCHLD, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _ignore(*_: object) -> None:
    """Do nothing."""


def _wait(child: int, hearing: int, signals: set[signal.Signals]) -> Ended:
    """Pass signals on to the child until it has ended."""
    asked = 0
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        number, is_for_both = _next(signals)
        if number != signal.SIGCHLD:
            asked = asked or number
            if not is_for_both:
                os.kill(child, number)
    os.set_blocking(hearing, False)  # a process that the child started may still have the pipe
    said = b""
    with suppress(BlockingIOError):
        said = os.read(hearing, 1 << 16)
    names, *codes = said.split(_DONE)
    told = int(codes[-1]) if codes else None  # the last one: a signal may have come behind the end of the run
    return Ended(
        os.waitstatus_to_exitcode(ended[1]), told, asked, tuple(dict.fromkeys(names.decode(errors="replace").splitlines()))
    )


def _next(signals: set[signal.Signals]) -> tuple[int, bool]:
    """Wait for a signal; return its number, and whether a terminal sent it to both processes, as far as the system tells."""
    if not hasattr(signal, "sigwaitinfo"):
        return signal.sigwait(signals), False
    received = signal.sigwaitinfo(signals)
    return received.si_signo, received.si_signo == signal.SIGINT and received.si_code > 0


def _end_command(ended: Ended) -> None:
    """Leave with the exit code that the child told, or else with a sentence."""
    if ended.told is not None:
        leave(ended.told)
    if ended.asked:
        say(SIGNALS[signal.Signals(ended.asked)])
        leave(128 + ended.asked)
    ended.say("Upgrade that, tell whoever wrote it, or leave out what needs it (--suite)")


def _end_after(end_of_first: int) -> None:
    with suppress(OSError):  # somebody has closed it
        os.read(end_of_first, 1)
        leave(1)

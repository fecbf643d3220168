"""Code of other packages works in a child of the command's process, which waits, and ends with the exit code that the child tells it.

What ends a process in C (`exit`, `_exit`, `exec`, or a library that calls them on its errors) does so behind Python's back, with any exit
code. Only another process sees that nothing was decided then.
"""

from __future__ import annotations

import os
import signal
import warnings
from contextlib import suppress
from threading import Thread
from typing import NoReturn

from pytest_nlpeval import foreign
from pytest_nlpeval.cli.process import SIGNALS, leave, say
from pytest_nlpeval.cli.usage import USAGE
from pytest_nlpeval.wording import printable

_FIRST = os.getpid()
_telling: dict[int, int] = {}
"""The pipe to the first process, by the number of the process that goes on: one that is forked elsewhere tells nothing."""

_DONE = b"\0"
"""What comes before the exit code, and behind the names of those whose code is imported."""


def go_on(name: str) -> None:
    """Go on in a child process, if this is none yet, before what is called so in another package is imported; the first one waits."""
    if os.getpid() == _FIRST:
        _fork()
    with suppress(KeyError):
        os.write(_telling[os.getpid()], f"{name}\n".encode())


def tell(code: int) -> None:
    """Tell the first process, if this is its child, with which exit code all is done."""
    with suppress(KeyError, OSError):  # whoever closes the pipe has told nothing
        os.write(_telling[os.getpid()], _DONE + str(code).encode())


def _fork() -> None:
    """Return in a child process, which ends with this one; no thread of this package runs yet."""
    hearing, telling = os.pipe()
    end_of_first, until_the_end = os.pipe()
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
                _wait(child, hearing, signals)
            finally:
                leave(USAGE)  # the child alone goes on, whatever goes wrong here
        os.close(hearing)
        os.close(until_the_end)
        _telling[os.getpid()] = telling
        foreign.go_on()
        Thread(target=_end_with_first, args=(end_of_first,), daemon=True).start()  # it leaves signals to this one
    finally:
        signal.signal(signal.SIGCHLD, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _ignore(*_: object) -> None:
    """Do nothing."""


def _wait(child: int, hearing: int, signals: set[signal.Signals]) -> NoReturn:
    """Pass signals on to the child until it has ended, and leave with the exit code that it told, or else with a sentence."""
    asked = 0
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        number = signal.sigwait(signals)
        if number != signal.SIGCHLD:
            asked = asked or number
            os.kill(child, number)
    os.set_blocking(hearing, False)  # a process that the child started may still have the pipe
    said = b""
    with suppress(BlockingIOError):
        said = os.read(hearing, 1 << 16)
    names, *codes = said.split(_DONE)
    if codes:  # the last one: a signal may have come behind the end of the run
        leave(int(codes[-1]))
    if asked:
        say(SIGNALS[signal.Signals(asked)])
        leave(128 + asked)
    code = os.waitstatus_to_exitcode(ended[1])
    how = f"exit code {code}" if code >= 0 else f"signal {-code}, {signal.strsignal(-code)}"
    whose = ", ".join(map(printable, dict.fromkeys(names.decode(errors="replace").splitlines())))
    say(
        f"the process ended in the middle of the run ({how}); nothing of it counts. It ran code of other packages, which can end it "
        f"behind Python's back: {whose}. Upgrade that, tell whoever wrote it, or leave out what needs it (--suite)"
    )
    leave(USAGE)


def _end_with_first(end_of_first: int) -> None:
    with suppress(OSError):  # somebody has closed it
        os.read(end_of_first, 1)
        leave(1)

"""The process in which code of other packages runs: that code neither ends it, nor moves it to another folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from threading import Lock, local
from typing import Any, NoReturn

UNKNOWN = 2
"""The exit code of a process that code of another package ends with 0, while nothing is decided."""

_EXIT = os._exit
_EXECUTE = {name: getattr(os, name) for name in ("execv", "execve")}
"""What all functions of `os` call that let another program take the place of this one."""

_PLACES = (os, sys.modules[os.name])
"""Where these functions are: `os` has them from `posix` or `nt`, from where others may take them, too."""

_CALLING = local()
"""`process`: the process in which this thread runs code of another package, None while it does not."""

BEFORE: list[Callable[[str], object]] = []
"""What is called with the name of a task, a source of baselines or an executor of another package before its module is imported."""

_ends: dict[int, int] = {}
"""The exit code that takes the place of 0, by the number of each process in which code of another package has run."""

_watched: set[int] = set()
"""The numbers of processes whose end tells nothing: who started them has their results, or notices that they are not there."""


class _Settings:
    """The current folder and the limit of recursion: kept from the first call of other packages' code to the end of the last.

    Threads may run several at once, and one of them would find what another has changed.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._running = 0
        self._folder = ""
        self._limit = 0

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Restore both behind the code that runs meanwhile; a higher limit stays."""
        with self._lock:
            if not self._running:
                self._folder, self._limit = _folder(), sys.getrecursionlimit()
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1
                if not self._running:
                    sys.setrecursionlimit(max(self._limit, sys.getrecursionlimit()))
                    if self._folder not in ("", _folder()):
                        os.chdir(self._folder)


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - a text, and asked often
    except OSError:  # it does not exist any more
        return ""


_SETTINGS = _Settings()


@contextmanager
def called() -> Iterator[None]:
    """Run code of another package: what `kept_running` keeps out, and what it changes of the process is restored."""
    with _SETTINGS.kept(), kept_running():
        yield


@contextmanager
def kept_running() -> Iterator[None]:
    """Meanwhile `os._exit` raises `SystemExit` in this thread: the process would end with whatever it says, and nothing judged.

    From then on, `os._exit(0)` of another thread, or of what is called at the end, ends this process with `UNKNOWN`, or with the exit code
    that is known by then (`ends_with`), and no other program takes the place of this one. A process that is forked meanwhile is not
    concerned, but ends where it would come back from that code: it would judge, and write reports, once more.
    """
    before, process = getattr(_CALLING, "process", None), os.getpid()
    for place in _PLACES:
        vars(place).update(_INSTEAD)
    _CALLING.process = process
    _ends[process] = 0 if process in _watched else UNKNOWN
    try:
        yield
    finally:
        if os.getpid() != _CALLING.process:
            _EXIT(UNKNOWN)
        _CALLING.process = os.getpid() if before == process else before  # which may have gone on in another one


def announce(name: str) -> None:
    """Say that a task, a source of baselines or an executor of another package is imported next; of the command, while no thread runs."""
    for each in BEFORE:
        each(name)


def go_on() -> None:
    """Say that this process goes on with what the one that forked it did: what ends it is what would have ended that one."""
    _CALLING.process = os.getpid()
    _ends[os.getpid()] = UNKNOWN


def ends_with(code: int) -> None:
    """Say with which exit code this process ends: all that decides it is done."""
    _ends[os.getpid()] = code


def ends_as_ever() -> None:
    """Say that this is a worker, which ends with 0 when it is not needed any more."""
    _watched.add(os.getpid())


def _exit_or_raise(status: int) -> NoReturn:
    if getattr(_CALLING, "process", None) == os.getpid():
        raise SystemExit(status)
    code = status or _ends.get(os.getpid(), 0)
    if code != status:
        with suppress(OSError):  # nobody is there to read it
            os.write(2, b"nlpeval: code of another package ended the process\n")
    _EXIT(code)


def _execute_or_raise(name: str, *given: Any) -> NoReturn:
    if os.getpid() in _ends:
        raise SystemExit(f"os.{name} would end the run")
    _EXECUTE[name](*given)
    raise AssertionError


_INSTEAD = {"_exit": _exit_or_raise, **{name: partial(_execute_or_raise, name) for name in _EXECUTE}}
"""What stands in the place of these functions from the first call of another package's code on."""

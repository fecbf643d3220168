"""Ends what a process has begun when it ends, however it ends: programs that it started, and the folders in which they write.

A process that is killed cannot do so itself, and in a process of pytest signals are pytest's to handle. So another process waits: it
reads from a pipe that ends with the process that writes to it, and then ends what is left. It imports what it needs only then: it begins
beside a run that has work for all processors.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from contextlib import contextmanager, suppress
from threading import Lock, Thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from multiprocessing.process import BaseProcess

TRIES = 100
"""How often it is tried to remove a folder: a program that is killed may be in the middle of writing."""

_LOCK = Lock()
_begun: list[int | str] = []
_watchers: dict[int, subprocess.Popen[bytes]] = {}
"""The process that waits for the end of this one, by the number of this one: one that is forked has its own."""

_ending_with_parent: set[int] = set()
"""The numbers of processes that end with the process that started them."""


def end_with_parent() -> None:
    """Let this process, if multiprocessing started it, end as soon as the one that started it has, however that ended.

    By itself it would wait for work for ever. It removes what they shared, since one that was killed has not.
    """
    module = sys.modules.get("multiprocessing.process")
    parent = module and module.parent_process()
    if parent and os.getpid() not in _ending_with_parent:
        _ending_with_parent.add(os.getpid())
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    remove_shared_folder()
    os._exit(1)


def make_shared_folder() -> None:
    """Make the folder in which a server of multiprocessing is to listen, if there is none; it is removed when this process ends.

    The process that waits is there before the folder: whoever kills this one in between leaves nothing. At an orderly end multiprocessing
    removes its folder itself, before that process does, and complains if it is gone.
    """
    from multiprocessing import util

    with _LOCK:
        with suppress(OSError):
            _watcher()
        folder = util.get_temp_dir()
        if folder not in _begun:
            tidy = util._exit_function  # type: ignore[attr-defined]  # noqa: SLF001
            atexit.unregister(tidy)
            atexit.register(tidy)  # the last to be registered is called first
            _begun.append(folder)
            _tell()


def remove_shared_folder() -> None:
    """Remove the folder in which a server of multiprocessing listens that this process, or the one that started it, has begun."""
    from multiprocessing import process

    if folder := process.current_process()._config.get("tempdir"):  # type: ignore[attr-defined]  # noqa: SLF001
        import shutil  # as whatever made the folder has

        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def ended_with_us(begun: int | str) -> Iterator[None]:
    """Meanwhile, let a program, by its number, end with this process, and a folder, by its path, be removed.

    A folder that is still there behind this, since its removal failed or was interrupted, is removed in the end.
    """
    with _LOCK:
        _begun.append(begun)
        _tell()
    try:
        yield
    finally:
        if isinstance(begun, int) or not os.path.lexists(begun):
            with _LOCK:
                _begun.remove(begun)
                _tell()


def kill(program: int) -> None:
    """Kill a program that leads a session, and, where there are sessions, the processes that it started."""
    with suppress(OSError):  # it has ended
        if hasattr(os, "killpg"):
            os.killpg(program, signal.SIGKILL)
        else:
            os.kill(program, signal.SIGTERM)


def _tell() -> None:
    """Tell the process that waits what there is to be ended now. Without one, a program goes on where this process is killed."""
    import json

    with suppress(OSError):
        stream = _watcher().stdin
        if stream is not None:
            stream.write(f"{json.dumps(_begun)}\n".encode())


def _watcher() -> subprocess.Popen[bytes]:
    import subprocess

    process = os.getpid()
    if process not in _watchers:
        _watchers[process] = subprocess.Popen(  # noqa: S603 - this file
            [sys.executable, "-I", "-S", __file__],
            bufsize=0,
            cwd=os.sep,  # it stays in no folder that somebody wants to remove
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # signals to a group of processes are not for it
        )
        atexit.register(_close, process)
    return _watchers[process]


def _close(process: int) -> None:
    """Let the process that waits end: Python warns of one that is still there."""
    if process == os.getpid():
        _watchers.pop(process).communicate()


def _wait() -> None:
    """Wait until nobody tells anything any more, and end what was told last.

    It always ends then, so that no signal need end it: whoever ends all processes, as on Windows an interrupt does, means it, too.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    told = b"[]"
    for line in sys.stdin.buffer:
        told = line
    if told.strip() == b"[]":
        return
    import json

    begun: list[int | str] = json.loads(told)
    for each in begun:
        if isinstance(each, int):
            kill(each)
    for each in begun:
        if isinstance(each, str):
            _remove(each)


def _remove(folder: str) -> None:
    for _ in range(TRIES):
        if not os.path.lexists(folder):
            return
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.02)


if __name__ == "__main__":
    _wait()

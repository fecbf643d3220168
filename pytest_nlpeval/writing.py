"""Writes files whole or not at all, and never in the place of anything but a regular file."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from pytest_nlpeval.left_behind import ended_with_us

_UNFINISHED = "nlpeval-unfinished"
"""What the names of files end with that have not taken their own name yet."""

_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

_unfinished: set[Path] = set()
"""The files that this process has not finished, and its temporary folders."""


def remove_unfinished() -> None:
    """Remove the files that this process has not finished, and its temporary folders: it ends."""
    for path in list(_unfinished):
        with suppress(OSError):
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        import shutil  # hardly any process ends with one

        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink()


@contextmanager
def temporary_folder(within: Path | None = None) -> Iterator[Path]:
    """Give a new folder that only this user can enter; it is removed behind this, and however this process ends meanwhile.

    It lies `within` a folder, hidden, or where the system has temporary files.

    Raises:
        OSError: if it cannot be made.
    """
    import shutil
    import tempfile

    name = f"nlpeval-{os.urandom(16).hex()}"
    folder = (Path(tempfile.gettempdir(), name) if within is None else within / f".{name}").absolute()
    _unfinished.add(folder)  # before it is there, and until it is not: a signal may come at any moment
    with ended_with_us(str(folder)):
        try:
            folder.mkdir(0o700)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            _unfinished.discard(folder)


def write_atomically(path: Path, text: str | Iterable[str]) -> None:
    """Write a text, or its pieces, to a file, and create its folder.

    No reader ever sees half of it: it is written to a file beside, which then takes the name. What a killed process left beside is removed.
    A device, or a pipe that somebody reads, is written to instead.

    Raises:
        OSError: if that fails, or if there is something else: a link, a folder, a pipe that nobody reads. `strerror` says what to do.
    """
    pieces = (text,) if isinstance(text, str) else text
    path.parent.mkdir(parents=True, exist_ok=True)
    if _is_stream(path):
        with _opened_stream(path) as stream:
            stream.writelines(pieces)
        return
    _remove_left(path)
    with _beside(path) as (stream, unfinished):
        stream.writelines(pieces)
        stream.flush()
        if os.name == "nt":
            stream.close()  # nobody can rename there what is open; elsewhere its lock is held until then
        unfinished.chmod(0o666 & ~_umask())
        unfinished.replace(path)


def _is_stream(path: Path) -> bool:
    """Whether a path leads to a device or pipe; raises for anything that is neither that, nor a regular file, nor absent."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = 0
    if _is_of_stream(mode):
        return True
    if path.is_symlink():
        raise OSError(
            errno.ELOOP, "it is a link, which is not followed; name the file itself, or `-` for the standard output", str(path)
        )
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if mode and not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no regular file; name another", str(path))
    return False


def _is_of_stream(mode: int) -> bool:
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


@contextmanager
def _opened_stream(path: Path) -> Iterator[TextIO]:
    """Open a device or pipe for writing; it is not waited until somebody reads a pipe."""
    try:
        handle = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "it is a pipe that nobody reads", str(path)) from None
        raise
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
        if not _is_of_stream(os.fstat(handle).st_mode):  # somebody has put a file in its place, or a link to one
            raise OSError(errno.EINVAL, "it was a device or pipe, and is none any more", str(path))
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)
        yield stream


@contextmanager
def _beside(path: Path) -> Iterator[tuple[TextIO, Path]]:
    """Open a new file beside another for writing, and give its path, too; it is removed if it has not taken another name in the end."""
    while True:
        unfinished = path.with_name(f"{_beginning(path)}{os.urandom(8).hex()}.{_UNFINISHED}")
        _unfinished.add(unfinished)  # before it is there: a signal may come at any moment
        try:
            handle = os.open(unfinished, _NEW, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                if _is_locked(handle, unfinished, without_locks=True):
                    yield stream, unfinished
                    return
        finally:
            unfinished.unlink(missing_ok=True)
            _unfinished.discard(unfinished)


def _beginning(path: Path) -> str:
    return f".{path.name[:40]}."


def _remove_left(path: Path) -> None:
    """Remove the unfinished files of a path whose processes were killed: nobody holds a lock on them any more."""
    with suppress(OSError), os.scandir(path.parent) as entries:
        left = [
            entry.path for entry in entries if entry.name.startswith(_beginning(path)) and entry.name.endswith(f".{_UNFINISHED}")
        ]
        for name in left:
            with suppress(OSError):
                _remove_unless_locked(Path(name))


def _remove_unless_locked(unfinished: Path) -> None:
    if not stat.S_ISREG(unfinished.lstat().st_mode):
        return
    handle = os.open(unfinished, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        if _is_locked(handle, unfinished, without_locks=False):
            unfinished.unlink()
    finally:
        os.close(handle)


def _is_locked(handle: int, path: Path, *, without_locks: bool) -> bool:
    """Lock an open file, as long as it is open; return whether that succeeded, and the file is still the one of that path.

    Whoever removes what was left may hold the lock of a file that was just made, or have removed it. `without_locks` is returned where
    files cannot be locked.
    """
    try:
        import fcntl
    except ImportError:  # on Windows
        return without_locks
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system that cannot
        return without_locks
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current

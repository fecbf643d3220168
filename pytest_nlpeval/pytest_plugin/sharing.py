"""Sharing between xdist's workers and their controller: one process works out a part or a result, the others wait for it and read it."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_nlpeval.light_dataclasses import light_dataclass

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

_PATIENCE = 0.02
"""How many seconds a process waits for another at once, in SQLite.

SQLite looks ever more seldom whether the other process is done, in the end every 0.1 s. A process that begins to wait anew sees it sooner.
"""

_BUSY = 5
"""SQLite's code for a file that another process has locked."""


@light_dataclass(frozen=True, slots=True)
class Shared:
    """Keeps objects in a `folder` of the run that only its user can enter; without a folder it keeps nothing.

    A folder that cannot be read or written (a worker on another machine, a full disk) costs speed, never a result; so does an object that
    cannot be pickled, such as the result of a task that only one process has.
    """

    folder: Path | None = None

    def claim(self, name: str) -> bool:
        """Claim what has that name; return whether this process works it out, since no other claimed it before."""
        if self.folder is None:
            return True
        try:
            self._path(name, "claim").touch(exist_ok=False)
        except FileExistsError:
            return False
        except OSError:
            return True
        return True

    def worked_out(self, name: str, kind: type[T], work: Callable[[], T], had: Mapping[str, object] | None = None) -> T:
        """Return the object of that name, of type `kind`: one process does the `work`, the others wait for it.

        `had` are the objects that every process has, by names that are the same in all: of these the name crosses alone.
        """
        there = self.get(name, kind, had)
        if there is not None:
            return there
        with self._alone(name):
            there = self.get(name, kind, had)
            if there is None:
                there = work()
                self.put(name, there, had)
        return there

    def get(self, name: str, kind: type[T], had: Mapping[str, object] | None = None) -> T | None:
        """Return the object of that name and type, None if no process has put it there yet."""
        if self.folder is None:
            return None
        try:
            shared = _Unpickler(self._path(name, "shared").read_bytes(), had).load()
        except Exception:  # noqa: BLE001 - none yet, or written by another Python: pickle raises whatever it meets
            return None
        return shared if isinstance(shared, kind) else None

    def put(self, name: str, shared: object, had: Mapping[str, object] | None = None) -> None:
        """Let the others have an object."""
        if self.folder is None:
            return
        with suppress(Exception):  # no room, or whatever the parts of a task of the user's own raise
            unfinished = self._path(name, str(os.getpid()))
            unfinished.write_bytes(_pickled(shared, had))
            unfinished.replace(self._path(name, "shared"))

    @contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        """Wait until no other process works on that name, then keep the others waiting.

        The lock is one of SQLite's, which every system has, and which a process that dies lets go. Where there is none, nobody waits.
        """
        if self.folder is None:
            yield
            return
        try:
            from sqlite3 import DatabaseError, connect

            connection = connect(self._path(name, "lock"), timeout=_PATIENCE, isolation_level=None)
        except (ImportError, OSError, DatabaseError):
            yield
            return
        with closing(connection):
            while _is_busy(connection):  # in turns of `_PATIENCE`, between which Python hears of an interruption
                pass
            yield

    def _path(self, name: str, kind: str) -> Path:
        return Path(str(self.folder), f"{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()}.{kind}")


class _Pickler(pickle.Pickler):
    """Writes the names of objects that every process has in their place."""

    def __init__(self, file: io.BytesIO, had: Mapping[str, object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._names = {id(each): name for name, each in had.items() if each is not None}

    def persistent_id(self, obj: object) -> str | None:
        """Return the name of an object that every process has, None for any other."""
        return self._names.get(id(obj))


class _Unpickler(pickle.Unpickler):
    """Reads the names of objects that every process has as this process's own."""

    def __init__(self, text: bytes, had: Mapping[str, object] | None) -> None:
        super().__init__(io.BytesIO(text))
        self._had = had or {}

    def persistent_load(self, pid: Any) -> object:
        """Return the object of that name."""
        return self._had[pid]


def _pickled(shared: object, had: Mapping[str, object] | None) -> bytes:
    if not had:  # quicker: a pickler that knows names asks for that of every object
        return pickle.dumps(shared, pickle.HIGHEST_PROTOCOL)
    file = io.BytesIO()
    _Pickler(file, had).dump(shared)
    return file.getvalue()


def _is_busy(connection: Connection) -> bool:
    """Lock the file of a connection; return whether another process has kept it locked for `_PATIENCE`."""
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except connection.DatabaseError as error:  # a file system without locks makes nobody wait
        return getattr(error, "sqlite_errorcode", 0) & 255 == _BUSY
    return False

"""The evidence store: keeps what was counted, for as long as the files do not change.

A key is a digest of everything that its entry depends on, so no entry goes stale. One SQLite file holds all entries, and any number of
processes may use it at once. If file or disk fail, that costs speed, never a result.
"""

from __future__ import annotations

import json
import os
import re
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from sqlite3 import Connection

FORMAT = 3
FILE = f"evidence-{FORMAT}.sqlite"

MOST_PAGES = 1 << 16
"""How large the file grows, in pages of 4 KiB: 256 MiB. Beyond that, the entries that nobody used for longest are dropped."""

MOST_DAYS = 30
"""After how many days without use an entry is dropped."""

PATIENCE = 1.0
"""How many seconds to wait while another process writes, before going on without the store."""

_TABLES = (
    "CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, day INTEGER NOT NULL, counted BLOB NOT NULL, explained BLOB)",
    "CREATE INDEX IF NOT EXISTS days ON entries (day)",
)
_DROP_OLDEST = """DELETE FROM entries WHERE rowid IN
    (SELECT rowid FROM entries ORDER BY day, rowid LIMIT (SELECT count(*) / 4 + 1 FROM entries))"""
_MOST_KEYS = 500

T = TypeVar("T")
Entry = dict[str, Any]
"""A JSON document: `evidence`, `problems` and, if they were asked for, `explanations`."""


@dataclass(frozen=True, slots=True)
class EvidenceStore:
    """Keeps entries in a file of `folder`, which other processes may share; without a folder, or if the file is of no use, in memory.

    Threads may share a store. Each process opens the file for itself, a forked one too: pickling a store keeps only its folder.
    """

    folder: Path | None = None
    _opened: dict[int, Connection] = field(default_factory=dict, compare=False)
    _locks: dict[int, Lock] = field(default_factory=dict, compare=False)

    def __reduce__(self) -> tuple[Callable[[Path | None], EvidenceStore], tuple[Path | None]]:
        """Pickle the folder alone."""
        return _shared, (self.folder,)

    def get(self, keys: Sequence[bytes], *, explain: bool = False) -> dict[bytes, Entry]:
        """Return the entries of these keys that the store has; with `explain`, only those with explanations."""
        entries: dict[bytes, Entry] = {}
        old: list[tuple[int, bytes]] = []
        rows: list[Any] = self._do(partial(_rows, keys), [])
        for key, day, counted, explained in rows:
            with suppress(ValueError, TypeError, RecursionError, zlib.error):  # a damaged entry is none
                explanations = {"explanations": _unpacked(key, explained) if explain else None}
                entries[key] = _unpacked(key, counted) | explanations
            if day != _today():
                old.append((_today(), key))
        if old:
            self._do(lambda connection: connection.executemany("UPDATE entries SET day = ? WHERE key = ?", old), None)
        return entries

    def put(self, entries: Mapping[bytes, Entry]) -> None:
        """Keep entries, and drop those that nobody has used for long, in one transaction."""
        today = _today()
        rows = [(key, today, *_encoded(key, entry)) for key, entry in entries.items()]

        def write(connection: Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
            connection.execute("DELETE FROM entries WHERE day < ?", (today - MOST_DAYS,))
            pages, free = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count"))
            if pages - free > MOST_PAGES:
                connection.execute(_DROP_OLDEST)

        if rows:
            self._do(write, None)

    def close(self) -> None:
        """Close the file; using the store opens it again."""
        connection = self._opened.pop(os.getpid(), None)
        if connection is not None:
            connection.close()

    def _do(self, work: Callable[[Connection], T], otherwise: T) -> T:
        """Do some work on the file in one transaction and return its value; `otherwise` if the work fails."""
        process = os.getpid()
        with self._locks.setdefault(process, Lock()):
            try:
                connection = self._opened.get(process) or _opened(self.folder)
            except ImportError:  # a Python without SQLite
                return otherwise
            self._opened[process] = connection
            try:
                with connection:
                    return work(connection)
            except connection.DatabaseError as error:
                if self.folder is not None and _is_damage(error):
                    self.close()
                    _remove(self.folder / FILE)
                return otherwise


@lru_cache(maxsize=8)
def _shared(folder: Path | None) -> EvidenceStore:
    """Return this process's store of a folder: the same one, however often the process is sent it."""
    return EvidenceStore(folder)


def _opened(folder: Path | None) -> Connection:
    """Open the file of a folder: anew if it is damaged, for reading if the folder cannot be written, in memory if all that fails."""
    from sqlite3 import DatabaseError

    if folder is not None:
        path = (folder / FILE).absolute()
        for name in (path.as_uri(), path.as_uri(), f"{path.as_uri()}?mode=ro&immutable=1"):
            try:
                folder.mkdir(parents=True, exist_ok=True)
                return _connected(name)
            except (OSError, DatabaseError) as error:
                if _is_damage(error):
                    _remove(path)
    return _connected(":memory:")


def _connected(name: str) -> Connection:
    from sqlite3 import OperationalError, connect

    connection = connect(name, PATIENCE, check_same_thread=False, uri=True)
    try:
        with suppress(OperationalError):  # of a file system that cannot, or because another process is doing it
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        for statement in _TABLES:
            connection.execute(statement)
    except BaseException:
        connection.close()
        raise
    return connection


def _is_damage(error: Exception) -> bool:
    """Whether a file is no store of this format: no database, a damaged one, or one with other tables."""
    return getattr(error, "sqlite_errorcode", 0) & 255 in (1, 11, 26)  # SQLITE_ERROR, _CORRUPT, _NOTADB


def _remove(path: Path) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            Path(f"{path}{end}").unlink()


def _rows(keys: Sequence[bytes], connection: Connection) -> list[Any]:
    rows: list[Any] = []
    for start in range(0, len(keys), _MOST_KEYS):
        some_keys = keys[start : start + _MOST_KEYS]
        marks = ", ".join("?" * len(some_keys))
        rows += connection.execute(f"SELECT key, day, counted, explained FROM entries WHERE key IN ({marks})", some_keys)  # noqa: S608
    return rows


def _today() -> int:
    return int(time.time() // 86_400)


def _encoded(key: bytes, entry: Entry) -> tuple[bytes, bytes | None]:
    counted = {name: entry[name] for name in ("evidence", "problems")}
    return _packed(key, counted), None if entry["explanations"] is None else _packed(key, entry["explanations"])


def _packed(key: bytes, data: Any) -> bytes:
    """Compress a JSON document with its key before it; zlib's check sum shows damage."""
    return zlib.compress(key + json.dumps(data, separators=(",", ":")).encode(), 1)


def _unpacked(key: bytes, data: bytes) -> Any:
    text = zlib.decompress(data)
    if not text.startswith(key):
        raise ValueError("an entry of another key")
    return json.loads(text[len(key) :])


class NotAStoreError(ValueError):
    """A folder holds files that are no store's: it belongs to somebody else."""


_OURS = re.compile(r"\.gitignore|evidence-\d+\.sqlite(-\w+)?|[0-9a-f]{2}")
"""The names of a store's files, and of the folders of an older format."""


def store_folder(folder: Path) -> Path:
    """Make the folder of a store, with a `.gitignore` that keeps all of it out of the repository; return it.

    Raises:
        NotAStoreError: if the folder holds a file that is no store's.
        OSError: if it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if foreign := next((path.name for path in folder.iterdir() if not _OURS.fullmatch(path.name)), ""):
        raise NotAStoreError(foreign)
    marker = folder / ".gitignore"
    if not marker.exists():
        marker.write_text("*\n")
    return folder

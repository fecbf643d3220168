"""The evidence store: keeps what was counted, for as long as the files do not change, and what chance says of evidence that does not.

A key is a digest of everything that its entry depends on, so no entry goes stale. One SQLite file holds all entries, and any number of
processes may use it at once. If file or disk fail, that costs speed, never a result.

A stored entry carries a seal, an HMAC with the key of this machine: what somebody else put there is no entry. Nor is anything run that
somebody else's database brings along: it is used only if its tables are exactly those of this module.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.run.store_folder import (
    ENDS,
    UnfitStoreError,
    opened_files,
    require_own_files,
    require_own_opened,
    store_folder,
)
from pytest_nlpeval.run.store_key import NoKeyError, store_key

if TYPE_CHECKING:
    from sqlite3 import Connection

FORMAT = 5
FILE = f"evidence-{FORMAT}.sqlite"

MOST_PAGES = 1 << 16
"""How large the file grows, in pages of 4 KiB: 256 MiB. Beyond that, the entries that nobody used for longest are dropped."""

MOST_DAYS = 30
"""After how many days without use an entry is dropped."""

PATIENCE = 1.0
"""How many seconds to wait while another process writes, before going on without the store."""

_TABLES = {
    "TABLE": "entries (key BLOB PRIMARY KEY, day INTEGER NOT NULL, counted BLOB NOT NULL, explained BLOB)",
    "INDEX": "days ON entries (day)",
}
_DEFINITIONS = {f"CREATE {kind} {definition}" for kind, definition in _TABLES.items()}
_DROP_OLDEST = """DELETE FROM entries WHERE rowid IN
    (SELECT rowid FROM entries ORDER BY day, rowid LIMIT (SELECT count(*) / 4 + 1 FROM entries))"""
_MOST_KEYS = 500
_SEAL = hashlib.sha256().digest_size

T = TypeVar("T")
Entry = dict[str, Any]
"""A JSON document. `explanations`, if it has any, are read only by those who ask for them."""


class _Open(NamedTuple):
    """A database that this process has open, and the key that seals its entries."""

    connection: Connection
    secret: bytes


@light_dataclass(frozen=True, slots=True)
class EvidenceStore:
    """Keeps entries in a file of `folder`, which other processes may share; without a folder, or if the file is of no use, in memory.

    Threads may share a store. Each process opens the file for itself, a forked one too: pickling a store keeps only its folder.
    Entries that another key sealed (`store_key`) are as good as absent.
    """

    folder: Path | None = None
    _explanations: WeakValueDictionary[bytes, Explanations] = field(default_factory=WeakValueDictionary, compare=False)
    _opened: dict[int, _Open] = field(default_factory=dict, compare=False)
    _locks: dict[int, Lock] = field(default_factory=dict, compare=False)

    @classmethod
    def at(cls, folder: Path) -> EvidenceStore:
        """Return the store of a folder, which is made.

        Raises:
            NotAStoreError: if the folder holds a file that is no store's.
            UnfitStoreError: if the store is not to be used; the message says why, and what to do.
            OSError: if it cannot be made.
        """
        return cls(store_folder(folder, FILE))

    def __reduce__(self) -> tuple[Callable[[Path | None], EvidenceStore], tuple[Path | None]]:
        """Pickle the folder alone."""
        return _shared, (self.folder,)

    def get(self, keys: Sequence[bytes], *, explain: bool = False) -> dict[bytes, Entry]:
        """Return the entries of these keys that the store has; with `explain`, only those with explanations."""
        entries: dict[bytes, Entry] = {}
        old: list[tuple[int, bytes]] = []
        nothing: tuple[bytes, list[Any]] = (b"", [])
        secret, rows = self._do(lambda opened: (opened.secret, _rows(keys, opened.connection)), nothing)
        for key, day, counted, explained in rows:
            stored = _unsealed(secret, b"counted" + key, counted)
            explanations = _unsealed(secret, b"explained" + key, explained) if explain else None
            if stored is not None and (explanations is not None or not explain):  # what somebody else put there is no entry
                entries[key] = {**stored, "explanations": explanations}
            if day != _today():
                old.append((_today(), key))
        if old:
            self._do(lambda opened: opened.connection.executemany("UPDATE entries SET day = ? WHERE key = ?", old), None)
        return entries

    def put(self, entries: Mapping[bytes, Entry]) -> None:
        """Keep entries, and drop those that nobody has used for long, in one transaction."""
        today = _today()

        def write(opened: _Open) -> None:
            connection, secret = opened
            rows = [(key, today, *_encoded(secret, key, entry)) for key, entry in entries.items()]
            connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
            connection.execute("DELETE FROM entries WHERE day < ?", (today - MOST_DAYS,))
            pages, free = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count"))
            if pages - free > MOST_PAGES:
                connection.execute(_DROP_OLDEST)

        if entries:
            self._do(write, None)

    def keep_explanations(self, explanations: Mapping[bytes, Explanations]) -> None:
        """Remember the explanations of these keys, for as long as a result of this process has them."""
        self._explanations.update(explanations)

    def explanations_of(self, keys: Iterable[bytes]) -> dict[bytes, Explanations]:
        """Return the explanations of these keys that a result of this process has: they need not be read."""
        remembered = ((key, self._explanations.get(key)) for key in keys)
        return {key: explanations for key, explanations in remembered if explanations is not None}

    def close(self) -> None:
        """Close the file; using the store opens it again."""
        opened = self._opened.pop(os.getpid(), None)
        if opened is not None:
            opened.connection.close()

    def __del__(self) -> None:
        """Close the file of a store that nobody has any more: Python warns of a connection that is left open."""
        with suppress(Exception):  # while the program ends, its modules may be gone
            self.close()

    def _do(self, work: Callable[[_Open], T], otherwise: T) -> T:
        """Do some work on the file in one transaction and return its value; `otherwise` if the work fails."""
        process = os.getpid()
        with self._locks.setdefault(process, Lock()):
            try:
                opened = self._opened.get(process) or _opened(self.folder)
            except ImportError:  # a Python without SQLite
                return otherwise
            self._opened[process] = opened
            try:
                with opened.connection:
                    return work(opened)
            except (opened.connection.DatabaseError, UnicodeDecodeError) as error:
                if self.folder is not None and _is_damage(error):
                    self.close()
                    _remove(self.folder / FILE)
                return otherwise


@lru_cache(maxsize=8)
def _shared(folder: Path | None) -> EvidenceStore:
    """Return this process's store of a folder: the same one, however often the process is sent it."""
    return EvidenceStore(folder)


class _ForeignTablesError(Exception):
    """A database whose tables are not exactly those of a store."""


def _opened(folder: Path | None) -> _Open:
    """Open the file of a folder: anew if it is damaged, for reading if the folder cannot be written, in memory if all that fails."""
    from sqlite3 import DatabaseError

    if folder is not None:
        path = (folder / FILE).absolute()
        for mode in ("rw", "rw", "ro&immutable=1"):
            try:
                require_own_files(folder, FILE)
                secret = store_key()
                folder.mkdir(parents=True, exist_ok=True)
                with suppress(FileExistsError):
                    path.touch(0o644, exist_ok=False)  # SQLite would make the file to which a link leads
                check = partial(require_own_opened, folder, FILE, opened_files())
                return _Open(_connected(f"{path.as_uri()}?mode={mode}", check), secret)
            except (UnfitStoreError, NoKeyError):
                break
            except (OSError, DatabaseError, UnicodeDecodeError, _ForeignTablesError) as error:
                if _is_damage(error):
                    _remove(path)
    return _Open(_connected(":memory:"), os.urandom(32))


def _connected(name: str, check: Callable[[], object] = bool) -> Connection:
    from sqlite3 import OperationalError, connect

    connection = connect(name, timeout=PATIENCE, check_same_thread=False, uri=True)
    try:
        check()
        connection.execute("PRAGMA trusted_schema = OFF")
        tables = _own_tables(connection)  # nothing is written to somebody else's database
        with suppress(OperationalError):  # of a file system that cannot, or because another process is doing it
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if tables != _DEFINITIONS:
            _make_tables(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _make_tables(connection: Connection) -> None:
    for kind, definition in _TABLES.items():
        connection.execute(f"CREATE {kind} IF NOT EXISTS {definition}")
    _own_tables(connection)


def _own_tables(connection: Connection) -> set[str]:
    """Return those definitions that a database has; raise if it has others."""
    tables = _tables(connection)
    if tables - _DEFINITIONS:
        raise _ForeignTablesError
    return tables


def _tables(connection: Connection) -> set[str]:
    """Return how the tables, indexes, views and triggers of a database are defined: a view may compute for ever."""
    return {text for (text,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}


def _is_damage(error: Exception) -> bool:
    """Whether a file is no store of this format: no database, a damaged one, or one with other tables.

    SQLite quotes a damaged table's definition in its message, which Python cannot decode if that is no text.
    """
    return isinstance(error, (_ForeignTablesError, UnicodeDecodeError)) or getattr(error, "sqlite_errorcode", 0) & 255 in (
        1,
        11,
        26,
    )  # _CORRUPT, _NOTADB


def _remove(path: Path) -> None:
    for end in ENDS:
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


def _encoded(secret: bytes, key: bytes, entry: Entry) -> tuple[bytes, bytes | None]:
    counted = {name: content for name, content in entry.items() if name != "explanations"}
    explanations = entry.get("explanations")
    explained = None if explanations is None else _sealed(secret, b"explained" + key, explanations)
    return _sealed(secret, b"counted" + key, counted), explained


def _sealed(secret: bytes, what: bytes, data: Any) -> bytes:
    """Compress a JSON document, and put before it the seal of it and of `what` it is."""
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 1)
    return hmac.digest(secret, what + packed, hashlib.sha256) + packed


def _unsealed(secret: bytes, what: bytes, data: object) -> Any:
    """Return the JSON document; None if the seal is not of this key, or of something else: nothing of it is looked at then."""
    if not isinstance(data, bytes) or not hmac.compare_digest(
        data[:_SEAL], hmac.digest(secret, what + data[_SEAL:], hashlib.sha256)
    ):
        return None
    return json.loads(zlib.decompress(data[_SEAL:]))

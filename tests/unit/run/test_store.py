from __future__ import annotations

import multiprocessing
import os
import pickle
import sqlite3
import sys
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval.run import store as module
from pytest_nlpeval.run.store import FILE, MOST_DAYS, EvidenceStore, NotAStoreError, store_folder

ONE, TWO, THREE = (bytes([number]) * 32 for number in (1, 2, 3))
ENTRY = {"evidence": {"documents": ["d"]}, "problems": {}, "explanations": None}
EXPLAINED = {**ENTRY, "explanations": {"counts": {"missed": 1}, "first": []}}


@contextmanager
def opened(folder: Path) -> Iterator[EvidenceStore]:
    """Another process's store, as good as."""
    with closing(EvidenceStore(folder)) as store:
        yield store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose store has two entries."""
    with opened(tmp_path) as store:
        store.put({ONE: ENTRY, TWO: EXPLAINED})
    return tmp_path


def found(folder: Path, *, explain: bool = False) -> dict[bytes, Any]:
    with opened(folder) as store:
        return store.get([ONE, TWO, THREE], explain=explain)


def change(folder: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / FILE)) as connection, connection:
        connection.execute(statement, values)


def test_entries_come_back_also_in_another_process(folder: Path) -> None:
    assert found(folder) == {ONE: ENTRY, TWO: ENTRY}


def test_explanations_come_back_if_they_are_asked_for(folder: Path) -> None:
    assert found(folder, explain=True) == {TWO: EXPLAINED}


def test_a_store_crosses_as_its_folder_and_is_one_in_a_process(folder: Path) -> None:
    with opened(folder) as store:
        sent, again = (pickle.loads(pickle.dumps(store)) for _ in range(2))
    assert sent == store
    assert sent is again
    with closing(sent):
        assert sent.get([ONE]) == {ONE: ENTRY}


def test_without_folder_entries_stay_in_memory() -> None:
    with closing(EvidenceStore()) as store, closing(EvidenceStore()) as other:
        store.put({ONE: ENTRY})
        assert store.get([ONE]) == {ONE: ENTRY}
        assert other.get([ONE]) == {}


def test_many_keys_are_looked_up_at_once(tmp_path: Path) -> None:
    keys = [number.to_bytes(32, "big") for number in range(3 * module._MOST_KEYS + 1)]
    with opened(tmp_path) as store:
        store.put(dict.fromkeys(keys, ENTRY))
        assert store.get([*keys, ONE]).keys() == set(keys)


BROKEN: dict[str, bytes] = {
    "empty": b"",
    "cut": zlib.compress(ONE + b"{}")[:-3],
    "no zlib": bytes(200),
    "of another key": zlib.compress(TWO + b"{}"),
    "no JSON": zlib.compress(ONE + b"{"),
    "deep": zlib.compress(ONE + b"[" * 100_000),
    "a list": zlib.compress(ONE + b"[]"),
}


@pytest.mark.parametrize("value", [*BROKEN.values(), "text", 7], ids=[*BROKEN, "text", "a number"])
def test_a_damaged_entry_is_no_entry(folder: Path, value: bytes | str | int) -> None:
    change(folder, "UPDATE entries SET counted = ? WHERE key = ?", value, ONE)
    assert found(folder) == {TWO: ENTRY}
    with opened(folder) as store:
        store.put({ONE: ENTRY})
        assert store.get([ONE]) == {ONE: ENTRY}


def _garbage_in_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:] = bytes(byte ^ 0x55 for byte in data[100:])
    path.write_bytes(data)


def _another_table(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entries (name TEXT)")


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no database": lambda path: path.write_bytes(b"nonsense" * 1000),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "empty": lambda path: path.write_bytes(b""),
    "garbage": _garbage_in_pages,
    "another table": _another_table,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_begun_anew(folder: Path, damage: Callable[[Path], object]) -> None:
    damage(folder / FILE)
    assert found(folder) == {}
    with opened(folder) as store:
        store.put({ONE: ENTRY})
    assert found(folder) == {ONE: ENTRY}


def test_damage_that_shows_while_the_store_is_open_is_repaired(folder: Path) -> None:
    with opened(folder) as store:
        assert store.get([ONE])
        change(folder, "DROP TABLE entries")
        assert store.get([ONE]) == {}
        store.put({ONE: ENTRY})
    assert found(folder) == {ONE: ENTRY}


def test_a_folder_in_the_place_of_the_file_costs_no_result(folder: Path) -> None:
    _a_folder(folder / FILE)
    with opened(folder) as store:
        store.put({ONE: ENTRY})
        assert store.get([ONE]) == {ONE: ENTRY}


def test_a_file_in_the_place_of_the_folder_costs_no_result(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with opened(tmp_path / "file") as store:
        store.put({ONE: ENTRY})
        assert store.get([ONE]) == {ONE: ENTRY}
    assert (tmp_path / "file").read_text() == ""


def test_what_cannot_be_written_can_be_read(folder: Path) -> None:
    (folder / f"{FILE}-wal").mkdir()  # where SQLite wants to write first
    with opened(folder) as store:
        store.put({THREE: ENTRY})
        assert store.get([ONE, THREE]) == {ONE: ENTRY}


def test_a_full_disk_costs_no_result(folder: Path) -> None:
    with opened(folder) as store:
        store.get([])
        store._opened[os.getpid()].execute("PRAGMA max_page_count = 8")
        store.put({THREE: {**ENTRY, "problems": os.urandom(100_000).hex()}})
        assert store.get([ONE, THREE]) == {ONE: ENTRY}


def test_a_file_that_somebody_writes_to_is_read_and_not_waited_for_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as other, opened(folder) as store:
        other.execute("BEGIN IMMEDIATE")
        store.put({THREE: ENTRY})
        assert store.get([ONE, THREE]) == {ONE: ENTRY}
        other.execute("ROLLBACK")
        store.put({THREE: ENTRY})
        assert store.get([THREE]) == {THREE: ENTRY}


def test_a_file_system_without_shared_memory_has_another_journal(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM entries").fetchone()  # nobody can change the mode while this is read
        assert found(folder) == {ONE: ENTRY, TWO: ENTRY}


def test_a_python_without_sqlite_costs_no_result(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    with opened(folder) as store:
        store.put({THREE: ENTRY})
        assert store.get([ONE]) == {}


def test_what_nobody_uses_goes_by_age(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day = module._today()
    monkeypatch.setattr(module, "_today", lambda: day + MOST_DAYS)
    with opened(folder) as store:
        assert store.get([ONE]) == {ONE: ENTRY}
    monkeypatch.setattr(module, "_today", lambda: day + MOST_DAYS + 1)
    with opened(folder) as store:
        store.put({THREE: ENTRY})
    assert found(folder) == {ONE: ENTRY, THREE: ENTRY}


def test_the_oldest_entries_go_first_where_there_are_too_many(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 0)
    with opened(folder) as store:
        store.put({THREE: ENTRY})
    assert found(folder) == {TWO: ENTRY, THREE: ENTRY}


def _put(folder: Path, first: int) -> None:
    with opened(folder) as store:
        for number in range(first, first + 50):
            store.put({number.to_bytes(32, "big"): ENTRY})


def test_processes_and_threads_share_a_store(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_put, args=(tmp_path, 1000 * rank)) for rank in range(2)]
    for process in processes:
        process.start()
    with opened(tmp_path) as store, ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda rank: store.put({bytes([rank]) * 32: ENTRY}), range(1, 9)))
        for process in processes:
            process.join()
        keys = [bytes([rank]) * 32 for rank in range(1, 9)]
        keys += [number.to_bytes(32, "big") for first in (0, 1000) for number in range(first, first + 50)]
        assert store.get(keys).keys() == set(keys)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_opens_the_file_for_itself(folder: Path) -> None:
    with opened(folder) as store:
        store.get([ONE])
        process = multiprocessing.get_context("fork").Process(target=store.put, args=({THREE: ENTRY},))
        process.start()
        process.join()
        assert process.exitcode == 0
        assert store.get([ONE, THREE]) == {ONE: ENTRY, THREE: ENTRY}


def test_the_folder_ignores_itself(tmp_path: Path) -> None:
    folder = store_folder(store_folder(tmp_path / "cache"))
    assert (folder / ".gitignore").read_text() == "*\n"
    with opened(folder) as store:
        store.put({ONE: ENTRY})
        assert store_folder(folder) == folder  # with the journal
    assert store_folder(folder) == folder


def test_a_store_of_another_version_stays_beside(folder: Path) -> None:
    (folder / "evidence-99.sqlite").write_bytes(b"from the future")
    (folder / "ab").mkdir()  # one of format 2
    assert found(store_folder(folder)) == {ONE: ENTRY, TWO: ENTRY}
    assert (folder / "evidence-99.sqlite").read_bytes() == b"from the future"


@pytest.mark.parametrize("name", ["notes.txt", "src/a.py", ".git/config"])
def test_a_folder_with_other_files_is_not_a_store(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(NotAStoreError):
        store_folder(tmp_path)
    assert not (tmp_path / ".gitignore").exists()

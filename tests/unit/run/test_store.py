from __future__ import annotations

import hmac
import multiprocessing
import os
import pickle
import sqlite3
import stat
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval.run import store as module
from pytest_nlpeval.run.store import FILE, MOST_DAYS, EvidenceStore
from pytest_nlpeval.run.store_folder import NotAStoreError, UnfitStoreError
from pytest_nlpeval.run.store_key import VARIABLE, store_key
from tests.support import files_below, write

ONE, TWO, THREE = (bytes([number]) * 32 for number in (1, 2, 3))
ENTRY = {"evidence": {"documents": ["d"]}, "problems": {}, "explanations": None}
EXPLAINED = {**ENTRY, "explanations": {"counts": {"missed": 1}, "first": []}}


@contextmanager
def opened(folder: Path) -> Iterator[EvidenceStore]:
    """Another process's store, as good as."""
    with closing(EvidenceStore(folder)) as store:
        yield store


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose store has two entries; it is the same day all the time."""
    day = module._today()
    monkeypatch.setattr(module, "_today", lambda: day)
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


def counted_of(folder: Path, key: bytes) -> bytes:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        ((counted,),) = connection.execute("SELECT counted FROM entries WHERE key = ?", (key,)).fetchall()
    return bytes(counted)


FORGED = zlib.compress(b'{"evidence": {"documents": ["forged"]}, "problems": {}}')

BROKEN: dict[str, Callable[[Path], bytes | str | int]] = {
    "empty": lambda _: b"",
    "cut": lambda folder: counted_of(folder, ONE)[:-3],
    "no zlib": lambda _: bytes(200),
    "of another key": lambda folder: counted_of(folder, TWO),
    "without seal": lambda _: FORGED,
    "with another's seal": lambda _: hmac.digest(b"another's secret", b"counted" + ONE + FORGED, "sha256") + FORGED,
    "with the seal of another entry": lambda folder: counted_of(folder, ONE)[:32] + FORGED,
    "text": lambda _: "text",
    "a number": lambda _: 7,
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_damaged_or_forged_entry_is_no_entry(folder: Path, broken: Callable[[Path], bytes | str | int]) -> None:
    change(folder, "UPDATE entries SET counted = ? WHERE key = ?", broken(folder), ONE)
    assert found(folder) == {TWO: ENTRY}
    with opened(folder) as store:
        store.put({ONE: ENTRY})
        assert store.get([ONE]) == {ONE: ENTRY}


def test_evidence_is_never_taken_for_explanations(folder: Path) -> None:
    change(folder, "UPDATE entries SET explained = counted")
    assert found(folder, explain=True) == {}


def test_a_store_of_another_key_is_empty_and_can_be_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "the key of another machine")
    assert found(folder) == {}
    with opened(folder) as store:
        store.put({ONE: ENTRY})
    assert found(folder) == {ONE: ENTRY}


def _garbage_in_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:] = bytes(byte ^ 0x55 for byte in data[100:])
    path.write_bytes(data)


def _another_table(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entries (name TEXT)")


def _a_view(path: Path) -> None:
    """A database in which asking for entries computes: without the limit, for ever."""
    path.unlink()
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE VIEW entries AS {numbers} SELECT i AS key, i AS day, i AS counted, i AS explained FROM n")


def _with_a_trigger(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TRIGGER t AFTER INSERT ON entries BEGIN UPDATE entries SET day = 99999; END")


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _no_text(path: Path) -> None:
    """Make the definition of the table bytes that SQLite can neither read nor, in UTF-8, quote."""
    content = path.read_bytes()
    assert b"CREATE TABLE entries (key" in content
    path.write_bytes(content.replace(b"CREATE TABLE entries (key", b"CREATE TABLE entries \xa7key"))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no database": lambda path: path.write_bytes(b"nonsense" * 1000),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "empty": lambda path: path.write_bytes(b""),
    "garbage": _garbage_in_pages,
    "another table": _another_table,
    "a view": _a_view,
    "a trigger": _with_a_trigger,
    "no text": _no_text,
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
        store._opened[os.getpid()].connection.execute("PRAGMA max_page_count = 8")
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
    folder = tmp_path / "cache"
    with closing(EvidenceStore.at(folder)) as store:
        assert (folder / ".gitignore").read_text() == "*\n"
        store.put({ONE: ENTRY})
        assert EvidenceStore.at(folder).folder == store.folder == folder  # with the journal
    assert EvidenceStore.at(folder).folder == folder


def test_a_store_of_another_version_stays_beside(folder: Path) -> None:
    (folder / "evidence-99.sqlite").write_bytes(b"from the future")
    (folder / "ab").mkdir()  # one of format 2
    assert EvidenceStore.at(folder).folder == folder
    assert found(folder) == {ONE: ENTRY, TWO: ENTRY}
    assert (folder / "evidence-99.sqlite").read_bytes() == b"from the future"


@pytest.mark.parametrize("name", ["notes.txt", "src/a.py", ".git/config"])
def test_a_folder_with_other_files_is_not_a_store(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(NotAStoreError):
        EvidenceStore.at(tmp_path)
    assert not (tmp_path / ".gitignore").exists()


def _link(path: Path, target: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target)


def _link_in_place_of(folder: Path, target: Path) -> None:
    folder.rmdir()
    folder.symlink_to(target)


def _pipe(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)


def _second_name(path: Path, target: Path) -> None:
    path.parent.mkdir()
    os.link(target, path)


def _journal_that_names(path: Path, target: Path) -> None:
    """Write a store, and beside it a journal as it stays where a transaction of several databases was interrupted.

    It has one page, as it was before, and the name of the journal of all. SQLite plays it back, and deletes what has that name unless it
    names this journal, too.
    """
    with opened(path.parent) as store:
        store.put({ONE: ENTRY})
    content = bytearray(path.read_bytes())
    content[18:20] = b"\1\1"  # a database whose journal is not WAL
    path.write_bytes(content)
    page, mark, name = bytes(content[:4096]), bytes.fromhex("d9d505f920a163d7"), os.fsencode(target)
    header = mark + struct.pack(">5I", 1, 0, len(content) // 4096, 512, 4096)
    record = struct.pack(">I", 1) + page + struct.pack(">I", sum(page[4096 - 200 : 0 : -200]))
    end = struct.pack(">I", (1 << 30) // 4096 + 1) + name + struct.pack(">2I", len(name), sum(name)) + mark
    path.with_name(f"{path.name}-journal").write_bytes(header.ljust(512, b"\0") + record + end)


PLANTED: dict[str, Callable[[Path, Path], None]] = {
    "the folder is a link": _link,
    "it lies behind a link": lambda cache, theirs: _link_in_place_of(cache.parent, theirs),
    "the folder is a pipe": lambda cache, _: os.mkfifo(cache),
    "the file is a link": lambda cache, theirs: _link(cache / FILE, theirs / "file"),
    "the journal is a link": lambda cache, theirs: _link(cache / f"{FILE}-wal", theirs / "file"),
    "the marker is a link": lambda cache, theirs: _link(cache / ".gitignore", theirs / "new"),
    "the file is a pipe": lambda cache, _: _pipe(cache / FILE),
    "its journal is a pipe": lambda cache, _: _pipe(cache / f"{FILE}-journal"),
    "the file has another name": lambda cache, theirs: _second_name(cache / FILE, theirs / "file"),
    "its journal has another name": lambda cache, theirs: _second_name(cache / f"{FILE}-wal", theirs / "file"),
    "its journal names another file": lambda cache, theirs: _journal_that_names(cache / FILE, theirs / "file"),
}


@pytest.mark.usefixtures("never_waits")
@pytest.mark.skipif(os.name == "nt", reason="links take a privilege there, and there are no pipes")
@pytest.mark.parametrize("plant", PLANTED.values(), ids=PLANTED)
def test_a_store_that_a_checkout_planted_is_not_used(tmp_path: Path, plant: Callable[[Path, Path], None]) -> None:
    """Nothing is written through it, and nothing waits for it: neither where its folder is made nor where it is only opened."""
    theirs, cache = tmp_path / "theirs", tmp_path / "repo/deep/cache"
    for folder in (theirs, tmp_path / "repo/.git", cache.parent):
        folder.mkdir(parents=True)
    (theirs / "file").write_bytes(b"theirs")
    plant(cache, theirs)
    with pytest.raises(
        (UnfitStoreError, FileExistsError), match=r"is a (hard )?link|is no regular file|names another file|File exists"
    ):
        EvidenceStore.at(cache)
    with opened(cache) as store:
        store.put({ONE: ENTRY})
        assert store.get([ONE]) == {ONE: ENTRY}  # in memory
    assert files_below(theirs) == {"file": b"theirs"}


def _swapped_for_a_file(name: str) -> Callable[[Path, Path], Path]:
    def swap(cache: Path, theirs: Path) -> Path:
        (cache / FILE).rename(cache / "kept")
        (cache / FILE).symlink_to(theirs / name)
        return cache / FILE

    return swap


def _swapped_for_a_folder(cache: Path, theirs: Path) -> Path:
    cache.rename(cache.with_name("kept"))
    cache.symlink_to(theirs)
    return cache


SWAPS = {
    "the file": _swapped_for_a_file(FILE),
    "the file, by nothing": _swapped_for_a_file("new"),
    "the folder": _swapped_for_a_folder,
}


@pytest.mark.skipif(os.name == "nt", reason="links take a privilege there")
@pytest.mark.parametrize("goes_back", [False, True])
@pytest.mark.parametrize("swap", SWAPS.values(), ids=SWAPS)
def test_a_link_that_comes_while_the_file_is_opened_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swap: Callable[[Path, Path], Path], *, goes_back: bool
) -> None:
    theirs, cache = tmp_path / "theirs", tmp_path / "repo/cache"
    write(theirs, {FILE: ""})  # as empty as the database of a new store
    with opened(cache) as store:
        store.put({ONE: ENTRY})
    write(tmp_path, {"repo/.git/HEAD": ""})
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect
    swapped: list[Path] = []

    def connect_in_between(name: str, **given: Any) -> sqlite3.Connection:
        if swapped or ":memory:" in name:
            return connect(name, **given)
        swapped.append(place := swap(cache, theirs))
        try:
            return connect(name, **given)
        finally:
            if goes_back:
                place.unlink()
                place.with_name("kept").rename(place)

    monkeypatch.setattr(sqlite3, "connect", connect_in_between)
    with opened(cache) as store:
        store.put({TWO: ENTRY})
        assert store.get([TWO]) == {TWO: ENTRY}
    assert swapped
    assert files_below(theirs) == {FILE: b""}


def test_a_machine_whose_folders_are_links_has_a_store(tmp_path: Path) -> None:
    (tmp_path / "disk/repo/.git").mkdir(parents=True)
    (tmp_path / "home").symlink_to(tmp_path / "disk")
    with closing(EvidenceStore.at(tmp_path / "home/repo/cache")) as store:
        store.put({ONE: ENTRY})
    assert found(tmp_path / "disk/repo/cache") == {ONE: ENTRY}


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize("as_a_repository", [False, True])
def test_a_store_that_git_tracks_is_not_used(tmp_path: Path, *, as_a_repository: bool) -> None:
    git(tmp_path, "init")
    store = tmp_path / "cache"
    with closing(EvidenceStore.at(store)) as ours:
        ours.put({ONE: ENTRY})
    assert EvidenceStore.at(store).folder == store  # while git ignores it
    if as_a_repository:
        git(tmp_path, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},cache")
    else:
        git(tmp_path, "add", "--force", "cache")
    with pytest.raises(UnfitStoreError, match="tracked by git"):
        EvidenceStore.at(store)


@pytest.mark.parametrize("key", ["short", " " * 16, "short" + "\n" * 16])
def test_a_variable_with_a_short_key_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv(VARIABLE, key)
    with pytest.raises(UnfitStoreError, match=f"{VARIABLE} has fewer than 16"):
        EvidenceStore.at(tmp_path / "cache")
    assert found(tmp_path) == {}  # kept in memory
    assert not any(tmp_path.iterdir())


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the secret of this user lies, who has none yet."""
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return tmp_path / "caches/pytest-nlpeval/store-key"


def test_the_secret_is_made_once_and_is_this_users_alone(secret: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(lambda _: store_key(), range(16)))
    assert keys == {secret.read_bytes()}
    assert len(secret.read_bytes()) == 32
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert [path.name for path in secret.parent.iterdir()] == ["store-key"]


def test_blanks_around_a_key_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0123456789abcdef")
    key = store_key()
    monkeypatch.setenv(VARIABLE, " 0123456789abcdef\n")
    assert store_key() == key


@pytest.mark.usefixtures("secret")
@pytest.mark.skipif(os.name == "nt", reason="the home folder has another variable there")
def test_no_secret_lies_where_a_run_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative XDG_CACHE_HOME is ignored, as its specification says, and a relative home folder is none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert store_key() == (tmp_path / "home/.cache/pytest-nlpeval/store-key").read_bytes()
    monkeypatch.setenv("HOME", "relative")
    with pytest.raises(UnfitStoreError, match="is a relative path; set HOME"):
        EvidenceStore.at(tmp_path / "store")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_half_a_secret_is_replaced(secret: Path) -> None:
    secret.parent.mkdir(parents=True)
    secret.touch(0o600)
    secret.write_bytes(b"half")
    assert store_key() == secret.read_bytes() != b"half"


def _readable(path: Path) -> None:
    path.write_bytes(bytes(32))
    path.chmod(0o644)


SPOILT: dict[str, Callable[[Path], object]] = {
    "readable by others": _readable,
    "a pipe": lambda path: os.mkfifo(path, 0o600),
    "a link": lambda path: path.symlink_to(_written(path.with_name("known"))),
    "a folder": lambda path: path.mkdir(0o700),
}


def _written(path: Path) -> Path:
    path.touch(0o600)
    path.write_bytes(bytes(32))
    return path


@pytest.mark.usefixtures("never_waits")
@pytest.mark.skipif(os.name == "nt", reason="modes of files are others there")
@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_secret_that_others_may_know_is_refused(secret: Path, tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    secret.parent.mkdir(parents=True)
    spoil(secret)
    with pytest.raises(UnfitStoreError, match="store-key"):
        EvidenceStore.at(tmp_path / "cache")


@pytest.mark.skipif(os.name == "nt", reason="users are others there")
def test_a_secret_of_another_user_is_refused(secret: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret.parent.mkdir(parents=True)
    _written(secret)
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    with pytest.raises(UnfitStoreError, match="is not a file of this user's alone"):
        EvidenceStore.at(tmp_path / "cache")


def test_a_user_without_a_folder_for_the_secret_has_no_store(secret: Path, tmp_path: Path) -> None:
    (tmp_path / "caches").write_text("a file")
    with pytest.raises(UnfitStoreError, match=f"cannot be kept.*set {VARIABLE}"):
        EvidenceStore.at(tmp_path / "cache")

"""Disks that are full, folders that cannot be written, clocks that go wrong, and several runs at once: the verdict is the same."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pytest_nlpeval.run import store as module
from pytest_nlpeval.run.store import FILE, EvidenceStore
from tests.support import COMMAND, HANG, Ended, apart, assert_clean, command_apart, files_below, make_suite
from tests.unit.baselines.repositories import commit, start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of files are set as on Linux")

REPORT = ("--report", "json:report.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_suite(tmp_path, "accuracy: 0.5")


def with_full_disk(folder: Path, most_bytes: int, *arguments: str) -> Ended:
    """Run the command where no file can have more bytes: writing fails as it does on a disk that is full."""
    code = (
        "import os, resource as r, sys\nr.setrlimit(r.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)\nos.execv(sys.argv[2], sys.argv[2:])"
    )
    return apart(folder, [sys.executable, "-c", code, str(most_bytes), *COMMAND, *arguments])


def test_a_report_for_which_there_is_no_room_is_one_line_and_exit_code_2(folder: Path) -> None:
    (folder / "report.json").write_text("the report of before")
    ended = with_full_disk(folder, 1000, "run", "--no-cache", *REPORT)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "nlpeval: the report report.json cannot be written: File too large\n"
    assert (folder / "report.json").read_text() == "the report of before"
    assert not [name for name in files_below(folder) if "unfinished" in name]


@pytest.mark.parametrize("most_bytes", [0, 10])
def test_what_needs_files_of_an_earlier_commit_for_which_there_is_no_room_is_unjudged(tmp_path: Path, most_bytes: int) -> None:
    """Without a byte there is no temporary folder at all, with ten no file."""
    folder = make_suite(start(tmp_path), "accuracy: {min: 0.5, max_drop: 0.1}")
    commit(folder)
    with_room = command_apart(folder, "run", "--no-cache", "--baseline", "git:HEAD")
    ended = with_full_disk(folder, most_bytes, "run", "--no-cache", "--baseline", "git:HEAD")
    assert (with_room.code, ended.code) == (0, 1)
    assert "git:HEAD: its files cannot be written to " in ended.all
    assert with_full_disk(folder, most_bytes, "compare", "--no-cache", "dev", "git:HEAD").code == 2


@pytest.mark.parametrize("most_bytes", [0, 100, 5_000, 20_000])
def test_a_store_for_which_there_is_no_room_changes_nothing(folder: Path, most_bytes: int) -> None:
    plain = command_apart(folder, "run", "--no-cache")
    full = with_full_disk(folder, most_bytes, "run")
    assert (full.code, full.out) == (plain.code, plain.out)
    assert len(full.err.splitlines()) <= 1
    again = command_apart(folder, "run")
    assert again == plain


def test_a_folder_that_cannot_be_written_changes_nothing(folder: Path) -> None:
    plain = command_apart(folder, "run", "--no-cache")
    ended = command_apart(folder, "run", "--cache-dir", "/proc/nlpeval")
    assert (ended.code, ended.out) == (plain.code, plain.out)
    assert ended.err.startswith("nlpeval: no evidence store in /proc/nlpeval: ")
    ended = command_apart(folder, "run", "--no-cache", "--report", "json:/proc/nlpeval/report.json")
    assert ended.code == 2
    assert ended.err.startswith("nlpeval: the report /proc/nlpeval/report.json cannot be written: ")


@pytest.mark.parametrize("day", [0, -1, 1, 10**6])
def test_a_clock_that_goes_wrong_costs_no_entry_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, day: int) -> None:
    key, later = b"1" * 32, b"2" * 32
    entry: dict[str, object] = {"evidence": None, "problems": {}, "explanations": None}
    today = module._today()
    with closing(EvidenceStore(tmp_path)) as store:
        store.put({key: entry})
        monkeypatch.setattr(module, "_today", lambda: day)
        assert store.get([key]) == {key: entry}
        store.put({later: entry})
        assert later in store.get([later])
        monkeypatch.setattr(module, "_today", lambda: today)
        assert store.get([later]).keys() <= {later}
        store.put({key: entry})
        assert store.get([key]) == {key: entry}


def test_who_is_killed_while_it_writes_to_a_store_leaves_what_was_there(tmp_path: Path) -> None:
    """It is killed between the entries and the end of their transaction: the next process finds those of before, and writes its own."""
    code = """
import os, signal
from pathlib import Path
from pytest_nlpeval.run.store import EvidenceStore
entry = {"evidence": None, "problems": {}, "explanations": None}
store = EvidenceStore(Path("cache"))
store.put({b"1" * 32: entry})
kill = lambda text: text.startswith("DELETE") and os.kill(os.getpid(), signal.SIGKILL)
store._opened[os.getpid()].connection.set_trace_callback(kill)
store.put({b"2" * 32: entry})
"""
    assert apart(tmp_path, [sys.executable, "-c", code]) == Ended(-9, "", "")
    first, second = b"1" * 32, b"2" * 32
    with closing(EvidenceStore(tmp_path / "cache")) as store:
        entries = store.get([first, second])
        assert entries.keys() == {first}
        store.put({second: entries[first]})
        assert store.get([first, second]).keys() == {first, second}


def test_several_runs_share_a_store_and_a_report(folder: Path) -> None:
    arguments = [*COMMAND, "run", "--cache-dir", "cache", *REPORT]
    alone = command_apart(folder, "run", "--no-cache", "--report", "json:alone.json")
    runs = [subprocess.Popen(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for run in runs:
        out, error = run.communicate(timeout=HANG)
        assert_clean(error)
        assert Ended(run.returncode, out, error) == alone
    assert (folder / "report.json").read_bytes() == (folder / "alone.json").read_bytes()
    assert not [name for name in files_below(folder) if "unfinished" in name]
    with closing(EvidenceStore(folder / "cache")) as store:
        store.get([])
    assert (folder / "cache" / FILE).stat().st_size


def test_a_store_that_is_forged_is_not_believed(folder: Path) -> None:
    """The command's own store, filled on a machine with another key: what was counted there is counted anew here."""
    variables = {"NLPEVAL_STORE_KEY": "the key of somebody else"}
    first = apart(folder, [*COMMAND, "run"], variables)
    store = folder / ".nlpeval_cache" / FILE
    before = store.read_bytes()
    here = apart(folder, [*COMMAND, "run"], {"NLPEVAL_STORE_KEY": "the key of this machine"})
    assert here == first
    assert store.read_bytes() != before

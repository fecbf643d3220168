"""What xdist's processes share during a run, so that each batch is worked out once; nothing of it ever changes a verdict."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval.problems import Problem
from pytest_nlpeval.pytest_plugin.sharing import Shared
from pytest_nlpeval.runs import CaseResult, Part
from tests.support import HALF, RIGHT, Ended, apart, gold_xml, make_suite, outcomes, run_pytest, run_pytest_apart, write

PART = Part((CaseResult("a", {"gold": (Problem("x.y", "warning", "a", 1, None, "", "m"),)}, None, "ok"),), None)


def test_one_process_claims_a_part_and_all_get_it(tmp_path: Path) -> None:
    one, other = Shared(tmp_path), Shared(tmp_path)
    assert other.get("p", Part) is None
    assert [one.claim("p"), other.claim("p"), one.claim("p"), one.claim("q")] == [True, False, False, True]
    one.put("p", PART)
    assert other.get("p", Part) == one.get("p", Part) == PART
    assert other.get("q", Part) is None
    assert other.get("p", CaseResult) is None  # another type


def test_of_what_all_processes_have_the_name_crosses_alone(tmp_path: Path) -> None:
    here, there = {"case": PART.cases[0], "none": None}, {"case": CaseResult("theirs", {}, None, "failed"), "none": PART}
    other = CaseResult("b", {}, None, "ok")
    Shared(tmp_path).put("p", Part((PART.cases[0], other), None), here)
    assert Shared(tmp_path).get("p", Part, there) == Part((there["case"], other), None)  # type: ignore[arg-type]
    assert Shared(tmp_path).get("p", Part) is None  # a process that has it not works it out
    assert Shared(tmp_path).worked_out("p", Part, lambda: PART) == PART


def test_what_cannot_be_pickled_is_kept_from_the_others(tmp_path: Path) -> None:
    shared = Shared(tmp_path)
    shared.put("p", lambda: PART)
    assert list(tmp_path.glob("*.shared")) == []


def test_threads_wait_for_the_one_that_works_something_out(tmp_path: Path) -> None:
    worked: list[int] = []
    got: list[Part] = []

    def work() -> Part:
        worked.append(1)
        time.sleep(0.05)  # long enough for the others to come and wait
        return PART

    threads = [threading.Thread(target=lambda: got.append(Shared(tmp_path).worked_out("p", Part, work))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (worked, got) == ([1], [PART] * 8)


LONG = """
import sys, time
from pathlib import Path
from pytest_nlpeval.pytest_plugin.sharing import Shared

def work():
    print("at work", flush=True)
    time.sleep(600)

Shared(Path(sys.argv[1])).worked_out("p", int, work)
"""


def test_who_dies_at_work_makes_nobody_wait_for_ever(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", LONG, str(tmp_path)], stdout=subprocess.PIPE, text=True) as at_work:
        assert at_work.stdout is not None
        assert at_work.stdout.readline() == "at work\n"
        threading.Timer(0.7, at_work.kill).start()  # after the first turn of waiting
        assert Shared(tmp_path).worked_out("p", int, lambda: 7) == 7


def test_names_may_hold_anything(tmp_path: Path) -> None:
    names = ["../a", "a/b", "a\udcff", "x" * 5000, ""]
    shared = Shared(tmp_path)
    assert all(map(shared.claim, names))
    assert not any(map(shared.claim, names))


@pytest.mark.parametrize("folder", [None, Path("nowhere/at/all")])
def test_without_a_folder_every_process_works_everything_out(folder: Path | None) -> None:
    shared = Shared(folder)
    assert shared.claim("p")
    assert shared.claim("p")
    shared.put("p", PART)
    assert shared.get("p", Part) is None
    assert shared.worked_out("p", Part, lambda: PART) == PART


@pytest.mark.parametrize("content", [b"", b"\x80\x05", b"cno_such_module\nname\n.", b"I1\n."])
def test_what_is_not_a_part_is_worked_out_again(tmp_path: Path, content: bytes) -> None:
    shared = Shared(tmp_path)
    shared.put("p", PART)
    (path,) = tmp_path.glob("*.shared")
    path.write_bytes(content)
    assert shared.get("p", Part) is None


def test_only_one_of_many_threads_wins_a_claim(tmp_path: Path) -> None:
    won: list[bool] = []
    threads = [threading.Thread(target=lambda: won.append(Shared(tmp_path).claim("p"))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == [False] * 15 + [True]


# Whole runs. Each process writes a line for each document that it counts, and for each configuration that it loads.

SPY = """
import os
from pathlib import Path
from pytest_nlpeval.config import file
from pytest_nlpeval.run import case, engine

def note(line):
    with open(os.environ["SPY"], "a") as stream:
        stream.write(f"{os.getpid()} {line}\\n")

count, listed, conclude = case._count, file._listed, engine.conclude
def counted(recipe, one, *given, **named):
    note(f"count {one.name}")
    return count(recipe, one, *given, **named)
def loaded(*given):
    note("load x")
    return listed(*given)
def concluded(suite, *given, **named):
    note(f"score {suite.name}")
    return conclude(suite, *given, **named)
case._count, file._listed, engine.conclude = counted, loaded, concluded
"""


def spied(folder: Path, *arguments: str) -> tuple[Ended, list[tuple[str, str, str]]]:
    """How a run in `folder` ended, and what its processes did: process, verb, object."""
    write(folder, {"spy.py": SPY})
    notes = folder / "notes"
    notes.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-p", "no:randomly", "-p", "no:hypothesispytest", "-p", "spy", "--nlpeval", "-v"]
    ended = apart(folder, [*command, *arguments], {"SPY": str(notes), "PYTHONPATH": f"{folder}:{':'.join(sys.path[1:])}"})
    lines = notes.read_text().splitlines() if notes.exists() else []
    return ended, [(line.split()[0], line.split()[1], line.split()[2]) for line in lines]


def did(notes: Sequence[tuple[str, str, str]], verb: str) -> list[str]:
    """The objects of a verb, sorted."""
    return sorted(thing for _, done, thing in notes if done == verb)


TEN = {f"d{number}": HALF if number % 3 else RIGHT for number in range(10)}


@pytest.mark.parametrize("report", [(), ("--nlpeval-report=json:report.json",)])
def test_a_process_loads_and_counts_everything_once(tmp_path: Path, report: tuple[str, ...]) -> None:
    make_suite(tmp_path, "task.*.accuracy: 0.25", "accuracy: 0.25", "coverage: 0.5", runs=TEN)
    ended, notes = spied(tmp_path, "-p", "no:xdist", "--nlpeval-no-cache", *report)
    assert ended.code == 0, ended.all
    assert did(notes, "count") == sorted(TEN)
    assert did(notes, "load") == ["x"]


def test_a_failed_gate_counts_a_second_time_for_its_explanations_only(tmp_path: Path) -> None:
    make_suite(tmp_path, "accuracy: 0.9", "coverage: 0.5", runs=TEN)
    ended, notes = spied(tmp_path, "-p", "no:xdist", "--nlpeval-no-cache")
    assert ended.code == 1
    assert did(notes, "count") == sorted([*TEN, *TEN])
    ended, notes = spied(tmp_path, "-p", "no:xdist", "--nlpeval-no-cache", "--nlpeval-report=json:report.json")
    assert did(notes, "count") == sorted(TEN)


@pytest.mark.parametrize("gates", [("accuracy: 0.25", "coverage: 0.5"), ("task.*.accuracy: 0.25",)])
def test_workers_divide_the_work(tmp_path: Path, gates: tuple[str, ...]) -> None:
    pytest.importorskip("xdist")
    make_suite(tmp_path, *gates, runs={f"d{number:02}": RIGHT for number in range(40)})
    ended, notes = spied(tmp_path, "-n2", "--nlpeval-no-cache", "--nlpeval-report=json:report.json")
    assert ended.code == 0, ended.all
    assert did(notes, "count") == [f"d{number:02}" for number in range(40)]
    assert did(notes, "score") == ["dev"]  # nor does the controller score again for its report
    loads = [process for process, verb, _ in notes if verb == "load"]
    assert len(loads) == len(set(loads)) == 3  # two workers; the controller for its report


def test_one_worker_scores_and_explains_for_all(tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    make_suite(tmp_path, "task.*.accuracy: 0.99", "accuracy: 0.99", "coverage: 0.5", runs={"d1": HALF})
    ended, notes = spied(tmp_path, "-n2", "--nlpeval-no-cache")
    assert ended.code == 1
    assert did(notes, "count") == ["d1", "d1"]  # once for its scores, once for its explanations
    assert did(notes, "score") == ["dev"]


def test_the_controller_finds_no_cases_without_a_report_and_nothing_of_a_run_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("xdist")
    make_suite(tmp_path / "suite", runs=TEN)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    ended, notes = spied(tmp_path / "suite", "-n2")
    assert ended.code == 0
    assert len(did(notes, "load")) == 2
    assert list((tmp_path / "temporary").glob("nlpeval-*")) == []


def test_with_each_every_worker_counts_everything_itself(tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    make_suite(tmp_path, runs=TEN)
    _, notes = spied(tmp_path, "-n2", "--dist=each", "--nlpeval-no-cache")
    assert did(notes, "count") == sorted([*TEN, *TEN])


def document(path: Path) -> Any:
    return json.loads(path.read_bytes())


@pytest.mark.parametrize("flags", [(), ("--nlpeval-no-cache",), ("-p", "no:cacheprovider")])
def test_batches_have_the_same_ids_verdicts_and_report_with_workers(pytester: pytest.Pytester, flags: tuple[str, ...]) -> None:
    pytest.importorskip("xdist")
    runs = {f"d{number:03}": HALF if number % 7 else RIGHT for number in range(200)}
    make_suite(pytester.path, "accuracy: 0.9", "coverage: 0.5", runs=runs)
    write(pytester.path, {"system/d100.txt": "1 PERHAPS 1\n", "gold/d101.xml": gold_xml([("1", "IR", "MAYBE")])})
    here = run_pytest(pytester, "-v", *flags, "--nlpeval-report=json:here.json")
    there = run_pytest_apart(pytester, "-v", "-n2", *flags, "--nlpeval-report=json:there.json")
    assert outcomes(here.out) == dict(
        sorted(outcomes(there.out).items(), key=lambda item: list(outcomes(here.out)).index(item[0]))
    )
    assert outcomes(here.out)["nlpeval.yaml::dev::d099..d101"] == "failed"
    assert "2 documents of dev with errors in gold-side files: d100, d101" in there.out
    assert (pytester.path / "here.json").read_bytes() == (pytester.path / "there.json").read_bytes()
    cases = document(pytester.path / "here.json")["suites"][0]["cases"]
    assert (cases["total"], cases["failed"]) == (200, 2)

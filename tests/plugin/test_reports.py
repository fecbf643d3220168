"""What a run leaves behind: table, JSON report, JUnit, and nothing where it did not come to its end."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pytest_nlpeval
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.pytest_plugin import state
from pytest_nlpeval.reports.run import document
from pytest_nlpeval.run import budget, engine
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.runs import Part
from pytest_nlpeval.shelf import SURE, Gathered
from tests.support import (
    GATE,
    HALF,
    RIGHT,
    Ended,
    command,
    config_text,
    gold_xml,
    make_suite,
    run_pytest,
    run_pytest_apart,
    run_pytest_with,
    write,
)

REPORT = "--nlpeval-report=json:report.json"


def report(folder: Path, name: str = "report.json") -> Any:
    return json.loads((folder / name).read_bytes())


def section(text: str) -> list[str]:
    """The lines of the summary's only nlpeval section."""
    assert text.count("= nlpeval =") == 1
    lines = text.partition("= nlpeval =")[2].splitlines()[1:]
    end = next(number for number, line in enumerate(lines) if line.startswith("="))
    return [line for line in lines[:end] if line]


def test_one_table(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: {min: 0.8, max: 0.9}", "coverage: {min: 0.5, informational: true}")
    make_suite(pytester.path / "more", "accuracy: 0.5", runs={"a": HALF})
    write(pytester.path, {"more/nlpeval.yaml": config_text("accuracy: 0.5").replace("name: dev", "name: test set")})
    lines = section(run_pytest(pytester, "--nlpeval-confidence=off").out)
    assert [line.split() for line in lines] == [
        ["test", "set", "(more/nlpeval.yaml),", "1", "document", "today", "limit"],
        ["✓", "accuracy", "0.500", "≥", "0.5,", "0", "to", "spare"],
        ["dev", "(nlpeval.yaml),", "2", "documents", "today", "limit"],
        ["✗", "accuracy", "0.750", "≥", "0.8,", "short", "by", "0.050"],
        ["✓", "coverage", "1.000", "≥", "0.5,", "0.500", "to", "spare", "(informational)"],
    ]


def test_a_suite_without_gates_stands_in_the_table(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, config=config_text(GATE).partition("    gates")[0])
    assert section(run_pytest(pytester).out)[0] == "dev, 2 documents: no gates"


def test_warnings_are_shown_once_below_the_table(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": RIGHT.replace(" 0.9", "  0.9")})
    ended = run_pytest(pytester)
    assert ended.code == 0
    assert [line for line in section(ended.out) if "rte.blanks" in line] == [
        next(line for line in ended.out.splitlines() if line.startswith("system/a.txt:1: rte.blanks:"))
    ]
    assert ended.out.count("rte.blanks") == 1


@pytest.mark.parametrize("workers", [(), ("-n2",)])
def test_warnings_that_say_the_same_of_many_documents_are_told_as_the_command_tells_them(
    pytester: pytest.Pytester, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, workers: tuple[str, ...]
) -> None:
    """Each document is an item of its own, whichever process has it; what its name holds is sent escaped."""
    names = [f"d{rank:02}" for rank in range(20)]
    make_suite(pytester.path, runs=dict.fromkeys([*names, "a\udcff\x1b"], RIGHT.replace(" 0.9", "  0.9")))
    monkeypatch.chdir(pytester.path)
    told = [line for line in command(capfd, "run", "--no-cache").out.splitlines() if "rte.blanks" in line]
    assert told[0].startswith(r"system/a\xff\x1b.txt:1: rte.blanks: ")
    assert [line.partition(": rte.blanks: ")[0] for line in told[1:5]] == [f"system/{name}.txt:1" for name in names[:4]]
    assert told[5:] == ["rte.blanks: 16 more problems that say the same, in 16 files [warning]"]
    ended = run_pytest_with(pytester, workers)
    assert (ended.code, [line for line in section(ended.out) if "rte.blanks" in line]) == (0, told)


def test_all_ways_give_the_same_scores(
    pytester: pytest.Pytester, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """pytest -n 2 against pytest is in test_xdist."""
    runs = {f"d{number}": HALF if number % 3 else RIGHT.replace("4 FALSE", "4 TRUE") for number in range(7)}
    folder = make_suite(pytester.path, "accuracy: 0.25", "cws*: {min: 0.9, informational: true}", runs=runs)
    monkeypatch.chdir(folder)
    run_pytest(pytester, "--nlpeval-report=json:pytest.json")
    command(capfd, "run", "--no-cache", "--report", "json:run.json")
    command(capfd, "run", "--jobs", "2", "--report", "json:jobs.json", "--cache-dir", "cache")
    texts = {(folder / f"{name}.json").read_text() for name in ("pytest", "run", "jobs")}
    assert len(texts) == 1
    scores = report(folder, "run.json")["suites"][0]["scores"]
    (suite,) = pytest_nlpeval.load_suites(folder / "nlpeval.yaml")
    with ThreadPoolExecutor(2) as executor:
        for result in (pytest_nlpeval.evaluate(suite), pytest_nlpeval.evaluate(suite, executor)):
            assert {name: score.value for name, score in result.scores.items()} == {
                name: entry["value"] for name, entry in scores.items()
            }
    assert scores["accuracy"]["value"] == (3 * 3 + 4 * 2) / 28


def test_junit_carries_scores_as_properties(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: {min: 0.8, max: 0.9}", "coverage: 0.5")
    run_pytest(pytester, "--junitxml=junit.xml")
    cases = {case.get("name"): case for case in ET.parse(pytester.path / "junit.xml").iter("testcase")}
    assert set(cases) == {"a", "b", "accuracy", "coverage"}
    properties = {entry.get("name"): entry.get("value") for entry in cases["accuracy"].iter("property")}
    low, high = properties.pop("accuracy.low"), properties.pop("accuracy.high")
    assert 0 <= float(low or "nan") <= 0.75 <= float(high or "nan") <= 1
    verdicts = {"accuracy.min.verdict": "failed", "accuracy.max.verdict": "passed"}
    assert properties == {"accuracy": "0.75", "accuracy.min": "0.8", "accuracy.max": "0.9", **verdicts}
    failure = cases["accuracy"].find("failure")
    assert failure is not None
    assert "set at     nlpeval.yaml:8" in (failure.text or "")
    assert cases["coverage"].find("failure") is None


@pytest.mark.parametrize(
    ("before", "gate", "message"),
    [
        (RIGHT, "{min: 0.8}", "0.500, was 1.000: ≥ 0.8, short by 0.300"),
        (HALF, "{min: 0.8}", "0.500, was 0.500: ≥ 0.8, short by 0.300"),
        (None, "{min: 0.8}", "0.500: ≥ 0.8, short by 0.300"),
        (RIGHT, "{min: 0.8, max_drop: 0.1}", "0.500, was 1.000: ≥ 0.8, short by 0.300; drop ≤ 0.1, over by 0.400"),
    ],
)
def test_junits_message_has_value_limit_and_drop(pytester: pytest.Pytester, before: str | None, gate: str, message: str) -> None:
    make_suite(pytester.path, f"accuracy: {gate}", runs={"a": before or RIGHT})
    run_pytest(pytester, "--nlpeval-save-baseline=base.json")
    write(pytester.path, {"system/a.txt": HALF})
    compared = ["--nlpeval-baseline=base.json"] if before else []
    run_pytest(pytester, "--junitxml=junit.xml", *compared)
    (failure,) = ET.parse(pytester.path / "junit.xml").iter("failure")
    assert failure.get("message") == message


def test_an_interrupted_run_writes_no_report_and_says_so(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    pytester.makepyfile("def test_own(): raise KeyboardInterrupt")
    ended = run_pytest_apart(pytester, "-p", "no:xdist", REPORT)
    assert ended.code == 2
    assert "no report written: the run did not come to its end" in ended.out
    assert not (pytester.path / "report.json").exists()


def test_a_faulty_configuration_writes_no_report_and_says_so(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "acuracy: 1")
    ended = run_pytest(pytester, REPORT)
    assert ended.code == 2
    assert "no report written" in ended.out
    assert not (pytester.path / "report.json").exists()


@pytest.mark.parametrize("arguments", [["--collect-only"], ["-k", "own"], ["-m", "not nlpeval"], ["-k", "no such thing"]])
def test_a_run_that_judged_nothing_writes_no_report_that_passed(pytester: pytest.Pytester, arguments: list[str]) -> None:
    make_suite(pytester.path, "accuracy: 0.8")
    pytester.makepyfile(test_own="def test_own(): pass")
    ended = run_pytest(pytester, REPORT, *arguments)
    path = pytester.path / "report.json"
    assert not path.exists() or not report(pytester.path)["passed"], ended.out


def test_a_selection_reports_its_suites_whole(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.8")
    assert run_pytest(pytester, REPORT, "-k", "a and not b and not accuracy").code == 0
    document = report(pytester.path)
    cases = document["suites"][0]["cases"]
    assert (cases["total"], cases["failed"], [entry["name"] for entry in cases["documents"]]) == (2, 0, ["b", "a"])
    assert (document["passed"], document["suites"][0]["gates"][0]["verdict"]) == (False, "failed")


def test_several_reports_and_folders(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    assert run_pytest(pytester, "--nlpeval-report=json:new/deep/r.json", "--nlpeval-report=csv:r.csv").code == 0
    assert report(pytester.path / "new" / "deep", "r.json")["passed"] is True
    header, first, *_ = (pytester.path / "r.csv").read_text().splitlines()
    assert header.startswith("suite,system,task,measure,value,reason,document,low,high,")
    assert first.startswith("dev,,rte,accuracy,0.75,,,0.")


def test_of_a_configuration_the_suites_that_ran_are_reported(pytester: pytest.Pytester) -> None:
    others = config_text(GATE, name="other").partition("suites:\n")[2]
    make_suite(pytester.path, config=config_text(GATE) + others)
    assert run_pytest(pytester, REPORT, "nlpeval.yaml::other").code == 0
    assert [suite["name"] for suite in report(pytester.path)["suites"]] == ["other"]


def test_a_report_never_goes_to_the_standard_output(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    ended = run_pytest(pytester, "--nlpeval-report=json:-")
    assert ended.code == 4
    assert "the standard output is pytest's own; give a file" in ended.all


@pytest.mark.parametrize("target", ["json", "json:", "pdf:x", ":x", ""])
def test_a_report_that_is_none_is_a_usage_error(pytester: pytest.Pytester, target: str) -> None:
    make_suite(pytester.path)
    ended = run_pytest(pytester, f"--nlpeval-report={target}")
    assert ended.code == 4
    assert (
        "expected FORMAT:PATH with FORMAT one of benchmark, benchmark-smaller, changes, codequality, csv, html, json" in ended.all
    )


def test_a_report_that_cannot_be_written_fails_the_run(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    pytester.mkdir("folder")
    ended = run_pytest(pytester, "--nlpeval-report=json:folder", "--nlpeval-report=json:nlpeval.yaml/x.json")
    assert ended.code == 4
    assert "folder cannot be written: Is a directory" in ended.out
    assert "nlpeval.yaml/x.json cannot be written" in ended.out


def test_a_report_keeps_the_problems(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": "1 TRUE 0.5\n2 MAYBE 0.4\n"})
    assert run_pytest(pytester, REPORT).code == 1
    suite = report(pytester.path)["suites"][0]
    assert suite["problems"][0]["code"] == "rte.judgment"
    assert (suite["problems"][0]["path"], suite["problems"][0]["line"]) == ("system/a.txt", 2)
    assert suite["gates"][0]["verdict"] == "unjudged"
    assert suite["scores"]["accuracy"]["value"] is None


def test_the_reports_profile_is_the_runs(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, config=config_text("accuracy: 0.25") + "    profiles: {release: {accuracy: 0.8}}\n")
    assert run_pytest(pytester, REPORT, "--nlpeval-profile=release").code == 1
    assert report(pytester.path)["suites"][0]["gates"][0]["threshold"] == 0.8


def test_gold_may_differ_between_suites_of_one_name(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": RIGHT})
    make_suite(pytester.path / "other", runs={"a": RIGHT})
    write(pytester.path, {"other/gold/a.xml": gold_xml([(name, "IR", "TRUE") for name in "1234"])})
    run_pytest(pytester, REPORT)
    values = [suite["scores"]["accuracy"]["value"] for suite in report(pytester.path)["suites"]]
    assert values == [1.0, 0.5]


PART = "1 TRUE 0.9\n3 TRUE 0.7\n"
NOTE = "dev: partial submission: 2 of 4 pairs answered (coverage 0.5)"


def lines_of(ended: Ended) -> list[str]:
    return ended.out.splitlines()


@pytest.mark.parametrize("arguments", [[], ["-q"], ["-k", "accuracy"]])
def test_the_summary_tells_the_notes_of_a_gated_suite_once(pytester: pytest.Pytester, arguments: list[str]) -> None:
    make_suite(pytester.path, "accuracy: 0.1", "coverage: 0.1", runs={"a": PART})
    assert lines_of(run_pytest(pytester, *arguments)).count(NOTE) == 1


def test_the_summary_tells_the_notes_of_a_suite_without_gates_if_all_of_it_ran(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, config=config_text(), runs={"a": PART, "b": RIGHT})
    note = "dev: partial submission: 6 of 8 pairs answered (coverage 0.75)"
    assert lines_of(run_pytest(pytester)).count(note) == 1
    assert "partial submission" not in run_pytest(pytester, "nlpeval.yaml::dev::a").out


def test_files_with_errors_have_no_notes(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": PART, "b": "1 MAYBE\n"})
    assert "partial submission" not in run_pytest(pytester).out


def test_pytest_makes_no_explanations_that_its_report_has_no_room_for(
    pytester: pytest.Pytester, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each document is a batch of its own, with two pairs wrong of a sort each."""
    made: Counter[Hashable] = Counter()

    def evaluate(*given: Any, **named: Any) -> Part:
        part = evaluate_cases(*given, **named)
        made.update(each.sort for result in part.cases if result.explanations for each in result.explanations.first)
        return part

    make_suite(pytester.path, runs={f"d{rank:02}": HALF for rank in range(2 * SURE)})
    monkeypatch.chdir(pytester.path)
    for module in (engine, document):
        monkeypatch.setattr(module, "MOST", 1)
    monkeypatch.setattr(state, "Gathered", partial(Gathered, room=1))
    command(capfd, "run", "--no-cache", "--report", "json:run.json")
    monkeypatch.setattr(budget, "evaluate_cases", evaluate)
    run_pytest(pytester, "--nlpeval-no-cache", REPORT)
    assert set(made.values()) == {SURE}
    assert Path("report.json").read_bytes() == Path("run.json").read_bytes()


def test_a_report_of_many_problems_compares_each_with_few(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """One with each other would be half the square of their number."""
    compared: list[Problem] = []
    is_equal = Problem.__eq__

    def counted(one: Problem, other: object) -> bool:
        compared.append(one)
        return is_equal(one, other)

    number = 60
    make_suite(pytester.path, runs={f"d{rank:02}": RIGHT.replace(" 0.9", "  0.9") for rank in range(number)})
    monkeypatch.setattr(Problem, "__eq__", counted)
    ended = run_pytest(pytester, REPORT)
    assert (ended.code, len(report(pytester.path)["suites"][0]["problems"])) == (0, number)
    assert len(compared) <= 4 * number

"""`nlpeval compare` as a user meets it: systems, revisions, baseline files, reports, and what can go wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.metrics.shares import wilson_interval
from tests.support import Ended, command, files_below, make_suite, write
from tests.unit.baselines.repositories import commit, git, start
from tests.unit.run.outputs import GOLD, make_systems, run_wrong_on

Capture = pytest.CaptureFixture[str]
FAST = ("--resamples", "300", "--no-cache")
"""Enough for all ways to swap eight pairs."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the suite `dev` of three systems, as the current folder; `ours` was wrong everywhere in the first commit."""
    top = start(tmp_path / "repo")
    monkeypatch.chdir(make_systems(top, ours=range(1, 17), other=range(1, 5), third=range(1, 9)))
    commit(top)
    write(top, {"ours/a.txt": run_wrong_on()})
    commit(top)
    return top


@pytest.fixture
def single(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose suite has one system, wrong on four pairs in the first commit."""
    top = make_suite(start(tmp_path / "single"), golds={"a": GOLD}, runs={"a": run_wrong_on(range(1, 5))})
    monkeypatch.chdir(top)
    commit(top)
    write(top, {"system/a.txt": run_wrong_on()})
    return top


def compare(capfd: Capture, *arguments: str) -> Ended:
    return command(capfd, "compare", *arguments, *FAST)


def document(capfd: Capture, *arguments: str) -> dict[str, Any]:
    ended = compare(capfd, *arguments, "--report", "json:-")
    assert ended.code == 0, ended.all
    report: dict[str, Any] = json.loads(ended.out)
    Draft202012Validator(json_schema("comparison.schema.json")).validate(report)
    return report


def accuracies(report: dict[str, Any]) -> dict[str, float]:
    (row,) = (row for row in report["measures"] if row["measure"] == "accuracy")
    return {score["system"]: score["value"] for score in row["scores"]}


def test_all_systems_of_a_suite_with_groups_and_best_values(folder: Path, capfd: Capture) -> None:
    ended = compare(capfd, "dev")
    assert (ended.code, ended.err) == (0, "")
    lines = [line.split() for line in ended.out.splitlines()]
    assert ["accuracy", "ours", "1.0000", "best", f"{wilson_interval(16, 16).low:.4f}", "1.0000", "a"] in lines
    found = {line[0]: line for line in reversed(lines) if line and line[0] in ("other", "third")}
    assert (found["other"][1], found["other"][-2:]) == ("0.7500", ["a", "b"])
    assert (found["third"][1], found["third"][-1]) == ("0.5000", "b")
    assert "share a group's letter do not differ by more than chance explains" in ended.out
    assert "from other to third: 4 of 16 units differ, 4 newly wrong, 0 newly right, 0 wrong in another way" in ended.out


def test_the_page(folder: Path, capfd: Capture) -> None:
    assert compare(capfd, "dev", "--report", "html:page.html").code == 0
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "dev: 3 systems compared" in page
    assert page == compare(capfd, "dev", "--report", "html:-").out


def test_two_systems_with_the_first_changes(folder: Path, capfd: Capture) -> None:
    ended = compare(capfd, "dev", "ours", "third", "--measure", "accuracy")
    assert ended.code == 0
    lines = [line.split() for line in ended.out.splitlines()]
    row = next(line for line in lines if line[:3] == ["accuracy", "ours", "third"])
    assert (row[3], row[-4:]) == ("-0.5000", [*[f"{2 / 2**8:.3f}"] * 2, "beyond", "chance"])
    assert "newly wrong: a, unit 1: wrong-judgment: pair 1 is TRUE in gold, judged FALSE" in ended.out
    assert "A text. ⊢ A claim." in ended.out
    assert "… and 3 more changes: a JSON report has them" in ended.out


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        (["accuracy"], {"accuracy"}),
        (["task.IR.accuracy"], {"task.IR.accuracy"}),
        (["*accuracy"], {"accuracy", "task.IR.accuracy", "task.QA.accuracy"}),
        (["task.*.accuracy"], {"task.IR.accuracy", "task.QA.accuracy"}),
        (["accuracy", "coverage"], {"accuracy", "coverage"}),
        ([], {"accuracy", "task.IR.accuracy", "task.QA.accuracy"}),
    ],
)
def test_a_measure_is_that_measure_and_a_pattern_has_groups(
    folder: Path, capfd: Capture, wanted: list[str], shown: set[str]
) -> None:
    report = document(capfd, "dev", *(f"--measure={name}" for name in wanted))
    assert {row["measure"] for row in report["measures"]} == shown


def test_a_table_for_papers_and_one_for_spreadsheets(folder: Path, capfd: Capture) -> None:
    arguments = ("dev", "--measure", "accuracy", "--measure", "coverage")
    report = document(capfd, *arguments)
    wide = compare(capfd, *arguments, "--report", "wide:-")
    (accuracy, coverage) = csv.DictReader(wide.out.splitlines())
    assert (accuracy["suite"], accuracy["measure"], coverage["measure"]) == ("dev", "accuracy", "coverage")
    assert {name: float(accuracy[name]) for name in ("ours", "other", "third")} == accuracies(report)
    latex = compare(capfd, *arguments, "--report", "latex:-").out.splitlines()
    assert latex[1:5] == [r"\begin{tabular}{lrrr}", r"\toprule", r"measure & ours & other & third \\", r"\midrule"]
    (row,) = (row for row in report["measures"] if row["measure"] == "accuracy")
    cells = [f"{score['value']:.4f} {{[{score['low']:.4f}, {score['high']:.4f}]}}" for score in row["scores"]]
    best, *others = cells
    bold = rf"\textbf{{{best[:6]}}}{best[6:]}"
    assert latex[5] == rf"accuracy & {' & '.join([bold, *others])} \\"
    assert latex[-2:] == [r"\bottomrule", r"\end{tabular}"]


def test_measures_by_group_follow(folder: Path, capfd: Capture) -> None:
    report = document(capfd, "dev", "ours", "third")
    values = {row["measure"]: (row["group"], row["scores"][1]["value"]) for row in report["measures"]}
    assert values == {"accuracy": ("", 8 / 16), "task.IR.accuracy": ("task.IR", 4 / 8), "task.QA.accuracy": ("task.QA", 4 / 8)}


def test_identical_systems_have_p_one(folder: Path, capfd: Capture) -> None:
    write(folder, {"other/a.txt": run_wrong_on()})
    report = document(capfd, "dev", "ours", "other")
    (difference,) = report["measures"][0]["differences"]
    assert {name: difference[name] for name in ("difference", "low", "high", "p", "p_adjusted")} == {
        "difference": 0, "low": 0, "high": 0, "p": 1, "p_adjusted": 1,
    }  # fmt: skip
    assert report["pairs"][0]["units"]["differing"] == 0


def test_revisions_are_of_the_system_that_the_suites_name_means(folder: Path, capfd: Capture) -> None:
    before = files_below(folder)
    report = document(capfd, "dev/ours", "git:HEAD~1", "git:HEAD", "third")
    assert accuracies(report) == {"git:HEAD~1": 0, "git:HEAD": 1, "third": 8 / 16}
    assert report["systems"][1]["commit"] == git(folder, "rev-parse", "HEAD")
    assert accuracies(document(capfd, "dev/third", "git:HEAD~1")) == {"git:HEAD~1": 8 / 16, "third": 8 / 16}
    assert files_below(folder) == before
    ended = compare(capfd, "dev", "git:HEAD", "ours")
    assert (ended.code, "dev has several systems; say which one is meant: dev/ours, dev/other, dev/third" in ended.err) == (
        2,
        True,
    )


def test_one_system_is_compared_with_its_past(single: Path, capfd: Capture) -> None:
    report = document(capfd, "dev", "git:HEAD")
    assert accuracies(report) == {"git:HEAD": 12 / 16, "dev": 1}
    assert accuracies(document(capfd, "dev", "dev", "--baseline", "git:HEAD")) == accuracies(report)
    assert accuracies(document(capfd, "dev", "git:HEAD", "--baseline", "none")) == accuracies(report)
    ended = compare(capfd, "dev")
    assert ended.code == 2
    assert "dev has one system; name what it is compared with: git:REVISION, or a baseline file" in ended.err


def test_a_baseline_file_is_a_side_like_others(single: Path, capfd: Capture) -> None:
    assert command(capfd, "baseline", "update", "--baseline", "kept.json", "--no-cache").code == 0
    write(single, {"system/a.txt": run_wrong_on({1})})
    report = document(capfd, "dev", "kept.json")
    assert accuracies(report) == {"kept.json": 1, "dev": 15 / 16}
    assert report["pairs"][0]["changes"]["counts"]["newly_wrong"] == 1
    write(single, {"gold/a.xml": GOLD.replace("A text", "Another text")})
    ended = compare(capfd, "dev", "kept.json")
    assert ended.code == 2
    assert "the gold of 1 document (a) changed since kept.json: of 16 items 0 are compared; 16 ask something else" in ended.err


@pytest.mark.parametrize("other", ["git:HEAD", "kept.json"])
def test_what_changed_of_gold_is_told_of_the_side_that_answered_it(single: Path, capfd: Capture, other: str) -> None:
    assert command(capfd, "baseline", "update", "--baseline", "kept.json", "--no-cache").code == 0
    write(single, {"gold/a.xml": GOLD.replace("A text.", "Another text.", 1), "system/a.txt": run_wrong_on({1, 2})})
    report = document(capfd, "dev", other)
    changed = f"the gold of 1 document (a) changed since {other}: of 16 items 15 are compared; 1 ask something else"
    assert [system.get("gold_changed") for system in report["systems"]] == [changed, None]
    assert changed in compare(capfd, "dev", other).out


def test_documents_that_a_revision_lacks_are_told(single: Path, capfd: Capture) -> None:
    write(single, {"gold/b.xml": GOLD, "system/b.txt": run_wrong_on()})
    ended = compare(capfd, "dev", "git:HEAD")
    assert "git:HEAD: 1 document without a file: b" in ended.out
    assert "4 of 16 units differ, 16 added" in ended.out


def test_csv_and_text_reports(folder: Path, capfd: Capture) -> None:
    ended = compare(capfd, "dev", "ours", "third", "--measure", "accuracy", "--report", "csv:-", "--report", "text:out/told.txt")
    assert (ended.code, (folder / "out/told.txt").read_text()) == (0, ended.err)
    rows = list(csv.DictReader(ended.out.splitlines()))
    assert [(row["system"], row["minus"], row["value"], row["best"], row["groups"]) for row in rows[:3]] == [
        ("ours", "", "1.0", "best", "a"),
        ("third", "", "0.5", "", "b"),
        ("third", "ours", "-0.5", "", ""),
    ]


def test_the_same_call_gives_the_same_bytes(folder: Path, capfd: Capture) -> None:
    first, second, third = (
        compare(capfd, "dev", "--report", "json:-", *more).out for more in ((), (), ("--seed", "1", "--jobs", "2"))
    )
    assert first == second
    assert json.loads(third)["statistics"]["seed"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dve"], 'there is no suite "dve" here; did you mean "dev"?'),
        (["dev", "our", "third"], '"our" is no system of the suite, no git:REVISION, and no file here; did you mean "ours"'),
        (["dev", "ours", "system"], '"system" is no system of the suite, no git:REVISION, and no file here; known are other'),
        (["dev", "none", "third"], '"none" is no system of the suite'),
        (["dev", "ours", "ours"], "ours would be compared with itself"),
        (["dev/ours", "ours"], "ours would be compared with itself"),
        (["dev/ours", "git:nowhere"], "git:nowhere: there is no commit nowhere in this repository; fetch it"),
        (["dev/ours", "git:HEAD~9", "git:no"], "git:no: there is no commit no in"),
        (["dev/ours", "nlpeval.yaml"], "baseline.invalid"),
        (["dev/ours", *map(str, range(20)), "ours"], "21 outputs are too many to compare each two; expected at most 20"),
        (["dev", "--measure", "acuracy"], 'dev has no measure "acuracy"; did you mean "accuracy"'),
        (["dev", "--confidence", "2"], "--confidence: expected a number between 0 and 1"),
        (["dev", "--report", "native:x"], "FORMAT one of csv, html, json, latex, markdown, text, wide"),
        (["dev", "--report", "json:nlpeval.yaml/x"], "the report nlpeval.yaml/x cannot be written"),
    ],
)
def test_calls_that_cannot_be_carried_out(folder: Path, capfd: Capture, arguments: list[str], said: str) -> None:
    ended = compare(capfd, *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_a_suite_that_was_not_there_then(folder: Path, capfd: Capture) -> None:
    write(folder, {"nlpeval.yaml": (folder / "nlpeval.yaml").read_text().replace("name: dev", "name: new")})
    ended = compare(capfd, "new/ours", "git:HEAD")
    assert (ended.code, "the suite is new: git:HEAD does not have it" in ended.err) == (2, True)


def test_files_with_errors(folder: Path, capfd: Capture) -> None:
    write(folder, {"third/a.txt": "1 PERHAPS\n"})
    ended = compare(capfd, "dev")
    assert (ended.code, ended.out) == (1, "")
    assert "third/a.txt:1: rte.judgment" in ended.err
    assert compare(capfd, "dev", "ours", "other").code == 0
    write(folder, {"gold/a.xml": "<"})
    assert compare(capfd, "dev", "ours", "other").code == 2


def test_a_name_that_several_configurations_have_is_that_of_the_current_folder(
    folder: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = compare(capfd, "dev")
    make_suite(folder / "below/second")
    make_suite(folder / "below/third")
    assert compare(capfd, "dev") == alone
    monkeypatch.chdir(folder / "below")
    ended = compare(capfd, "dev")
    assert ended.code == 2
    assert (
        "several configurations have a suite dev (below/second/nlpeval.yaml, below/third/nlpeval.yaml); change to the folder"
        in ended.err
    )


def test_a_shallow_clone(folder: Path, tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{folder}", "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    ended = compare(capfd, "dev/ours", "git:HEAD~1")
    assert (ended.code, "in this shallow clone; fetch more of the history" in ended.err) == (2, True)


def test_no_repository_and_no_git(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(make_suite(tmp_path))
    ended = compare(capfd, "dev", "git:HEAD")
    assert (ended.code, "is in no git repository; name a baseline file instead" in ended.err) == (2, True)
    monkeypatch.setenv("PATH", str(tmp_path))
    ended = compare(capfd, "dev", "git:HEAD")
    assert (ended.code, "git is not installed; install it, or name a baseline file" in ended.err) == (2, True)


def test_no_configuration(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "no nlpeval.yaml found here" in compare(capfd, "dev").err


def test_nothing_of_a_name_is_obeyed(single: Path, capfd: Capture) -> None:
    """`command` asserts that the output is clean."""
    ended = compare(capfd, "dev", "git:\x1b[31m::error::x")
    assert ended.code == 2
    write(single, {"::error::x.json": "\x1b[31m"})
    assert compare(capfd, "dev", "::error::x.json").code == 2
    assert compare(capfd, "\x1b[31m::error::x", "git:HEAD").code == 2


def test_markdown_has_scores_differences_and_what_changed(folder: Path, capfd: Capture) -> None:
    lines = compare(capfd, "dev", "ours", "other", "--measure", "accuracy", "--report", "markdown:-").out.splitlines()
    assert lines[0].startswith("### <code>dev: 2 systems; 95 % intervals")
    scores = [line for line in lines if line.startswith("| <code>accuracy</code> | <code>ours</code> | ")]
    assert scores[0].split(" | ")[2:4] == ["1.0000", "<code>best</code>"]
    assert scores[1].split(" | ")[2:4] == ["<code>other</code>", f"{-4 / 16:+.4f}"]
    few = "too few units differ to show anything in accuracy, whatever the intervals say"
    assert f"from ours to other: 4 of 16 units differ, 4 newly wrong, 0 newly right, 0 wrong in another way; {few}" in lines, (
        "p is 2 / 2**4"
    )

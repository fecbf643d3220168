"""Baselines under pytest: the same verdicts however the run is made, and results that are accepted."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pytest_nlpeval import cli, numbers
from pytest_nlpeval.reports.stored import stored_report
from tests.support import (
    HALF,
    RIGHT,
    config_text,
    files_below,
    make_suite,
    outcomes,
    run_pytest,
    run_pytest_apart,
    run_pytest_with,
    write,
)
from tests.unit.baselines.repositories import commit, git, start

GATES = ("accuracy: {max_drop: 0.1}", "coverage: {min: 0.5, max_drop: 0, alpha: 0.05}")
BASELINE = "--nlpeval-baseline=git:HEAD^1"
FILE = "defaults: {baseline: base.json}\n"


@pytest.fixture
def repo(pytester: pytest.Pytester) -> Path:
    """A repository with a base and a head commit: the head's output is worse, accuracy 1 -> 6/8."""
    folder = make_suite(start(pytester.path), *GATES, runs={"a": RIGHT, "b": RIGHT})
    write(folder, {".gitignore": ".pytest_cache/\n__pycache__/\n"})
    commit(folder)
    write(folder, {"system/b.txt": HALF})
    commit(folder)
    return folder


def verdicts(text: str) -> dict[str, str]:
    return {name.rpartition("::")[2]: outcome for name, outcome in outcomes(text).items()}


def test_a_failing_gate_says_by_how_much_and_what_is_newly_wrong(repo: Path, pytester: pytest.Pytester) -> None:
    ended = run_pytest(pytester, "-v", BASELINE)
    assert ended.code == 1
    assert verdicts(ended.out) == {"a": "passed", "b": "passed", "accuracy": "failed", "coverage": "passed"}
    assert "FAILED nlpeval.yaml::dev::accuracy - 0.750, was 1.000: drop ≤ 0.1, over by 0.150" in ended.out
    assert "baseline   1.000: a drop of 0.250" in ended.out
    assert "Newly wrong in dev, 2 of 2" in ended.out
    assert "system/b.txt:2  2 (" in ended.out
    assert "dev: compared with git:HEAD^1" in ended.out


def test_the_table_has_baselines_and_drops_as_the_report_has(repo: Path, pytester: pytest.Pytester) -> None:
    ended = run_pytest(pytester, BASELINE, "--nlpeval-report=json:report.json")
    header, *rows = (line.split() for line in ended.out.partition("= nlpeval =")[2].splitlines()[1:4])
    assert [name for name in header if name in ("today", "baseline", "drop")] == ["today", "baseline", "drop"]
    scores = json.loads((repo / "report.json").read_text())["suites"][0]["scores"]
    assert (scores["accuracy"]["baseline"], scores["accuracy"]["drop"]) == (1, 2 / 8)
    assert [row[1:5] for row in rows if row[0] in "✗✓"] == [
        [name, *(numbers.figure(scores[name][key]) for key in ("value", "baseline")), numbers.difference(scores[name]["drop"])]
        for name in ("accuracy", "coverage")
    ]


@pytest.mark.parametrize("workers", [(), ("-n2",)])
def test_junits_properties_are_what_the_report_says(repo: Path, pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    run_pytest_with(pytester, workers, BASELINE, "--nlpeval-report=json:report.json", "--junitxml=junit.xml")
    score = json.loads((repo / "report.json").read_text())["suites"][0]["scores"]["accuracy"]
    (case,) = (case for case in ET.parse(repo / "junit.xml").iter("testcase") if case.get("name") == "accuracy")
    properties = {entry.get("name"): entry.get("value") for entry in case.iter("property")}
    assert properties.pop("accuracy") == str(score["value"])
    assert (properties.pop("accuracy.max_drop"), properties.pop("accuracy.max_drop.verdict")) == ("0.1", "failed")
    assert properties == {f"accuracy.{fact}": str(score[fact]) for fact in ("low", "high", "baseline", "drop", "p")}


def test_workers_and_parts_of_a_run_give_the_same_verdicts(repo: Path, pytester: pytest.Pytester) -> None:
    before = files_below(repo / ".git")
    for workers, arguments in ((["-n2"], []), ([], ["-k", "accuracy"]), ([], ["--lf"]), ([], ["--nlpeval-no-cache"])):
        found = verdicts(run_pytest_with(pytester, workers, "-v", BASELINE, *arguments).out)
        assert found["accuracy"] == "failed", (workers, arguments)
    assert files_below(repo / ".git") == before


def test_a_shallow_clone_a_detached_and_a_linked_work_tree_give_the_same_verdicts(
    repo: Path, pytester: pytest.Pytester, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "--quiet", "--depth", "2", f"file://{repo}", "shallow")
    git(repo, "worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    git(repo, "checkout", "--quiet", "--detach")
    for folder in (tmp_path / "shallow", tmp_path / "linked", repo):
        found = verdicts(run_pytest(pytester, "-v", BASELINE, f"--rootdir={folder}", str(folder)).out)
        assert found == {"a": "passed", "b": "passed", "accuracy": "failed", "coverage": "passed"}, folder


def test_half_edited_files_are_todays_and_the_past_is_gits(repo: Path, pytester: pytest.Pytester) -> None:
    write(repo, {"system/b.txt": RIGHT})
    assert verdicts(run_pytest(pytester, "-v", BASELINE).out)["accuracy"] == "passed"
    write(repo, {"system/a.txt": HALF, "system/b.txt": HALF})
    assert "0.500, was 1.000: drop ≤ 0.1, over by 0.400" in run_pytest(pytester, "-v", BASELINE).out


def test_results_are_accepted_and_then_hold(repo: Path, pytester: pytest.Pytester) -> None:
    write(repo, {"nlpeval.yaml": FILE + config_text(*GATES)})
    assert run_pytest(pytester).code == 1
    ended = run_pytest(pytester, "--nlpeval-update-baseline")
    assert "dev: is new, with 2 documents" in ended.out
    assert "base.json written; commit it" in ended.out
    assert run_pytest(pytester).code == 0
    accepted = (repo / "base.json").read_bytes()
    assert "dev: unchanged" in run_pytest_apart(pytester, "-n2", "--nlpeval-update-baseline").out
    assert (repo / "base.json").read_bytes() == accepted


@pytest.mark.parametrize("arguments", [["-k", "accuracy"], ["nlpeval.yaml::dev::a"], ["--deselect", "nlpeval.yaml::dev::b"]])
def test_a_part_of_a_run_is_never_accepted(repo: Path, pytester: pytest.Pytester, arguments: list[str]) -> None:
    write(repo, {"nlpeval.yaml": FILE + config_text(*GATES)})
    ended = run_pytest(pytester, "--nlpeval-update-baseline", *arguments)
    assert ended.code == 4
    assert "--nlpeval-update-baseline: nothing is written: not all documents of 1 suite ran (dev)" in ended.out
    assert not (repo / "base.json").exists()


def test_invalid_files_and_suites_without_a_file_are_never_accepted(repo: Path, pytester: pytest.Pytester) -> None:
    ended = run_pytest(pytester, "--nlpeval-update-baseline")
    assert (ended.code, "no suite names a baseline file" in ended.out) == (4, True)
    write(repo, {"nlpeval.yaml": FILE + config_text(*GATES), "system/a.txt": "nonsense"})
    ended = run_pytest(pytester, "--nlpeval-update-baseline")
    assert (ended.code, "1 document with errors" in ended.out) == (4, True)
    write(repo, {"system/a.txt": RIGHT, "base.json/file": ""})
    ended = run_pytest(pytester, "--nlpeval-update-baseline")
    assert (ended.code, "cannot be written" in ended.out) == (4, True)


@pytest.mark.parametrize("option", ["--nlpeval-resamples=1", "--nlpeval-seed=x", "--nlpeval-confidence=2"])
def test_mistaken_statistics_are_usage_errors(repo: Path, pytester: pytest.Pytester, option: str) -> None:
    ended = run_pytest(pytester, option)
    assert ended.code == 4
    assert f"{option.partition('=')[0]}: expected" in ended.all


def test_statistics_of_the_run_replace_the_configurations(repo: Path, pytester: pytest.Pytester) -> None:
    def interval(*options: str) -> tuple[float | None, float | None]:
        run_pytest(pytester, BASELINE, "--nlpeval-report=json:r.json", *options)
        (suite,) = json.loads((repo / "r.json").read_bytes())["suites"]
        return suite["scores"]["accuracy"].get("low"), suite["scores"]["accuracy"].get("high")

    assert interval("--nlpeval-confidence=off") == (None, None)
    low, high = interval("--nlpeval-seed=1", "--nlpeval-resamples=500")
    assert low is not None
    assert high is not None
    assert 0 <= low <= 6 / 8 <= high <= 1
    assert interval() == interval("--nlpeval-confidence=0.95", "--nlpeval-seed=12345", "--nlpeval-resamples=10000")


def test_the_arguments_of_a_report_make_the_same_report_again(
    repo: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`own` names no comparison, `dev` names nothing: only the default is a baseline of the one and none of the other."""
    text = config_text(*GATES)
    own = text.partition("suites:\n")[2].replace("name: dev", "name: own\n    baseline: none")
    write(repo, {"nlpeval.yaml": text + own})
    given = ("--nlpeval-default-baseline=git:HEAD^1", "--nlpeval-resamples=200", "--nlpeval-seed=7", "--nlpeval-informational")
    run_pytest(pytester, *given, "--nlpeval-report=json:first.json", "--nlpeval-report=html:first.html")
    first = json.loads((repo / "first.json").read_text())
    arguments = ["--default-baseline", "git:HEAD^1", "--resamples", "200", "--seed", "7", "--informational"]
    assert first["arguments"] == arguments
    assert stored_report(repo / "first.json").arguments == tuple(arguments)
    monkeypatch.chdir(repo)
    cli.main(["run", "nlpeval.yaml", *arguments, "--report", "json:again.json", "--report", "html:again.html", "--no-cache"])
    assert json.loads((repo / "again.json").read_text()) == first
    assert (repo / "again.html").read_text() == (repo / "first.html").read_text()
    assert ["baseline" in suite for suite in first["suites"]] == [True, False]

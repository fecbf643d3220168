"""An old output is compared over the topics of both golds, with today's grades."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_nlpeval import SuiteResult, evaluate, load_suites
from tests.support import command, write

CONFIG = """version: 1
suites:
  - name: search
    task: ranking
    gold: gold.qrels
    system: run.trec
    options: {measures: [RR, AP]}
    baseline: git:HEAD
    gates: {RR: {max_drop: 0.01, max_newly_wrong: 0}}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=x", "-c", "user.email=x@y", *arguments], cwd=tmp_path, check=True, capture_output=True
        )

    write(
        tmp_path,
        {
            "nlpeval.yaml": CONFIG,
            "gold.qrels": "1 0 a 1\n2 0 a 1\n3 0 a 1\n",
            "run.trec": "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 b 1 2 t\n2 Q0 a 2 1 t\n",
        },
    )
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    return tmp_path


def result(folder: Path, files: Mapping[str, str]) -> SuiteResult:
    (suite,) = load_suites(write(folder, files) / "nlpeval.yaml", root=folder)
    return evaluate(suite)


def test_the_same_output_is_no_drop(repository: Path) -> None:
    found = result(repository, {})
    assert [verdict.verdict for verdict in found.verdicts] == ["passed", "passed"]
    assert found["RR"] == (1 + 1 / 2 + 0) / 3


def test_grades_that_changed_count_as_todays(repository: Path) -> None:
    found = result(repository, {"gold.qrels": "1 0 b 1\n2 0 a 1\n3 0 a 1\n"})
    assert found["RR"] == (1 / 2 + 1 / 2 + 0) / 3
    assert found.comparison is not None
    assert found.comparison.standings["RR"].baseline.value == found["RR"]


def test_a_new_topic_without_old_results_is_no_unit_of_the_baseline(repository: Path) -> None:
    """It would hide a drop if it were a 0."""
    files = {
        "gold.qrels": "1 0 a 1\n2 0 a 1\n3 0 a 1\n4 0 a 1\n",
        "run.trec": "1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n2 Q0 b 1 2 t\n2 Q0 a 2 1 t\n4 Q0 a 1 1 t\n",
    }
    found = result(repository, files)
    assert found.comparison is not None
    assert found.comparison.standings["RR"].baseline.value == (1 + 1 / 2 + 0) / 3
    assert found.comparison.standings["RR"].drop == (1 + 1 / 2) / 3 - (1 / 2 + 1 / 2) / 3
    assert [verdict.verdict for verdict in found.verdicts] == ["failed", "failed"]


def test_a_new_topic_that_the_old_output_has_results_for_is_compared(repository: Path) -> None:
    write(repository, {"run.trec": (repository / "run.trec").read_text() + "4 Q0 b 1 2 t\n4 Q0 a 2 1 t\n"})
    subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qam", "y"],
        cwd=repository,
        check=True,
        capture_output=True,
    )
    found = result(repository, {"gold.qrels": "1 0 a 1\n2 0 a 1\n3 0 a 1\n4 0 a 1\n5 0 a 1\n"})
    assert found.comparison is not None
    assert found.comparison.standings["RR"].baseline.value == (1 + 1 / 2 + 0 + 1 / 2) / 4


@pytest.mark.parametrize("source", ["git:HEAD", "accepted.json"])
def test_of_a_document_that_fell_or_is_gone_the_place_before_is_told(
    repository: Path, source: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By git and by a file; gold has a further topic, so that the old output is restated."""
    monkeypatch.chdir(repository)
    if source.endswith(".json"):
        command(capfd, "run", "--save-baseline", source)
    behind = "".join(f"1 Q0 x{place} {place} {-place} t\n" for place in range(1, 14)) + "1 Q0 a 14 -14 t\n"
    files = {
        "nlpeval.yaml": CONFIG.replace("git:HEAD", source),
        "run.trec": behind + "2 Q0 b 1 2 t\n",
        "gold.qrels": "1 0 a 1\n2 0 a 1\n3 0 a 1\n4 0 a 1\n",
    }
    write(repository, files)
    ended = command(capfd, "run", "--no-cache", "--report", "json:report.json")
    assert ended.code == 1
    (suite,) = json.loads((repository / "report.json").read_text())["suites"]
    wrong = {change["item"]: change for change in suite["changes"]["first"] if change["change"] == "newly_wrong"}
    told = {item: (change["before"]["message"], change["now"]["message"]) for item, change in wrong.items() if change["before"]}
    assert told == {
        "1 a": ("a (grade 1) is at place 1", "a (grade 1) is at place 14, behind 13 that are not relevant"),
        "2 a": ("a (grade 1) is at place 2", "a (grade 1) is not among the 1 result"),
    }
    assert "baseline: right: a (grade 1) is at place 1" in command(capfd, "report", "text", "report.json").out

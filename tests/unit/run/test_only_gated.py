"""What a run works out that nobody asked for a report of: intervals and tests of gated measures alone, the same ones as with all others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_nlpeval import SuiteResult, load_suites
from pytest_nlpeval.cli import main
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run import chance
from pytest_nlpeval.run.engine import Engine
from tests.budget.corpora import labels

GATES = {
    "accuracy": 0.1,  # a share of units, with Wilson's interval
    "micro.f1": {"min": 0.1, "max_drop": 0.01, "alpha": 0.05},  # additive
    "mcc": {"max_drop": 0.5},
    "*th.f1": {"non_inferior": 0.9, "informational": True},
    "macro.f1": {"no_group_falls": {"max_drop": 0.9, "alpha": 0.05}},
}


def make(folder: Path, *, gates: object, **more: object) -> Suite:
    """Write a suite of labels in three groups, a seventh of which is wrong; `more` are further entries of the suite."""
    for role, text in labels(70).items():
        (folder / f"{role}.tsv").write_text(text, encoding="utf-8")
    suite = {"name": "s", "task": "labels", "gold": "gold.tsv", "system": "system.tsv", "options": {"group": "kind"}}
    document = {"version": 1, "defaults": {"statistics": {"resamples": 200}}, "suites": [{**suite, "gates": gates, **more}]}
    (folder / "nlpeval.yaml").write_text(json.dumps(document), encoding="utf-8")
    (read,) = load_suites(folder / "nlpeval.yaml")
    return read


def compared(folder: Path) -> Suite:
    """The suite with a baseline in which less is wrong."""
    make(folder, gates={})
    system = folder / "system.tsv"
    today = system.read_text(encoding="utf-8")
    system.write_text(labels(70)["gold"], encoding="utf-8")
    assert main(["run", "--no-cache", f"--save-baseline={folder / 'b.json'}", str(folder)]) == 0
    suite = make(folder, gates=GATES, baseline="b.json")
    assert system.read_text(encoding="utf-8") == today
    return suite


def said(result: SuiteResult) -> str:
    """What `nlpeval run` prints of a result."""
    return render("text", report_of([result]), Setting(brief=True))


@pytest.mark.parametrize("is_compared", [False, True])
def test_gated_measures_have_the_same_intervals_and_tests(tmp_path: Path, *, is_compared: bool) -> None:
    suite = compared(tmp_path) if is_compared else make(tmp_path, gates=dict.fromkeys((*GATES, "group.g1.macro.f1"), 0.1))
    whole, part = Engine().evaluate(suite), Engine(only_gated=True).evaluate(suite)
    gated = {gate.measure for gate in whole.gates} | {name for name in whole.scores if name.endswith(".macro.f1") and is_compared}
    assert dict(part.intervals) == {name: interval for name, interval in whole.intervals.items() if name in gated}
    assert {"accuracy", "mcc", "north.f1", "group.g1.macro.f1"} <= part.intervals.keys() < whole.intervals.keys()
    assert [part.score_json(name) for name in gated] == [whole.score_json(name) for name in gated]
    assert (part.scores, part.verdicts, part.notes) == (whole.scores, whole.verdicts, whole.notes)
    assert said(part) == said(whole)


def test_a_run_without_gates_draws_nothing_unless_a_report_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, gates={})
    report = tmp_path / "report.json"
    assert main(["run", "--no-cache", f"--report=json:{report}", str(tmp_path)]) == 0
    scores = json.loads(report.read_text(encoding="utf-8"))["suites"][0]["scores"]
    assert {"low", "high"} <= scores["macro.f1"].keys() & scores["accuracy"].keys()

    def drawn(*_: object) -> None:
        pytest.fail("nobody reads an interval")

    monkeypatch.setattr(chance, "bootstrap", drawn)
    monkeypatch.setattr(chance, "shares_of_units", drawn)
    assert main(["run", "--no-cache", str(tmp_path)]) == 0

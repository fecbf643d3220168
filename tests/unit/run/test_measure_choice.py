"""Which measures are shown: those asked for, those with gates, the task's leading ones, and the same of groups."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.measures import Measure, OfGroup
from pytest_nlpeval.run.measure_choice import chosen_measures, measures_of, unknown_measures, with_groups
from pytest_nlpeval.task import Starter
from tests.support import make_suite


@pytest.mark.parametrize(
    ("gates", "wanted", "names"),
    [
        (["coverage: 0.5", "task.*.accuracy: 0.1"], [], ["coverage", "task.IR.accuracy", "task.QA.accuracy"]),
        (["coverage: 0.5"], ["TRUE.*", "accuracy"], ["accuracy", "TRUE.precision", "TRUE.recall", "TRUE.f1"]),
        ([], [], ["accuracy", "coverage", "cws"]),
        (["coverage: 0.5"], ["acuracy"], []),
    ],
)
def test_choice(tmp_path: Path, gates: list[str], wanted: list[str], names: list[str]) -> None:
    (suite,) = load_suites(make_suite(tmp_path, *gates) / "nlpeval.yaml")
    suite = suite if gates else replace(suite, layers=())
    evidence = evaluate(suite).evidence
    assert evidence is not None
    measures = measures_of(suite, [evidence])
    assert sorted(measure.name for measure in chosen_measures(suite, measures, wanted)) == sorted(names)


def test_a_task_without_usual_gates_leads_with_its_first_share(tmp_path: Path) -> None:
    (suite,) = load_suites(make_suite(tmp_path) / "nlpeval.yaml")
    task = replace(suite.recipe.task, starter=Starter())
    suite = replace(suite, layers=(), recipe=replace(suite.recipe, task=task))
    measures = suite.measures(())
    assert [measure.name for measure in chosen_measures(suite, measures, [])] == ["accuracy"]


def test_groups_have_the_same_measure_after_their_name(tmp_path: Path) -> None:
    (suite,) = load_suites(make_suite(tmp_path) / "nlpeval.yaml")
    evidence = evaluate(suite).evidence
    assert evidence is not None
    measures = measures_of(suite, [evidence])
    chosen = [measure for measure in measures if measure.name in ("accuracy", "TRUE.f1")]
    found = {measure.name for measure in with_groups(chosen, measures)}
    assert found == {"accuracy", "TRUE.f1", "task.IR.accuracy", "task.QA.accuracy"}


def test_a_group_has_the_measures_that_it_says_or_that_follow_its_name() -> None:
    def measure(name: str, group: str = "", of_group: OfGroup | None = None) -> Measure:
        return Measure(name, "", "", lambda sample: sample.total("a"), group=group, of_group=of_group)

    every = [
        *(whole := [measure("f1"), measure("exact"), measure("micro.f1")]),
        measure("HasAns.f1", "HasAns"),
        measure("HasAns.exact", "HasAns"),
        measure("type.who.f1", "type.who", OfGroup("type.who", "f1")),
        measure("what f1", "what", OfGroup("what", "f1")),
        measure("f1.of.what", "what"),
        measure("a.f1", "b"),
    ]
    found = {chosen.name: [each.name for each in with_groups([chosen], every)] for chosen in whole}
    assert found == {
        "f1": ["f1", "HasAns.f1", "type.who.f1", "what f1"],
        "exact": ["exact", "HasAns.exact"],
        "micro.f1": ["micro.f1"],
    }


def test_names_that_no_measure_has(tmp_path: Path) -> None:
    (suite,) = load_suites(make_suite(tmp_path) / "nlpeval.yaml")
    assert list(unknown_measures(["accuracy", "acc*", "nothing", "no.*"], suite.measures(()))) == ["nothing", "no.*"]

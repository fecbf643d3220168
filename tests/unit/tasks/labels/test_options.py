"""Options: what a configuration may say, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_nlpeval.config.checks import CONFIG_KINDS, check_options
from pytest_nlpeval.formats.yaml import Marked, Place
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.labels import TASK
from pytest_nlpeval.tasks.labels.measures import measures, signature
from pytest_nlpeval.tasks.labels.options import options


def mistakes(**given: Any) -> list[str]:
    log = ProblemLog("", CONFIG_KINDS)
    check_options(TASK, Marked(dict(given), {(): Place(0, 0)}), (), given, log)
    assert {problem.code for problem in log.problems()} <= {"config.option"}
    return [problem.message for problem in log.problems()]


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "class"},
        {"pair": "lines"},
        {"format": "xml"},
        {"format": {"gold": "xml"}},
        {"format": {"input": "tsv"}},
        {"id": 0},
        {"id": ""},
        {"id": {"gold": 0}},
        {"label": ["a", "b"]},
        {"label": {"gold": ["a", "b"]}},
        {"kind": "score", "label": ["a"]},
        {"kind": "labels", "label": ["a", "a"]},
        {"kind": "labels", "label": []},
        {"separator": ""},
        {"separator": " \t"},
        {"labels": ["a", "a"]},
        {"labels": []},
        {"averaged": ["a", "a"]},
        {"ordinal": True},
        {"ordinal": True, "labels": ["a"], "kind": "labels"},
        {"group": 0},
        {"probability": {}},
        {"probability": {"a": 0}},
        {"kind": "score", "probability": "p"},
        {"kind": "score", "labels": ["a"]},
        {"profile": "scipy"},
        {"averages": ["a"]},
    ],
    ids=str,
)
def test_mistakes(given: dict[str, Any]) -> None:
    assert len(mistakes(**given)) == 1


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "labels", "label": ["a", "b"]},
        {"kind": "labels", "label": {"gold": ["a", "b"], "system": "all"}},
        {"label": {"system": 2}, "id": {"gold": "name"}, "format": {"system": "csv"}},
        {"labels": [1, 2, True], "ordinal": True},
        {"text": ["a", 2], "group": 3},
        {"probability": {"a": "p", "b": 3}, "positive": "a"},
        {"separator": " and "},
    ],
    ids=str,
)
def test_all_this_is_allowed(given: dict[str, Any]) -> None:
    assert mistakes(**given) == []


def test_what_only_holds_under_a_condition_says_so() -> None:
    assert mistakes(ordinal=True) == ['ordinal: true needs "labels"']
    assert mistakes(kind="score", probability="p") == ['"probability" is not allowed with kind: score']


def test_labels_are_text() -> None:
    found = options(labels=[3, True, " a\t"], averaged=[3], positive=True, probability={3: "p"}, id=" name ", label={"gold": 2.0})
    assert found.all_labels == ("3", "true", "a")
    assert (found.averaged, found.positive, found.probabilities) == (("3",), "true", (("3", "p"),))
    assert ([layout.id for layout in found.layouts], found.answers) == ([("name",), ("name",)], ((2,), ("label",)))


def test_the_signature_has_what_changes_a_score() -> None:
    free = {"id": "name", "text": "text", "format": "csv", "pair": "line", "items": ".", "where": {"split": "dev"}}
    assert signature(options(**free), ()) == {"kind": "label", "profile": "standard"}
    found = signature(options(labels=["a|b"], profile="sklearn", positive="x|y"), ())
    assert found["profile"] == "sklearn"
    assert not any("|" in value for value in found.values())
    assert found != signature(options(labels=["a", "b"], profile="sklearn", positive="x|y"), ())


def test_with_all_labels_given_the_measures_are_known_before_files_are_read() -> None:
    def names(**given: Any) -> set[str] | None:
        found = measures(options(**given), None)
        return None if found is None else {measure.name for measure in found}

    assert names() is None
    assert names(labels=["a"], group="domain") is None
    assert names(kind="score") == {"coverage", "pearson", "spearman", "kendall", "mae", "rmse"}
    assert names(kind="score", group="domain") is None
    known = names(labels=["a", "b"], ordinal=True, probability="p")
    assert known is not None
    assert {"a.f1", "b.roc_auc", "quadratic_kappa", "ece"} <= known

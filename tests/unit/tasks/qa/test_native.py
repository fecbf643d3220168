from __future__ import annotations

import json

import pytest

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.qa.measures import signature
from pytest_nlpeval.tasks.qa.native import native
from pytest_nlpeval.tasks.qa.options import Options
from tests.unit.tasks.qa.files import ANSWERS, NUMBERS, PREDICTIONS, Answers, Numbers, Texts, evidence_of, values_of


def native_of(options: Options, answers: Answers, predictions: Texts, numbers: Numbers | None = None) -> dict[str, float | None]:
    values = values_of(evidence_of(answers, predictions, numbers, options), options)
    found: dict[str, float | None] = json.loads(native(Reported(values, signature(options, ()), 1, {})))
    return found


def test_the_worked_example() -> None:
    found = native_of(Options(profile="squad2"), ANSWERS, PREDICTIONS, NUMBERS)
    assert found == pytest.approx(
        {
            "exact": 100 / 3,
            "f1": 60,
            "total": 3,
            "HasAns_exact": 50,
            "HasAns_f1": 90,
            "HasAns_total": 2,
            "NoAns_exact": 0,
            "NoAns_f1": 0,
            "NoAns_total": 1,
            "best_exact": 100 / 3,
            "best_exact_thresh": 0,
            "best_f1": 60,
            "best_f1_thresh": 0.2,
        }
    )
    assert list(found)[:4] == ["exact", "f1", "total", "HasAns_exact"]


def test_what_has_no_value_is_left_out() -> None:
    assert list(native_of(Options(), {"1": ["x"]}, {"1": "x"})) == [
        "exact",
        "f1",
        "total",
        *(f"HasAns_{name}" for name in ("exact", "f1", "total")),
    ]


def test_a_best_threshold_that_does_not_exist_is_null() -> None:
    assert native_of(Options(), ANSWERS, PREDICTIONS, NUMBERS)["best_exact_thresh"] is None


def test_squad1_has_two_figures() -> None:
    found = native_of(Options(profile="squad1"), {"1": ["x"], "2": ["y z"]}, {"1": "x", "2": "y"})
    assert found == pytest.approx({"exact_match": 50, "f1": 100 * (1 + 2 / 3) / 2})


def test_percentages_of_whole_sums_are_the_scripts_to_the_last_digit() -> None:
    for total in range(1, 60):
        for right in range(total + 1):
            scores = {"exact": right / total, "f1": right / total, "total": total}
            found = json.loads(native(Reported(scores, {"profile": "squad1"}, 1, {})))
            assert found == dict.fromkeys(("exact_match", "f1"), 100.0 * right / total)

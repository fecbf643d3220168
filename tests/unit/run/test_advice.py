from __future__ import annotations

import pytest

from pytest_nlpeval.conditions import Condition, Max, MaxDrop, MaxDropRelative, Min, NonInferior, Standing
from pytest_nlpeval.gates import Verdict
from pytest_nlpeval.measures import Score
from pytest_nlpeval.metrics.resampling import Interval
from pytest_nlpeval.run.advice import COMFORT, ENOUGH_UNITS, raised_thresholds, weak_gates

POWERFUL = Standing(Score(0.6), Score(0.5), drop=-0.1, detectable=0.04)


def verdict(condition: Condition, standing: Standing = POWERFUL, measure: str = "f1") -> Verdict:
    return Verdict(measure, condition, standing, "passed", "", 1, informational=False)


@pytest.mark.parametrize(
    ("condition", "reacts"),
    [(MaxDrop(0.01), "to noise"), (MaxDrop(0.01, 0.05), "rarely to such a drop"), (MaxDropRelative(0.07), "to noise")],
)
def test_a_bound_below_what_the_suite_shows_is_said_to_be_weak(condition: Condition, reacts: str) -> None:
    """A relative one of 0.07 allows a drop of 0.07 * 0.5 = 0.035, which is less than 0.04."""
    (sentence,) = weak_gates([verdict(condition)])
    assert f"{condition.name} {condition.threshold:g} of f1" in sentence
    assert "a drop of 0.04 or more" in sentence
    assert sentence.endswith(reacts)


@pytest.mark.parametrize(
    ("condition", "standing"),
    [
        (MaxDrop(0.04), POWERFUL),
        (MaxDropRelative(0.08), POWERFUL),
        (MaxDrop(0.01), Standing(Score(0.6), Score(0.5), drop=-0.1, detectable=None)),
        (MaxDrop(0.01), Standing(Score(0.6), Score(0.5), drop=-0.1, detectable=0.04, is_estimate=True)),
        (NonInferior(0.01), POWERFUL),
        (Min(0.01), POWERFUL),
    ],
)
def test_other_bounds_are_not(condition: Condition, standing: Standing) -> None:
    assert not list(weak_gates([verdict(condition, standing)]))


def test_a_minimum_that_the_interval_clears_comfortably_could_be_raised_to_its_lower_end() -> None:
    verdicts = [verdict(Min(0.5)), verdict(Min(0.6), measure="recall"), verdict(Max(0.9), measure="precision")]
    ends = {"f1": Interval(0.637, 0.7), "recall": Interval(0.6 + COMFORT / 2, 0.7), "precision": Interval(0.1, 0.2)}
    (sentence,) = raised_thresholds(verdicts, ends, ENOUGH_UNITS)
    assert sentence.endswith("could be raised: f1 0.5 -> 0.63")
    assert not list(raised_thresholds(verdicts, ends, ENOUGH_UNITS - 1))
    assert not list(raised_thresholds(verdicts[1:], ends, ENOUGH_UNITS))
    assert not list(raised_thresholds(verdicts, {}, ENOUGH_UNITS))


def test_no_minimum_below_zero_or_of_what_is_no_share_is_raised() -> None:
    assert not list(raised_thresholds([verdict(Min(-0.5))], {"f1": Interval(0.2, 0.3)}, ENOUGH_UNITS))
    assert not list(raised_thresholds([verdict(Min(3))], {"f1": Interval(8, 9)}, ENOUGH_UNITS))

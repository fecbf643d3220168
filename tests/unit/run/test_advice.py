from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_nlpeval.conditions import Condition, Max, MaxDrop, MaxDropRelative, Min, NonInferior, Standing
from pytest_nlpeval.gates import Verdict
from pytest_nlpeval.measures import Score
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.run.advice import COMFORT, ENOUGH_UNITS, tighter_thresholds, weak_gates

POWERFUL = Standing(Score(0.6), Score(0.5), drop=-0.1, detectable=0.04)


def verdict(condition: Condition, standing: Standing = POWERFUL, measure: str = "f1", line: int = 1) -> Verdict:
    return Verdict(measure, condition, standing, "passed", "", line, informational=False)


@pytest.mark.parametrize(
    ("condition", "effect"),
    [
        (MaxDrop(0.01), "noise can fail the gate"),
        (MaxDrop(0.01, 0.05), "the gate often passes a smaller one"),
        (MaxDropRelative(0.07), "noise can fail the gate"),
    ],
)
def test_a_bound_below_what_the_suite_shows_is_said_to_be_weak(condition: Condition, effect: str) -> None:
    """A relative one of 0.07 allows a drop of 0.07 * 0.5 = 0.035, which is less than 0.04."""
    (sentence,) = weak_gates([verdict(condition)])
    assert sentence.startswith(f"f1 {condition.bound}: this suite shows a drop of 0.040 or more ")
    assert sentence.endswith(effect)


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


def test_weak_bounds_of_a_pattern_are_one_warning() -> None:
    verdicts = [verdict(MaxDrop(0.01), replace(POWERFUL, detectable=drop), f"{drop}.f1") for drop in (0.2, 0.04, 0.05)]
    (sentence,) = weak_gates(verdicts)
    assert "3 measures drop ≤ 0.01: this suite shows drops of 0.040 to 0.200 or more" in sentence


BOUNDS = [verdict(Min(0.5), line=1), verdict(Min(0.6), measure="recall", line=2), verdict(Max(0.9), measure="precision", line=3)]
ENDS = {"f1": Interval(0.637, 0.7), "recall": Interval(0.6 + COMFORT / 2, 0.7), "precision": Interval(0.85, 0.89)}


def test_a_bound_that_the_interval_clears_comfortably_could_be_at_its_end() -> None:
    (sentence,) = tighter_thresholds(BOUNDS, ENDS, ENOUGH_UNITS)
    assert sentence.endswith("could be tighter: f1 ≥ 0.5 → 0.63")
    assert not list(tighter_thresholds(BOUNDS, ENDS, ENOUGH_UNITS - 1))
    assert not list(tighter_thresholds(BOUNDS[1:], ENDS, ENOUGH_UNITS))
    assert not list(tighter_thresholds(BOUNDS, {}, ENOUGH_UNITS))


def test_a_maximum_is_lowered_not_raised() -> None:
    (sentence,) = tighter_thresholds([verdict(Max(0.3))], {"f1": Interval(0.1, 0.142)}, ENOUGH_UNITS)
    assert sentence.endswith("could be tighter: f1 ≤ 0.3 → 0.15")


def test_an_interval_without_width_shows_nothing() -> None:
    assert not list(tighter_thresholds([verdict(Min(0.5))], {"f1": Interval(1.0, 1.0)}, ENOUGH_UNITS))


def test_nothing_is_proposed_where_a_gate_fails() -> None:
    failing = replace(verdict(Max(0.1), measure="recall", line=2), verdict="failed")
    assert not list(tighter_thresholds([*BOUNDS, failing], ENDS, ENOUGH_UNITS))
    assert list(tighter_thresholds([*BOUNDS, replace(failing, informational=True)], ENDS, ENOUGH_UNITS))


def test_a_pattern_is_proposed_in_one_line_however_many_measures_it_has() -> None:
    verdicts = [verdict(Min(0.3), measure=name, line=4) for name in ("a.f1", "b.f1", "c.f1")]
    ends = {"a.f1": Interval(0.5, 0.6), "b.f1": Interval(0.7, 0.8), "c.f1": Interval(0.2, 0.4)}
    (sentence,) = tighter_thresholds(verdicts, ends, ENOUGH_UNITS)
    assert sentence.endswith("could be tighter: line 4 for 2 of 3 measures")


def test_no_bound_below_zero_or_of_what_is_no_share_is_tightened() -> None:
    assert not list(tighter_thresholds([verdict(Min(-0.5))], {"f1": Interval(0.2, 0.3)}, ENOUGH_UNITS))
    assert not list(tighter_thresholds([verdict(Min(3))], {"f1": Interval(8, 9)}, ENOUGH_UNITS))
    assert not list(tighter_thresholds([verdict(Max(30))], {"f1": Interval(8, 9)}, ENOUGH_UNITS))

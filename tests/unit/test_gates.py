from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.gates import CONDITIONS, TOLERANCE, Condition, Entry, Gate, Max, Min, judge, resolve
from pytest_nlpeval.measures import Score

NAMES = ["a.f1", "b.f1", "b.precision"]


def conditions(**thresholds: float) -> dict[str, Condition]:
    return {name: CONDITIONS[name](threshold) for name, threshold in thresholds.items()}


def entry(pattern: str, line: int = 1, informational: bool | None = None, **thresholds: float) -> Entry:
    return Entry(pattern, line, 1, conditions(**thresholds), dict.fromkeys(thresholds, line), informational)


def bounds(gates: tuple[Gate, ...]) -> dict[str, dict[str, float]]:
    return {gate.measure: {name: condition.threshold for name, condition in gate.conditions.items()} for gate in gates}


def test_a_star_stands_for_any_characters_dots_included() -> None:
    gates, idle = resolve([[entry("*1", min=0.5)]], NAMES)
    assert bounds(gates) == {"a.f1": {"min": 0.5}, "b.f1": {"min": 0.5}}
    assert not idle
    assert entry("b*").matches("b.precision")
    assert not entry("?.f1").matches("a.f1")
    assert not entry("[ab]*").matches("a.f1")


def test_a_plain_name_overrides_a_pattern_wherever_it_stands() -> None:
    for layer in ([entry("a.f1", min=0.9), entry("*", min=0.1)], [entry("*", min=0.1), entry("a.f1", min=0.9)]):
        gates, _ = resolve([layer], NAMES)
        assert bounds(gates)["a.f1"] == {"min": 0.9}
        assert bounds(gates)["b.f1"] == {"min": 0.1}


def test_a_profile_adds_and_replaces() -> None:
    base = [entry("a.f1", 3, min=0.4, max=0.8)]
    gates, idle = resolve([base, [entry("*.f1", 9, min=0.6)]], NAMES)
    assert bounds(gates) == {"a.f1": {"min": 0.6, "max": 0.8}, "b.f1": {"min": 0.6}}
    assert gates[0].lines == {"min": 9, "max": 3}
    assert not idle


def test_informational_alone_makes_no_gate() -> None:
    gates, idle = resolve([[entry("a.f1", min=0.4)], [entry("*", informational=True)]], NAMES)
    assert [(gate.measure, gate.informational) for gate in gates] == [("a.f1", True)]
    assert not idle
    gates, idle = resolve([[entry("b.f1", informational=True)]], NAMES)
    assert not gates
    assert [found.pattern for found in idle] == ["b.f1"]


def test_a_later_layer_can_take_informational_back() -> None:
    gates, _ = resolve([[entry("a.f1", min=0.4, informational=True)], [entry("a.f1", informational=False)]], NAMES)
    assert not gates[0].informational


def test_what_matches_nothing_is_returned() -> None:
    _, idle = resolve([[entry("c.f1", min=1), entry("x*", min=1)]], NAMES)
    assert [found.pattern for found in idle] == ["c.f1", "x*"]


@given(st.floats(0, 1), st.floats(0, 1))
def test_min_and_max_say_the_opposite(value: float, threshold: float) -> None:
    gate = Gate("m", 1, conditions(min=threshold, max=threshold), {"min": 2, "max": 3})
    low, high = judge(gate, Score(value))
    assert (low.condition, high.condition, low.line, high.line) == (Min(threshold), Max(threshold), 2, 3)
    assert low.holds == (value >= threshold - TOLERANCE)
    assert high.holds == (value <= threshold + TOLERANCE)
    assert low.condition.distance(value) == value - threshold
    assert high.condition.distance(value) == threshold - value


def test_noise_of_floats_does_not_fail_a_gate() -> None:
    (verdict,) = judge(Gate("m", 1, conditions(min=0.3)), Score(0.1 + 0.2 - 1e-13))
    assert verdict.holds
    (verdict,) = judge(Gate("m", 1, conditions(min=0.3)), Score(0.3 - 1e-11))
    assert verdict.verdict == "failed"
    assert "below the minimum 0.3" in verdict.reason


@pytest.mark.parametrize("informational", [True, False])
def test_without_value_a_gate_is_unjudged_and_does_not_hold(informational: bool) -> None:
    (verdict,) = judge(Gate("m", 1, conditions(min=0.0), informational=informational), Score(None, "no confidences"))
    assert verdict.verdict == "unjudged"
    assert verdict.reason == "no confidences"
    assert not verdict.holds
    assert verdict.informational is informational


class MaxLoss(Condition):
    """What a condition on the difference to a baseline would be: one more class."""

    __slots__ = ()
    name = "max_loss"
    symbol = "loss <="
    miss = "beyond a loss of"
    needs_baseline = True

    def distance(self, value: float, baseline: float | None = None) -> float:
        return self.threshold - ((baseline or 0) - value)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_condition_on_a_baseline_is_one_more_class(value: float, before: float, most: float) -> None:
    condition = MaxLoss(most)
    assert condition.holds(Score(value), Score(before)) == (before - value <= most + TOLERANCE)
    assert condition.holds(Score(value)) is None
    assert "no baseline" in condition.reason(Score(value))
    assert condition.holds(Score(None, "why"), Score(before)) is None
    assert condition.reason(Score(None, "why"), Score(before)) == "why"
    assert condition.holds(Score(value), Score(None, "nothing then")) is None
    assert condition.reason(Score(value), Score(None, "nothing then")) == "nothing then"

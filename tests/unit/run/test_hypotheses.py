"""The hypotheses of a suite's gates: each once, adjusted for those that can fail the run."""

from __future__ import annotations

import pytest

from pytest_nlpeval.conditions import Condition, MaxDrop, MaxDropRelative, Min, Standing
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.measures import Score
from pytest_nlpeval.run.hypotheses import MOST_RESAMPLES, Hypotheses, Hypothesis

STANDING = Standing(Score(0.5), Score(0.6), 0.1)


def gate(measure: str, *conditions: Condition, alpha: float | None = 0.05, informational: bool = False) -> Gate:
    return Gate(measure, 1, {condition.name: condition for condition in conditions}, alpha=alpha, informational=informational)


def hypotheses(*gates: Gate) -> Hypotheses:
    return Hypotheses.of(gates, {gate.measure: STANDING for gate in gates})


def test_an_informational_gate_is_adjusted_for_all_others_and_takes_nothing_from_them() -> None:
    every = hypotheses(gate("a", MaxDrop(0.0)), gate("b", MaxDrop(0.0)), gate("c", MaxDrop(0.0), informational=True))
    assert [every.number(Hypothesis(name, 0.0)) for name in "abc"] == [2, 2, 3]
    assert every.level("a", 0.05) == 0.05 / 2
    assert every.level("c", 0.06) == 0.06 / 3
    assert every.level("d", 0.05) == 0.05, "no hypothesis is about it"


def test_two_conditions_that_allow_the_same_are_one_hypothesis() -> None:
    """A sixth of the baseline's 0.6 is 0.1."""
    both = hypotheses(gate("a", MaxDrop(0.1), MaxDropRelative(1 / 6)))
    assert both.judging == (Hypothesis("a", 0.1),)
    assert both.of_conditions == dict.fromkeys([("a", "max_drop"), ("a", "max_drop_relative")], Hypothesis("a", 0.1))
    assert hypotheses(gate("a", MaxDrop(0.1), MaxDropRelative(0.5))).number(Hypothesis("a", 0.1)) == 2


@pytest.mark.parametrize(("gates", "least"), [(1, 19), (3, 59), (10, 199)])
def test_the_least_p_value_of_the_needed_resamples_can_be_significant(gates: int, least: int) -> None:
    """1 / (1 + 19) is 0.05; beneath the least number, twice as many are needed, from it on no more."""
    every = hypotheses(*(gate(f"m{rank}", MaxDrop(0.0)) for rank in range(gates)))
    names = [claim.measure for claim in every.levels]
    assert every.needed(dict.fromkeys(names, least)) == {}
    assert every.needed(dict.fromkeys(names, least - 1)) == dict.fromkeys(names, 2 * least)


def test_a_level_beyond_the_most_resamples_is_hopeless() -> None:
    reached, beyond = (gate("a", MaxDrop(0.0), alpha=alpha) for alpha in (1 / (MOST_RESAMPLES + 1), 1 / (MOST_RESAMPLES + 2)))
    assert hypotheses(reached).hopeless(100) == []
    assert hypotheses(beyond).hopeless(100) == ["a"]
    assert hypotheses(beyond).hopeless(MOST_RESAMPLES + 1) == [], "the statistics want as many"
    assert hypotheses(gate("a", MaxDrop(0.0), alpha=1e-9, informational=True)).hopeless(100) == [], "it fails nothing"


def test_what_has_no_level_or_no_drop_is_no_hypothesis() -> None:
    assert not hypotheses(gate("a", MaxDrop(0.0), alpha=None)).levels
    assert not Hypotheses.of([gate("a", MaxDrop(0.0))], {"a": Standing(Score(0.5))}).levels


def test_gates_and_conditions_behind_others_that_test_nothing_are_hypotheses() -> None:
    standings = {"a": Standing(Score(0.5)), "b": STANDING}
    every = Hypotheses.of([gate("a", MaxDrop(0.0)), gate("b", Min(0.1), MaxDrop(0.0))], standings)
    assert every.judging == (Hypothesis("b", 0.0),)


def test_a_hypothesis_has_the_lowest_level_of_its_conditions() -> None:
    both = hypotheses(gate("a", MaxDrop(0.1, 0.01), MaxDropRelative(1 / 6, 0.05)))
    assert both.levels == {Hypothesis("a", 0.1): 0.01}


@pytest.mark.parametrize(("alpha", "least"), [(0.05, 19), (0.3, 3), (0.5, 1)])
def test_what_has_no_resamples_needs_all(alpha: float, least: int) -> None:
    """1 / 0.3 - 1 is 2 1/3: two resamples are too few, three enough."""
    assert hypotheses(gate("a", MaxDrop(0.0), alpha=alpha)).needed({}) == {"a": 2 * least}


def test_a_measure_needs_what_its_most_demanding_hypothesis_does() -> None:
    """Of two hypotheses the one at 0.01 needs 2 / 0.01 - 1 resamples, whichever comes first."""
    for first, second in ((0.01, 0.05), (0.05, 0.01)):
        both = hypotheses(gate("a", MaxDrop(0.1, first), MaxDropRelative(0.5, second)))
        assert both.needed({}) == {"a": 2 * 199}


def test_informational_gates_ask_for_no_more_resamples_of_others() -> None:
    every = hypotheses(gate("a", MaxDrop(0.0)), gate("c", MaxDrop(0.0), informational=True))
    assert every.needed({}) == {"a": 2 * 19, "c": 2 * 39}


def test_p_values_that_judge_are_adjusted_for_each_other_and_all_others_for_all() -> None:
    """Of 0.01 and 0.04 the lesser is doubled; of the three the least is taken three times, the next twice."""
    every = hypotheses(gate("a", MaxDrop(0.0)), gate("b", MaxDrop(0.0)), gate("c", MaxDrop(0.0), informational=True))
    ps = {Hypothesis("a", 0.0): 0.01, Hypothesis("b", 0.0): 0.04, Hypothesis("c", 0.0): 0.02}
    adjusted = {Hypothesis("a", 0.0): 0.02, Hypothesis("b", 0.0): 0.04, Hypothesis("c", 0.0): 0.04}
    assert every.adjusted(ps) == pytest.approx(adjusted)

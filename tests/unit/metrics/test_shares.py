from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.shares import greatest_drop, wilson_interval

ALPHA = 0.05


def binomial(units: int, share: float) -> list[float]:
    return [math.comb(units, number) * share**number * (1 - share) ** (units - number) for number in range(units + 1)]


# Wilson's interval


@pytest.mark.parametrize(("right", "units"), [(0, 10), (3, 10), (50, 100), (98, 100), (10, 10)])
def test_its_ends_are_the_shares_that_a_score_test_just_does_not_reject(right: int, units: int) -> None:
    z = 1.959963984540054
    for end in wilson_interval(right, units)[:2]:
        if 0 < end < 1:
            assert abs(right / units - end) == pytest.approx(z * math.sqrt(end * (1 - end) / units))


def test_all_or_nothing_has_width() -> None:
    assert wilson_interval(100, 100).high == 1
    assert wilson_interval(0, 100).low == 0
    assert wilson_interval(100, 100).low == pytest.approx(100 / (100 + 1.959963984540054**2))


@given(st.integers(1, 2_000).flatmap(lambda units: st.tuples(st.integers(0, units), st.just(units))))
def test_it_is_symmetric_and_holds_the_share(numbers: tuple[int, int]) -> None:
    right, units = numbers
    low, high, _ = wilson_interval(right, units)
    turned = wilson_interval(units - right, units)
    assert 0 <= low <= right / units <= high <= 1
    assert (1 - turned.high, 1 - turned.low) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize("units", [30, 43, 100, 200])
def test_it_holds_the_true_share_as_often_as_it_says(units: int) -> None:
    intervals = [wilson_interval(right, units) for right in range(units + 1)]
    covered = []
    for share in [hundredth / 100 for hundredth in range(2, 99)]:
        chances = binomial(units, share)
        covered.append(sum(chance for chance, (low, high, _) in zip(chances, intervals, strict=True) if low <= share <= high))
    assert sum(covered) / len(covered) == pytest.approx(0.95, abs=0.01)
    assert min(covered) > 0.915  # at single shares, where a count falls just outside


def test_impossible_counts_are_refused() -> None:
    for right, units in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(ValueError, match="cannot be right"):
            wilson_interval(right, units)


# The greatest drop


def test_without_any_change_it_is_the_exact_rule_of_three() -> None:
    for units in (30, 100, 1_000, 100_000):
        assert greatest_drop(0, 0, units) == pytest.approx(1 - ALPHA ** (1 / units), rel=1e-9)


def test_a_unit_that_heals_is_no_proof() -> None:
    assert greatest_drop(0, 1, 5) > 0.2  # one of five newly right: the bootstrap's end is 0
    assert greatest_drop(0, 0, 5) == pytest.approx(1 - ALPHA ** (1 / 5))


def test_extremes() -> None:
    assert greatest_drop(10, 0, 10) == 1
    assert greatest_drop(0, 10, 10) < 0


@given(st.integers(2, 300).flatmap(lambda units: st.tuples(st.integers(0, units - 1), st.integers(0, units), st.just(units))))
def test_more_newly_wrong_units_allow_a_greater_drop(numbers: tuple[int, int, int]) -> None:
    wrong, right, units = numbers
    if wrong + 1 + right > units:
        return
    assert greatest_drop(wrong + 1, right, units) >= greatest_drop(wrong, right, units) - 1e-12
    assert greatest_drop(wrong, right, units) >= (wrong - right) / units


@cache
def ends(units: int, most: int) -> dict[tuple[int, int], float]:
    return {
        (wrong, right): greatest_drop(wrong, right, units)
        for wrong in range(most + 1)
        for right in range(most + 1)
        if wrong + right <= units
    }


def passes(units: int, drop: float, turned_right: float, most: int) -> float:
    """The probability that a run that is worse by `drop` has an end below it: the sum over all outcomes."""
    logs = [math.lgamma(number + 1) for number in range(units + 1)]
    wrong_share, same = turned_right + drop, 1 - 2 * turned_right - drop
    total = 0.0
    for (wrong, right), end in ends(units, most).items():
        if end < drop:
            rest = units - wrong - right
            log = logs[units] - logs[wrong] - logs[right] - logs[rest] + wrong * math.log(wrong_share) + rest * math.log(same)
            total += math.exp(log + right * math.log(turned_right)) if turned_right else math.exp(log) if not right else 0.0
    return total


@pytest.mark.parametrize("units", [30, 44, 100])
@pytest.mark.parametrize("drop", [0.005, 0.01, 0.02, 0.05, 0.1])
def test_a_run_that_is_worse_by_the_margin_passes_rarely(units: int, drop: float) -> None:
    for turned_right in (0.0, 0.005, 0.0125, 0.03, 0.05, 0.12):
        assert passes(units, drop, turned_right, most=min(units, 30)) <= 0.062


@pytest.mark.parametrize(
    ("wrong", "right", "units"), [(1, 1, 44), (3, 1, 100), (2, 5, 60), (20, 9, 500), (0, 4, 50), (7, 7, 30), (40, 1, 90)]
)
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_its_score_test_just_does_not_reject_the_end(wrong: int, right: int, units: int, alpha: float) -> None:
    """Tango's statistic, with the probability of a newly right unit that makes the counts most likely, found by trying."""
    end = greatest_drop(wrong, right, units, alpha)
    turned_right = likeliest(wrong, right, units, end)
    error = math.sqrt((2 * turned_right + end * (1 - end)) / units)
    assert ((wrong - right) / units - end) / error == pytest.approx(-NormalDist().inv_cdf(1 - alpha), abs=1e-5)


@pytest.mark.parametrize("units", [1, 2, 3, 4])
def test_so_it_is_for_all_counts_of_few_units(units: int) -> None:
    """Where a unit turned right: the variance of so few units, and the root in it, are below 1."""
    for right in range(1, units + 1):
        for wrong in range(units - right + 1):
            end = greatest_drop(wrong, right, units)
            error = math.sqrt((2 * likeliest(wrong, right, units, end) + end * (1 - end)) / units)
            z = ((wrong - right) / units - end) / error
            assert z == pytest.approx(-NormalDist().inv_cdf(1 - ALPHA), abs=1e-5)


def test_an_end_that_no_float_tells_from_1_is_1() -> None:
    """Of 1,000 units 999 turned wrong: all shares below 1 have an outcome like it with a probability above alpha."""
    assert greatest_drop(999, 0, 1_000, alpha=2**-53) == 1


def likeliest(wrong: int, right: int, units: int, drop: float) -> float:
    """The q that makes the counts likeliest if units turn right with q, and wrong with q + drop: the likelihood has one maximum."""

    def likelihood(share: float) -> float:
        parts = ((right, share), (wrong, share + drop), (units - wrong - right, 1 - 2 * share - drop))
        return sum(number * math.log(part) for number, part in parts if number)

    low, high = max(0.0, -drop), (1 - drop) / 2
    for _ in range(200):
        third = (high - low) / 3
        low, high = (low + third, high) if likelihood(low + third) < likelihood(high - third) else (low, high - third)
    return (low + high) / 2


@pytest.mark.parametrize(("wrong", "units"), [(1, 44), (2, 100), (3, 30), (5, 200), (1, 1_000)])
def test_where_no_unit_turned_right_it_is_the_exact_end(wrong: int, units: int) -> None:
    """With Clopper and Pearson's share so few units turn wrong, or fewer, with the probability alpha."""
    end = greatest_drop(wrong, 0, units)
    chance = sum(math.comb(units, number) * end**number * (1 - end) ** (units - number) for number in range(wrong + 1))
    assert chance == pytest.approx(ALPHA)


def test_impossible_changes_are_refused() -> None:
    for numbers in ((2, 1, 2), (-1, 0, 2), (0, 0, 0)):
        with pytest.raises(ValueError, match="do not fit"):
            greatest_drop(*numbers)

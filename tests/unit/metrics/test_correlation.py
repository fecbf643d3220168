from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pytest_nlpeval.metrics.correlation import _varies, kendall, pearson, spearman

Floats = NDArray[np.float64]
Statistic = Callable[[Floats, Floats, NDArray[np.int64]], Floats]

STATISTICS: list[Statistic] = [pearson, spearman, kendall]

PAIRS = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 3)), max_size=12)


def arrays(pairs: list[tuple[int, int, int]]) -> tuple[Floats, Floats, NDArray[np.int64]]:
    x, y, weights = np.array(pairs, np.int64).reshape(-1, 3).T
    return x.astype(np.float64), y.astype(np.float64), weights[None, :]


def tau(pairs: list[tuple[int, int]]) -> float:
    """The definition, pair by pair."""
    score = tied_x = tied_y = number = 0
    for (x, y), (u, v) in itertools.combinations(pairs, 2):
        number += 1
        score += np.sign(x - u) * np.sign(y - v)
        tied_x += x == u
        tied_y += y == v
    free = (number - tied_x) * (number - tied_y)
    return float(score) / math.sqrt(free) if free else math.nan


@given(PAIRS)
def test_kendall_is_its_definition(pairs: list[tuple[int, int, int]]) -> None:
    repeated = [(x, y) for x, y, weight in pairs for _ in range(weight)]
    assert kendall(*arrays(pairs))[0] == pytest.approx(tau(repeated), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("statistic", STATISTICS)
@given(pairs=PAIRS)
def test_a_weight_is_a_number_of_equal_pairs(statistic: Statistic, pairs: list[tuple[int, int, int]]) -> None:
    repeated = [(x, y, 1) for x, y, weight in pairs for _ in range(weight)]
    assert statistic(*arrays(pairs)) == pytest.approx(statistic(*arrays(repeated)), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("statistic", STATISTICS)
@given(data=st.data())
def test_there_is_one_of_each_sample_in_which_both_sides_vary(statistic: Statistic, data: st.DataObject) -> None:
    """The mean of equal tenths may differ from them in its last digit, and nothing of a sample is in another."""
    number = data.draw(st.integers(0, 5))
    tenths = st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7]), min_size=number, max_size=number)
    x, y = (np.array(data.draw(tenths)) for _ in range(2))
    rows = st.lists(st.integers(0, 3), min_size=number, max_size=number)
    weights = np.array(data.draw(st.lists(rows, min_size=1, max_size=4)), np.int64)
    found = statistic(x, y, weights)
    assert np.isnan(found).tolist() == [any(len(set(side[row > 0])) < 2 for side in (x, y)) for row in weights]
    np.testing.assert_allclose(found, [statistic(x, y, row[None])[0] for row in weights], atol=1e-12)


@given(PAIRS, PAIRS)
def test_a_sample_varies_if_two_different_numbers_count(
    pairs: list[tuple[int, int, int]], others: list[tuple[int, int, int]]
) -> None:
    number = min(len(pairs), len(others))
    ranks = np.array([x + 4 for x, _, _ in pairs[:number]], np.int64)
    weights = np.array([[weight for *_, weight in side[:number]] for side in (pairs, others)], np.int64)
    assert _varies(ranks, weights).tolist() == [len(set(ranks[row > 0].tolist())) > 1 for row in weights]


@pytest.mark.parametrize("statistic", STATISTICS)
@given(pairs=PAIRS)
def test_sides_are_alike_and_a_growing_side_stays(statistic: Statistic, pairs: list[tuple[int, int, int]]) -> None:
    x, y, weights = arrays(pairs)
    found = statistic(x, y, weights)
    assert statistic(y, x, weights) == pytest.approx(found, abs=1e-12, nan_ok=True)
    assert statistic(-x, y, weights) == pytest.approx(-found, abs=1e-12, nan_ok=True)
    assert statistic(x * 3 + 7, y, weights) == pytest.approx(found, abs=1e-12, nan_ok=True)
    if statistic is not pearson:
        assert statistic(np.exp(x), y, weights) == pytest.approx(found, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_there_is_none_of_one_pair_or_of_equal_numbers(statistic: Statistic) -> None:
    numbers, one = np.array([0.1, 0.1, 0.3]), np.ones(3, np.int64)
    weights = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [2, 0, 0], [1, 0, 1]])
    assert np.isnan(statistic(numbers, numbers, weights)).tolist() == [True, True, True, True, False]
    assert np.isnan(statistic(numbers, one.astype(np.float64), weights)).all()


@pytest.mark.parametrize("size", [1e-160, 1e-300, 1e100])
def test_size_does_not_matter(size: float) -> None:
    """Squares of such numbers are 0, or beyond the greatest float."""
    x, y, weights = np.array([1.0, 2.0, 4.0]), np.array([2.0, 1.0, 3.0]), np.ones((1, 3), np.int64)
    for statistic in STATISTICS:
        assert statistic(x * size, y, weights) == pytest.approx(statistic(x, y, weights), abs=1e-12)


def test_the_size_of_a_pair_that_does_not_count_does_not_matter() -> None:
    x, y = np.array([1e-160, 2e-160, 4e-160, 1e100]), np.array([2.0, 1.0, 3.0, 1.0])
    for statistic in STATISTICS:
        assert statistic(x, y, np.array([[1, 1, 1, 0]])) == pytest.approx(statistic(x[:3], y[:3], np.ones((1, 3), np.int64)))


def test_a_perfect_one_is_not_beyond_1() -> None:
    chance = np.random.default_rng(1)
    for _ in range(50):
        x = chance.normal(0, 1, 30)
        for statistic in STATISTICS:
            assert statistic(x, x * 3 + 1, np.ones((1, 30), np.int64))[0] <= 1
            assert statistic(x, x * -3 - 1, np.ones((1, 30), np.int64))[0] >= -1

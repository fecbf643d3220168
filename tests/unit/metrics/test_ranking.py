from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Sample, Values
from pytest_nlpeval.metrics import ranking
from pytest_nlpeval.metrics.ranking import Tied
from pytest_nlpeval.metrics.stretches import RunningSums, once, runs

Flags = NDArray[np.int8]
Confidences = NDArray[np.int64]
Weights = NDArray[np.int64]
Judgments = list[tuple[int, int]]
"""(confidence, correct) in ranking order."""


def ranked(confidences: int, most: int = 6) -> st.SearchStrategy[Judgments]:
    judgments = st.lists(st.tuples(st.integers(0, confidences), st.integers(0, 1)), min_size=1, max_size=most)
    return judgments.map(lambda found: sorted(found, key=lambda judgment: -judgment[0]))


def arrays(judgments: Judgments) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    return np.array([flag for _, flag in judgments], np.int8), np.array([key for key, _ in judgments], np.int64)


def sums_of(weights: Weights | None) -> RunningSums:
    return once if weights is None else Sample(Evidence.of([""] * weights.shape[1], {}), weights).running_sums


def cws(flags: Flags, weights: Weights | None = None) -> Values:
    return ranking.confidence_weighted_scores(runs(flags, [np.arange(len(flags))]), sums_of(weights))[:, 0]


def average_precision(flags: Flags, weights: Weights | None = None) -> Values:
    return ranking.average_precisions(runs(flags, [np.arange(len(flags))]), sums_of(weights))[:, 0]


def tied(flags: Flags, confidence: Confidences) -> Tied:
    return Tied.of(flags, confidence, np.arange(len(flags)))


def expected_cws(flags: Flags, confidence: Confidences, weights: Weights | None = None) -> Values:
    return ranking.expected_cws(tied(flags, confidence), sums_of(weights))


def worst_cws(flags: Flags, confidence: Confidences, weights: Weights | None = None) -> Values:
    return ranking.worst_cws(tied(flags, confidence), sums_of(weights))


def best_cws(flags: Flags, confidence: Confidences, weights: Weights | None = None) -> Values:
    return ranking.best_cws(tied(flags, confidence), sums_of(weights))


def exact_cws(flags: Sequence[int]) -> Fraction:
    """The definition, word for word."""
    return sum((Fraction(sum(flags[:i]), i) for i in range(1, len(flags) + 1)), Fraction(0)) / len(flags)


def exact_ap(flags: Sequence[int]) -> Fraction:
    terms = (flag * Fraction(sum(flags[:i]), i) for i, flag in enumerate(flags, 1))
    return sum(terms, Fraction(0)) / sum(flags)


def orders(judgments: Judgments) -> Iterator[list[int]]:
    """The flags in every order that keeps decreasing confidence."""
    blocks = [[flag for _, flag in block] for _, block in itertools.groupby(judgments, key=lambda judgment: judgment[0])]
    for choice in itertools.product(*(itertools.permutations(block) for block in blocks)):
        yield [flag for block in choice for flag in block]


def close(value: Fraction) -> object:
    return pytest.approx(float(value), abs=1e-13)


def test_the_worked_example() -> None:
    flags, confidence = arrays([(5, 1), (4, 1), (3, 1), (2, 0), (1, 1)])
    expected = (1 / 1 + 2 / 2 + 3 / 3 + 3 / 4 + 4 / 5) / 5
    for value in (
        cws(flags),
        expected_cws(flags, confidence),
        worst_cws(flags, confidence),
        best_cws(flags, confidence),
    ):
        assert value == pytest.approx(expected, abs=1e-15)


def test_a_tied_block_behind_others() -> None:
    flags, confidence = arrays([(9, 1), (5, 0), (5, 1), (5, 0)])
    assert expected_cws(flags, confidence) == close((1 + Fraction(4, 3) / 2 + Fraction(5, 3) / 3 + Fraction(2, 4)) / 4)
    assert best_cws(flags, confidence) == close((1 + Fraction(2, 2) + Fraction(2, 3) + Fraction(2, 4)) / 4)
    assert worst_cws(flags, confidence) == close((1 + Fraction(1, 2) + Fraction(1, 3) + Fraction(2, 4)) / 4)


def test_of_nothing_there_is_no_score() -> None:
    flags, confidence = np.zeros(0, np.int8), np.zeros(0, np.int64)
    assert np.isnan(cws(flags)).all()
    assert all(np.isnan(statistic(flags, confidence)).all() for statistic in (expected_cws, worst_cws, best_cws))
    assert np.isnan(average_precision(flags)).all()
    assert tied(flags, confidence).number == 0


def test_average_precision() -> None:
    assert average_precision(np.array([1, 0, 1, 0], np.int8)) == pytest.approx((1 / 1 + 2 / 3) / 2, abs=1e-15)
    assert average_precision(np.array([0, 1], np.int8)) == 1 / 2
    assert np.isnan(average_precision(np.zeros(3, np.int8))).all()


@pytest.mark.parametrize(
    ("confidence", "number"), [([], 0), ([3], 0), ([3, 2, 1], 0), ([3, 3], 2), ([4, 3, 3, 3, 2, 1, 1], 5), ([0, 0, 0], 3)]
)
def test_how_many_are_tied(confidence: list[int], number: int) -> None:
    assert tied(np.zeros(len(confidence), np.int8), np.array(confidence, np.int64)).number == number


def test_many_correct_ones_do_not_overflow_their_type() -> None:
    flags, confidence = np.ones(1000, np.int8), np.zeros(1000, np.int64)
    assert cws(flags) == 1
    assert expected_cws(flags, confidence) == best_cws(flags, confidence) == worst_cws(flags, confidence) == 1


@settings(max_examples=80)
@given(ranked(confidences=2))
def test_expectation_and_extremes_are_those_over_all_orders(judgments: Judgments) -> None:
    values = [exact_cws(flags) for flags in orders(judgments)]
    flags, confidence = arrays(judgments)
    assert expected_cws(flags, confidence) == close(sum(values, Fraction(0)) / len(values))
    assert worst_cws(flags, confidence) == close(min(values))
    assert best_cws(flags, confidence) == close(max(values))


@given(ranked(confidences=4, most=40))
def test_cws_lies_between_the_extremes(judgments: Judgments) -> None:
    flags, confidence = arrays(judgments)
    value, noise = cws(flags), 1e-13
    assert value == close(exact_cws(flags.tolist()))
    worst, best = worst_cws(flags, confidence), best_cws(flags, confidence)
    assert 0 <= worst <= value + noise <= best + 2 * noise <= 1 + 3 * noise
    assert worst - noise <= expected_cws(flags, confidence) <= best + noise


@given(st.lists(st.integers(0, 1), min_size=1, max_size=30))
def test_without_ties_all_are_cws(flags: list[int]) -> None:
    found, confidence = arrays([(-rank, flag) for rank, flag in enumerate(flags)])
    assert tied(found, confidence).number == 0
    assert (
        expected_cws(found, confidence) == worst_cws(found, confidence) == best_cws(found, confidence) == close(exact_cws(flags))
    )


@given(st.lists(st.integers(0, 1), min_size=1, max_size=30))
def test_with_all_tied_the_expectation_is_the_share_of_correct_ones(flags: list[int]) -> None:
    found, confidence = arrays([(7, flag) for flag in flags])
    assert expected_cws(found, confidence) == close(Fraction(sum(flags), len(flags)))


@given(ranked(confidences=3, most=12), st.randoms(use_true_random=False))
def test_only_cws_itself_sees_the_order_of_tied_ones(judgments: Judgments, random: Random) -> None:
    shuffled = list(judgments)
    random.shuffle(shuffled)
    shuffled.sort(key=lambda judgment: -judgment[0])
    for statistic in (expected_cws, worst_cws, best_cws):
        assert statistic(*arrays(shuffled)) == statistic(*arrays(judgments))


@given(st.lists(st.integers(0, 1), max_size=30))
def test_average_precision_is_its_definition(flags: list[int]) -> None:
    (value,) = average_precision(np.array(flags, np.int8))
    assert math.isnan(value) if not any(flags) else value == close(exact_ap(flags))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.lists(st.integers(0, 3), min_size=2, max_size=2)), max_size=8))
def test_a_weight_is_so_many_equal_entries(rows: list[tuple[int, int, list[int]]]) -> None:
    rows.sort(key=lambda row: -row[0])
    flags, confidence = arrays([(key, flag) for key, flag, _ in rows])
    weights = np.array([row[2] for row in rows], np.int64).reshape(-1, 2).T
    for statistic in (expected_cws, worst_cws, best_cws):
        expected = [float(statistic(np.repeat(flags, each), np.repeat(confidence, each))[0]) for each in weights]
        assert statistic(flags, confidence, weights) == pytest.approx(expected, abs=1e-13, nan_ok=True)
    for plain in (cws, average_precision):
        expected = [float(plain(np.repeat(flags, each))[0]) for each in weights]
        assert plain(flags, weights) == pytest.approx(expected, abs=1e-13, nan_ok=True)


@given(st.data())
def test_several_rankings_are_each_as_alone(data: st.DataObject) -> None:
    """Rows may be in several rankings, and rankings may be empty."""
    flags = np.array(data.draw(st.lists(st.integers(0, 1), min_size=1, max_size=12)), np.int8)
    places = st.lists(st.integers(0, len(flags) - 1), max_size=12, unique=True)
    orders = [np.array(order, np.int64) for order in data.draw(st.lists(places, max_size=4))]
    weights = np.array(
        data.draw(st.lists(st.lists(st.integers(0, 3), min_size=len(flags), max_size=len(flags)), min_size=1, max_size=3))
    )
    for several, alone in ((ranking.confidence_weighted_scores, cws), (ranking.average_precisions, average_precision)):
        found = several(runs(flags, orders), sums_of(weights))
        assert found.shape == (len(weights), len(orders))
        for rank, order in enumerate(orders):
            assert found[:, rank] == pytest.approx(alone(flags[order], weights[:, order]), abs=1e-13, nan_ok=True)


@pytest.mark.parametrize("size", [10, 1_000, 100_000])
def test_cws_of_many_judgments_is_exact(size: int) -> None:
    flags = (np.random.default_rng(size).random(size) < 0.7).astype(np.int8)
    exact = math.fsum((np.cumsum(flags, dtype=np.int64) / np.arange(1, size + 1)).tolist()) / size
    assert cws(flags)[0] == pytest.approx(exact, abs=5e-15)
    assert (cws(np.ones(size, np.int8))[0], cws(np.zeros(size, np.int8))[0]) == (1, 0)

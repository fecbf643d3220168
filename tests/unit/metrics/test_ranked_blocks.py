from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.ranked_blocks import average_precision, roc_auc

Ranking = list[tuple[int, int]]
"""Positive and negative items of each block, by ascending score."""

RANKINGS = st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=5), min_size=1, max_size=4)


def auc(ranking: Ranking) -> float:
    """The definition, pair by pair."""
    places = [[block for block, numbers in enumerate(ranking) for _ in range(numbers[side])] for side in (0, 1)]
    wins = [Fraction((one > other) * 2 + (one == other), 2) for one, other in itertools.product(*places)]
    return float(sum(wins) / len(wins)) if wins else math.nan


def precision(ranking: Ranking) -> float:
    """The definition: the mean over positive items of the precision among those as high or higher."""
    terms = []
    for block, (positive, _) in enumerate(ranking):
        above = [sum(numbers[side] for numbers in ranking[block:]) for side in (0, 1)]
        terms += [Fraction(above[0], sum(above))] * positive if positive else []
    return float(sum(terms) / len(terms)) if terms else math.nan


@given(RANKINGS)
def test_figures_are_their_definitions(rankings: list[Ranking]) -> None:
    blocks = np.array([numbers for ranking in rankings for numbers in ranking], np.float64).reshape(-1, 2).T
    bounds = np.cumsum([0, *map(len, rankings)])
    for figure, definition in ((roc_auc, auc), (average_precision, precision)):
        found = figure(blocks[:1], blocks[1:], bounds)
        assert found.shape == (1, len(rankings))
        assert found[0].tolist() == pytest.approx(list(map(definition, rankings)), abs=1e-12, nan_ok=True)


@given(RANKINGS.filter(any))
def test_all_scores_equal_are_chance(rankings: list[Ranking]) -> None:
    (ranking, *_) = filter(None, rankings)
    positive, negative = (float(sum(numbers[side] for numbers in ranking)) for side in (0, 1))
    found = roc_auc(np.array([[positive]]), np.array([[negative]]), np.array([0, 1]))[0, 0]
    assert found == 0.5 or not (positive and negative)

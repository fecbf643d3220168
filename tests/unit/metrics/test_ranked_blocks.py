from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.metrics.ranked_blocks import RankedBlocks, average_precision, roc_auc

Row = tuple[int, int, int]
"""Score, whether it is positive, and how often it counts."""

ROW = st.tuples(st.integers(0, 4), st.integers(0, 1), st.integers(0, 3))
RANKINGS = st.lists(st.lists(ROW, max_size=10), min_size=1, max_size=4)


def auc(rows: list[Row]) -> float:
    """The definition, pair by pair."""
    sides = [[score for score, is_positive, weight in rows if is_positive == side for _ in range(weight)] for side in (1, 0)]
    wins = [Fraction((one > other) * 2 + (one == other), 2) for one, other in itertools.product(*sides)]
    return float(sum(wins) / len(wins)) if wins else math.nan


def precision(rows: list[Row]) -> float:
    """The definition: the mean over positive items of the precision among those as high or higher."""
    terms = []
    for least, is_positive, weight in rows:
        above = [(flag, number) for score, flag, number in rows if score >= least]
        if is_positive and weight:
            share = Fraction(sum(flag * number for flag, number in above), sum(number for _, number in above))
            terms += [share] * weight
    return float(sum(terms) / len(terms)) if terms else math.nan


@given(RANKINGS)
def test_figures_are_their_definitions(rankings: list[list[Row]]) -> None:
    """In each ranking, for rows that count once and in two samples at once, in whatever order they are."""
    rows = [row for ranking in rankings for row in ranking]
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    members = np.split(np.arange(len(rows)), np.cumsum(list(map(len, rankings)))[:-1])
    blocks = RankedBlocks.of(columns[0], columns[1], members)
    weights = np.stack([columns[2], 3 - columns[2]])
    drawn = Sample(Evidence.of([""] * len(rows), {}), weights).running_sums
    for counted, samples in ((blocks.within(), np.ones((1, len(rows)), np.int64)), (blocks.within(drawn), weights)):
        for figure, definition in ((roc_auc, auc), (average_precision, precision)):
            found = figure(counted)
            assert found.shape == (len(samples), len(rankings))
            for values, weight in zip(found.tolist(), samples.tolist(), strict=True):
                weighted = [[(rows[row][0], rows[row][1], weight[row]) for row in own.tolist()] for own in members]
                assert values == pytest.approx(list(map(definition, weighted)), abs=1e-12, nan_ok=True)


@given(st.integers(1, 5), st.integers(1, 5))
def test_all_scores_equal_are_chance(positive: int, negative: int) -> None:
    flags = np.repeat([1, 0], [positive, negative])
    assert roc_auc(RankedBlocks.of(np.zeros(len(flags)), flags, [np.arange(len(flags))]).within()) == 0.5

"""Confidence-weighted score and average precision of a ranked list, with exact forms for ties.

The confidence-weighted score (CWS) of n judgments, sorted by decreasing confidence, is `1/n * sum_i (correct among the first i) / i`
(Dagan, Glickman, Magnini: The PASCAL Recognising Textual Entailment Challenge, 2005). Tied judgments have no order of their own;
there are functions for the expectation and the extremes over all orders of the tied ones, in closed form.

Every function takes any number of rankings at once, one after the other in each array, and returns one value for each. `lengths` says how
long each is; without it, all is one ranking.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.int8]
Confidences = NDArray[np.int64] | NDArray[np.float64]
Lengths = NDArray[np.signedinteger[Any]] | None
Values = NDArray[np.float64]


def confidence_weighted_score(correct: Flags, lengths: Lengths = None) -> Values:
    """Return the CWS of 0/1 flags in ranking order, in [0, 1]; NaN for an empty ranking.

    >>> confidence_weighted_score(np.array([1, 0, 1, 0], np.int8), np.array([2, 2])).tolist()
    [0.75, 0.75]
    """
    rankings = _Rankings(correct, lengths)
    return rankings.mean_share(rankings.restarted(_before(correct)[1:]))


def average_precision(relevant: Flags, lengths: Lengths = None) -> Values:
    """Return `1/R * sum_i relevant_i * (relevant among the first i) / i`, in (0, 1]; NaN if R = 0.

    `relevant` are 0/1 flags in ranking order, R their sum.
    """
    rankings = _Rankings(relevant, lengths)
    found = np.flatnonzero(relevant)
    shares = rankings.restarted(_before(relevant)[1:])[found] / rankings.place[found]
    return _means(shares, np.searchsorted(found, rankings.bounds))


def expected_cws(correct: Flags, confidence: Confidences, lengths: Lengths = None) -> Values:
    """Return the expectation of the CWS over all orders of tied judgments, in [0, 1]; NaN for an empty ranking.

    Both arrays are in ranking order (`confidence` never increases). After place j of a block of m tied judgments of which k are
    correct, after c correct ones, the expected number of correct ones is `c + k * j / m`.
    """
    block = _Blocks(correct, confidence, lengths)
    return block.rankings.mean_share(block.correct_before + block.correct_inside * block.place / block.length)


def best_cws(correct: Flags, confidence: Confidences, lengths: Lengths = None) -> Values:
    """Return the greatest CWS over all orders of tied judgments: the correct ones of each block first."""
    block = _Blocks(correct, confidence, lengths)
    return block.rankings.mean_share(block.correct_before + np.minimum(block.place, block.correct_inside))


def worst_cws(correct: Flags, confidence: Confidences, lengths: Lengths = None) -> Values:
    """Return the least CWS over all orders of tied judgments: the wrong ones of each block first."""
    block = _Blocks(correct, confidence, lengths)
    wrong_inside = block.length - block.correct_inside
    return block.rankings.mean_share(block.correct_before + np.maximum(0, block.place - wrong_inside))


def tied(confidence: Confidences) -> int:
    """Return how many entries of a sorted array share their value with a neighbour."""
    lengths = np.diff(np.flatnonzero(_is_new(confidence)), append=confidence.size)
    return int(lengths[lengths > 1].sum())


class _Rankings:
    """Where each ranking begins and ends, and the place of each entry in its own, from 1."""

    def __init__(self, entries: NDArray[Any], lengths: Lengths) -> None:
        self.lengths = np.array([entries.size]) if lengths is None else np.asarray(lengths, np.int64)
        self.bounds = np.concatenate(([0], np.cumsum(self.lengths)))
        self.place = self.restarted(np.arange(1, entries.size + 1))

    def restarted(self, counted: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what is counted over all entries, counted from the beginning of each ranking."""
        before = np.concatenate(([0], counted))[self.bounds[:-1]]
        return counted - np.repeat(before, self.lengths) if len(self.lengths) > 1 else counted

    def mean_share(self, correct_so_far: NDArray[np.int64] | Values) -> Values:
        """Return the mean of `correct_so_far / place` in each ranking."""
        return _means(correct_so_far / self.place, self.bounds)


class _Blocks:
    """Per place of a ranking: its rank inside its block of ties (from 1), the block's length and its correct judgments."""

    def __init__(self, correct: Flags, confidence: Confidences, lengths: Lengths) -> None:
        self.rankings = _Rankings(correct, lengths)
        starts = np.flatnonzero(_is_new(confidence) | (self.rankings.place == 1))
        sizes = np.diff(starts, append=correct.size)
        before = _before(correct)
        self.place = np.arange(correct.size) - np.repeat(starts, sizes) + 1
        self.length = np.repeat(sizes, sizes)
        self.correct_inside = np.repeat(before[starts + sizes] - before[starts], sizes)
        so_far = self.rankings.restarted(before[1:])
        self.correct_before = np.repeat(so_far[starts] - correct[starts], sizes)


def _before(flags: Flags) -> NDArray[np.int64]:
    """Return how many flags are set before each entry, and in all."""
    return np.concatenate(([0], np.cumsum(flags, dtype=np.int64)))


def _is_new(values: Confidences) -> NDArray[np.bool_]:
    return np.concatenate(([True], values[1:] != values[:-1])) if values.size else np.zeros(0, np.bool_)


def _means(values: Values, bounds: NDArray[np.int64]) -> Values:
    """Return the mean between each two bounds, NaN where there is nothing, each added up on its own."""
    ends = bounds.tolist()
    return np.array([values[start:end].mean() if end > start else np.nan for start, end in pairwise(ends)])

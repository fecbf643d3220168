"""Confidence-weighted score and average precision of a ranked list, with exact forms for ties.

The confidence-weighted score (CWS) of n judgments, sorted by decreasing confidence, is `1/n * sum_i (correct among the first i) / i`
(Dagan, Glickman, Magnini: The PASCAL Recognising Textual Entailment Challenge, 2005). Tied judgments have no order of their own;
the functions with `blocks` give the expectation and the extremes over all orders of the tied ones, in closed form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pytest_nlpeval.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Flags: TypeAlias = "NDArray[np.int8]"
Confidences: TypeAlias = "NDArray[np.int64] | NDArray[np.float64]"


def confidence_weighted_score(correct: Flags) -> float:
    """Return the CWS of 0/1 flags in ranking order, in [0, 1]; NaN for an empty list."""
    if not correct.size:
        return float("nan")
    return float(np.mean(np.cumsum(correct, dtype=np.int64) / np.arange(1, correct.size + 1)))


def average_precision(relevant: Flags) -> float:
    """Return `1/R * sum_i relevant_i * (relevant among the first i) / i`, in (0, 1]; NaN if R = 0.

    `relevant` are 0/1 flags in ranking order, R their sum.
    """
    ranks = np.flatnonzero(relevant) + 1
    return float(np.mean(np.arange(1, ranks.size + 1) / ranks)) if ranks.size else float("nan")


def expected_cws(correct: Flags, confidence: Confidences) -> float:
    """Return the expectation of the CWS over all orders of tied judgments, in [0, 1]; NaN for an empty list.

    Both arrays are in ranking order (`confidence` never increases). After place j of a block of m tied judgments of which k are
    correct, after c correct ones, the expected number of correct ones is `c + k * j / m`.
    """
    block = _Blocks(correct, confidence)
    return _mean_share(block.correct_before + block.correct_inside * block.place / block.length)


def best_cws(correct: Flags, confidence: Confidences) -> float:
    """Return the greatest CWS over all orders of tied judgments: the correct ones of each block first."""
    block = _Blocks(correct, confidence)
    return _mean_share(block.correct_before + np.minimum(block.place, block.correct_inside))


def worst_cws(correct: Flags, confidence: Confidences) -> float:
    """Return the least CWS over all orders of tied judgments: the wrong ones of each block first."""
    block = _Blocks(correct, confidence)
    wrong_inside = block.length - block.correct_inside
    return _mean_share(block.correct_before + np.maximum(0, block.place - wrong_inside))


def tied(confidence: Confidences) -> int:
    """Return how many entries of a sorted array share their value with a neighbour."""
    lengths = np.diff(_starts(confidence), append=confidence.size)
    return int(lengths[lengths > 1].sum())


class _Blocks:
    """Per place of a ranking: its rank inside its block of ties (from 1), the block's length and its correct judgments."""

    def __init__(self, correct: Flags, confidence: Confidences) -> None:
        starts = _starts(confidence)
        lengths = np.diff(starts, append=correct.size)
        before = np.concatenate(([0], np.cumsum(correct, dtype=np.int64)))
        self.place = np.arange(correct.size) - np.repeat(starts, lengths) + 1
        self.length = np.repeat(lengths, lengths)
        self.correct_before = np.repeat(before[starts], lengths)
        self.correct_inside = np.repeat(before[starts + lengths] - before[starts], lengths)


def _starts(values: Confidences) -> NDArray[np.int64]:
    return np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1]))) if values.size else np.zeros(0, np.int64)


def _mean_share(correct_so_far: NDArray[np.float64] | NDArray[np.int64]) -> float:
    if not correct_so_far.size:
        return float("nan")
    return float(np.mean(correct_so_far / np.arange(1, correct_so_far.size + 1)))

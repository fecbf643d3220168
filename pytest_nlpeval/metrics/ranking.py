"""Confidence-weighted score and average precision of a ranked list, with exact forms for ties.

The confidence-weighted score (CWS) of n judgments, sorted by decreasing confidence, is `1/n * sum_i (correct among the first i) / i`
(Dagan, Glickman, Magnini: The PASCAL Recognising Textual Entailment Challenge, 2005). Tied judgments have no order of their own;
there are functions for the expectation and the extremes over all orders of the tied ones, in closed form.

Every function takes `weights`, how often each entry counts in each of R samples, shape `(R, n)`, and returns R values; an entry of weight w
is w equal entries in a row. Without weights each counts once, R = 1.

The score of many samples costs no sum over places. With `H(p) = 1 + 1/2 + ... + 1/p`, a correct judgment at place p adds
`H(n) - H(p - 1)` to n times the CWS, and the places up to m together `m H(n) - G(m)`, where
`G(m) = H(0) + ... + H(m - 1) = m H(m) - m`. So only the last place of each run of correct or of wrong judgments matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_nlpeval.libraries import np
from pytest_nlpeval.metrics.prf import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

Flags: TypeAlias = "NDArray[np.int8]"
Confidences: TypeAlias = "NDArray[np.int64] | NDArray[np.float64]"
Weights: TypeAlias = "NDArray[np.signedinteger[Any]]"
Values: TypeAlias = "NDArray[np.float64]"


def confidence_weighted_score(correct: Flags, weights: Weights | None = None) -> Values:
    """Return the CWS of 0/1 flags in ranking order, in [0, 1]; NaN for an empty ranking.

    >>> confidence_weighted_score(np.array([1, 0], np.int8), np.array([[1, 1], [2, 1]])).tolist()
    [0.75, 0.8888888888888888]
    """
    last = _last_places(correct, weights)
    flags = correct.astype(np.int64)
    steps = flags - np.append(flags[1:], 0)  # 1 where a run of correct ones ends, -1 where one is to begin
    turns = np.flatnonzero(steps)
    at_turns, signs = last[:, turns], steps[turns]
    numbers = last[:, -1] if correct.size else np.zeros(len(last), np.int64)
    harmonic = _harmonic(numbers.max(initial=0))
    before = (at_turns * harmonic[at_turns] - at_turns) * signs
    return ratio((at_turns @ signs) * harmonic[numbers] - _sum(before), numbers)


def average_precision(relevant: Flags, weights: Weights | None = None) -> Values:
    """Return `1/R * sum_i relevant_i * (relevant among the first i) / i`, in (0, 1]; NaN if R = 0.

    `relevant` are 0/1 flags in ranking order, R their sum.
    """
    return np.array([_average_precision(np.repeat(relevant, each)) for each in _weights(relevant, weights)])


def _average_precision(relevant: Flags) -> float:
    ranks = np.flatnonzero(relevant) + 1
    return float(np.mean(np.arange(1, ranks.size + 1) / ranks)) if ranks.size else float("nan")


def expected_cws(correct: Flags, confidence: Confidences, weights: Weights | None = None) -> Values:
    """Return the expectation of the CWS over all orders of tied judgments, in [0, 1]; NaN for an empty ranking.

    Both arrays are in ranking order (`confidence` never increases). After place j of a block of m tied judgments of which k are
    correct, after c correct ones at b places, the expected number of correct ones is `c + k * j / m`. Over the block, divided by
    the places, that adds up to `c * D + k - b * k / m * D`, where `D = H(b + m) - H(b)`.
    """
    starts, counts = _starts(confidence), _weights(correct, weights)
    if len(starts) == correct.size:  # nothing is tied
        return confidence_weighted_score(correct, weights)
    sizes = np.add.reduceat(counts, starts, axis=1)
    right = np.add.reduceat(counts * correct, starts, axis=1)
    after, right_after = np.cumsum(sizes, axis=1), np.cumsum(right, axis=1)
    before = after - sizes
    harmonic = _harmonic(after.max(initial=0))
    growth = harmonic[after] - harmonic[before]
    terms = (right_after - right) * growth + right - before * (right / np.maximum(sizes, 1)) * growth
    return ratio(_sum(terms), after[:, -1])


def best_cws(correct: Flags, confidence: Confidences, weights: Weights | None = None) -> Values:
    """Return the greatest CWS over all orders of tied judgments: the correct ones of each block first."""
    return _reordered(np.lexsort((-correct, -confidence)), correct, weights)


def worst_cws(correct: Flags, confidence: Confidences, weights: Weights | None = None) -> Values:
    """Return the least CWS over all orders of tied judgments: the wrong ones of each block first."""
    return _reordered(np.lexsort((correct, -confidence)), correct, weights)


def tied(confidence: Confidences) -> int:
    """Return how many entries of a sorted array share their value with a neighbour."""
    lengths = np.diff(_starts(confidence), append=confidence.size)
    return int(lengths[lengths > 1].sum())


def _reordered(order: NDArray[np.int64], correct: Flags, weights: Weights | None) -> Values:
    return confidence_weighted_score(correct[order], None if weights is None else weights[:, order])


def _weights(entries: NDArray[Any], weights: Weights | None) -> Weights:
    return np.ones((1, entries.size), np.int64) if weights is None else weights


def _last_places(entries: NDArray[Any], weights: Weights | None) -> NDArray[np.int64]:
    """Return the place of the last copy of each entry, from 1; that of the entry before it if it has no copies."""
    return np.cumsum(_weights(entries, weights), axis=1, dtype=np.int64)


def _harmonic(most: int) -> Values:
    """Return H(0), H(1) and so on, up to H(most)."""
    return np.concatenate(([0.0], np.cumsum(1 / np.arange(1, most + 1))))


def _sum(terms: Values) -> Values:
    """Return the sum of each row, added from left to right: `sum` chooses an order of its own."""
    return np.cumsum(terms, axis=1)[:, -1] if terms.shape[1] else np.zeros(len(terms))


def _starts(values: Confidences) -> NDArray[np.int64]:
    return np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1]))) if values.size else np.zeros(0, np.int64)

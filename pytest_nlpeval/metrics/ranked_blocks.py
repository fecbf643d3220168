"""Area under the ROC curve, and average precision, of items in blocks of equal scores: no order of tied items counts.

Every function takes `positive` and `negative`, how many positive and negative items each block has in each of R samples, shape
`(R, blocks)`, blocks by ascending score. Blocks may be of several rankings, one after the other: ranking s has those from `bounds[s]`
to before `bounds[s + 1]`. The results have shape `(R, rankings)`.

Sources: Hanley, McNeil, The Meaning and Use of the Area under a ROC Curve, Radiology 1982; Manning, Raghavan, Schütze, Introduction to
Information Retrieval, 2008, chapter 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pytest_nlpeval.libraries import np
from pytest_nlpeval.metrics.prf import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

Counts: TypeAlias = "NDArray[np.float64]"
Bounds: TypeAlias = "NDArray[np.int64]"


def roc_auc(positive: Counts, negative: Counts, bounds: Bounds) -> Counts:
    """Return the share of pairs of a positive and a negative item in which the positive one has the higher score, equal ones half.

    `sum_b P_b (2 N_below + N_b) / (2 P N)`, in [0, 1]; NaN without a positive or without a negative item.

    >>> roc_auc(np.array([[0.0, 1.0, 1.0]]), np.array([[1.0, 1.0, 0.0]]), np.array([0, 3])).tolist()
    [[0.875]]
    """
    below = _so_far(negative, bounds) - negative
    every = _sums(positive, bounds), _sums(negative, bounds)
    return ratio(_sums(positive * (2 * below + negative), bounds), 2 * every[0] * every[1])


def average_precision(positive: Counts, negative: Counts, bounds: Bounds) -> Counts:
    """Return the mean over positive items of the precision among all items whose score is as high or higher.

    `1/P sum_b P_b P_from_b / (P_from_b + N_from_b)`, in (0, 1]; NaN without a positive item.

    >>> average_precision(np.array([[0.0, 1.0, 1.0]]), np.array([[1.0, 1.0, 0.0]]), np.array([0, 3])).round(4).tolist()
    [[0.8333]]
    """
    every = _sums(positive, bounds)
    sizes = np.diff(bounds)
    right, wrong = (np.repeat(_sums(side, bounds), sizes, axis=1) - _so_far(side, bounds) + side for side in (positive, negative))
    return ratio(_sums(positive * ratio(right, right + wrong, empty=0.0), bounds), every)


def _sums(values: Counts, bounds: Bounds) -> Counts:
    found = np.zeros((len(values), len(bounds) - 1))
    has_any = bounds[1:] > bounds[:-1]
    if has_any.any():
        found[:, has_any] = np.add.reduceat(values, bounds[:-1][has_any], axis=1)
    return found


def _so_far(values: Counts, bounds: Bounds) -> Counts:
    """Return the sums of each block and those before it in its ranking."""
    sums = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)
    so_far: Counts = sums[:, 1:] - np.repeat(sums[:, bounds[:-1]], np.diff(bounds), axis=1)
    return so_far

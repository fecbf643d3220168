"""Correlations of paired numbers: Pearson's r, Spearman's rho with average ranks, Kendall's tau-b.

Every function takes `x` and `y`, shape `(n,)`, and `weights`, how often each pair counts in each of R samples, shape `(R, n)`; a pair of
weight w is w equal pairs. Each returns R values in [-1, 1], NaN for fewer than two pairs and where all x or all y are equal.

Sources: Kendall, Rank Correlation Methods, 1948; Knight, A Computer Method for Calculating Kendall's Tau with Ungrouped Data, JASA 1966.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_nlpeval.libraries import np
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.sums import running_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.float64]"
Weights: TypeAlias = "NDArray[np.signedinteger[Any]]"
Ranks: TypeAlias = "NDArray[np.int64]"


def pearson(x: Numbers, y: Numbers, weights: Weights) -> Numbers:
    """Return `sum (x - mean x)(y - mean y) / sqrt(sum (x - mean x)^2 sum (y - mean y)^2)`, means first, then deviations.

    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 9.0]), np.array([[1, 1, 1], [1, 1, 0]])).round(4).tolist()
    [0.9707, 1.0]
    """
    varies = _varies(_ranks(x), weights) & _varies(_ranks(y), weights)
    return np.where(varies, _pearson(x, y, weights), np.nan)


def spearman(x: Numbers, y: Numbers, weights: Weights) -> Numbers:
    """Return Pearson's r of the ranks; tied numbers have the average of their ranks.

    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 9.0]), np.array([[1, 1, 1]])).tolist()
    [1.0]
    """
    # Ranks are halves, so that the mean of equal ranks is exact: they leave no deviation, and `_pearson` no value.
    return _pearson(_average_ranks(_ranks(x), weights), _average_ranks(_ranks(y), weights), weights)


def kendall(x: Numbers, y: Numbers, weights: Weights) -> Numbers:
    """Return tau-b: `(concordant - discordant) / sqrt((n0 - n1) (n0 - n2))`, in time n log n.

    `n0` are all pairs of pairs, `n1` those with equal x, `n2` those with equal y. With `n3`, those with both, there are
    `n0 - n1 - n2 + n3` concordant and discordant ones together. Numbers of pairs are counted in whole numbers.

    >>> kendall(np.array([1.0, 2.0, 3.0]), np.array([2.0, 9.0, 4.0]), np.array([[1, 1, 1], [2, 1, 0]])).round(4).tolist()
    [0.3333, 1.0]
    """
    first, second = _ranks(x), _ranks(y)
    counts = weights.astype(np.int64)
    every = _pairs(counts.sum(axis=1))
    in_x, in_y, in_both = (_tied(ranks, counts) for ranks in (first, second, _joint(first, second)))
    difference = every - in_x - in_y + in_both - 2 * _discordant(first, second, counts)
    free = (every - in_x).astype(np.float64) * (every - in_y)
    return _clipped(ratio(difference, np.sqrt(free)))


def _clipped(values: Numbers) -> Numbers:
    """Return values in [-1, 1]: what rounding adds beyond is cut off."""
    clipped: Numbers = np.clip(values, -1.0, 1.0)
    return clipped


def _pearson(x: Numbers, y: Numbers, weights: Weights) -> Numbers:
    counts = weights.astype(np.float64)
    first, second = _deviations(x, counts), _deviations(y, counts)
    squares = [(counts * side * side).sum(axis=1) for side in (first, second)]
    return _clipped(ratio((counts * first * second).sum(axis=1), np.sqrt(squares[0] * squares[1])))


def _deviations(numbers: Numbers, counts: Numbers) -> Numbers:
    """Return the deviations from the mean divided by the greatest one, which r does not notice: no square under- or overflows."""
    means = ratio((counts * numbers).sum(axis=1), counts.sum(axis=1))
    deviations = np.where(counts > 0, numbers - means[:, None], 0.0)
    return ratio(deviations, np.abs(deviations).max(axis=1, initial=0.0)[:, None], empty=0.0)


def _ranks(numbers: NDArray[Any]) -> Ranks:
    """Return the rank of each number among the distinct numbers, from 0; equal numbers share it."""
    _, ranks = np.unique(numbers, return_inverse=True)
    return ranks.astype(np.int64)


def _joint(first: Ranks, second: Ranks) -> Ranks:
    return _ranks(first * (second.max(initial=0) + 1) + second)


def _block_sizes(ranks: Ranks, weights: Weights) -> NDArray[np.int64]:
    """Return how many pairs have each rank, shape `(R, ranks)`."""
    order = np.argsort(ranks, kind="stable")
    starts = np.flatnonzero(np.diff(ranks[order], prepend=-1))
    sizes: NDArray[np.int64] = np.add.reduceat(weights.take(order, axis=1).astype(np.int64), starts, axis=1)
    return sizes


def _varies(ranks: Ranks, weights: Weights) -> NDArray[np.bool_]:
    """Return which samples have two different numbers: the least number with a weight is not the greatest one."""
    order = np.argsort(ranks)
    has_weight, ordered = weights.take(order, axis=1) > 0, ranks[order]
    if not ordered.size:
        return np.zeros(len(weights), np.bool_)
    # The first number with a weight is the least. In a sample without any, `argmax` gives the first number all the same.
    least, greatest = ordered[has_weight.argmax(axis=1)], ordered[::-1][has_weight[:, ::-1].argmax(axis=1)]
    varies: NDArray[np.bool_] = (least < greatest) & has_weight.any(axis=1)
    return varies


def _average_ranks(ranks: Ranks, weights: Weights) -> Numbers:
    """Return the average rank of each number, from 1: m equal numbers above W smaller ones share the mean of W + 1 to W + m."""
    sizes = _block_sizes(ranks, weights)
    averages: Numbers = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
    return averages.take(ranks, axis=1)


def _pairs(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many pairs so many things make."""
    return numbers * (numbers - 1) // 2


def _tied(ranks: Ranks, weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many pairs have equal ranks."""
    tied: NDArray[np.int64] = _pairs(_block_sizes(ranks, weights)).sum(axis=1)
    return tied


def _discordant(first: Ranks, second: Ranks, weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many pairs have their x in one order and their y in the other.

    Sorted by x, and by y where x is equal, these are the inversions of y: a greater y before a smaller one. Two y differ first in some
    binary digit. So each inversion is found once: at that digit, among the entries whose higher digits are equal, as a 1 before a 0.

        y in the order of x: 10 01 11 00    higher digits 1 0 1 0: the inversions 10 01, 10 00, 11 00
                                            lower digits 0 1 of 1x: none; 1 0 of 0x: the inversion 01 00

    Knight counts them while he sorts by merging, each sample in its own order. Digits give all samples the same log2 n steps.
    """
    from pytest_nlpeval.columns import narrow

    order = np.lexsort((second, first))
    keys = second[order]
    counts = narrow(weights)
    inversions = np.zeros(len(weights), np.int64)
    for digit in reversed(range(int(keys.max(initial=0)).bit_length())):
        groups = keys >> (digit + 1)
        own = np.argsort(groups, kind="stable")
        is_one = (keys[own] >> digit) & 1 == 1
        before = np.cumsum(is_one) - is_one  # how many entries with a 1 stand before each one, in all groups
        starts = np.flatnonzero(np.diff(groups[own], prepend=-1))
        before_group = np.repeat(before[starts], np.diff(starts, append=len(keys)))
        rows, zeros = order[own], ~is_one
        ones = running_sums(counts, rows[is_one], np.concatenate([before[zeros], before_group[zeros]]))
        in_all_groups, in_earlier_groups = np.split(ones, 2, axis=1)
        inversions += (counts.take(rows[zeros], axis=1) * (in_all_groups - in_earlier_groups).astype(np.int64)).sum(axis=1)
    return inversions

"""Sums of columns under weights. No order of additions changes them, or they are made in the order of the rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_nlpeval.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.columns import Numbers

Values: TypeAlias = "NDArray[np.float64]"
Weights: TypeAlias = "NDArray[np.integer[Any]]"

_AT_ONCE = 1 << 20  # how many weighted numbers are held at once


def exact(numbers: NDArray[Any]) -> float:
    """Return the sum of numbers: of integers exact, of floats rounded once."""
    return math.fsum(numbers.tolist()) if numbers.dtype.kind == "f" else int(numbers.sum(dtype=np.int64))


_MOST_PARTS = 3


def exact_parts(numbers: Numbers, entries: float) -> list[Values]:
    """Return arrays whose sum is `numbers`, such that the sum of up to `entries` entries of each array is exact in whatever order.

    A float has 53 bits. A part keeps so few of them that the sum of all its entries needs no more; integers nearly always are one part.
    What is left after three parts is dropped: at most 2**-60 of the greatest number as long as `entries` is below 2**32.

    >>> [part.tolist() for part in exact_parts(np.array([1.0, 2.0**-40]), 2**20)]
    [[1.0, 0.0], [0.0, 9.094947017729282e-13]]
    """
    rest: Values = numbers.astype(np.float64)
    parts: list[Values] = []
    bits = 52 - math.frexp(max(entries, 1))[1]
    while rest.any() and len(parts) < _MOST_PARTS:
        power = bits - int(np.frexp(np.abs(rest).max())[1])
        parts.append(np.ldexp(np.rint(np.ldexp(rest, power)), -power))
        rest = rest - parts[-1]
    return parts


def exact_sums(numbers: Numbers, groups: NDArray[np.int64], size: int) -> Values:
    """Return the sum of the numbers of each of `size` groups, shape `(1, size)`, rounded once; `groups` gives each number's group."""
    sums = np.asarray(np.bincount(groups, numbers, size), np.float64)
    is_crowded = np.bincount(groups) > 2  # the sum of two numbers is rounded once already
    crowded, rows = np.flatnonzero(is_crowded), np.flatnonzero(is_crowded[groups])
    rows = rows[np.argsort(groups[rows], kind="stable")]
    ends = np.searchsorted(groups[rows], crowded[1:])
    sums[crowded] = [exact(part) for part in np.split(numbers[rows], ends)][: len(crowded)]
    return sums[None, :]


def weighted_sums(weights: Values, numbers: Values, groups: NDArray[np.int64], size: int) -> Values:
    """Return, for each resample, the sum of weight times number in each of `size` groups, shape `(R, size)`."""
    step = max(1, _AT_ONCE // max(1, len(numbers)))
    sums = np.zeros((len(weights), size))
    for start in range(0, len(weights), step):
        part = weights[start : start + step] * numbers
        # One count for several resamples is faster than one each: group g of resample r has the number r * size + g.
        flat = np.arange(len(part))[:, None] * size + groups
        sums[start : start + step] = np.bincount(flat.ravel(), part.ravel(), size * len(part)).reshape(-1, size)
    return sums


_STEPS = 16


def running_sums(weights: Weights, order: NDArray[np.int64], places: NDArray[np.int64]) -> Weights:
    """Return the sums of the weights of the first p rows of `order`, for each p of `places`, in the narrowest type.

    In `np.cumsum` each addition waits for the one before. Here the order is cut into blocks, and step by step all blocks sum up their own
    rows at once: 1 2 3 | 4 5 6 becomes 1 3 3 | 4 9 6, then 1 3 6 | 4 9 15. The sums of all earlier blocks are added at the wanted places
    alone.
    """
    from pytest_nlpeval.columns import narrow

    if not len(order):
        return np.zeros((len(weights), len(places)), np.int8)
    blocks = len(order) // _STEPS + 1
    rows = np.zeros(blocks * _STEPS, np.int64)
    rows[1 : len(order) + 1] = order  # place p lies behind the first p rows, and no row before place 0
    narrowed = narrow(weights, len(rows) * int(weights.max()))
    sums = narrowed.take(rows.reshape(blocks, _STEPS).T, axis=1)  # shape (R, steps, blocks)
    sums[:, 0, 0] = 0
    for step in range(1, _STEPS):
        sums[:, step] += sums[:, step - 1]
    before = np.cumsum(sums[:, -1], axis=1, dtype=sums.dtype) - sums[:, -1]
    of_block, of_step = np.divmod(places, _STEPS)
    inside: Weights = sums.reshape(len(weights), -1).take(of_step * blocks + of_block, axis=1)
    inside += before.take(of_block, axis=1)
    return inside

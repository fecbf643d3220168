"""Sums of columns under weights, which no order of additions changes, or which are made in the order of the rows."""

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


def exact_parts(numbers: Numbers, most: float) -> list[Values]:
    """Return arrays whose sum is `numbers`, such that sums of up to `most` entries of each are exact in whatever order.

    Each part has so few bits that no sum of its entries is ever rounded; integers nearly always are one part. What is left after three
    parts, less than 2**-60 of the greatest number as long as `most` is below 2**32, is dropped.
    """
    rest: Values = numbers.astype(np.float64)
    parts: list[Values] = []
    bits = 52 - math.frexp(max(most, 1))[1]
    while rest.any() and len(parts) < _MOST_PARTS:
        power = bits - int(np.frexp(np.abs(rest).max())[1])
        parts.append(np.ldexp(np.rint(np.ldexp(rest, power)), -power))
        rest = rest - parts[-1]
    return parts


def exact_sums(numbers: Numbers, places: NDArray[np.int64], number: int) -> Values:
    """Return the sum of floats in each place, rounded once: a sum of two is so by itself."""
    sums = np.asarray(np.bincount(places, numbers, number), np.float64)
    crowded = np.flatnonzero(np.bincount(places, minlength=number) > 2)
    rows = np.flatnonzero(np.isin(places, crowded))
    rows = rows[np.argsort(places[rows], kind="stable")]
    ends = np.searchsorted(places[rows], crowded[1:])
    sums[crowded] = [exact(part) for part in np.split(numbers[rows], ends)][: len(crowded)]
    return sums[None, :]


def weighted_sums(weights: Values, numbers: Values, places: NDArray[np.int64], number: int) -> Values:
    """Return, for each resample, the sum of weight times number in each place, a few resamples at a time."""
    size = max(1, _AT_ONCE // max(1, len(numbers)))
    sums = np.zeros((len(weights), number))
    for start in range(0, len(weights), size):
        part = weights[start : start + size] * numbers
        flat = np.arange(len(part))[:, None] * number + places
        sums[start : start + size] = np.bincount(flat.ravel(), part.ravel(), number * len(part)).reshape(-1, number)
    return sums


_STEPS = 16


def running_sums(weights: Weights, order: NDArray[np.int64], places: NDArray[np.int64]) -> Weights:
    """Return the sums of the weights of the first p rows of `order`, for each p of `places`, in the narrowest type.

    `np.cumsum` waits for each of its additions. Here the order is cut into blocks, whose own sums are made all together, step by step:
    1 2 3 | 4 5 6 becomes 1 3 3 | 4 9 6, then 1 3 6 | 4 9 15. The sums of the blocks before are added at the wanted places alone.
    """
    from pytest_nlpeval.columns import narrow

    if not len(order):
        return np.zeros((len(weights), len(places)), np.int8)
    blocks = len(order) // _STEPS + 1
    rows = np.zeros(blocks * _STEPS, np.int64)
    rows[1 : len(order) + 1] = order  # place p is that behind the first p rows: at place 0 there is none
    sums = narrow(weights, len(rows) * int(weights.max(initial=0))).take(
        rows.reshape(blocks, _STEPS).T, axis=1
    )  # shape (R, steps, blocks)
    sums[:, 0, 0] = 0
    for step in range(1, _STEPS):
        sums[:, step] += sums[:, step - 1]
    before = np.cumsum(sums[:, -1], axis=1, dtype=sums.dtype) - sums[:, -1]
    of_block, of_step = np.divmod(places, _STEPS)
    inside: Weights = sums.reshape(len(weights), -1).take(of_step * blocks + of_block, axis=1)
    inside += before.take(of_block, axis=1)
    return inside

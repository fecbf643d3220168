"""Random draws that are the same bits on every platform and with every version of numpy.

Only the raw words of the bit generator PCG64 are used, and its seeding: numpy guarantees both streams (NEP 19), but not those of the
methods of `Generator`. Integers are made of the words here. A resample always consumes the same number of words, so how many are made at
once changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]

_AT_ONCE = 1 << 18  # how many numbers are made at once: they stay in the cache of a core
_BOOTSTRAP, _SWAPS, _UNSEEN = 0, 1, 2  # streams of their own


class Draws(NamedTuple):
    """How many resamples are drawn (at least 1), and the seed (a whole number from 0)."""

    resamples: int = 10_000
    seed: int = 12_345


def bootstrap_counts(draws: Draws, units: int) -> Iterator[Counts]:
    """Yield how often each unit is drawn, in pieces of shape `(resamples, units)`; each resample draws as many units as there are.

    A 32-bit number h draws unit `floor(h * units / 2**32)`, so that a unit's probability is `1 / units` to within 2**-32.
    """
    for size, words in _words(draws, _BOOTSTRAP, (units + 1) // 2, units):
        drawn = words.view("<u4")[:, :units].astype(np.uint64)
        drawn *= np.uint64(units)
        drawn >>= np.uint64(32)
        # One count for all resamples is much faster than one each: unit u of resample r has the number r * units + u.
        numbers = drawn.view(np.int64)
        numbers += np.arange(size)[:, None] * units
        yield np.bincount(numbers.ravel(), minlength=size * units).reshape(size, units)


def unseen_counts(draws: Draws) -> Counts:
    """Return how often one unit more than there are is drawn in each resample, shape `(resamples,)`.

    Of many units each is drawn k times with the probability exp(-1) / k!, Poisson's.
    """
    shares = accumulate(1 / math.factorial(number) for number in range(13))  # 13 or more times: less than once in 2**32
    limits = np.array([math.floor(math.exp(-1) * share * 2**32) for share in shares], np.uint64)
    words = np.random.PCG64(np.random.SeedSequence([draws.seed, _UNSEEN])).random_raw(draws.resamples)
    return np.searchsorted(limits, words >> np.uint64(32), side="right").astype(np.int64)


def swaps(draws: Draws, units: int) -> Iterator[NDArray[np.uint8]]:
    """Yield fair coins, 0 or 1, one for each unit, in pieces of shape `(resamples, units)`."""
    for _, words in _words(draws, _SWAPS, (units + 63) // 64, units):
        yield np.unpackbits(words.view(np.uint8), axis=1, count=units, bitorder="little")


def all_swaps(units: int) -> Iterator[Counts]:
    """Yield all `2**units` ways to swap, in pieces of shape `(ways, units)`; the first one swaps nothing."""
    size = max(1, _AT_ONCE // max(1, units))
    for start in range(0, 1 << units, size):
        ways = np.arange(start, min(start + size, 1 << units), dtype=np.int64)
        yield ways[:, None] >> np.arange(units) & 1


def _words(draws: Draws, stream: int, each: int, units: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield pieces of the stream: the number of resamples in each, and their raw words in little-endian bytes, `each` per resample."""
    generator = np.random.PCG64(np.random.SeedSequence([draws.seed, stream]))
    greatest = max(1, _AT_ONCE // max(1, units))
    for start in range(0, draws.resamples, greatest):
        size = min(greatest, draws.resamples - start)
        yield size, generator.random_raw(size * each).astype("<u8", copy=False).reshape(size, each)

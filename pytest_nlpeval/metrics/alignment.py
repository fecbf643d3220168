"""Spans of words: how much two overlap, which of many spans overlaps a given one most, and the one-to-one alignment of two sets.

A span is (start, end), the half-open range of the words' ranks. Its length is `end - start`, at least 1.

`overlap(s, t) = words common to both / max(length(s), length(t))`, in [0, 1]; 1 only for equal spans (Anaphora Resolution Exercise,
DAARC 2007; there words are compared by place, not by spelling). It is a quotient of integers, rounded once. For texts of less than
2**26 words, different quotients are different floats, so that comparing overlaps as floats is exact.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Span = tuple[int, int]
Spans = NDArray[np.int32]
"""Spans as an array of shape `(n, 2)`."""

Ranks = NDArray[np.int32]

STEP = 1_000_000
"""How many pairs are worked on at once. Sorting takes 24 bytes for each pair; what else a pair takes, only those of one step do."""

MOST_PAIRS = 10_000_000
"""How many pairs `align` is made for: about 250 MB. Count them with `pairs_to_sort` first."""


class Aligned(NamedTuple):
    """Two spans that are partners, and their overlap in (0, 1]."""

    gold: Span
    system: Span
    overlap: float


def overlap(first: Span, second: Span) -> float:
    """Return the words common to both spans divided by the length of the longer one, in [0, 1]."""
    common = min(first[1], second[1]) - max(first[0], second[0])
    return max(common, 0) / max(first[1] - first[0], second[1] - second[0])


class SpanIndex:
    """Finds, among indexed spans, the one that overlaps a given span most.

    Of spans that overlap it equally, those outside `lower` go first, then the smallest (start, end). A search looks only at a slice of
    the sorted spans: from the first that ends behind the given span's start to the last that starts before its end.
    """

    def __init__(self, spans: Iterable[Span], lower: Collection[Span] = ()) -> None:
        self._spans = sorted(set(spans))
        self._array = _array(self._spans)
        self._reach = np.maximum.accumulate(self._array[:, 1])  # ascending, unlike the ends themselves: it can be searched
        self._is_lower = np.array([span in lower for span in self._spans], bool)

    def best(self, span: Span, without: Span | None = None) -> Span | None:
        """Return the span that overlaps `span` most, leaving out `without`; None if none overlaps it."""
        low = int(np.searchsorted(self._reach, span[0], "right"))
        high = int(np.searchsorted(self._array[:, 0], span[1], "left"))
        if low >= high:
            return None
        shares = _overlaps(self._array[low:high], np.array([span], np.int32))
        if without is not None and (rank := self._rank(without)) is not None and low <= rank < high:
            shares[rank - low] = 0
        greatest = shares.max()
        if greatest == 0:
            return None
        equals = np.flatnonzero(shares == greatest) + low
        preferred = equals[~self._is_lower[equals]]
        return self._spans[int((preferred if preferred.size else equals)[0])]

    def _rank(self, span: Span) -> int | None:
        rank = bisect_left(self._spans, span)
        return rank if rank < len(self._spans) and self._spans[rank] == span else None


def align(gold: Iterable[Span], system: Iterable[Span]) -> list[Aligned]:
    """Return the one-to-one alignment of two sets of spans, sorted by gold span.

    Equal spans are partners. The other spans are aligned greedily: the pair with the greatest overlap is taken first, then the greatest
    of those whose spans are both free, and so on. Of equal overlaps the smallest gold span goes first, then the smallest system span.

    Takes `O(n log n + k log k)` and about 25 bytes k, for n spans and k overlapping pairs of spans without an equal partner. In texts k is
    about n. It is n² for spans that are all nested in each other.

    >>> align([(0, 4), (6, 7)], [(0, 2), (1, 4), (6, 7)])
    [Aligned(gold=(0, 4), system=(1, 4), overlap=0.75), Aligned(gold=(6, 7), system=(6, 7), overlap=1.0)]
    """
    gold_set, system_set = set(gold), set(system)
    gold_left, system_left = _without_equals(gold_set, system_set)
    aligned = [Aligned(span, span, 1.0) for span in gold_set & system_set]
    for of_gold, of_system, share in _taken(_array(gold_left), _array(system_left)):
        aligned.append(Aligned(gold_left[of_gold], system_left[of_system], share))
    return sorted(aligned)


def pairs_to_sort(gold: Iterable[Span], system: Iterable[Span]) -> int:
    """Return how many pairs `align` would sort: those that overlap, among the spans without an equal one. Takes `O(n log n)`.

    >>> pairs_to_sort([(0, 4), (6, 7)], [(0, 2), (1, 4), (6, 7)])
    2
    """
    gold_left, system_left = map(_array, _without_equals(set(gold), set(system)))
    numbers = (
        _starts_inside(gold_left, system_left[:, 0], "left")[1],
        _starts_inside(system_left, gold_left[:, 0], "right")[1],
    )
    return sum(int(number.sum(dtype=np.int64)) for number in numbers)


def _without_equals(gold: set[Span], system: set[Span]) -> tuple[list[Span], list[Span]]:
    return sorted(gold - system), sorted(system - gold)


def _taken(gold: Spans, system: Spans) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs that are taken, the best first: the ranks of both spans in the sorted arrays, and their overlap."""
    of_gold, of_system = _overlapping(gold, system)
    negative = np.empty(of_gold.size)  # the overlaps, so that an ascending sort has the greatest first
    for step in _steps(of_gold.size):
        negative[step] = -_overlaps(gold[of_gold[step]], system[of_system[step]])
    order = np.lexsort((of_system, of_gold, negative))
    free_gold, free_system = np.ones(len(gold), bool), np.ones(len(system), bool)
    for step in _steps(order.size):
        pairs = order[step]
        # Most pairs have lost a span by the steps before. What numpy leaves out here, the loop need not look at.
        pairs = pairs[free_gold[of_gold[pairs]] & free_system[of_system[pairs]]]
        for first, second, share in zip(
            of_gold[pairs].tolist(), of_system[pairs].tolist(), negative[pairs].tolist(), strict=True
        ):
            if free_gold[first] and free_system[second]:
                free_gold[first] = free_system[second] = False
                yield first, second, -share


def _steps(size: int) -> Iterator[slice]:
    return (slice(start, start + STEP) for start in range(0, size, STEP))


def _overlapping(gold: Spans, system: Spans) -> tuple[Ranks, Ranks]:
    """Return the ranks of all pairs of overlapping spans of two sorted arrays.

    Two spans overlap in one of two ways: the system span starts inside the gold span, or the gold span starts inside the system span
    behind its first word. Gold (0, 4) and system (2, 5) overlap in the first way, gold (2, 5) and system (0, 4) in the second.
    No pair overlaps in both, so that none is found twice.
    """
    around, inside = _starting_inside(gold, system[:, 0], "left")
    system_around, gold_inside = _starting_inside(system, gold[:, 0], "right")
    return np.concatenate((around, gold_inside)), np.concatenate((inside, system_around))


def _starting_inside(spans: Spans, starts: Ranks, side: Literal["left", "right"]) -> tuple[Ranks, Ranks]:
    """Return all pairs of a span and a start inside it, by rank.

    >>> spans, starts = np.array([[0, 4], [6, 9]], np.int32), np.array([1, 3, 6], np.int32)
    >>> [ranks.tolist() for ranks in _starting_inside(spans, starts, "left")]
    [[0, 0, 1], [0, 1, 2]]
    """
    first, count = _starts_inside(spans, starts, side)
    owner = np.repeat(np.arange(len(spans), dtype=np.int32), count)
    before = np.cumsum(count, dtype=np.int32) - count
    return owner, np.arange(owner.size, dtype=np.int32) + np.repeat(first - before, count)


def _starts_inside(spans: Spans, starts: Ranks, side: Literal["left", "right"]) -> tuple[Ranks, Ranks]:
    """Return which of the sorted starts are inside each span: `count` of them, from rank `first` on.

    With `right`, starts at the span's own start are left out.
    """
    first = np.searchsorted(starts, spans[:, 0], side).astype(np.int32)
    return first, np.maximum(np.searchsorted(starts, spans[:, 1]).astype(np.int32) - first, 0)


def _overlaps(first: Spans, second: Spans) -> NDArray[np.float64]:
    """Return `overlap` of each two spans of the same rank; one array may have a single span."""
    common = np.minimum(first[:, 1], second[:, 1]) - np.maximum(first[:, 0], second[:, 0])
    shares: NDArray[np.float64] = np.maximum(common, 0) / np.maximum(first[:, 1] - first[:, 0], second[:, 1] - second[:, 0])
    return shares


def _array(spans: Collection[Span]) -> Spans:
    return np.array(list(spans), np.int32).reshape(-1, 2)

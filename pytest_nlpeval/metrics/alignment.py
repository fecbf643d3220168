"""Spans of words: the overlap of two, the one of many that overlaps a given one most, and the one-to-one alignment of two sets.

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
"""How many pairs are worked on at once, beyond the 24 bytes for each that are needed to sort them."""


MOST_PAIRS = 10_000_000
"""How many pairs `align` is made for: about 250 MB. Count them with `pairs_to_sort` first."""


class Aligned(NamedTuple):
    """Two spans that are partners, and their overlap in (0, 1]."""

    gold: Span
    system: Span
    overlap: float


def overlap(one: Span, other: Span) -> float:
    """Return the words common to both spans divided by the length of the longer one, in [0, 1]."""
    common = min(one[1], other[1]) - max(one[0], other[0])
    return max(common, 0) / max(one[1] - one[0], other[1] - other[0])


class SpanIndex:
    """Finds the one of some spans that overlaps a given span most.

    Among equals those that are not in `lower` go first, then the smallest (start, end). A search looks only at spans between the
    first that reaches beyond the given one's start and the last that starts before its end.
    """

    def __init__(self, spans: Iterable[Span], lower: Collection[Span] = ()) -> None:
        self._spans = sorted(set(spans))
        self._array = _array(self._spans)
        self._reach = np.maximum.accumulate(self._array[:, 1])
        self._is_lower = np.array([span in lower for span in self._spans], bool)

    def best(self, span: Span, without: Span | None = None) -> Span | None:
        """Return the span that overlaps `span` most, leaving out `without`; None if none overlaps it."""
        low = int(np.searchsorted(self._reach, span[0], "right"))
        high = int(np.searchsorted(self._array[:, 0], span[1], "left"))
        if low >= high:
            return None
        shares = _overlaps(self._array[low:high], np.array([span], np.int32))
        if without is not None and (place := self._place(without)) is not None and low <= place < high:
            shares[place - low] = 0
        most = shares.max()
        if most == 0:
            return None
        equals = np.flatnonzero(shares == most) + low
        preferred = equals[~self._is_lower[equals]]
        return self._spans[int((preferred if preferred.size else equals)[0])]

    def _place(self, span: Span) -> int | None:
        place = bisect_left(self._spans, span)
        return place if place < len(self._spans) and self._spans[place] == span else None


def align(gold: Iterable[Span], system: Iterable[Span]) -> list[Aligned]:
    """Return the one-to-one alignment of two sets of spans, sorted by gold span.

    Equal spans are partners. Of the other pairs that overlap, the one with the greatest overlap is taken first, then the greatest of
    what is left, and so on; among equals the smallest gold span's goes first, then the smallest system span's.

    Takes `O(n log n + k log k)` for n spans and k pairs of overlapping ones among those without an equal partner, and about 25 bytes
    for each of these pairs. In texts k is about n; of spans that are all nested in each other it is n².

    >>> align([(0, 4), (6, 7)], [(0, 2), (1, 4), (6, 7)])
    [Aligned(gold=(0, 4), system=(1, 4), overlap=0.75), Aligned(gold=(6, 7), system=(6, 7), overlap=1.0)]
    """
    ours, theirs = set(gold), set(system)
    found = [Aligned(span, span, 1.0) for span in ours & theirs]
    ours_left, theirs_left = _without_equals(ours, theirs)
    taken = _taken(_array(ours_left), _array(theirs_left))
    found += (Aligned(ours_left[one], theirs_left[other], share) for one, other, share in taken)
    return sorted(found)


def pairs_to_sort(gold: Iterable[Span], system: Iterable[Span]) -> int:
    """Return how many pairs `align` would sort: those that overlap, among the spans without an equal one. Takes `O(n log n)`.

    >>> pairs_to_sort([(0, 4), (6, 7)], [(0, 2), (1, 4), (6, 7)])
    2
    """
    ours, theirs = map(_array, _without_equals(set(gold), set(system)))
    numbers = (_starts_inside(ours, theirs[:, 0], "left")[1], _starts_inside(theirs, ours[:, 0], "right")[1])
    return sum(int(number.sum(dtype=np.int64)) for number in numbers)


def _without_equals(gold: set[Span], system: set[Span]) -> tuple[list[Span], list[Span]]:
    return sorted(gold - system), sorted(system - gold)


def _taken(gold: Spans, system: Spans) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs of ranks in two sorted arrays that are taken, the best first, and their overlaps."""
    one, other = _overlapping(gold, system)
    less = np.empty(one.size)
    for step in _steps(one.size):
        less[step] = -_overlaps(gold[one[step]], system[other[step]])
    order = np.lexsort((other, one, less))
    free_gold, free_system = np.ones(len(gold), bool), np.ones(len(system), bool)
    for step in _steps(order.size):
        part = order[step]
        part = part[free_gold[one[part]] & free_system[other[part]]]
        for first, second, share in zip(one[part].tolist(), other[part].tolist(), less[part].tolist(), strict=True):
            if free_gold[first] and free_system[second]:
                free_gold[first] = free_system[second] = False
                yield first, second, -share


def _steps(size: int) -> Iterator[slice]:
    return (slice(start, start + STEP) for start in range(0, size, STEP))


def _overlapping(gold: Spans, system: Spans) -> tuple[Ranks, Ranks]:
    """Return the ranks of all pairs of overlapping spans of two sorted arrays.

    Two spans overlap if the system's starts inside gold's, or gold's starts inside the system's, after its first word: (0, 4) overlaps
    (2, 5) the one way, (2, 5) the other way, and no pair does both ways.
    """
    one, other = _starting_inside(gold, system[:, 0], "left")
    back, forth = _starting_inside(system, gold[:, 0], "right")
    return np.concatenate((one, forth)), np.concatenate((other, back))


def _starting_inside(spans: Spans, starts: Ranks, side: Literal["left", "right"]) -> tuple[Ranks, Ranks]:
    """Return all pairs of a span and a start inside it, by rank."""
    first, count = _starts_inside(spans, starts, side)
    owner = np.repeat(np.arange(len(spans), dtype=np.int32), count)
    before = np.cumsum(count, dtype=np.int32) - count
    return owner, np.arange(owner.size, dtype=np.int32) + np.repeat(first - before, count)


def _starts_inside(spans: Spans, starts: Ranks, side: Literal["left", "right"]) -> tuple[Ranks, Ranks]:
    """Return which starts are inside each span: they are neighbours, `count` of them from `first` on.

    With `right`, the starts that are the span's own are left out.
    """
    first = np.searchsorted(starts, spans[:, 0], side).astype(np.int32)
    return first, np.maximum(np.searchsorted(starts, spans[:, 1]).astype(np.int32) - first, 0)


def _overlaps(one: Spans, other: Spans) -> NDArray[np.float64]:
    common = np.minimum(one[:, 1], other[:, 1]) - np.maximum(one[:, 0], other[:, 0])
    shares: NDArray[np.float64] = np.maximum(common, 0) / np.maximum(one[:, 1] - one[:, 0], other[:, 1] - other[:, 0])
    return shares


def _array(spans: Collection[Span]) -> Spans:
    return np.array(list(spans), np.int32).reshape(-1, 2)

"""Spans of words: how much two overlap, which of many overlaps one most, and the one-to-one alignment of two sets.

A span is (start, end), the half-open range of the words' ranks. Its length is `end - start`, at least 1.

`overlap(s, t) = words common to both / max(length(s), length(t))`, in [0, 1]; 1 only for equal spans (Anaphora Resolution Exercise,
DAARC 2007; there words are compared by place, not by spelling). It is a quotient of integers, rounded once. For texts of less than
2**26 words, different quotients are different floats, so that comparing overlaps as floats is exact.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Span = tuple[int, int]
Spans = NDArray[np.int64]
"""Spans as an array of shape `(n, 2)`."""

ROOM = 1_000_000
"""How many pairs of overlapping spans are held at once; about 200 bytes each while they are sorted."""


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
        shares = _overlaps(self._array[low:high], np.array([span], np.int64))
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


def align(gold: Iterable[Span], system: Iterable[Span], room: int = ROOM) -> list[Aligned]:
    """Return the one-to-one alignment of two sets of spans, sorted by gold span.

    Equal spans are partners; then, of the pairs of the rest that overlap, the one with the greatest overlap is taken first, among
    equals the smallest gold span's, then the smallest system span's.

    Takes `O(n log n + k log k)` for n spans and k pairs of overlapping ones among those without an equal partner; k is about n in
    texts. Should k exceed `room` (thousands of spans nested in each other), the best `room` pairs are taken in each of k / room rounds:
    the memory stays bounded and the outcome the same.
    """
    ours, theirs = set(gold), set(system)
    found = [Aligned(span, span, 1.0) for span in ours & theirs]
    left = _array(sorted(ours - theirs)), _array(sorted(theirs - ours))
    while (pairs := _OverlappingPairs(*left)).number:
        taken = _greedy(pairs.all()) if pairs.number <= room else pairs.best(room)
        found += (Aligned(_span(left[0][g]), _span(left[1][s]), share) for share, g, s in taken)
        if pairs.number <= room:
            break
        left = np.delete(left[0], [g for _, g, _ in taken], 0), np.delete(left[1], [s for _, _, s in taken], 0)
    return sorted(found)


Pairs = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]
"""Overlaps, and the ranks of the gold and of the system spans."""

Taken = list[tuple[float, int, int]]


def _greedy(pairs: Pairs) -> Taken:
    """Return the pairs that are taken when each span has at most one partner, the best first."""
    taken: Taken = []
    used_gold: set[int] = set()
    used_system: set[int] = set()
    for share, gold, system in zip(*(column.tolist() for column in _sorted(pairs)), strict=True):
        if gold not in used_gold and system not in used_system:
            used_gold.add(gold)
            used_system.add(system)
            taken.append((share, gold, system))
    return taken


def _sorted(pairs: Pairs) -> Pairs:
    shares, gold, system = pairs
    order = np.lexsort((system, gold, -shares))
    return shares[order], gold[order], system[order]


class _OverlappingPairs:
    """The pairs of overlapping spans of two sorted arrays, and their `number`.

    Two spans overlap if the system's starts inside gold's, or gold's starts inside the system's, behind its first word. Either way the
    partners of a span are neighbours in the order of starts: a row says where they begin and how many there are.
    """

    def __init__(self, gold: Spans, system: Spans) -> None:
        self._gold, self._system = gold, system
        rows = _rows(gold, system[:, 0], "left"), _rows(system, gold[:, 0], "right")
        self._first, self._count = (np.concatenate(columns) for columns in zip(*rows, strict=True))
        self._ends = np.cumsum(self._count)
        self.number = int(self._count.sum())

    def all(self) -> Pairs:
        """Return all pairs."""
        return self._of_rows(0, self._count.size)

    def _of_rows(self, low: int, high: int) -> Pairs:
        count = self._count[low:high]
        owner = np.repeat(np.arange(low, high), count)
        inside = np.arange(owner.size) - np.repeat(np.cumsum(count) - count, count)
        partner = self._first[owner] + inside
        is_gold = owner < len(self._gold)
        gold = np.where(is_gold, owner, partner)
        system = np.where(is_gold, partner, owner - len(self._gold))
        return _overlaps(self._gold[gold], self._system[system]), gold, system

    def _chunks(self, room: int) -> Iterator[Pairs]:
        low = 0
        while low < self._count.size:
            before = int(self._ends[low - 1]) if low else 0
            high = max(low + 1, int(np.searchsorted(self._ends, before + room, "right")))
            yield self._of_rows(low, high)
            low = high

    def best(self, room: int) -> Taken:
        """Return what is taken of the best pairs: of those above the overlap of the pair on place `room`, if any, else of its equals."""
        kept = np.zeros(0)
        for shares, _, _ in self._chunks(room):
            kept = np.concatenate((kept, shares))
            kept = np.partition(kept, max(kept.size - room, 0))[max(kept.size - room, 0) :]
        bound = kept.min()
        if kept.max() == bound:
            return self._all_of(bound)
        above = [tuple(column[chunk[0] > bound] for column in chunk) for chunk in self._chunks(room)]
        shares, gold, system = (np.concatenate(columns) for columns in zip(*above, strict=True))
        return _greedy((shares, gold, system))

    def _all_of(self, share: float) -> Taken:
        """Return what is taken of the pairs of this overlap, the greatest there is; there may be very many."""
        taken: Taken = []
        free = np.ones(len(self._system), bool)
        for gold in range(len(self._gold)):
            equals = np.flatnonzero((_overlaps(self._gold[gold : gold + 1], self._system) == share) & free)
            if equals.size:
                free[equals[0]] = False
                taken.append((share, gold, int(equals[0])))
        return taken


def _rows(spans: Spans, starts: NDArray[np.int64], side: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each span, return where the `starts` inside it begin and how many there are; `right` leaves out those at its own start."""
    first = np.searchsorted(starts, spans[:, 0], side)
    return first, np.maximum(np.searchsorted(starts, spans[:, 1], "left") - first, 0)


def _overlaps(one: Spans, other: Spans) -> NDArray[np.float64]:
    common = np.minimum(one[:, 1], other[:, 1]) - np.maximum(one[:, 0], other[:, 0])
    shares: NDArray[np.float64] = np.maximum(common, 0) / np.maximum(one[:, 1] - one[:, 0], other[:, 1] - other[:, 0])
    return shares


def _array(spans: Collection[Span]) -> Spans:
    return np.array(list(spans), np.int64).reshape(-1, 2)


def _span(row: NDArray[np.int64]) -> Span:
    return int(row[0]), int(row[1])

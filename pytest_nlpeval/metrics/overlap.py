"""Greatest one-to-one matching of overlapping spans of two sides.

Spans without gaps: again and again the span of either side that ends first is taken, and paired with the overlapping one of the other side
that ends first, if there is any. No greater matching exists: whatever else the taken span could be paired with ends later, and so
overlaps with everything that the chosen one could be paired with instead. With two heaps that takes O(n log n) steps for n spans, however
many of them overlap.

Spans with gaps have no such order: their matching grows along augmenting paths (Berge, Two Theorems in Graph Theory, PNAS 43, 1957;
Kuhn, The Hungarian Method for the Assignment Problem, 1955).
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import TypeAlias

Part: TypeAlias = tuple[int, int]
"""Where a span without gaps, or a part of a span between its gaps, starts and ends, the end excluded."""

Extent: TypeAlias = tuple[Part, ...]
"""The parts of a span, from left to right."""


def pair_spans(gold: Sequence[Part], system: Sequence[Part]) -> list[tuple[int, int]]:
    """Return a greatest set of pairs of a gold and a system span that overlap, each span in one pair at most, by their ranks.

    Two spans, which have no gaps, overlap if a place is in both. Which of several greatest sets is returned does not depend on the order of
    the spans, but for those with one extent.

    >>> pair_spans([(0, 2), (3, 9)], [(1, 4), (0, 1)])
    [(0, 1), (1, 0)]
    """
    sides = gold, system
    coming = [
        sorted(range(len(side)), key=side.__getitem__, reverse=True) for side in sides
    ]  # the first start is the last of them
    waiting: tuple[list[tuple[int, int, int]], ...] = ([], [])  # what has begun before the end that is reached
    is_over = bytearray(len(gold)), bytearray(len(system))  # in a pair, or ended without
    by_end = sorted((end, start, side, rank) for side in (0, 1) for rank, (start, end) in enumerate(sides[side]))
    found: list[tuple[int, int]] = []
    for end, _, side, rank in by_end:
        if is_over[side][rank]:
            continue
        is_over[side][rank] = 1
        heap, spans, ended, others = waiting[1 - side], sides[1 - side], is_over[1 - side], coming[1 - side]
        while others and spans[others[-1]][0] < end:
            other = others.pop()
            heappush(heap, (spans[other][1], spans[other][0], other))
        while heap and ended[heap[0][2]]:
            heappop(heap)
        if heap:
            partner = heappop(heap)[2]
            ended[partner] = 1
            found.append((partner, rank) if side else (rank, partner))
    return sorted(found)


def pair_extents(gold: Sequence[Extent], system: Sequence[Extent]) -> list[tuple[int, int]]:
    """Return such a set of pairs of spans that may have gaps.

    The matching grows until no path makes it greater; a system span is looked at once in each round.

    >>> pair_extents([((0, 2),), ((3, 9),)], [((0, 1), (4, 5)), ((1, 2),)])
    [(0, 1), (1, 0)]
    """
    order = sorted(range(len(gold)), key=gold.__getitem__)
    places = sorted(range(len(system)), key=system.__getitem__)
    near = {rank: [place for place in places if overlaps(gold[rank], system[place])] for rank in order}
    partner: dict[int, int] = {}  # of each system span in a pair
    free = order
    while True:
        seen: set[int] = set()
        left = [rank for rank in free if not _grown(rank, near, partner, seen)]
        if len(left) == len(free):
            return sorted((rank, place) for place, rank in partner.items())
        free = left


def overlaps(one: Extent, other: Extent) -> bool:
    """Whether a place is in both extents."""
    return any(start < high and low < end for start, end in one for low, high in other)


def _grown(start: int, near: dict[int, list[int]], partner: dict[int, int], seen: set[int]) -> bool:
    """Look for a path from a free gold span to a free system span; exchange the pairs along it."""
    path: list[tuple[int, int]] = []  # each gold span on the way and the system span that it is to have
    ways = [(start, iter(near[start]))]
    while ways:
        rank, others = ways[-1]
        place = next((place for place in others if place not in seen), None)
        if place is None:
            ways.pop()
            if path:
                path.pop()
            continue
        seen.add(place)
        path.append((rank, place))
        if place not in partner:
            partner.update((place, rank) for rank, place in path)
            return True
        ways.append((partner[place], iter(near[partner[place]])))
    return False

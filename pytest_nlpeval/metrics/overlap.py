"""Greatest one-to-one matching of overlapping spans of two sides.

Spans without gaps: again and again the span of either side that ends first is taken, and paired with the overlapping one of the other side
that ends first, if there is any. No greater matching exists: whatever else the taken span could be paired with ends later, and so
overlaps with everything that the chosen one could be paired with instead. With two heaps that takes O(n log n) steps for n spans, however
many of them overlap.

Spans with gaps have no such order: their matching grows along augmenting paths (Berge, Two Theorems in Graph Theory, PNAS 43, 1957;
Kuhn, The Hungarian Method for the Assignment Problem, 1955).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import chain
from typing import TypeAlias

Extent: TypeAlias = tuple[tuple[int, int], ...]
"""The parts of a span, from left to right: where each starts and ends, the end excluded."""


def pair_overlapping(gold: Sequence[Extent], system: Sequence[Extent]) -> list[tuple[int, int]]:
    """Return a greatest set of pairs of a gold and a system span that overlap, each span in one pair at most, by their ranks.

    Two spans overlap if a place is in both. Which of several greatest sets is returned does not depend on the order of the spans, but for
    those with one extent.

    >>> pair_overlapping([((0, 2),), ((3, 9),)], [((0, 1), (4, 5)), ((1, 2),)])
    [(0, 1), (1, 0)]
    """
    if all(len(extent) == 1 for extent in chain(gold, system)):
        return sorted(_by_ends([extent[0] for extent in gold], [extent[0] for extent in system]))
    return sorted(_by_paths(gold, system))


def overlaps(one: Extent, other: Extent) -> bool:
    """Whether a place is in both extents."""
    return any(start < high and low < end for start, end in one for low, high in other)


def _by_ends(gold: Sequence[tuple[int, int]], system: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    sides = gold, system
    by_start = [sorted(range(len(side)), key=side.__getitem__, reverse=True) for side in sides]
    by_end = sorted((end, start, side, rank) for side in (0, 1) for rank, (start, end) in enumerate(sides[side]))
    is_over = bytearray(len(gold)), bytearray(len(system))  # in a pair, or ended without
    waiting: tuple[list[tuple[int, int, int]], ...] = ([], [])  # what has begun before the end that is reached
    for end, _, side, rank in by_end:
        if is_over[side][rank]:
            continue
        is_over[side][rank] = 1
        other = 1 - side
        heap, spans, ended = waiting[other], sides[other], is_over[other]
        while by_start[other] and spans[by_start[other][-1]][0] < end:
            place = by_start[other].pop()
            heappush(heap, (spans[place][1], spans[place][0], place))
        while heap and ended[heap[0][2]]:
            heappop(heap)
        if heap:
            partner = heappop(heap)[2]
            ended[partner] = 1
            yield (rank, partner) if side == 0 else (partner, rank)


def _by_paths(gold: Sequence[Extent], system: Sequence[Extent]) -> Iterator[tuple[int, int]]:
    """Let the matching grow until no path makes it greater; a system span is looked at once in each round."""
    order = sorted(range(len(gold)), key=gold.__getitem__)
    places = sorted(range(len(system)), key=system.__getitem__)
    near = {rank: [place for place in places if overlaps(gold[rank], system[place])] for rank in order}
    partner: dict[int, int] = {}  # of each system span in a pair
    free = order
    while True:
        seen: set[int] = set()
        left = [rank for rank in free if not _grown(rank, near, partner, seen)]
        if len(left) == len(free):
            return iter([(rank, place) for place, rank in partner.items()])
        free = left


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

"""Greatest one-to-one matching of overlapping spans of two sides.

Spans without gaps: the span of either side that ends first is taken, and paired with that overlapping span of the other side which ends
first. Then the next one is taken, until none is left. No matching is greater. Whatever else the taken span could be paired with ends
later, and so it overlaps everything that the chosen partner could be paired with instead: an exchange loses nothing. With two heaps that
takes O(n log n) steps for n spans, however many of them overlap.

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
    """Return a greatest set of overlapping pairs of a gold and a system span, by their ranks; each span is in one pair at most.

    The spans have no gaps; two overlap if a place is in both. The order of the spans does not decide which of several greatest sets is
    returned, except among spans of the same extent.

    >>> pair_spans([(0, 2), (3, 9)], [(1, 4), (0, 1)])
    [(0, 1), (1, 0)]
    """
    sides = gold, system
    coming = [sorted(range(len(side)), key=side.__getitem__, reverse=True) for side in sides]  # those that start first stand last
    begun: tuple[list[tuple[int, int, int]], ...] = (
        [],
        [],
    )  # heaps of (end, start, rank): started before the end that is reached
    is_done = bytearray(len(gold)), bytearray(len(system))  # in a pair, or ended without partner
    by_end = sorted((end, start, side, rank) for side in (0, 1) for rank, (start, end) in enumerate(sides[side]))
    pairs: list[tuple[int, int]] = []
    for end, _, side, rank in by_end:
        if is_done[side][rank]:
            continue
        is_done[side][rank] = 1
        heap, spans, done, later = begun[1 - side], sides[1 - side], is_done[1 - side], coming[1 - side]
        while later and spans[later[-1]][0] < end:
            candidate = later.pop()
            heappush(heap, (spans[candidate][1], spans[candidate][0], candidate))
        while (
            heap and done[heap[0][2]]
        ):  # a span that ended leaves its heap only now: all that are left end behind the taken one's start
            heappop(heap)
        if heap:
            partner = heappop(heap)[2]
            done[partner] = 1
            pairs.append((partner, rank) if side else (rank, partner))
    return sorted(pairs)


def pair_extents(gold: Sequence[Extent], system: Sequence[Extent]) -> list[tuple[int, int]]:
    """Return a greatest set of overlapping pairs, as `pair_spans` does, of spans that may have gaps.

    The matching grows along augmenting paths until there is none. In each round a system span is on one path at most.

    >>> pair_extents([((0, 2),), ((3, 9),)], [((0, 1), (4, 5)), ((1, 2),)])
    [(0, 1), (1, 0)]
    """
    in_order = [sorted(range(len(side)), key=side.__getitem__) for side in (gold, system)]
    near = {ours: [theirs for theirs in in_order[1] if overlaps(gold[ours], system[theirs])] for ours in in_order[0]}
    partner: dict[int, int] = {}  # the gold span of each system span in a pair
    free = in_order[0]
    while True:
        seen: set[int] = set()
        still_free = [rank for rank in free if not _grown(rank, near, partner, seen)]
        if len(still_free) == len(free):
            return sorted((ours, theirs) for theirs, ours in partner.items())
        free = still_free


def overlaps(first: Extent, second: Extent) -> bool:
    """Whether a place is in both extents."""
    return any(start < high and low < end for start, end in first for low, high in second)


def _grown(start: int, near: dict[int, list[int]], partner: dict[int, int], seen: set[int]) -> bool:
    """Look for a path from a free gold span to a free system span; exchange the pairs along it, so that there is one more.

    Gold span 0 overlaps system span 5 alone, which gold span 1 has, and gold span 1 overlaps 6, too. The path 0, 5, 1, 6 gives 5 to 0,
    and 6 to 1.
    """
    path: list[tuple[int, int]] = []  # each gold span on the way, and the system span that it is to have
    stack = [(start, iter(near[start]))]  # a stack of our own: a path may be longer than Python lets functions call each other
    while stack:
        ours, candidates = stack[-1]
        theirs = next((candidate for candidate in candidates if candidate not in seen), None)
        if theirs is None:  # a dead end: one step back
            stack.pop()
            if path:
                path.pop()
            continue
        seen.add(theirs)
        path.append((ours, theirs))
        if theirs not in partner:
            partner.update((theirs, ours) for ours, theirs in path)
            return True
        stack.append((partner[theirs], iter(near[partner[theirs]])))
    return False

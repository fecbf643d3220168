"""Fewer time points with the same order of those that are asked about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_nlpeval.metrics.point_closure import joined, peeled
from pytest_nlpeval.metrics.temporal_chains import Constraint, Constraints


def reduced(
    points: int, held: Iterable[Constraint], additions: Sequence[Constraints]
) -> tuple[int, list[Constraint], list[Constraints]]:
    """Return a number of points, constraints on these, and the additions on these: the same additions can hold behind them.

    `held` are constraints on points from 0 to before `points` that have a model. Points that are equal become one. A point that no
    addition names is passed over if at most one other comes just before it, or just behind it: no more pairs `a < b` than it was in say
    the order of the others.

    >>> reduced(5, [("<", 0, 1), ("<", 1, 2), ("<", 2, 3), ("=", 3, 4)], [(("<", 4, 0),)])
    (2, [('<', 0, 1)], [(('<', 1, 0),)])

    It takes O(n + m) unions of sets: a pair changes its earlier point once, and its later one once, as each goes to a point that stays.
    """
    root = joined(points, [(a, b) for sign, a, b in held if sign == "="])
    behind: list[set[int]] = [set() for _ in root]
    ahead_of: list[set[int]] = [set() for _ in root]
    for sign, a, b in held:
        if sign == "<":
            behind[root[a]].add(root[b])
            ahead_of[root[b]].add(root[a])
    latest_first = peeled([point for point, its_root in enumerate(root) if point == its_root], behind, ahead_of)
    staying = {root[point] for point in points_of(additions)}
    for order, nearest in ((latest_first[::-1], ahead_of), (latest_first, behind)):
        for point in order:
            if point not in staying and len(nearest[point]) <= 1:
                _pass_over(point, behind, ahead_of)
    number = {point: rank for rank, point in enumerate(sorted({*staying, *filter(behind.__getitem__, latest_first)}))}
    return (
        len(number),
        [("<", number[point], number[later]) for point in number for later in behind[point]],
        [tuple([(sign, number[root[a]], number[root[b]]) for sign, a, b in constraints]) for constraints in additions],
    )


def _pass_over(point: int, behind: list[set[int]], ahead_of: list[set[int]]) -> None:
    """Take a point away; each that is just before it then is so to each that is just behind it."""
    for earlier in ahead_of[point]:
        behind[earlier].discard(point)
        behind[earlier] |= behind[point]
    for later in behind[point]:
        ahead_of[later].discard(point)
        ahead_of[later] |= ahead_of[point]
    behind[point], ahead_of[point] = set(), set()


def points_of(additions: Iterable[Constraints]) -> set[int]:
    """Return the points that some additions name."""
    return {point for constraints in additions for _, a, b in constraints for point in (a, b)}

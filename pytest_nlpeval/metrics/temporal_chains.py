"""Shortest chains of relations from which a constraint on two end points of intervals follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pytest_nlpeval.metrics.point_closure import Sign

Constraint = tuple[Sign, int, int]
"""A sign and two points: interval number k begins at point 2k and ends at point 2k + 1."""
Constraints = tuple[Constraint, ...]
Steps = Mapping[int, Sequence[tuple[Sign, int, int]]]
"""For each point the sign, the other point and the index of the relation of each step that leads on."""

FARTHEST = 1_000
"""A search that has reached more points gives up: those of 500 intervals, more than a document has."""


def steps_of(relations: Iterable[Constraints]) -> Steps:
    """Return the steps that the constraints of relations allow: one for `<`, one to and fro for `=`.

    >>> steps_of([(("=", 1, 2),), (("<", 3, 4),)])
    {1: [('=', 2, 0)], 2: [('=', 1, 0)], 3: [('<', 4, 1)]}
    """
    steps: dict[int, list[tuple[Sign, int, int]]] = {}
    for index, constraints in enumerate(relations):
        for sign, a, b in constraints:
            steps.setdefault(a, []).append((sign, b, index))
            if sign == "=":
                steps.setdefault(b, []).append((sign, a, index))
    return steps


def shortest_chain(constraint: Constraint, steps: Steps) -> tuple[int, ...]:
    """Return the relations of a shortest chain for a constraint that follows from the steps, from its first point to its second.

    Each relation has an interval in common with the one before. The chain is empty if more than `FARTHEST` points are nearer than the
    second point, so that the cost of a search has a bound.

    The search is breadth first. For `<`, the step from the start of an interval to its end is free: the end is as near as the start. A
    shortest path uses no relation twice, because the free step of an interval would be a shorter way.

    >>> shortest_chain(("<", 0, 5), steps_of([(("<", 1, 2),), (("<", 3, 4),), (("<", 1, 4),)]))
    (2,)
    """
    wanted, first, last = constraint
    is_strict = wanted == "<"
    came: dict[
        int, tuple[int, int]
    ] = {}  # for each point the one before it on the way, and the relation that led here; -1 for none
    queue: list[int] = []
    _arrive(first, (first, -1), came, queue, is_strict=is_strict)
    points = iter(queue)  # the queue grows while it is read
    while last not in came:
        if len(came) > FARTHEST:
            return ()
        point = next(points)
        for sign, target, index in steps.get(point, ()):
            if is_strict or sign == "=":
                _arrive(target, (point, index), came, queue, is_strict=is_strict)
    return tuple(reversed([*_relations_back(came, first, last)]))


def _arrive(point: int, way: tuple[int, int], came: dict[int, tuple[int, int]], queue: list[int], *, is_strict: bool) -> None:
    """Note the first way on which a point was reached, and the free step from the start of an interval to its end."""
    if point not in came:
        came[point] = way
        queue.append(point)
        if is_strict and point % 2 == 0:
            _arrive(point + 1, (point, -1), came, queue, is_strict=is_strict)


def _relations_back(came: Mapping[int, tuple[int, int]], first: int, last: int) -> Iterator[int]:
    """Yield the relations on the way from the first point to the last, the last relation first."""
    while last != first:
        last, relation = came[last]
        if relation >= 0:
            yield relation

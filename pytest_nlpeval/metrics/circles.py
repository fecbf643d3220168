"""Circles of steps between points: the strongly connected components of a graph.

Two searches find them, one forwards and one backwards (Sharir: A strong-connectivity algorithm and its applications in data flow
analysis, Computers and Mathematics with Applications 7(1), 1981).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Targets = Sequence[Sequence[int]]
"""For each point the points to which its steps lead."""


def circles(points: int, steps: Iterable[tuple[int, int]]) -> list[int]:
    """Return for each point one point of its circle: the same for two points iff steps lead from either to the other.

    Takes one pass over points and steps in each direction.

    >>> circles(4, [(0, 1), (1, 2), (2, 1), (2, 3)])
    [0, 1, 1, 3]
    """
    after: list[list[int]] = [[] for _ in range(points)]
    ahead_of: list[list[int]] = [[] for _ in range(points)]
    for first, second in steps:
        after[first].append(second)
        ahead_of[second].append(first)
    circle: dict[int, int] = {}
    for root in reversed(_left_in_order(after)):
        stack = [root]
        while stack:
            point = stack.pop()
            if point not in circle:
                circle[point] = root
                stack += ahead_of[point]
    return [circle[point] for point in range(points)]


def _left_in_order(after: Targets) -> list[int]:
    """Return the points as a depth-first search leaves them: a point comes behind all that it newly leads to."""
    entered: set[int] = set()
    left: list[int] = []
    for start in range(len(after)):
        stack = [(start, False)]
        while stack:
            point, is_done = stack.pop()
            if is_done:
                left.append(point)
            elif point not in entered:
                entered.add(point)
                stack.append((point, True))
                stack += [(target, False) for target in after[point]]
    return left

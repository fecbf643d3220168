"""Shortest chains of relations from which a constraint on two end points of intervals follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pytest_nlpeval.metrics.point_graph import WIDEST, PointGraph

Sign = Literal["<", "="]
Constraint = tuple[Sign, int, int]
"""A sign and two points: interval number k begins at point 2k and ends at point 2k + 1."""
Constraints = tuple[Constraint, ...]
Steps = dict[int, list[tuple[Sign, int, int]]]
"""Per point the sign, the other point and the index of the relation of each edge."""


class TemporalChains:
    """The steps between end points that relations allow: one for `<`, one to and fro for `=`, and from starts to ends for nothing.

    `relations` are the constraints of each relation, by its index; `graph` is the graph of them all and of the intervals' own ends.
    """

    def __init__(self, relations: Sequence[Constraints], graph: PointGraph) -> None:
        self._graph = graph
        self._onward: Steps = {}
        self._backward: Steps = {}
        for index, constraints in enumerate(relations):
            for sign, a, b in constraints:
                self._connect(sign, a, b, index)
                if sign == "=":
                    self._connect(sign, b, a, index)
        self._is_unguided = len(self._onward) > WIDEST

    def shortest(self, constraint: Constraint) -> set[int]:
        """Return the relations of a shortest chain for a constraint that follows from the graph.

        Breadth first from both points in turn, the side with fewer edges first, along points between the two only. A shortest path
        uses no relation twice, since an interval's own ends would be a shorter way.
        """
        sign, first, last = constraint
        ahead, behind = _Search(first, self._onward, sign, 0), _Search(last, self._backward, sign, 1)
        side, other = ahead, behind
        while not (met := [point for point in side.level if point in other.came]):
            if ahead.edges() <= behind.edges():
                side, other = ahead, behind
                ahead.advance(lambda point: self._leads(point, last))
            else:
                side, other = behind, ahead
                behind.advance(lambda point: self._leads(first, point))
        return ahead.way(met[0]) | behind.way(met[0])

    def _connect(self, sign: Sign, a: int, b: int, index: int) -> None:
        self._onward.setdefault(a, []).append((sign, b, index))
        self._backward.setdefault(b, []).append((sign, a, index))

    def _leads(self, point: int, goal: int) -> bool:
        """Return whether a step to a point can be on the way; where that would take a search, every step is taken to be."""
        return self._is_unguided or self._graph.is_equal(point, goal) or self._graph.is_before(point, goal)


class _Search:
    """A breadth-first search for paths of a sign: the points last reached, and for all reached where from and by which relation.

    A level holds the points at as many relations from the origin, with the other ends of their intervals (for `<`): the ends of the
    starts (parity 0), or backward the starts of the ends (1).
    """

    def __init__(self, origin: int, steps: Steps, sign: Sign, parity: int) -> None:
        self.came: dict[int, tuple[int, int]] = {origin: (origin, -1)}
        self.level = [origin]
        self._steps = steps
        self._sign = sign
        self._parity = parity
        self._cross()

    def edges(self) -> int:
        """Return how many edges leave the level."""
        return sum(len(self._steps.get(point, ())) for point in self.level)

    def advance(self, leads: Callable[[int], bool]) -> None:
        """Go to the next level, by equalities or (for `<`) by all edges, keeping to points that lead to the goal."""
        following = []
        for point in self.level:
            for sign, target, index in self._steps.get(point, ()):
                if target not in self.came and (sign == "=" or self._sign == "<") and leads(target):
                    self.came[target] = (point, index)
                    following.append(target)
        self.level = following
        self._cross()

    def way(self, point: int) -> set[int]:
        """Return the relations between the origin and a point."""
        found = set()
        while self.came[point][0] != point:
            point, index = self.came[point]
            found.add(index)
        return found - {-1}

    def _cross(self) -> None:
        if self._sign == "<":
            others = [point ^ 1 for point in self.level if point % 2 == self._parity and point ^ 1 not in self.came]
            self.came.update((point, (point ^ 1, -1)) for point in others)
            self.level += others

"""What follows from a whole set of constraints `a < b` and `a = b` on time points.

This is the point algebra without `!=` (Vilain, Kautz: Constraint propagation algorithms for temporal reasoning, AAAI 1986). Equalities
make classes of points, and `<` makes edges between the classes. The constraints have a model iff no edge lies on a cycle. Then `a = b`
follows iff both points are in one class, and `a < b` iff a path of edges leads from the class of a to that of b.

The classes are numbered from the latest to the earliest, so that edges lead to lower numbers (Kahn: Topological sorting of large
networks, CACM 5(11), 1962). One sweep in this order gives the set of classes that each class reaches, as the bits of an integer:

    d < c < b, d < a      numbers b 0, a 1, c 2, d 3      reached from b 0b000, a 0b000, c 0b001, d 0b111
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Literal

Pair = tuple[int, int]
Sign = Literal["<", "="]
Order = Literal["<", "=", ">", ""]
Edges = Sequence[Collection[int]]
"""For each class the classes at the other ends of its edges."""

WIDEST = 32_768
"""Classes up to which all sets are kept: those of n classes take up to n² / 16 bytes, here 64 MiB."""

WINDOW = 8_192
"""Bits of the sets that one sweep computes where there are more classes: n sets take up to n KiB."""


class ContradictionError(ValueError):
    """Constraints that have no model: `points` are those on the cycles that contain a `<`, and between two such cycles."""

    def __init__(self, points: set[int]) -> None:
        super().__init__("the constraints contradict each other")
        self.points = points


class PointClosure:
    """All that follows from constraints on a number of points, which are numbers from 0.

    `covers` are the transitive reduction (Aho, Garey, Ullman: The transitive reduction of a directed graph, SIAM J. Comput. 1(2), 1972).

    Whether n classes and m constraints have a model takes O(n + m) steps. The closure takes O(m) unions of n bits when it is asked for. A
    query takes one step; with more than WIDEST classes, it takes a search among the classes between the two, O(n + m) at worst, unless it
    was foreseen.

    >>> closure = PointClosure(4, before=[(0, 1), (1, 2), (0, 2)], equal=[(2, 3)])
    >>> closure.order(0, 3), closure.order(3, 2), closure.order(2, 1), len(closure.covers)
    ('<', '=', '>', 2)

    Raises:
        ContradictionError: if the constraints have no model.
    """

    def __init__(self, points: int, before: Iterable[Pair], equal: Iterable[Pair]) -> None:
        root = joined(points, equal)
        after: list[list[int]] = [[] for _ in root]
        ahead_of: list[list[int]] = [[] for _ in root]
        for a, b in before:
            first, second = root[a], root[b]
            after[first].append(second)
            ahead_of[second].append(first)
        roots = [point for point, its_root in enumerate(root) if point == its_root]
        latest_first = peeled(roots, after, ahead_of)
        if len(latest_first) < len(roots):
            circular = set(roots).difference(latest_first, peeled(roots, ahead_of, after))
            raise ContradictionError({point for point, its_root in enumerate(root) if its_root in circular})
        self._root, self._latest_first, self._targets = root, latest_first, after
        self._covers: set[Pair] = set()
        self._foreseen: dict[Pair, bool] = {}

    @cached_property
    def classes(self) -> list[int]:
        """The class of each point."""
        number = self._number
        return [number[its_root] for its_root in self._root]

    @cached_property
    def _after(self) -> list[list[int]]:
        """For each class the classes at the later ends of its edges, each once for each constraint."""
        number = self._number
        return [[number[later] for later in self._targets[its_root]] for its_root in self._latest_first]

    @cached_property
    def _number(self) -> dict[int, int]:
        """The number of each class, by the point that represents it."""
        return {its_root: rank for rank, its_root in enumerate(self._latest_first)}

    @cached_property
    def covers(self) -> set[Pair]:
        """The pairs of classes, the earlier one first, with no class between them."""
        if not self.reached:
            for start in range(0, len(self._after), WINDOW):
                self._swept(start, start + WINDOW)
        return self._covers

    @cached_property
    def reached(self) -> list[int]:
        """The set of classes that each class reaches, as the bits of an integer; no sets where they would take too much memory."""
        return self._swept(0, len(self._after)) if len(self._after) <= WIDEST else []

    def order(self, a: int, b: int) -> Order:
        """Return the order of two points that follows from the constraints; "" where none does."""
        first, second = self.classes[a], self.classes[b]
        if first == second:
            return "="
        if first > second:
            return "<" if self._leads(first, second) else ""
        return ">" if self._leads(second, first) else ""

    def foresee(self, pairs: Iterable[Pair]) -> None:
        """Answer many queries at once, so that `order` of these pairs takes one step: with more than WIDEST classes by a few sweeps."""
        if self.reached:
            return
        asked: defaultdict[int, list[Pair]] = defaultdict(list)
        for a, b in pairs:
            second, first = sorted(self.edge(a, b))
            if first != second and (first, second) not in self._foreseen:
                asked[second // WINDOW * WINDOW].append((first, second))
        for start, queries in asked.items():
            reached = self._swept(start, start + WINDOW)
            self._foreseen |= {(first, second): bool(reached[first - start] >> second - start & 1) for first, second in queries}

    def edge(self, a: int, b: int) -> Pair:
        """Return the classes of two points."""
        return self.classes[a], self.classes[b]

    def _swept(self, start: int, stop: int) -> list[int]:
        """Find the covers whose later class has a number from `start` to before `stop`.

        Return which of these classes each class reaches, from class `start` on: the classes before it reach none of them. An edge is a
        cover if no other edge leads to its target by a detour (`far`).
        """
        reached: list[int] = []
        for number, targets in enumerate(self._after[start:], start):
            far = 0
            in_window = []
            for target in targets:
                if target >= start:
                    far |= reached[target - start]
                    if target < stop:
                        in_window.append(target)
            near = 0
            for target in in_window:
                near |= 1 << target - start
                if not far >> target - start & 1:
                    self._covers.add((number, target))
            reached.append(near | far if near else far)
        return reached

    def _leads(self, first: int, second: int) -> bool:
        """Return whether a path leads from one class to another of a lower number."""
        if self.reached:
            return self.reached[first] >> second & 1 == 1
        if (first, second) in self._foreseen:
            return self._foreseen[first, second]
        if (first, second) in self.covers:
            return True
        stack, seen = [first], {first}
        while stack:
            following = {target for target in self._after[stack.pop()] if target >= second} - seen
            if second in following:
                return True
            seen |= following
            stack += following
        return False


def joined(points: int, equal: Iterable[Pair]) -> list[int]:
    """Return for each point its representative: all points that are equal have the same one."""
    parent = list(range(points))
    for a, b in equal:
        parent[root_of(parent, b)] = root_of(parent, a)
    return [root_of(parent, point) for point in parent]


def root_of(parent: list[int], point: int) -> int:
    """Return the root of a point in a forest, and shorten the way there (union-find with path halving)."""
    while parent[point] != point:
        parent[point] = point = parent[parent[point]]
    return point


def peeled(nodes: Iterable[int], after: Edges, ahead_of: Edges) -> list[int]:
    """Return the nodes such that each comes behind all that its edges lead to, without those on a cycle and those that lead to one."""
    left = list(map(len, after))  # for each node, how many targets of its edges are not in the order yet
    ready, order = [node for node in nodes if not left[node]], []
    while ready:
        order.append(node := ready.pop())
        for source in ahead_of[node]:
            left[source] -= 1
            if not left[source]:
                ready.append(source)
    return order

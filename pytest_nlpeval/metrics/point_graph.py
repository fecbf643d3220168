"""Time points under `<` and `=`, while constraints are being added.

A closure is taken now and then. Between two closures, a search follows the constraints added since. It jumps from one *exit* to the
next, which is a class with such constraints: all that lies between exits is in the closure.

    closure a < b, c < d, then b < c: from a, the exit b is reached; it leads to c, and the closure knows the rest
"""

from __future__ import annotations

from collections import defaultdict

from pytest_nlpeval.metrics.circles import circles
from pytest_nlpeval.metrics.point_closure import WIDEST, ContradictionError, Order, Pair, PointClosure, root_of


class PointGraph:
    """A set of constraints `a < b` and `a = b` on time points, which are numbers from 0, with complete entailment.

    A constraint can hold if `order` returns "" or the constraint's own sign. The graph also takes constraints that contradict it. Then
    `a = b` follows only if equalities alone connect the two points. Otherwise `a < b` follows if constraints lead from a to b. On a
    circle of constraints, that is so in both directions, and `order` returns "<".

    >>> graph = PointGraph(3)
    >>> graph.add_before(0, 1)
    >>> graph.add_equal(1, 2)
    >>> graph.order(0, 2), graph.order(2, 0), graph.order(graph.add_point(), 0)
    ('<', '>', '')

    Points that no chain of constraints connects, in whatever direction, are told apart without a search. All other queries take a
    search of the constraints added since the last closure, O(m) steps. The next closure (see PointClosure) is taken when the searches
    have cost as many steps as there are points and constraints. A graph with more than WIDEST points takes no closure.
    """

    def __init__(self, points: int = 0) -> None:
        self._before: list[Pair] = []
        self._equal: list[Pair] = []
        self._connected = list(range(points))
        self._same = list(range(points))
        self._classes = list(range(points))
        self._reached = [0] * points  # of each class at the last closure, as the bits of an integer
        self._added: defaultdict[int, set[int]] = defaultdict(set)  # since then
        self._exits = 0
        self._work = 0

    def add_point(self) -> int:
        """Return a new point."""
        point = len(self._classes)
        self._classes.append(len(self._reached))
        self._reached.append(0)
        self._connected.append(point)
        self._same.append(point)
        return point

    def add_before(self, a: int, b: int) -> None:
        """Add `a < b`."""
        self._before.append((a, b))
        self._connect(a, b)

    def add_equal(self, a: int, b: int) -> None:
        """Add `a = b`."""
        self._equal.append((a, b))
        self._same[root_of(self._same, a)] = root_of(self._same, b)
        self._connect(a, b)
        self._connect(b, a)

    def order(self, a: int, b: int) -> Order:
        """Return the order of two points that follows from the constraints; "" where none does."""
        if self.is_equal(a, b):
            return "="
        return "<" if self._leads(a, b) else ">" if self._leads(b, a) else ""

    def is_before(self, a: int, b: int) -> bool:
        """Return whether `a < b` follows."""
        return not self.is_equal(a, b) and self._leads(a, b)

    def is_equal(self, a: int, b: int) -> bool:
        """Return whether `a = b` follows."""
        return root_of(self._same, a) == root_of(self._same, b)

    def _connect(self, a: int, b: int) -> None:
        first, second = self._classes[a], self._classes[b]
        self._added[first].add(second)
        self._exits |= 1 << first
        self._connected[root_of(self._connected, a)] = root_of(self._connected, b)

    def _leads(self, a: int, b: int) -> bool:
        """Return whether constraints lead from a to another point b: if the two are not equal, a is before b."""
        if root_of(self._connected, a) != root_of(self._connected, b):
            return False
        does_lead = self._search(self._classes[a], self._classes[b])
        if self._work > len(self._classes) + len(self._before) + len(self._equal) and len(self._classes) <= WIDEST:
            self._close()
        return does_lead

    def _search(self, first: int, second: int) -> bool:
        """Whether constraints lead from one class to another: by the closure to an exit, over an added constraint, and so on."""
        reached, passed = self._reached[first] | 1 << first, 0
        while not reached >> second & 1:
            exits = reached & self._exits & ~passed
            if not exits:
                return False
            lowest = exits & -exits  # the lowest bit that is set
            passed |= lowest
            targets = self._added[lowest.bit_length() - 1]
            self._work += len(targets)
            for target in targets:
                reached |= self._reached[target] | 1 << target
        return True

    def _close(self) -> None:
        """Take the closure of the constraints; the points of a circle become one class, since each of them leads to the others."""
        number = len(self._connected)
        try:
            closure = PointClosure(number, self._before, self._equal)
        except ContradictionError:
            circle = circles(number, [*self._before, *self._equal, *((b, a) for a, b in self._equal)])
            before = [(a, b) for a, b in self._before if circle[a] != circle[b]]
            closure = PointClosure(number, before, list(enumerate(circle)))
        self._classes, self._reached = closure.classes, closure.reached
        self._added.clear()
        self._exits = self._work = 0

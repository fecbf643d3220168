"""Time points under `<` and `=`, with complete entailment, while constraints are being added.

A set of constraints `a < b` and `a = b` has a model iff no cycle contains a `<`. In such a set `a = b` follows iff a chain of
equalities leads from a to b (union-find keeps the classes), and `a < b` iff the classes differ and a path of constraints leads from a
to b (the point algebra of Vilain, Kautz: Constraint propagation algorithms for temporal reasoning, AAAI 1986, without `!=`).

Paths are searched from both ends in turn, so that the smaller side decides. Once the searches have cost as much as it, a *snapshot*
is taken: the classes are peeled off from the sinks (Kahn: Topological sorting of large networks, CACM 5(11), 1962), each with the set
of the classes that it reaches as the bits of an integer, and only the edges of the transitive reduction stay (Aho, Garey, Ullman: The
transitive reduction of a directed graph, SIAM J. Comput. 1(2), 1972). Later searches jump through the snapshot and walk only edges
added since.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

Pair = tuple[int, int]

WIDEST = 32_768
"""Classes up to which snapshots are taken: the sets of n classes take n² / 16 bytes, here 64 MiB; beyond, only searches are made."""

WINDOW = 8_192
"""Classes whose place in the reduction is decided at a time where there are more than WIDEST: n classes take n KiB for it."""


class ContradictionError(ValueError):
    """Constraints that have no model: `points` are those on the cycles that contain a `<`, and between two such cycles."""

    def __init__(self, points: Collection[int]) -> None:
        super().__init__("the constraints contradict each other")
        self.points = points


class PointGraph:
    """A consistent set of constraints `<` and `=` on time points, which are numbers from 0.

    With n points and m constraints, a query costs a search between the two points, O(n + m) at worst. A snapshot costs O(m) unions
    of n bits; it is taken when the searches since the last one have taken as many steps as there are points and constraints.
    """

    def __init__(self, points: int = 0) -> None:
        self._parent = list(range(points))
        self._after: list[list[int]] = [[] for _ in self._parent]
        self._before: list[list[int]] = [[] for _ in self._parent]
        self._classes = points
        self._edges = 0
        self._refuted: set[tuple[int, int]] = set()
        self._work = 0
        self._is_reduced = False
        self._is_current = False
        self._places: list[int] = []
        self._closure: list[int] = []
        self._order: list[int] = []
        self._position: dict[int, int] = {}
        self._reach: dict[int, int] = {}
        self._added: dict[int, set[int]] = {}
        self._exits = 0

    @classmethod
    def of(cls, points: int, before: Iterable[Pair], equal: Collection[Pair]) -> PointGraph:
        """Return the graph of all these constraints, `a < b` and `a = b`, on a number of points, with one snapshot.

        Raises:
            ContradictionError: if they have no model.
        """
        graph = cls(points)
        parent, after, back = graph._parent, graph._after, graph._before
        for a, b in equal:
            parent[graph._root(b)] = graph._root(a)
        edges = set(before)
        if equal:
            graph._flatten()
            graph._classes = len(set(parent))
            edges = {(parent[a], parent[b]) for a, b in edges}
        for first, second in edges:
            after[first].append(second)
            back[second].append(first)
        order = graph._peeled()
        if len(order) < graph._classes:
            rest = graph._circular({*parent}.difference(order))
            raise ContradictionError({point for point, number in enumerate(parent) if number in rest})
        graph._close(order)
        return graph

    def add_point(self) -> int:
        """Return a new point."""
        point = len(self._parent)
        self._parent.append(point)
        self._classes += 1
        self._after.append([])
        self._before.append([])
        self._changed()
        return point

    def classes(self) -> list[int]:
        """Return, for each point, a number that it shares with the points equal to it, until the next addition."""
        return self._places if self._is_current else list(map(self._root, self._parent))

    def is_equal(self, a: int, b: int) -> bool:
        """Return whether `a = b` follows."""
        return self._places[a] == self._places[b] if self._is_current else self._root(a) == self._root(b)

    def is_before(self, a: int, b: int) -> bool:
        """Return whether `a < b` follows."""
        if self._is_current:
            place, other = self._places[a], self._places[b]
            return place != other and self._closure[place] >> other & 1 == 1
        return self._precedes(self._root(a), self._root(b))

    def order(self, a: int, b: int) -> Literal["<", "=", ">", ""]:
        """Return how two points follow to lie; "" where it is open."""
        if self._is_current:
            place, other = self._places[a], self._places[b]
            if place == other:
                return "="
            if place > other:  # what is later stands first
                return "<" if self._closure[place] >> other & 1 else ""
            return ">" if self._closure[other] >> place & 1 else ""
        first, second = self._root(a), self._root(b)
        if first == second:
            return "="
        return "<" if self._precedes(first, second) else ">" if self._precedes(second, first) else ""

    def covers(self) -> set[Pair]:
        """Return the pairs of classes, by their numbers in `classes`, between which no point lies, though the first is before."""
        if not self._is_reduced:
            self._snapshot()
        classes = self.classes()
        return {(classes[number], classes[target]) for number, targets in enumerate(self._after) for target in targets}

    def add_before(self, a: int, b: int, *, trusted: bool = False) -> None:
        """Add `a < b`; ValueError if `a = b` or `b < a` follows.

        With `trusted`, the caller knows that neither does, and no search is made.
        """
        if not trusted and (self.is_equal(a, b) or self.is_before(b, a)):
            raise ValueError(f"{a} < {b} contradicts the constraints added before")
        self._connect(self._root(a), self._root(b))

    def add_equal(self, a: int, b: int, *, trusted: bool = False) -> None:
        """Add `a = b`; ValueError if `a < b` or `b < a` follows; `trusted` as above."""
        if not trusted and (self.is_before(a, b) or self.is_before(b, a)):
            raise ValueError(f"{a} = {b} contradicts the constraints added before")
        first, second = self._root(a), self._root(b)
        if first != second:
            self._unite(first, second)

    def _root(self, number: int) -> int:
        parent = self._parent
        while parent[number] != number:
            parent[number] = number = parent[parent[number]]
        return number

    def _connect(self, first: int, second: int) -> None:
        self._after[first].append(second)
        self._before[second].append(first)
        self._edges += 1
        self._changed()
        self._amend(first, [second])

    def _unite(self, first: int, second: int) -> None:
        """Make one class of two. If both are in the snapshot, edges to and fro join them there."""
        kept, lost = sorted((first, second), key=self._weight, reverse=True)
        self._parent[lost] = kept
        self._classes -= 1
        self._amend(kept, self._after[lost])
        if lost in self._reach:
            self._amend(kept, [lost])
            self._amend(lost, [kept])
        self._after[kept] += self._after[lost]
        self._before[kept] += self._before[lost]
        self._after[lost], self._before[lost] = [], []
        self._changed()

    def _weight(self, root: int) -> tuple[bool, int]:
        return root in self._reach, len(self._after[root]) + len(self._before[root])

    def _changed(self) -> None:
        self._is_current = self._is_reduced = False
        self._refuted.clear()

    def _amend(self, number: int, targets: list[int]) -> None:
        """Note edges that the snapshot lacks, if it has their origin; of other origins, all edges are searched anyway."""
        if targets and number in self._reach:
            self._added.setdefault(number, set()).update(targets)
            self._exits |= 1 << self._position[number]

    def _precedes(self, first: int, second: int) -> bool:
        if first == second:
            return False
        if (first, second) in self._refuted:
            return False
        found = self._search(first, second)
        if not found:
            self._refuted.add((first, second))
        if self._work > len(self._parent) + self._edges and self._classes <= WIDEST:
            self._snapshot()
        return found

    def _search(self, first: int, second: int) -> bool:
        """Return whether a path leads from one class to another: an edge forward and an edge backward in turn."""
        reached, reaching = {first}, {second}
        for target, source in zip(self._onward(first, second, reached), self._backward(second, reaching), strict=False):
            self._work += 1
            if target in reaching or source in reached:
                return True
        return False

    def _onward(self, first: int, goal: int, reached: set[int]) -> Iterator[int]:
        """Yield where each edge ahead leads, of those that leave what the snapshot has ahead; the goal, once that has it."""
        stack, passed = [first], 0
        while stack:
            number = stack.pop()
            reach = self._reach.get(number)
            if reach is None:
                targets: Iterable[int] = self._after[number]
            elif goal in self._reach and reach >> self._position[goal] & 1:
                targets = (goal,)
            else:
                exits = reach & self._exits & ~passed
                passed |= exits
                targets = self._targets(exits)
            for end in targets:
                target = self._root(end)
                yield target
                if target not in reached:
                    reached.add(target)
                    stack.append(target)

    def _targets(self, exits: int) -> Iterator[int]:
        """Yield the targets of the edges added to the snapshot at the places of these bits."""
        while exits:
            lowest = exits & -exits
            exits ^= lowest
            yield from self._added[self._order[lowest.bit_length() - 1]]

    def _backward(self, second: int, reaching: set[int]) -> Iterator[int]:
        """Yield where each edge comes from, of those that lead to a class."""
        stack = [second]
        while stack:
            for number in self._before[stack.pop()]:
                source = self._root(number)
                yield source
                if source not in reaching:
                    reaching.add(source)
                    stack.append(source)

    def _snapshot(self) -> None:
        """Close the graph of now."""
        self._flatten()
        parent = self._parent
        for edges in (self._after, self._before):
            for number, others in enumerate(edges):
                if others:
                    edges[number] = [*{parent[other] for other in others}]
        self._close(self._peeled())

    def _close(self, order: list[int]) -> None:
        """Keep of the edges those that no path of several edges replaces; take a snapshot if there are not too many classes."""
        places = {number: place for place, number in enumerate(order)}
        edges = sum(map(len, self._after))
        if len(order) <= WIDEST:
            self._order, self._position, self._added, self._exits = order, places, {}, 0
            self._reach = self._reduced(order, places, 0, len(order))
            self._places = [places[number] for number in self._parent]
            self._closure = list(self._reach.values())
            self._is_current = True
        else:
            for start in range(0, len(order), WINDOW):
                self._reduced(order, places, start, start + WINDOW)
        self._edges = sum(map(len, self._after))
        if self._edges < edges:
            self._before = [[] for _ in self._parent]
            for number in order:
                for target in self._after[number]:
                    self._before[target].append(number)
        self._is_reduced = True
        self._work = 0

    def _reduced(self, order: list[int], places: dict[int, int], start: int, stop: int) -> dict[int, int]:
        """Drop the replaceable edges to the classes at places from `start` to `stop`; return which of these each class reaches.

        Of a class's edges, those to later places come first: what these reach, others need not state.
        """
        reach: dict[int, int] = {}
        for place, number in enumerate(order[start:], start):
            targets = self._after[number]
            if len(targets) > 1:
                bits, kept = 0, []
                for aim in sorted([places[target] for target in targets], reverse=True):
                    if not start <= aim < stop or not bits >> aim - start & 1:
                        bits |= reach.get(order[aim], 0)
                        kept.append(order[aim])
                self._after[number] = kept
            else:
                bits = reach.get(targets[0], 0) if targets else 0
            reach[number] = bits | 1 << place - start if place < stop else bits
        return reach

    def _peeled(self) -> list[int]:
        """Return the classes, each behind all that it precedes; without those that precede a cycle or are on one.

        Parents and edges are those of `_flatten` and `_snapshot`.
        """
        left = list(map(len, self._after))
        ready, order = [number for number, root in enumerate(self._parent) if number == root and not left[number]], []
        while ready:
            order.append(number := ready.pop())
            for source in self._before[number]:
                left[source] -= 1
                if not left[source]:
                    ready.append(source)
        return order

    def _circular(self, classes: set[int]) -> set[int]:
        """Return these classes without those that no cycle precedes: the ones on cycles, and between cycles."""
        left = {number: sum(source in classes for source in self._before[number]) for number in classes}
        ready = [number for number, edges in left.items() if not edges]
        while ready:
            for target in self._after[ready.pop()]:
                if target in classes:
                    left[target] -= 1
                    if not left[target]:
                        ready.append(target)
        return {number for number, edges in left.items() if edges}

    def _flatten(self) -> None:
        """Make the class of each point its parent."""
        for number in range(len(self._parent)):
            self._parent[number] = self._root(number)

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

from collections.abc import Hashable, Iterable, Iterator

Pair = tuple[Hashable, Hashable]

WIDEST = 32_768
"""Classes up to which snapshots are taken: the sets of n classes take n² / 16 bytes, here 64 MiB; beyond, only searches are made."""

WINDOW = 8_192
"""Classes whose place in the reduction is decided at a time where there are more than WIDEST: n classes take n KiB for it."""


class PointGraph:
    """A consistent set of constraints `<` and `=` on time points, which are any hashable values.

    With n points and m constraints, a query costs a search between the two points, O(n + m) at worst. A snapshot costs O(m) unions
    of n bits; it is taken when the searches since the last one have taken as many steps as there are points and constraints.
    """

    def __init__(self) -> None:
        self._number: dict[Hashable, int] = {}
        self._parent: list[int] = []
        self._after: list[set[int]] = []
        self._before: list[set[int]] = []
        self._classes = 0
        self._edges = 0
        self._refuted: set[tuple[int, int]] = set()
        self._work = 0
        self._is_current = False
        self._is_reduced = False
        self._order: list[int] = []
        self._position: dict[int, int] = {}
        self._reach: dict[int, int] = {}
        self._added: dict[int, set[int]] = {}
        self._exits = 0

    @classmethod
    def of(cls, before: Iterable[Pair], equal: Iterable[Pair]) -> PointGraph | None:
        """Return the graph of all these constraints, `a < b` and `a = b`, or None if they contradict each other; with one snapshot."""
        strict, same = list(before), list(equal)
        graph = cls()
        points = dict.fromkeys([point for pairs in (strict, same) for pair in pairs for point in pair])
        number = graph._number = dict(zip(points, range(len(points)), strict=True))
        parent = graph._parent = list(range(len(points)))
        for a, b in same:
            parent[graph._root(number[b])] = graph._root(number[a])
        if same:
            graph._flatten()
        after: list[set[int]] = [set() for _ in parent]
        back: list[set[int]] = [set() for _ in parent]
        graph._after, graph._before = after, back
        for a, b in strict:
            first, second = parent[number[a]], parent[number[b]]
            after[first].add(second)
            back[second].add(first)
        graph._classes = len(set(parent))
        order = graph._peeled()
        if len(order) < graph._classes:
            return None
        graph._close(order)
        return graph

    def __contains__(self, point: object) -> bool:
        """Return whether a constraint has named the point."""
        return point in self._number

    def classes(self) -> dict[Hashable, int]:
        """Return, for each known point, a number that it shares with the points equal to it, until the next addition."""
        return {point: self._root(number) for point, number in self._number.items()}

    def is_equal(self, a: Hashable, b: Hashable) -> bool:
        """Return whether `a = b` follows: between known points, and for every point with itself."""
        if a == b:
            return True
        first, second = self._number.get(a), self._number.get(b)
        return first is not None and second is not None and self._root(first) == self._root(second)

    def is_before(self, a: Hashable, b: Hashable) -> bool:
        """Return whether `a < b` follows; never with an unknown point."""
        first, second = self._number.get(a), self._number.get(b)
        return first is not None and second is not None and self._precedes(self._root(first), self._root(second))

    def is_adjacent(self, a: Hashable, b: Hashable) -> bool:
        """Return whether `a < b` follows and no known point lies strictly between the two."""
        first, second = self._number.get(a), self._number.get(b)
        if first is None or second is None:
            return False
        if not self._is_reduced:
            self._snapshot()
        return self._root(second) in self._after[self._root(first)]

    def add_before(self, a: Hashable, b: Hashable, *, trusted: bool = False) -> None:
        """Add `a < b`, and the points where they are new; ValueError if `a = b` or `b < a` follows.

        With `trusted`, the caller knows that neither does, and no search is made.
        """
        if not trusted and (self.is_equal(a, b) or self.is_before(b, a)):
            raise ValueError(f"{a!r} < {b!r} contradicts the constraints added before")
        self._connect(self._root(self._add(a)), self._root(self._add(b)))

    def add_equal(self, a: Hashable, b: Hashable, *, trusted: bool = False) -> None:
        """Add `a = b`, and the points where they are new; ValueError if `a < b` or `b < a` follows; `trusted` as above."""
        if not trusted and (self.is_before(a, b) or self.is_before(b, a)):
            raise ValueError(f"{a!r} = {b!r} contradicts the constraints added before")
        first, second = self._root(self._add(a)), self._root(self._add(b))
        if first != second:
            self._unite(first, second)

    def _add(self, point: Hashable) -> int:
        number = self._number.setdefault(point, len(self._parent))
        if number == len(self._parent):
            self._parent.append(number)
            self._classes += 1
            self._after.append(set())
            self._before.append(set())
            self._is_current = self._is_reduced = False
        return number

    def _root(self, number: int) -> int:
        parent = self._parent
        while parent[number] != number:
            parent[number] = number = parent[parent[number]]
        return number

    def _connect(self, first: int, second: int) -> None:
        self._after[first].add(second)
        self._before[second].add(first)
        self._edges += 1
        self._changed()
        self._amend(first, {second})

    def _unite(self, first: int, second: int) -> None:
        """Make one class of two. If both are in the snapshot, edges to and fro join them there."""
        kept, lost = sorted((first, second), key=self._weight, reverse=True)
        self._parent[lost] = kept
        self._classes -= 1
        self._amend(kept, self._after[lost])
        if lost in self._reach:
            self._amend(kept, {lost})
            self._amend(lost, {kept})
        self._after[kept] |= self._after[lost]
        self._before[kept] |= self._before[lost]
        self._after[lost], self._before[lost] = set(), set()
        self._changed()

    def _weight(self, root: int) -> tuple[bool, int]:
        return root in self._reach, len(self._after[root]) + len(self._before[root])

    def _changed(self) -> None:
        self._is_current = self._is_reduced = False
        self._refuted.clear()

    def _amend(self, number: int, targets: set[int]) -> None:
        """Note edges that the snapshot lacks, if it has their origin; of other origins, all edges are searched anyway."""
        if targets and number in self._reach:
            self._added.setdefault(number, set()).update(targets)
            self._exits |= 1 << self._position[number]

    def _precedes(self, first: int, second: int) -> bool:
        if first == second:
            return False
        if self._is_current:
            return bool(self._reach[first] >> self._position[second] & 1)
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
                    edges[number] = {parent[other] for other in others}
        self._close(self._peeled())

    def _close(self, order: list[int]) -> None:
        """Keep of the edges those that no path of several edges replaces; take a snapshot if there are not too many classes."""
        places = {number: place for place, number in enumerate(order)}
        if len(order) <= WIDEST:
            self._order, self._position, self._added, self._exits = order, places, {}, 0
            self._reach = self._reduced(order, places, 0, len(order))
            self._is_current = True
        else:
            for start in range(0, len(order), WINDOW):
                self._reduced(order, places, start, start + WINDOW)
        self._edges = sum(len(self._after[number]) for number in order)
        self._is_reduced = True
        self._work = 0

    def _reduced(self, order: list[int], places: dict[int, int], start: int, stop: int) -> dict[int, int]:
        """Drop the replaceable edges to the classes at places from `start` to `stop`; return which of these each class reaches.

        Of a class's edges, those to later places come first: what these reach, others need not state.
        """
        reach: dict[int, int] = {}
        for place, number in enumerate(order[start:], start):
            bits = 0
            aims = [places[target] for target in self._after[number]]
            if len(aims) > 1:
                aims.sort(reverse=True)
            for aim in aims:
                if aim < start:
                    break
                target = order[aim]
                if aim < stop and bits >> aim - start & 1:
                    self._after[number].discard(target)
                    self._before[target].discard(number)
                else:
                    bits |= reach[target]
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

    def _flatten(self) -> None:
        """Make the class of each point its parent."""
        for number in range(len(self._parent)):
            self._parent[number] = self._root(number)

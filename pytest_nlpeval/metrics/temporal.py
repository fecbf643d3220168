"""Temporal relations between intervals: their graph, its canonical reduction, what it says of relations, and why.

A relation holds between two intervals X = (x1, x2) and Y = (y1, y2), x1 < x2, y1 < y2. The types are those of TimeML, which are the
thirteen of Allen without the two overlaps (Allen: Maintaining knowledge about temporal intervals, CACM 26(11), 1983). Each type says
`<` or `=` of one or two pairs of end points. A graph of relations entails all that follows from these constraints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

from pytest_nlpeval.metrics.point_additions import is_negated, pairs, ruled_out
from pytest_nlpeval.metrics.point_closure import ContradictionError, PointClosure
from pytest_nlpeval.metrics.spanning_forest import SpanningForest
from pytest_nlpeval.metrics.temporal_chains import Constraint, Constraints, Steps, shortest_chain, steps_of

Standing = Literal["stated", "entailed", "contradicted", "open"]
"""What a graph says of a relation."""

INVERSES = {
    "BEFORE": "AFTER",
    "IBEFORE": "IAFTER",
    "BEGINS": "BEGUN_BY",
    "ENDS": "ENDED_BY",
    "INCLUDES": "IS_INCLUDED",
    "SIMULTANEOUS": "SIMULTANEOUS",
    "IDENTITY": "IDENTITY",
    "DURING": "DURING_INV",
}
INVERSES |= {backward: forward for forward, backward in INVERSES.items()}

X1, X2, Y1, Y2 = range(4)  # interval 0 to interval 1
SAME: Constraints = (("=", X1, Y1), ("=", X2, Y2))
CONSTRAINTS: dict[str, Constraints] = {
    "BEFORE": (("<", X2, Y1),),
    "AFTER": (("<", Y2, X1),),
    "IBEFORE": (("=", X2, Y1),),
    "IAFTER": (("=", Y2, X1),),
    "BEGINS": (("=", X1, Y1), ("<", X2, Y2)),
    "BEGUN_BY": (("=", X1, Y1), ("<", Y2, X2)),
    "ENDS": (("=", X2, Y2), ("<", Y1, X1)),
    "ENDED_BY": (("=", X2, Y2), ("<", X1, Y1)),
    "INCLUDES": (("<", X1, Y1), ("<", Y2, X2)),
    "IS_INCLUDED": (("<", Y1, X1), ("<", X2, Y2)),
    "SIMULTANEOUS": SAME,
    "IDENTITY": SAME,
    "DURING": SAME,
    "DURING_INV": SAME,
}
_ORDERED = {(a, b) for constraints in CONSTRAINTS.values() for _, a, b in constraints}
"""The pairs of ends whose order tells which types hold."""


class TemporalLink(NamedTuple):
    """A relation: the source has this type of relation to the target; the case of the type does not matter."""

    source: Hashable
    target: Hashable
    type: str


def inverse(link_type: str) -> str | None:
    """Return the type of the same relation seen from the target, in upper case; None for a type without constraints.

    >>> inverse("before")
    'AFTER'
    """
    return INVERSES.get(link_type.upper())


class TemporalGraph:
    """The graph of a list of relations, built from the first to the last.

    A relation is *violated*, and adds nothing, if it contradicts those before it (the negation of one of its constraints follows), if
    it relates an interval to itself, or if its type is unknown. The two constraints of a type contradict a graph only if one of them
    does, since each interval begins before it ends.

    >>> graph = TemporalGraph([TemporalLink("A", "B", "BEFORE"), TemporalLink("B", "C", "INCLUDES"), TemporalLink("C", "A", "BEFORE")])
    >>> graph.violated
    (TemporalLink(source='C', target='A', type='BEFORE'),)
    >>> graph.verdict(TemporalLink("A", "C", "BEFORE")), graph.explain(TemporalLink("A", "C", "BEFORE"))
    ('entailed', (0, 1))

    What is asked for is computed once. A list without contradiction takes one closure (see PointClosure). A list with a contradiction
    takes another closure, and up to four searches per relation between points on cycles, of which there may be very many (see
    ruled_out).
    """

    def __init__(self, links: Iterable[TemporalLink]) -> None:
        self.links = tuple(links)
        intervals = dict.fromkeys(chain.from_iterable([link[:2] for link in self.links]))
        self._starts = dict(zip(intervals, range(0, 2 * len(intervals), 2), strict=True))
        self._ends = [(start, start + 1) for start in self._starts.values()]
        self._constraints = tuple([self._read(link) for link in self.links])

    @cached_property
    def canonical(self) -> tuple[TemporalLink, ...]:
        """The canonical reduction in file order: from the last relation to the first, each that the rest entails is dropped.

        Violated relations stay. The relations that stay entail all that the list entails. `A BEFORE C, A BEFORE B, B BEFORE C` has the
        canonical reduction `A BEFORE B, B BEFORE C`.
        """
        redundant = self._redundant()
        return tuple([link for index, link in enumerate(self.links) if index not in redundant])

    @cached_property
    def violated(self) -> tuple[TemporalLink, ...]:
        """The relations that add nothing because they cannot hold, in file order."""
        return tuple([link for link, constraints in zip(self.links, self._effective, strict=True) if not constraints])

    def entails(self, link: TemporalLink) -> bool:
        """Return whether all constraints of a relation follow; False with an unknown interval, and of an interval with itself."""
        constraints = self._read(link)
        return bool(constraints) and all(self._closure.order(a, b) == sign for sign, a, b in constraints)

    def contradicts(self, link: TemporalLink) -> bool:
        """Return whether a relation cannot hold: the negation of one of its constraints follows."""
        return is_negated(self._closure, self._read(link))

    def states(self, link: TemporalLink) -> bool:
        """Return whether a relation is in the list, itself or inverted, violated or not."""
        source, target, written = link
        name = written.upper()
        return (source, target, name) in self._literals or (target, source, INVERSES.get(name)) in self._literals

    def verdict(self, link: TemporalLink) -> Standing:
        """Return the first that holds of a relation: `states`, `entails`, `contradicts`, or that it is open."""
        if self.states(link):
            return "stated"
        constraints = self._read(link)
        standing: Standing = "entailed" if constraints else "open"
        order_of = self._closure.order
        for sign, a, b in constraints:
            order = order_of(a, b)
            if order not in (sign, ""):
                return "contradicted"
            if not order:
                standing = "open"
        return standing

    def verdicts(self, links: Collection[TemporalLink]) -> list[Standing]:
        """Return the verdict of each relation, in less time than one by one in a list of very many intervals."""
        self.foresee(links)
        return list(map(self.verdict, links))

    def foresee(self, links: Iterable[TemporalLink]) -> None:
        """Work out at once what follows for the ends of these relations: what is asked about the same intervals then takes less time."""
        starts = ((self._starts[link.source], self._starts[link.target]) for link in links if {*link[:2]} <= self._starts.keys())
        self._closure.foresee((a, b) for one, other in starts for a in (one, one + 1) for b in (other, other + 1))

    def relation(self, source: Hashable, target: Hashable) -> TemporalLink | None:
        """Return the relation of two intervals that follows, with the first of synonymous types; None if none does."""
        first, second = self._starts.get(source), self._starts.get(target)
        if first is None or second is None or first == second:
            return None
        ends = (first, first + 1, second, second + 1)
        held = {(self._closure.order(ends[a], ends[b]), a, b) for a, b in _ORDERED}
        entailed = (name for name, constraints in CONSTRAINTS.items() if held.issuperset(constraints))
        return next((TemporalLink(source, target, name) for name in entailed), None)

    def explain(self, link: TemporalLink) -> tuple[int, ...] | None:
        """Return the indices of a shortest chain of relations from which a relation follows; None if it is not entailed.

        A chain has no violated relations. It leads from the source to the target: each relation has an interval in common with the one
        before. For a type with two constraints that take a chain each, it leads to the target and back. It takes a breadth-first search
        for each constraint, and there is none where that would have to look too far (`temporal_chains.FARTHEST`).
        """
        if not self.entails(link):
            return None
        there, *others = (self._way(link, constraint) for constraint in self._read(link))
        back = others[0] if others else there
        if not there or not back:
            return ()
        return there if there == back else (*there, *reversed(back))

    def contradiction(self, link: TemporalLink) -> tuple[int, ...] | None:
        """Return the indices of a shortest chain from which the negation of one of a relation's constraints follows (see `explain`).

        None if the relation can hold, and if no chain is to blame, because of an unknown type or an interval related to itself. The
        chain may include relations that come later in the list.
        """
        chains = []
        for sign, a, b in self._read(link):
            order = self._closure.order(a, b)
            if order and order != sign:
                chains.append(self._way(link, ("<", b, a) if order == ">" else (order, a, b)))
        return min(chains, key=lambda chain: (not chain, len(chain)), default=None)

    def _way(self, link: TemporalLink, constraint: Constraint) -> tuple[int, ...]:
        """Return a shortest chain for a constraint on the ends of a relation, from its source to its target."""
        chain, (_, first, _) = shortest_chain(constraint, self._steps), constraint
        return chain if first - first % 2 == self._starts[link.source] else chain[::-1]

    @property
    def _effective(self) -> tuple[Constraints, ...]:
        """The constraints per relation, none for the violated."""
        return self._checked[0]

    @property
    def _closure(self) -> PointClosure:
        """What follows from the effective constraints."""
        return self._checked[1]

    @cached_property
    def _checked(self) -> tuple[tuple[Constraints, ...], PointClosure]:
        """The constraints per relation, none for the violated ones, and what follows from them."""
        try:
            return self._constraints, self._closed(self._constraints)
        except ContradictionError:
            violated = ruled_out(2 * len(self._starts), self._ends, self._constraints)
        effective = tuple([() if index in violated else each for index, each in enumerate(self._constraints)])
        return effective, self._closed(effective)

    def _closed(self, relations: Iterable[Constraints]) -> PointClosure:
        """Return what follows from all these constraints."""
        flat = tuple(chain.from_iterable(relations))
        return PointClosure(2 * len(self._starts), self._ends + pairs("<", flat), pairs("=", flat))

    def _redundant(self) -> set[int]:
        """Return the indices of the relations that the canonical reduction drops.

        No drop changes what follows, so one closure is enough. `a < b` follows from the rest iff a point lies strictly between the
        two, or a remaining relation or the ends of an interval state it. `a = b` follows from the rest iff equalities lead from a to
        b that belong to earlier relations, or to later ones that were kept. The forest answers that without a search per relation: an
        equality weighs the index of its relation, or -1 once it is kept. If the rest connects a and b, it does so by weights below the
        index of this relation, and their bottleneck is less than the index.
        """
        edge, covers, effective = self._closure.edge, self._closure.covers, self._effective
        edges = [[edge(a, b) for sign, a, b in constraints if sign == "<"] for constraints in effective]
        stated = Counter(chain([edge(start, end) for start, end in self._ends], *edges))
        equalities = SpanningForest(2 * len(self._starts))
        for index, constraints in enumerate(effective):
            for a, b in pairs("=", constraints):
                equalities.add(a, b, index)

        redundant = set()
        for index in reversed([index for index, constraints in enumerate(effective) if constraints]):
            before, equal = edges[index], pairs("=", effective[index])
            is_needed = any(stated[pair] == 1 and pair in covers for pair in before)
            if is_needed or any(equalities.bottleneck(a, b) == index for a, b in equal):
                for a, b in equal:
                    equalities.add(a, b, -1)
            else:
                redundant.add(index)
                stated.subtract(before)
        return redundant

    @cached_property
    def _literals(self) -> frozenset[tuple[Hashable, Hashable, str | None]]:
        """The relations with their types in upper case."""
        return frozenset([(source, target, type_.upper()) for source, target, type_ in self.links])

    @cached_property
    def _steps(self) -> Steps:
        return steps_of(self._effective)

    def _read(self, link: TemporalLink) -> Constraints:
        """Return the constraints of a relation; none if its type or an interval is unknown, or the intervals are one."""
        source, target, written = link
        first, second = self._starts.get(source), self._starts.get(target)
        if first is None or second is None or first == second:
            return ()
        ends = (first, first + 1, second, second + 1)
        return tuple([(sign, ends[a], ends[b]) for sign, a, b in CONSTRAINTS.get(written.upper(), ())])

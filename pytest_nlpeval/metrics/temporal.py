"""Temporal relations between intervals: their graph, its reductions, explanations, and temporal awareness.

A relation holds between two intervals X = (x1, x2) and Y = (y1, y2), x1 < x2, y1 < y2. The types are those of TimeML, which are the
thirteen of Allen without the two overlaps (Allen: Maintaining knowledge about temporal intervals, CACM 26(11), 1983), and each says `<`
or `=` of one or two pairs of end points. A graph of relations entails what follows from these constraints, all of it.

Temporal awareness compares two such graphs by what one entails of the other's reduced list (UzZaman, Allen: Temporal Evaluation,
ACL 2011; UzZaman et al.: SemEval-2013 Task 1: TempEval-3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

from pytest_nlpeval.metrics.point_graph import ContradictionError, PointGraph
from pytest_nlpeval.metrics.spanning_forest import SpanningForest
from pytest_nlpeval.metrics.temporal_chains import Constraint, Constraints, TemporalChains

Status = Literal["added", "redundant", "violated"]
Verdict = Literal["stated", "entailed", "contradicted", "open"]

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
INVERSES |= {other: one for one, other in INVERSES.items()}

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


class TemporalLink(NamedTuple):
    """A relation: the source has this type of relation to the target; the case of the type does not matter."""

    source: Hashable
    target: Hashable
    type: str


def inverse(link_type: str) -> str | None:
    """Return the type of (Y, X) that says the same as this type of (X, Y), in upper case; None for a type without constraints."""
    return INVERSES.get(link_type.upper())


class TemporalGraph:
    """The graph of a list of relations, built from the first to the last.

    A relation that those before it entail is *redundant*. One that contradicts them (the negation of one of its constraints follows),
    relates an interval to itself, or has an unknown type is *violated*: it adds nothing. The others are *added*. The two constraints
    of a type contradict a graph only if one of them does, since each interval begins before it ends.

    What is asked for is computed once. Of n relations without contradiction, everything but `statuses` and `reduced` needs O(n) steps
    and one closure. If there is a contradiction, that takes another closure, and up to four searches per relation between points on
    cycles (see PointGraph); `statuses` and `reduced` take up to two more per relation.
    """

    def __init__(self, links: Iterable[TemporalLink]) -> None:
        self.links = tuple(links)
        intervals = dict.fromkeys(chain.from_iterable([link[:2] for link in self.links]))
        self._starts = dict(zip(intervals, range(0, 2 * len(intervals), 2), strict=True))
        self._ends = [(start, start + 1) for start in self._starts.values()]
        self._constraints = tuple([self._read(link) for link in self.links])

    @cached_property
    def statuses(self) -> tuple[Status, ...]:
        """Whether each relation was added, is redundant or violated."""
        graph = self._graph_of_ends()
        return tuple([_status(graph, constraints) for constraints in self._effective])

    @cached_property
    def reduced(self) -> tuple[TemporalLink, ...]:
        """The relations added and violated, in file order: the reduced graph that depends on the order of the list."""
        return tuple(link for link, status in zip(self.links, self.statuses, strict=True) if status != "redundant")

    @cached_property
    def canonical(self) -> tuple[TemporalLink, ...]:
        """The violated relations and, of the others, those that stay when each that the rest entails is dropped, last ones first.

        In file order. What stays has the closure of the whole list. No drop changes the closure, so one is enough: `a < b` follows
        from the rest iff a point lies strictly between the two, or a remaining relation or the ends of an interval state it; `a = b`
        iff equalities of relations before this one, or of those kept behind it, lead from a to b.
        """
        classes, covers, effective = self._graph.classes(), self._graph.covers(), self._effective
        stated = self._stated(classes)
        equalities = SpanningForest(2 * len(self._starts))
        for index, constraints in enumerate(effective):
            for sign, a, b in constraints:
                if sign == "=":
                    equalities.add(a, b, index)

        dropped = set()
        for index in reversed([index for index, constraints in enumerate(effective) if constraints]):
            for sign, a, b in effective[index]:
                if sign == "=":
                    is_needed = equalities.bottleneck(a, b) >= index
                else:
                    pair = classes[a], classes[b]
                    is_needed = stated[pair] == 1 and pair in covers
                if is_needed:
                    for first, second in _equal(effective[index]):
                        equalities.add(first, second, -1)
                    break
            else:
                dropped.add(index)
                stated.subtract([(classes[a], classes[b]) for a, b in _before(effective[index])])
        return tuple([link for index, link in enumerate(self.links) if index not in dropped])

    @cached_property
    def violated(self) -> tuple[TemporalLink, ...]:
        """The relations that add nothing because they cannot hold, in file order."""
        return tuple([link for link, constraints in zip(self.links, self._effective, strict=True) if not constraints])

    def entails(self, link: TemporalLink) -> bool:
        """Return whether all constraints of a relation follow; never with an unknown interval, or of an interval with itself."""
        constraints = self._read(link)
        return bool(constraints) and all(map(self._follows, constraints))

    def verdict(self, link: TemporalLink) -> Verdict:
        """Return what the graph says of a relation, the first that holds: `states`, `entails`, `contradicts`, or nothing."""
        if self.states(link):
            return "stated"
        constraints, order_of = self._read(link), self._graph.order
        found: Verdict = "entailed" if constraints else "open"
        for sign, a, b in constraints:
            order = order_of(a, b)
            if order != sign:
                if order:
                    return "contradicted"
                found = "open"
        return found

    def matches(self, link: TemporalLink) -> bool:
        """Return whether a relation is entailed, or stands in the list itself or inverted, be it redundant or violated there."""
        return self.states(link) or self.entails(link)

    def states(self, link: TemporalLink) -> bool:
        """Return whether a relation stands in the list itself or inverted, be it redundant or violated there."""
        source, target, written = link
        name = written.upper()
        return (source, target, name) in self._literals or (target, source, INVERSES.get(name)) in self._literals

    def contradicts(self, link: TemporalLink) -> bool:
        """Return whether a relation cannot hold: the negation of one of its constraints follows."""
        return _is_negated(self._graph, self._read(link))

    def explain(self, link: TemporalLink) -> tuple[int, ...] | None:
        """Return the indices of a shortest chain of relations from which a relation follows, ascending; None if it is not entailed.

        Violated relations are in no chain, redundant ones may be. For a type with two constraints, the union of a shortest chain of
        each. Costs a breadth-first search among the points between the ends.
        """
        if not self.entails(link):
            return None
        return tuple(sorted({index for constraint in self._read(link) for index in self._chains.shortest(constraint)}))

    def contradiction(self, link: TemporalLink) -> tuple[int, ...] | None:
        """Return the indices of a shortest chain from which the negation of one of a relation's constraints follows, ascending.

        None if the relation can hold, and where no chain is to blame: an unknown type, an interval related to itself. The chain may
        include relations that come later in the list.
        """
        negations = [other for constraint in self._read(link) for other in _negations(constraint) if self._follows(other)]
        return min((tuple(sorted(self._chains.shortest(other))) for other in negations), key=len, default=None)

    @property
    def _effective(self) -> tuple[Constraints, ...]:
        """The constraints per relation, none for the violated."""
        return self._checked[0]

    @property
    def _graph(self) -> PointGraph:
        """The graph of the effective constraints."""
        return self._checked[1]

    @cached_property
    def _checked(self) -> tuple[tuple[Constraints, ...], PointGraph]:
        """The constraints without those of violated relations, and their graph.

        Only relations between points on cycles, or between two cycles, can be violated, and no others are needed to find out.
        """
        try:
            return self._constraints, self._closed(self._constraints)
        except ContradictionError as contradiction:
            suspects = contradiction.points
        graph, effective = self._graph_of_ends(), list(self._constraints)
        for index, constraints in enumerate(self._constraints):
            suspected = [said for said in constraints if said[1] in suspects and said[2] in suspects]
            if _is_negated(graph, suspected):
                effective[index] = ()
            else:
                _add(graph, suspected)
        return tuple(effective), self._closed(effective)

    def _graph_of_ends(self) -> PointGraph:
        """Return a graph in which every interval begins before it ends."""
        graph = PointGraph(2 * len(self._starts))
        for start, end in self._ends:
            graph.add_before(start, end, trusted=True)
        return graph

    def _closed(self, relations: Iterable[Constraints]) -> PointGraph:
        """Return the graph of all constraints at once."""
        said = [constraint for constraints in relations for constraint in constraints]
        return PointGraph.of(2 * len(self._starts), self._ends + _before(said), _equal(said))

    @cached_property
    def _literals(self) -> frozenset[tuple[Hashable, Hashable, str | None]]:
        """The relations with their types in upper case."""
        return frozenset([(source, target, type_.upper()) for source, target, type_ in self.links])

    @cached_property
    def _chains(self) -> TemporalChains:
        return TemporalChains(self._effective, self._graph)

    def _stated(self, classes: Sequence[int]) -> Counter[tuple[int, int]]:
        """Return how many relations, and ends of intervals, say `<` of two classes."""
        said = [(a, b) for constraints in self._effective for sign, a, b in constraints if sign == "<"]
        return Counter([(classes[a], classes[b]) for a, b in self._ends + said])

    def _read(self, link: TemporalLink) -> Constraints:
        """Return the constraints of a relation; none if its type or an interval is unknown, or the intervals are one."""
        source, target, written = link
        first, second = self._starts.get(source), self._starts.get(target)
        said = CONSTRAINTS.get(written) or CONSTRAINTS.get(written.upper())
        if first is None or second is None or first == second or said is None:
            return ()
        ends = (first, first + 1, second, second + 1)
        if len(said) == 1:  # as most are: half the time
            sign, a, b = said[0]
            return ((sign, ends[a], ends[b]),)
        return tuple([(sign, ends[a], ends[b]) for sign, a, b in said])

    def _follows(self, constraint: Constraint) -> bool:
        sign, a, b = constraint
        return self._graph.is_before(a, b) if sign == "<" else self._graph.is_equal(a, b)


class TemporalAwareness(NamedTuple):
    """Counts of temporal awareness: precision = system_entailed / system, recall = gold_entailed / gold.

    `gold` and `system` are the numbers of relations in the canonical reductions, `gold_entailed` and `system_entailed` how many of
    them the other side matches (see TemporalGraph.matches).
    """

    gold: int
    gold_entailed: int
    system: int
    system_entailed: int


def temporal_awareness(
    gold: TemporalGraph | Iterable[TemporalLink], system: TemporalGraph | Iterable[TemporalLink]
) -> TemporalAwareness:
    """Return the counts of a system's relations against the gold ones (UzZaman, Allen 2011), over the canonical reductions."""
    gold = gold if isinstance(gold, TemporalGraph) else TemporalGraph(gold)
    system = system if isinstance(system, TemporalGraph) else TemporalGraph(system)
    gold_reduced, system_reduced = gold.canonical, system.canonical
    gold_entailed, system_entailed = sum(map(system.matches, gold_reduced)), sum(map(gold.matches, system_reduced))
    return TemporalAwareness(len(gold_reduced), gold_entailed, len(system_reduced), system_entailed)


def _before(constraints: Iterable[Constraint]) -> list[tuple[int, int]]:
    """Return the points of the constraints `<`."""
    return [(a, b) for sign, a, b in constraints if sign == "<"]


def _equal(constraints: Iterable[Constraint]) -> list[tuple[int, int]]:
    """Return the points of the constraints `=`."""
    return [(a, b) for sign, a, b in constraints if sign == "="]


def _negations(constraint: Constraint) -> tuple[Constraint, Constraint]:
    """Return what contradicts a constraint: either of two others."""
    sign, a, b = constraint
    return ("<", b, a), ("=", a, b) if sign == "<" else ("<", a, b)


def _is_negated(graph: PointGraph, constraints: Iterable[Constraint]) -> bool:
    """Return whether the negation of one of the constraints follows."""
    return any(
        graph.is_before(b, a) or (graph.is_equal(a, b) if sign == "<" else graph.is_before(a, b)) for sign, a, b in constraints
    )


def _status(graph: PointGraph, constraints: Constraints) -> Status:
    """Add a relation that can hold to the graph of those before it, if it does not follow."""
    if not constraints:
        return "violated"
    if all(graph.is_before(a, b) if sign == "<" else graph.is_equal(a, b) for sign, a, b in constraints):
        return "redundant"
    _add(graph, constraints)
    return "added"


def _add(graph: PointGraph, constraints: Iterable[Constraint]) -> None:
    """Add constraints that can hold."""
    for sign, a, b in constraints:
        (graph.add_before if sign == "<" else graph.add_equal)(a, b, trusted=True)

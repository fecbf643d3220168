"""The tempeval row of scorer_CAT_NWR.py of 2014-06-18 (profile `nwr2014`): temporal graphs in file order, and literal matches.

The evaluation of UzZaman and Allen (Temporal Evaluation, ACL 2011) as the original's toolkit does it, but with a complete closure.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from itertools import product
from typing import NamedTuple

from pytest_nlpeval.metrics.point_graph import PointGraph
from pytest_nlpeval.metrics.temporal import CONSTRAINTS, inverse
from pytest_nlpeval.tasks.cat.nwr2014.kept import Kept
from pytest_nlpeval.tasks.cat.nwr2014.markables import Ends
from pytest_nlpeval.tasks.cat.rows import TLINK
from pytest_nlpeval.tasks.cat.xml.document import Relation


class IntervalLink(NamedTuple):
    """A TLINK between two intervals, named by gold ids."""

    source: str
    target: str
    type: str


class Tempeval(NamedTuple):
    """Counts of a document: reduced relations of `gold` and of `system`, `hits` of the former; `missed` are gold's that do not hit.

    `system` is less by the relations that instances with several counterparts have added, and so may be negative.
    """

    hits: int
    gold: int
    system: int
    missed: list[Relation]


_SYSTEM_OFFSET = 200


def match_tempeval(gold: Kept, system: Kept, ends: Ends, attribute: str) -> Tempeval:
    """Match the TLINKs of a document; `ends` are those of the strict row, `attribute` holds a TLINK's type."""
    unknown = 1 + max(gold.highest, system.highest)
    fakes = str(unknown), str(unknown + _SYSTEM_OFFSET)
    ours = _read(gold.relations[TLINK], lambda end: (end if end in ends.partner else fakes[0],), attribute)
    theirs = _read(system.relations[TLINK], lambda end: ends.gold_ids(end, fakes[1]), attribute)
    reduced = FileGraph(ours.links).reduced
    graph = FileGraph(theirs.links)
    lines = Lines(theirs.written, {link.type for link in reduced})
    missed = [ours.links[link] for link in reduced if not (graph.entails(link) or link in lines)]
    return Tempeval(len(reduced) - len(missed), len(reduced), len(graph.reduced) - theirs.added, missed)


def number_added(system: Kept, ends: Ends, attribute: str) -> int:
    """Return how many links the system's TLINKs make beyond one for each: an instance stands for all gold instances equal to it."""
    sizes = {end: len(ends.instances[place]) for end, place in ends.place.items()}
    typed = [one for one in system.relations[TLINK] if one.attributes.get(attribute)]
    return sum(sizes.get(one.sources[0], 1) * sizes.get(one.targets[0], 1) - 1 for one in typed)


class _Links(NamedTuple):
    """A file's TLINKs between gold ids: as written, and as they enter the graph, in file order, each with its first relation.

    `added` counts the relations beyond one for each that was read.
    """

    written: set[IntervalLink]
    links: dict[IntervalLink, Relation]
    added: int


def _read(relations: Iterable[Relation], gold_ids: Callable[[str], tuple[str, ...]], attribute: str) -> _Links:
    """Return a file's links, given the gold ids of an end; of several sources or targets the first counts."""
    written: set[IntervalLink] = set()
    links: dict[IntervalLink, Relation] = {}
    added = 0
    for relation in relations:
        link_type = relation.attributes.get(attribute, "")
        if not link_type:
            continue
        sources, targets = gold_ids(relation.sources[0]), gold_ids(relation.targets[0])
        added += len(sources) * len(targets) - 1
        for source, target in product(sources, targets):
            written.add(IntervalLink(source, target, link_type))
            links.setdefault(IntervalLink(source, target, _graph_type(link_type)), relation)
    return _Links(written, links, added)


def _graph_type(link_type: str) -> str:
    return "SIMULTANEOUS" if link_type.upper() in {"DURING", "DURING_INV"} else link_type


def inverse_of(link_type: str) -> str:
    """Return the type of a relation read from its target: DURING_INV and unknown types are their own inverse here."""
    return link_type if link_type.upper() == "DURING_INV" else inverse(link_type) or link_type


class Lines:
    """The links of a file and their inverses as text lines, in which a link `X Y type` is looked for as a substring.

    A link of an interval to itself has no inverse. `X Y type` occurs if a line with the same Y has a source that ends in X and a type
    that begins with its type. Looking costs a binary search; `asked` are all types that will be looked for.
    """

    def __init__(self, links: Iterable[IntervalLink], asked: Collection[str]) -> None:
        lengths = {len(link_type) for link_type in asked}
        starts: dict[str, set[str]] = {}
        backwards: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for source, target, link_type in links:
            inverses = [(target, source, inverse_of(link_type))] if source != target else []
            for one, other, its_type in [(source, target, link_type), *inverses]:
                if its_type not in starts:
                    starts[its_type] = {its_type[:length] for length in lengths}.intersection(asked)
                for start in starts[its_type]:
                    backwards[other, start].append(one[::-1])
        self._backwards = {key: sorted(sources) for key, sources in backwards.items()}

    def __contains__(self, link: IntervalLink) -> bool:
        """Whether the link occurs."""
        sources = self._backwards.get((link.target, link.type), [])
        wanted = link.source[::-1]
        place = bisect_left(sources, wanted)
        return place < len(sources) and sources[place].startswith(wanted)


_Interval = tuple[int, int]
"""Start and end; the same point twice for a collapsed one."""

_Constraint = tuple[str, int, int]
"""`<` or `=`, and the two points between which it holds."""

_EQUAL = ("SIMULTANEOUS", "IDENTITY")


def _constraints(one: _Interval, other: _Interval, link_type: str) -> list[_Constraint]:
    """Return what a link of known type says of its intervals' points."""
    points = (*one, *other)
    return [(sign, points[first], points[second]) for sign, first, second in CONSTRAINTS[link_type.upper()]]


def _steps(constraint: _Constraint) -> list[_Constraint]:
    """Return in which directions a constraint leads to the same or a later point."""
    sign, first, second = constraint
    return [constraint] if sign == "<" else [constraint, (sign, second, first)]


class FileGraph:
    """A file's links, read in their order into a graph of time points.

    `reduced` are the links that the earlier ones do not entail: added to the graph, or violated: contradicting it, of unknown type,
    or joining an interval to itself. Peculiar to the original: a link of unknown type between two new intervals makes all their
    points one, as does being SIMULTANEOUS with such a collapsed interval for a new one.
    """

    def __init__(self, links: Iterable[IntervalLink]) -> None:
        self._points = PointGraph()
        self._intervals: dict[str, _Interval] = {}
        self.reduced = [link for link in links if self._read(link)]

    def entails(self, link: IntervalLink) -> bool:
        """Whether all that a link says follows, its type and both its intervals being known.

        Of an interval and itself, SIMULTANEOUS follows, and of a collapsed one IBEFORE and IAFTER, too.
        """
        one, other = self._intervals.get(link.source), self._intervals.get(link.target)
        if one is None or other is None or link.type.upper() not in CONSTRAINTS:
            return False
        return all(map(self._follows, _constraints(one, other, link.type)))

    def _follows(self, constraint: _Constraint) -> bool:
        sign, first, second = constraint
        return self._points.is_before(first, second) if sign == "<" else self._points.is_equal(first, second)

    def _read(self, link: IntervalLink) -> bool:
        """Take up a link; return whether it is in the reduced list."""
        known = [end for end in (link.source, link.target) if end in self._intervals]
        link_type = link.type.upper()
        if link_type not in CONSTRAINTS:
            if not known:
                point = self._points.add_point()
                self._intervals[link.source] = self._intervals[link.target] = point, point
            return True
        if link.source == link.target:
            if not known:
                self._intervals[link.source] = interval = self._points.add_point(), self._points.add_point()
                self._add_starts([interval])
            return not (known and link_type in _EQUAL)
        if len(known) == 1 and link_type in _EQUAL and self._is_collapsed(known[0]):
            self._intervals[link.source] = self._intervals[link.target] = self._intervals[known[0]]
            return True
        return not self.entails(link) and self._add(link)

    def _add(self, link: IntervalLink) -> bool:
        """Add a link that is not entailed to the graph, with its new intervals, unless it contradicts it."""
        ends = [(end, self._intervals.get(end)) for end in (link.source, link.target)]
        new = {end: (self._points.add_point(), self._points.add_point()) for end, interval in ends if interval is None}
        one, other = (interval or new[end] for end, interval in ends)
        constraints = _constraints(one, other, link.type)
        if one[0] == one[1] or other[0] == other[1]:
            self._add_starts(new.values())
            violated = any(map(self._is_negated, constraints)) or self._clash(*constraints)
        else:
            violated = not new and any(map(self._is_negated, constraints))
        if not violated:
            self._intervals |= new
            for sign, first, second in constraints:
                (self._points.add_before if sign == "<" else self._points.add_equal)(first, second)
            self._add_starts(new.values())  # last: the graph then has little to look for
        return True

    def _add_starts(self, intervals: Iterable[_Interval]) -> None:
        for start, end in intervals:
            self._points.add_before(start, end)

    def _is_negated(self, constraint: _Constraint) -> bool:
        sign, first, second = constraint
        if self._points.is_before(second, first):
            return True
        return self._points.is_equal(first, second) if sign == "<" else self._points.is_before(first, second)

    def _clash(self, one: _Constraint, other: _Constraint | None = None) -> bool:
        """Whether two constraints, neither negated, would together put a point before itself: only with a collapsed interval."""
        return other is not None and any(self._close(*steps) for steps in product(_steps(one), _steps(other)))

    def _close(self, one: _Constraint, other: _Constraint) -> bool:
        """Whether two steps to the same or a later point, and the ways between them, are a circle that is not all one point."""
        ways = ((one[2], other[1]), (other[2], one[1]))
        before = [self._points.is_before(*way) for way in ways]
        if not all(is_before or self._points.is_equal(*way) for is_before, way in zip(before, ways, strict=True)):
            return False
        return any(before) or "<" in (one[0], other[0])

    def _is_collapsed(self, name: str) -> bool:
        start, end = self._intervals[name]
        return start == end

"""The tempeval row of scorer_CAT_NWR.py of 2014-06-18 (profile `nwr2014`): temporal graphs in file order, and literal matches.

The evaluation of UzZaman and Allen (Temporal Evaluation, ACL 2011) as the original's toolkit does it, but with a complete closure.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from pytest_nlpeval.metrics.point_graph import PointGraph
from pytest_nlpeval.metrics.temporal import CONSTRAINTS, INVERSES, inverse
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

    `system` is less by the relations that instances with several counterparts have added, and so may be negative. `said` is what the
    system's TLINKs have between the ends of those that are missed.
    """

    hits: int
    gold: int
    system: int
    missed: list[tuple[IntervalLink, Relation]]
    said: Said


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
    missed = [(link, ours.links[link]) for link in reduced if not (graph.entails(link) or link in lines)]
    said = Said(theirs.written, graph)
    return Tempeval(len(reduced) - len(missed), len(reduced), len(graph.reduced) - theirs.added, missed, said)


class Said:
    """What a file's TLINKs have between two ends; nothing is worked out before somebody asks."""

    def __init__(self, written: Iterable[IntervalLink], graph: FileGraph) -> None:
        self._written, self._graph = written, graph

    def instead(self, link: IntervalLink) -> str:
        """Return the type that the file has between the ends of a link that it does not have; "" for none.

        That is the first type that the file has in so many words, from either end, or else one that its graph entails.
        """
        written = self._first.get((link.source, link.target), "")
        if written and written != link.type:
            return written
        return next((link_type for link_type in CONSTRAINTS if self._graph.entails(link._replace(type=link_type))), "")

    @cached_property
    def _first(self) -> Mapping[tuple[str, str], str]:
        first: dict[tuple[str, str], str] = {}
        for source, target, link_type in self._written:
            first.setdefault((source, target), link_type)
            first.setdefault((target, source), inverse_of(link_type))
        return first


def number_added(system: Kept, ends: Ends, attribute: str) -> int:
    """Return how many links the system's TLINKs make beyond one for each: an instance stands for all gold instances equal to it."""
    sizes = {end: len(ends.instances[place]) for end, place in ends.place.items()}
    typed = [one for one in system.relations[TLINK] if one.attributes.get(attribute)]
    return sum(sizes.get(one.sources[0], 1) * sizes.get(one.targets[0], 1) - 1 for one in typed)


class _Links(NamedTuple):
    """A file's TLINKs between gold ids: as written, and as they enter the graph, in file order, each with its relation.

    A link does not enter the graph if an earlier one that did, of the same ends, has a type that begins with its type. `added` counts
    the relations beyond one for each that was read.
    """

    written: Collection[IntervalLink]
    links: dict[IntervalLink, Relation]
    added: int


def _read(relations: Iterable[Relation], gold_ids: Callable[[str], tuple[str, ...]], attribute: str) -> _Links:
    """Return a file's links, given the gold ids of an end; of several sources or targets the first counts."""
    written: dict[IntervalLink, None] = {}
    links: dict[IntervalLink, Relation] = {}
    types: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    added = 0
    for relation in relations:
        link_type = relation.attributes.get(attribute, "")
        if not link_type:
            continue
        sources, targets = gold_ids(relation.sources[0]), gold_ids(relation.targets[0])
        added += len(sources) * len(targets) - 1
        for source, target in product(sources, targets):
            written[IntervalLink(source, target, link_type)] = None
            link = IntervalLink(source, target, _graph_type(link_type))
            if not _is_start(link.type, types[source, target]):
                insort(types[source, target], link.type)
                links[link] = relation
    return _Links(written, links, added)


def _is_start(text: str, texts: Sequence[str]) -> bool:
    """Whether one of the sorted texts begins with a text."""
    rank = bisect_left(texts, text)
    return rank < len(texts) and texts[rank].startswith(text)


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
            for begin, end, its_type in [(source, target, link_type), *inverses]:
                if its_type not in starts:
                    starts[its_type] = {its_type[:length] for length in lengths}.intersection(asked)
                for start in starts[its_type]:
                    backwards[end, start].append(begin[::-1])
        self._backwards = {key: sorted(sources) for key, sources in backwards.items()}

    def __contains__(self, link: IntervalLink) -> bool:
        """Whether the link occurs."""
        return _is_start(link.source[::-1], self._backwards.get((link.target, link.type), []))


_Interval = tuple[int, int]
"""Start and end; the same point twice for a collapsed one."""

_Constraint = tuple[str, int, int]
"""`<` or `=`, and the two points between which it holds."""

_EQUAL = ("SIMULTANEOUS", "IDENTITY")
_INTO = (*_EQUAL, "BEGINS", "ENDS", "IS_INCLUDED")
"""The types by which a new interval becomes one point with a collapsed one."""


def _constraints(one: _Interval, other: _Interval, link_type: str) -> list[_Constraint]:
    """Return what a link of known type says of its intervals' points."""
    points = (*one, *other)
    return [(sign, points[first], points[second]) for sign, first, second in CONSTRAINTS[link_type.upper()]]


class FileGraph:
    """A file's links, read in their order into a graph of time points, as the original reads them but with a complete closure.

    `reduced` are the links that are not redundant: added to the graph, or violated. An interval is collapsed if its two end points are
    one. A link of unknown type is violated; it collapses two new intervals into one point. Any other link with a new interval is added
    without a check. Where both intervals are known, each constraint is looked up by itself. So the constraints of a link with a
    collapsed interval may contradict each other, and the graph then says what `PointGraph` says of a contradiction.
    """

    def __init__(self, links: Iterable[IntervalLink]) -> None:
        self._points = PointGraph()
        self._intervals: dict[str, _Interval] = {}
        self.reduced = [link for link in links if self._read(link)]

    def entails(self, link: IntervalLink) -> bool:
        """Whether all that a link says follows, its type and both its intervals being known; BEGINS never does.

        Of an interval and itself, SIMULTANEOUS follows, and of a collapsed one IBEFORE and IAFTER, too.
        """
        source, target = self._intervals.get(link.source), self._intervals.get(link.target)
        link_type = link.type.upper()
        if source is None or target is None or link_type not in CONSTRAINTS or link_type == "BEGINS":
            return False
        constraints = _constraints(source, target, link_type)
        if link.source == link.target and any(sign == "<" for sign, _, _ in constraints):
            return False
        return all(map(self._follows, constraints))

    def _read(self, link: IntervalLink) -> bool:
        """Take up a link; return whether it is in the reduced list."""
        new = {end for end in (link.source, link.target) if end not in self._intervals}
        if link.type.upper() not in CONSTRAINTS:
            if new == {link.source, link.target}:
                point = self._points.add_point()
                self._intervals |= dict.fromkeys(new, (point, point))
            return True
        if link.source == link.target:
            self._add_ends(new)
            return bool(new) or link.type.upper() not in _EQUAL
        if new:
            self._add_new(link, new)
            return True
        if self.entails(link):
            return False
        self._add_possible(link)
        return True

    def _add_new(self, link: IntervalLink, new: Collection[str]) -> None:
        """Add a link that has one or two new intervals."""
        if len(new) == 1:
            name, known, link_type = link
            if name not in new:
                name, known, link_type = known, name, INVERSES[link_type.upper()]
            start, end = self._intervals[known]
            if link_type.upper() in _INTO and self._points.is_equal(start, end):
                self._intervals[name] = start, end
                return
        self._add_ends(new)
        self._add(_constraints(self._intervals[link.source], self._intervals[link.target], link.type))

    def _add_possible(self, link: IntervalLink) -> None:
        """Add a link between two known intervals if each of its constraints can hold; it is violated otherwise."""
        constraints = _constraints(self._intervals[link.source], self._intervals[link.target], link.type)
        if link.type.upper() != "BEGINS" and all(self._points.order(a, b) in ("", sign) for sign, a, b in constraints):
            self._add(constraints)

    def _add_ends(self, names: Iterable[str]) -> None:
        """Make intervals known, with a start before the end."""
        for name in names:
            self._intervals[name] = ends = self._points.add_point(), self._points.add_point()
            self._points.add_before(*ends)

    def _add(self, constraints: Iterable[_Constraint]) -> None:
        for sign, first, second in constraints:
            (self._points.add_before if sign == "<" else self._points.add_equal)(first, second)

    def _follows(self, constraint: _Constraint) -> bool:
        sign, first, second = constraint
        return self._points.is_before(first, second) if sign == "<" else self._points.is_equal(first, second)

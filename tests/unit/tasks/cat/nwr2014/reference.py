"""The tempeval row of the profile `nwr2014` word by word, slowly: text lines, searches in text, closure by brute force.

It shares the table of types with the package, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pytest_nlpeval.metrics.temporal import CONSTRAINTS, INVERSES
from pytest_nlpeval.tasks.cat.nwr2014.tempeval import IntervalLink
from pytest_nlpeval.tasks.cat.xml.document import Document, Relation

Constraint = tuple[str, str, str]
"""`<` or `=`, and the names of two points."""

INTO = ("BEGINS", "ENDS", "IS_INCLUDED", "SIMULTANEOUS")


class Graph:
    """The rules of building the graph word by word; all ways between points by Warshall."""

    def __init__(self, written: list[IntervalLink]) -> None:
        self.ends: dict[str, tuple[str, str]] = {}
        self.said: list[Constraint] = []
        self.reduced = [link for link in written if self.read(link)]

    def ways(self, signs: str) -> set[tuple[str, str]]:
        """From which point to which the constraints of these signs lead, `=` in both directions."""
        points = {point for ends in self.ends.values() for point in ends}
        found = {(point, point) for point in points}
        found |= {(one, other) for sign, one, other in self.said if sign in signs}
        found |= {(other, one) for sign, one, other in self.said if sign in signs and sign == "="}
        for middle, one, other in product(points, repeat=3):
            if (one, middle) in found and (middle, other) in found:
                found.add((one, other))
        return found

    def follows(self, constraint: Constraint) -> bool:
        sign, one, other = constraint
        is_equal = (one, other) in self.ways("=")
        return is_equal if sign == "=" else not is_equal and (one, other) in self.ways("<=")

    def is_unknown(self, constraint: Constraint) -> bool:
        _, one, other = constraint
        return not self.ways("<=") & {(one, other), (other, one)}

    def constraints(self, link: IntervalLink) -> list[Constraint]:
        points = (*self.ends[link.source], *self.ends[link.target])
        return [(sign, points[one], points[other]) for sign, one, other in CONSTRAINTS[link.type]]

    def entails(self, link: IntervalLink) -> bool:
        if link.source not in self.ends or link.target not in self.ends or link.type not in CONSTRAINTS:
            return False
        if link.source == link.target:
            possible = ("IBEFORE", "IAFTER", "SIMULTANEOUS") if self.is_collapsed(link.source) else ("SIMULTANEOUS",)
            return link.type in possible
        return link.type != "BEGINS" and all(map(self.follows, self.constraints(link)))

    def is_collapsed(self, name: str) -> bool:
        return name in self.ends and self.ends[name] in self.ways("=")

    def make(self, name: str) -> None:
        self.ends[name] = (f"{name}1", f"{name}2")
        self.said.append(("<", *self.ends[name]))

    def read(self, link: IntervalLink) -> bool:
        source, target, kind = link
        known = [name for name in (source, target) if name in self.ends]
        if kind not in CONSTRAINTS:
            if not known:
                self.ends[source] = self.ends[target] = (f"{source}0", f"{source}0")
            return True
        if source == target:
            if known:
                return kind != "SIMULTANEOUS"
            self.make(source)
            return True
        if len(known) == 2:
            return self.read_between_known(link)
        if target in known and kind in INTO and self.is_collapsed(target):
            self.ends[source] = self.ends[target]
            return True
        if source in known and INVERSES[kind] in INTO and self.is_collapsed(source):
            self.ends[target] = self.ends[source]
            return True
        for name in {source, target} - set(known):
            self.make(name)
        self.said += self.constraints(link)
        return True

    def read_between_known(self, link: IntervalLink) -> bool:
        if self.entails(link):
            return False
        constraints = self.constraints(link)
        if link.type != "BEGINS" and all(self.follows(said) or self.is_unknown(said) for said in constraints):
            self.said += constraints
        return True


def tempeval(gold: Document, system: Document) -> tuple[int, int, int]:
    """Return hits, reduced gold and reduced system relations; EVENT and TIMEX3 are markables, TIMEX3 compared by `type` if empty."""
    partners = _partners(gold, system)
    back = {other: one for one, other in partners.items()}  # of several the last
    twins = [(one, other) for one, other in product(_empty(gold), _empty(system)) if _type(gold, one) == _type(system, other)]
    highest = max([0, *(int(name) for side in (gold, system) for name in side.markables)])
    ours: list[str] = []
    for relation in _read(gold):
        known = partners.keys() | {one for one, _ in twins}
        ends = [end if end in known else str(highest + 1) for end in (relation.sources[0], relation.targets[0])]
        ours.append("\t".join(["gold", *ends, relation.attributes["relType"]]))
    theirs: list[str] = []
    added = 0
    for relation in _read(system):
        stood_for = [
            [back[end]] if end in back else [one for one, other in twins if other == end] or [str(highest + 201)]
            for end in (relation.sources[0], relation.targets[0])
        ]
        lines = ["\t".join(["sys", one, other, relation.attributes["relType"]]) for one, other in product(*stood_for)]
        theirs += lines
        added += len(lines) - 1
    one, other = Graph(_links(ours)), Graph(_links(theirs))
    text = "".join(f"{line}\n" for line in [*theirs, *_inverses(theirs)])
    hits = sum(other.entails(link) or "\t".join(link) in text for link in one.reduced)
    return hits, len(one.reduced), len(other.reduced) - added


def _partners(gold: Document, system: Document) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in gold.markables.values():
        for other in reversed(list(system.markables.values())):
            if one.tokens and (one.name, one.tokens) == (other.name, other.tokens):
                found[one.id] = other.id  # the first is written last
    return found


def _empty(side: Document) -> list[str]:
    return [markable.id for markable in side.markables.values() if markable.name == "TIMEX3" and not markable.tokens]


def _type(side: Document, name: str) -> str:
    return side.markables[name].attributes.get("type", "").upper()


def _read(side: Document) -> Iterator[Relation]:
    seen: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for relation in side.relations:
        ends = relation.sources, relation.targets
        written = relation.attributes.get("relType", "")
        if not all(ends) or written == "IDENTITY" or ends in seen:
            continue
        seen.append(ends)
        if written:
            yield relation


def _links(lines: list[str]) -> list[IntervalLink]:
    found: list[IntervalLink] = []
    for line in lines:
        _, source, target, written = line.split("\t")
        kind = "SIMULTANEOUS" if written in ("DURING", "DURING_INV") else written
        if not any((kept.source, kept.target) == (source, target) and kept.type.startswith(kind) for kept in found):
            found.append(IntervalLink(source, target, kind))
    return found


def _inverses(lines: list[str]) -> Iterator[str]:
    for line in lines:
        side, source, target, written = line.split("\t")
        if source != target:
            inverse = written if written == "DURING_INV" else INVERSES.get(written, written)
            yield f"{side}\t{target}\t{source}\t{inverse}"

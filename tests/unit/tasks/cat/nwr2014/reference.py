"""The tempeval row of the profile `nwr2014` word by word, slowly: text lines, searches in text, closure by brute force.

It shares the table of types with the package, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pytest_nlpeval.metrics.temporal import CONSTRAINTS, INVERSES
from pytest_nlpeval.tasks.cat.nwr2014.tempeval import IntervalLink
from pytest_nlpeval.tasks.cat.xml.document import Document, Relation


class Graph:
    """The rules of building the graph word by word; `<` and `<=` between all points by Floyd and Warshall."""

    def __init__(self, written: list[IntervalLink]) -> None:
        self.ends: dict[str, tuple[str, str]] = {}
        self.said: list[tuple[str, str, str]] = []
        self.reduced = [link for link in written if self.read(link)]

    def order(self, *more: tuple[str, str, str]) -> dict[tuple[str, str], bool]:
        """Whether `<` (True) or only `<=` (False) follows, by points; with itself "<" only if there is a contradiction."""
        said = [*self.said, *more]
        points = {point for _, one, other in said for point in (one, other)} | {
            point for ends in self.ends.values() for point in ends
        }
        found = {(point, point): False for point in points}
        for sign, one, other in said:
            found[one, other] = found.get((one, other), False) or sign == "<"
            if sign == "=":
                found[other, one] = found.get((other, one), False)
        for middle, one, other in product(points, repeat=3):
            if (one, middle) in found and (middle, other) in found:
                strict = found[one, middle] or found[middle, other]
                found[one, other] = found.get((one, other), False) or strict
        return found

    def follows(self, constraint: tuple[str, str, str]) -> bool:
        sign, one, other = constraint
        order = self.order()
        return order.get((one, other), False) if sign == "<" else (one, other) in order and (other, one) in order

    def constraints(self, link: IntervalLink) -> list[tuple[str, str, str]]:
        points = (*self.ends[link.source], *self.ends[link.target])
        return [(sign, points[one], points[other]) for sign, one, other in CONSTRAINTS[link.type]]

    def entails(self, link: IntervalLink) -> bool:
        if link.source not in self.ends or link.target not in self.ends or link.type not in CONSTRAINTS:
            return False
        return all(map(self.follows, self.constraints(link)))

    def make(self, name: str, *, point: str = "") -> None:
        if name not in self.ends:
            self.ends[name] = (point, point) if point else (f"{name}1", f"{name}2")
            self.said += [] if point else [("<", *self.ends[name])]

    def read(self, link: IntervalLink) -> bool:
        known = [name in self.ends for name in (link.source, link.target)]
        if link.type not in CONSTRAINTS:
            if not any(known):
                self.make(link.source, point=f"{link.source}0")
                self.make(link.target, point=f"{link.source}0")
            return True
        if link.source == link.target:
            self.make(link.source)
            return link.type != "SIMULTANEOUS" or not known[0]
        if self.entails(link):
            return False
        before = dict(self.ends), list(self.said)
        for name, other in ((link.source, link.target), (link.target, link.source)):
            start, end = self.ends.get(other, ("", " "))
            self.make(name, point=start if link.type == "SIMULTANEOUS" and start == end else "")
        constraints = self.constraints(link)
        if any(strict for (one, other), strict in self.order(*constraints).items() if one == other):
            self.ends, self.said = before
        else:
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
        link = IntervalLink(source, target, "SIMULTANEOUS" if written in ("DURING", "DURING_INV") else written)
        if link not in found:
            found.append(link)
    return found


def _inverses(lines: list[str]) -> Iterator[str]:
    for line in lines:
        side, source, target, written = line.split("\t")
        if source != target:
            inverse = written if written == "DURING_INV" else INVERSES.get(written, written)
            yield f"{side}\t{target}\t{source}\t{inverse}"

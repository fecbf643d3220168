"""How the markables and relations of two files differ, for the reports; nothing is worked out before somebody asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Generic, NamedTuple, TypeVar

from pytest_nlpeval.explanations import Difference, Explanation, Link, Omitted, Passage, explain_each
from pytest_nlpeval.shelf import Shelf
from pytest_nlpeval.tasks.cat.configuration import AnnotationType
from pytest_nlpeval.tasks.cat.describing import Describer
from pytest_nlpeval.tasks.cat.rows import STRICTNESS, TEMPEVAL, TLINK, attribute_name
from pytest_nlpeval.tasks.cat.standard.selection import BinaryRelation
from pytest_nlpeval.tasks.cat.xml.document import Markable, Relation, agree, value_of
from pytest_nlpeval.wording import quoted

T = TypeVar("T")

TLINK_MEASURES = (f"{TEMPEVAL}.*",)
"""What TLINKs of a reduced graph bear on."""

Explained = Iterator[Explanation | Omitted]


class Differences(NamedTuple, Generic[T]):
    """The annotations of a NAME that are not right.

    `unlike` are pairs (gold, system) that match strictly and have different attributes; `overlapping` are pairs that match only in the
    relaxed row. `missed` are annotations of gold, and `spurious` annotations of the system, without a match.
    """

    unlike: Sequence[tuple[T, T]]
    overlapping: Sequence[tuple[T, T]]
    missed: Sequence[T]
    spurious: Sequence[T]


class MarkableExplainer(NamedTuple):
    """Explains the markables of a NAME, as far as there is room on the document's shelf."""

    line: AnnotationType
    gold: Describer
    system: Describer
    shelf: Shelf

    def explain(self, differences: Differences[Markable]) -> Explained:
        """Yield why markables are not right."""
        shelf, alone = self.shelf, measures_named(self.line.name)
        yield from explain_each("wrong-attribute", differences.unlike, self._unlike, shelf, self._of_unlike)
        yield from explain_each("overlapping", differences.overlapping, self._overlapping, shelf, self._of_overlapping)
        yield from explain_each("missed", differences.missed, partial(self._alone, self.gold), shelf, lambda _: alone)
        yield from explain_each("spurious", differences.spurious, partial(self._alone, self.system), shelf, lambda _: alone)

    def _of_unlike(self, pair: tuple[Markable, Markable]) -> tuple[str, ...]:
        """Return the measures of the attributes in which a pair differs."""
        wrong = disagreeing(*pair, self.line)
        return tuple([attribute_name(row, name) for row in rows_named(self.line.name) for name in wrong])

    def _of_overlapping(self, pair: tuple[Markable, Markable]) -> tuple[str, ...]:
        """Return the measures of the strict row, and those of the relaxed row's attributes in which a pair differs."""
        strict, relaxed = rows_named(self.line.name)
        return (f"{strict}.*", *[attribute_name(relaxed, name) for name in disagreeing(*pair, self.line)])

    def _unlike(self, pair: tuple[Markable, Markable]) -> Explanation:
        gold, system = pair
        wrong = disagreeing(gold, system, self.line)
        message = f"{self.system.long(system)} differs from gold's {gold.id}: {_differences(gold, system, wrong)}"
        return self._of_pair("wrong-attribute", message, pair, wrong, self._of_unlike(pair), "wrong-value")

    def _overlapping(self, pair: tuple[Markable, Markable]) -> Explanation:
        gold, system = pair
        wrong = disagreeing(gold, system, self.line)
        message = f"{self.system.long(system)} overlaps with gold's {self.gold.long(gold)}"
        message += f"; {_differences(gold, system, wrong)}" if wrong else ""
        return self._of_pair("overlapping", message, pair, wrong, self._of_overlapping(pair), "boundary")

    def _of_pair(
        self,
        reason: str,
        message: str,
        pair: tuple[Markable, Markable],
        wrong: Sequence[str],
        measures: tuple[str, ...],
        kind: Difference,
    ) -> Explanation:
        gold, system = pair
        return Explanation(
            self.line.name,
            reason,
            message,
            system.line,
            kind=kind,
            item=self.gold.item(gold),
            gold=self.gold.short(gold, wrong),
            system=self.system.short(system, wrong),
            measures=measures,
            passage=self.gold.text.passage([gold], [system]),
            group=self.line.name,
        )

    def _alone(self, side: Describer, markable: Markable) -> Explanation:
        """Explain a markable that only this side has."""
        named = side.long(markable), side.item(markable), side.short(markable)
        return _alone(self.line.name, side, "", markable, named, self.gold.text.passage(**{side.side: [markable]}))


class RelationExplainer(NamedTuple):
    """Explains the relations of a NAME, as far as there is room on the document's shelf."""

    line: AnnotationType
    gold: Describer
    system: Describer
    shelf: Shelf

    def explain(self, differences: Differences[BinaryRelation]) -> Explained:
        """Yield why relations are not right."""
        shelf, alone = self.shelf, measures_named(self.line.name)
        yield from explain_each("relation-overlapping", differences.overlapping, self._overlapping, shelf, lambda _: alone[:1])
        yield from explain_each("relation-missed", differences.missed, partial(self._alone, self.gold), shelf, lambda _: alone)
        yield from explain_each(
            "relation-spurious", differences.spurious, partial(self._alone, self.system), shelf, lambda _: alone
        )

    def _overlapping(self, pair: tuple[BinaryRelation, BinaryRelation]) -> Explanation:
        gold, system = pair
        return Explanation(
            self.line.name,
            "relation-overlapping",
            f"{self.system.long_relation(self.line, system)} is gold's {gold.relation.id}, whose ends it only overlaps",
            system.relation.line,
            kind="boundary",
            item=self.gold.relation_item(self.line, gold),
            gold=self.gold.short_relation(self.line.name, gold),
            system=self.system.short_relation(self.line.name, system),
            measures=measures_named(self.line.name)[:1],
            passage=self.gold.text.passage(self.gold.ends(gold), self.system.ends(system)),
            group=self.line.name,
        )

    def _alone(self, side: Describer, link: BinaryRelation) -> Explanation:
        """Explain a relation that only this side has."""
        named = (
            side.long_relation(self.line, link),
            side.relation_item(self.line, link),
            side.short_relation(self.line.name, link),
        )
        passage = self.gold.text.passage(**{side.side: side.ends(link)})
        return _alone(self.line.name, side, "relation-", link.relation, named, passage)


def _alone(
    name: str,
    side: Describer,
    prefix: str,
    annotation: Markable | Relation,
    named: tuple[str, str, str],
    passage: Passage | None,
) -> Explanation:
    """Explain an annotation that only one side has; `named` is what a message calls it, its item, and what the side has."""
    is_gold = side.side == "gold"
    reason: Difference = "missed" if is_gold else "spurious"
    long, item, short = named
    return Explanation(
        name,
        f"{prefix}{reason}",
        f"{side.whose}{long} is {'missed' if is_gold else 'not in gold'}",
        side.line_of(annotation),
        kind=reason,
        item=item,
        gold=short if is_gold else "",
        system="" if is_gold else short,
        measures=measures_named(name),
        passage=passage,
        group=name,
        gold_line=side.gold_line_of(annotation),
    )


class Against(NamedTuple):
    """What there is against a TLINK: what the other side has in its place, "" for nothing; the `chain` and `pair` of its explanation."""

    said: str = ""
    chain: tuple[Link, ...] = ()
    pair: tuple[str, str] | None = None


def explain_tlink(
    side: Describer, relation: BinaryRelation, reason: str, why: str, kind: Difference, against: Against
) -> Explanation:
    """Return why a TLINK of the reduced graph of one side is not right."""
    shown, is_gold = side.short_tlink(relation), side.side == "gold"
    return Explanation(
        TLINK,
        reason,
        f"{side.long_tlink(relation)} {why}",
        side.line_of(relation.relation),
        kind=kind,
        item=side.tlink_item(TEMPEVAL, relation),
        gold=shown if is_gold else against.said,
        system=against.said if is_gold else shown,
        measures=TLINK_MEASURES,
        passage=side.text.passage(**{side.side: side.ends(relation)}),
        chain=against.chain,
        pair=against.pair,
        group=TLINK,
        gold_line=side.gold_line_of(relation.relation),
    )


def disagreeing(gold: Markable, system: Markable, line: AnnotationType) -> list[str]:
    """Return the attributes of the line in which two markables differ; case makes no difference."""
    if gold.attributes == system.attributes:  # as those of most pairs are
        return []
    return [name for name in line.attributes if not agree(gold, system, name)]


@cache
def rows_named(name: str) -> tuple[str, ...]:
    """Return the names of the strict and the relaxed row."""
    return tuple(f"{name}.{row}" for row in STRICTNESS)


@cache
def measures_named(name: str) -> tuple[str, ...]:
    """Return the patterns of the measures of the strict and the relaxed row."""
    return tuple(f"{row}.*" for row in rows_named(name))


def _differences(gold: Markable, system: Markable, attributes: Sequence[str]) -> str:
    return ", ".join(
        f"{name} {quoted(value_of(system.attributes, name), 30)}, in gold {quoted(value_of(gold.attributes, name), 30)}"
        for name in attributes
    )

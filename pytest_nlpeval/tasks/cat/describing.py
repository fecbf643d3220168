"""What reports say of the annotations of a document: short and long names, stable keys, and the sentences that they are in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from pytest_nlpeval.explanations import Link
from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.passages import Kept, ShownText
from pytest_nlpeval.tasks.cat.standard.selection import BinaryRelation
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation, value_of
from pytest_nlpeval.wording import quoted

Side = Literal["gold", "system"]

NO_TYPE = "(no type)"
"""Stands for the type of a TLINK that has none."""


class Describer(NamedTuple):
    """Describes the annotations of one side.

    `compared` are the attributes by which empty markables are told apart, by NAME. Passages are cut out of `text`. `extents` and `items`
    have what `extent` and `item` say of the markables of the document, by id.
    """

    side: Side
    document: Document
    compared: Mapping[str, Sequence[str]]
    text: ShownText
    extents: Mapping[str, str]
    items: Mapping[str, str]

    @classmethod
    def of(cls, side: Side, document: Document, configuration: Configuration, text: ShownText | None = None) -> Describer:
        """Return the describer of a side; documents with the same tokens may share a text."""
        lines = configuration.instances
        compared = {line.name: line.attributes for line in lines if line.specificity == "comparable"}
        describer = cls(side, document, compared, text or ShownText(document.tokens), {}, {})
        markables = document.markables
        return describer._replace(
            extents=Kept(lambda name: describer.extent(markables[name])), items=Kept(lambda name: describer.item(markables[name]))
        )

    @classmethod
    def both(cls, gold: Document, system: Document, configuration: Configuration) -> tuple[Describer, Describer]:
        """Return the describers of gold and of the system, who share a text: both files have the same tokens."""
        text = ShownText(gold.tokens)
        return cls.of("gold", gold, configuration, text), cls.of("system", system, configuration, text)

    @property
    def whose(self) -> str:
        """What introduces gold's annotations in a message; the system's need no introduction."""
        return "gold's " if self.side == "gold" else ""

    def line_of(self, annotation: Markable | Relation) -> int | None:
        """Return the line of an annotation if this is the system's file."""
        return annotation.line if self.side == "system" else None

    def gold_line_of(self, annotation: Markable | Relation) -> int | None:
        """Return the line of an annotation if this is the gold file."""
        return annotation.line if self.side == "gold" else None

    def extent(self, markable: Markable) -> str:
        """Return the words of a markable, `"tore off"`; of an empty one, NAME and values: `TIMEX3 (value "2014")`."""
        if markable.tokens:
            return self.text.quotes[markable.tokens]
        values = {name: value_of(markable.attributes, name) for name in self.compared.get(markable.name, ())}
        return f"{markable.name} ({_values(values) or 'empty'})"

    def short(self, markable: Markable, attributes: Iterable[str] = ()) -> str:
        """Return NAME, words and the values of some attributes: `EVENT_MENTION "tore off" pred "tear"`."""
        name = f"{markable.name} " if markable.tokens else ""
        values = _values({name: value_of(markable.attributes, name) for name in attributes})
        return f"{name}{self.extent(markable)} {values}".rstrip()

    def long(self, markable: Markable) -> str:
        """Return NAME, id, words and position: `EVENT_MENTION 2 "tore off" (sentence 1, tokens 5, 7)`."""
        if not markable.tokens:
            return f"{markable.name} {markable.id} (empty)"
        tokens = self.document.tokens
        ids = [tokens.ids[rank] for rank in markable.tokens]
        which = f"token {ids[0]}" if len(ids) == 1 else f"tokens {', '.join(ids[:6])}" + (", …" if len(ids) > 6 else "")
        position = f"sentence {tokens.sentences[markable.tokens[0]]}, {which}"
        return f"{markable.name} {markable.id} {self.extent(markable)} ({position})"

    def item(self, markable: Markable) -> str:
        """Return what tells a markable from others, whatever its id: `EVENT_MENTION 5,7` has the tokens; an empty one, its values."""
        if markable.tokens:
            return f"{markable.name} {self.text.ids[markable.tokens]}"
        values = [value_of(markable.attributes, name).casefold() for name in self.compared.get(markable.name, ())]
        return f"{markable.name} {','.join(values) or '-'}"

    def ends(self, relation: BinaryRelation) -> tuple[Markable, Markable]:
        """Return the markables that a relation joins."""
        return self.document.markables[relation.source], self.document.markables[relation.target]

    def short_relation(self, name: str, relation: BinaryRelation) -> str:
        """Return NAME, ends and values of a relation: `CLINK "storm" → "damage"`, `TLINK "storm" → "damage": "BEFORE"`."""
        source, target = self.extents[relation.source], self.extents[relation.target]
        values = ", ".join([quoted(value, 30) for value in relation.values if value])
        return f"{name} {source} → {target}" + (f": {values}" if values else "")

    def long_relation(self, line: AnnotationType, relation: BinaryRelation) -> str:
        """Return a relation with ids and the values that count: `CLINK 12 from 3 "storm" to 4 "damage"`."""
        source, target = self._named_ends(relation)
        values = _values(dict(zip(line.attributes, relation.values, strict=True)))
        return f"{line.name} {relation.relation.id} from {source} to {target}" + (f" ({values})" if values else "")

    def short_tlink(self, relation: BinaryRelation) -> str:
        """Return a TLINK with its type between its ends: `TLINK "storm" BEFORE "damage"`."""
        source, target = self.extents[relation.source], self.extents[relation.target]
        return f"TLINK {source} {relation.type or NO_TYPE} {target}"

    def long_tlink(self, relation: BinaryRelation) -> str:
        """Return the same with ids: `TLINK 22 3 "storm" BEFORE 4 "damage"`."""
        source, target = self._named_ends(relation)
        return f"{self.whose}TLINK {relation.relation.id} {source} {relation.type or NO_TYPE} {target}"

    def link(self, relation: BinaryRelation) -> Link:
        """Return a TLINK as one of a chain: `3 "storm"`, `BEFORE`, `4 "damage"`."""
        source, target = self._named_ends(relation)
        return Link(source, relation.type or NO_TYPE, target)

    def _named_ends(self, relation: BinaryRelation) -> list[str]:
        return [f"{end} {self.extents[end]}" for end in (relation.source, relation.target)]

    def relation_item(self, line: AnnotationType, relation: BinaryRelation) -> str:
        """Return what tells a relation from others: `CLINK EVENT 3 > EVENT 7`; of an undirectional one the ends are sorted."""
        ends = [self.items[relation.source], self.items[relation.target]]
        return f"{line.name} {' > '.join(ends if line.specificity == 'directional' else sorted(ends))}"

    def tlink_item(self, row: str, relation: BinaryRelation) -> str:
        """Return what tells a TLINK of a temporal graph from others; its ends are sorted, since *A BEFORE B* is also *B AFTER A*."""
        return f"{row} {' > '.join(sorted((self.items[relation.source], self.items[relation.target])))}"


def _values(values: Mapping[str, str]) -> str:
    return ", ".join([f"{name} {quoted(value, 30)}" for name, value in values.items()])

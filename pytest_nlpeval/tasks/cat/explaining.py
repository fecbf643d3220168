"""Why a document scores as it does: its markables and relations, matched, missed and spurious, and what TLINKs follow from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.metrics.temporal import TemporalLink
from pytest_nlpeval.tasks.cat.configuration import AnnotationType
from pytest_nlpeval.tasks.cat.rows import TLINK
from pytest_nlpeval.tasks.cat.standard.selection import Group, Link
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation, Tokens, value_of
from pytest_nlpeval.wording import quoted

T = TypeVar("T")
Side = Literal["gold", "system"]

RIGHT = frozenset(("matched", "relation-matched", "mentions-matched", "tlink-entailed"))
"""The reasons with which nothing is wrong; they are shown last."""


class Outcome(NamedTuple, Generic[T]):
    """What became of the annotations of a NAME: (gold, system) pairs, those that match only relaxed apart, and what is left."""

    strict: Sequence[tuple[T, T]]
    overlapping: Sequence[tuple[T, T]]
    missed: Sequence[T]
    spurious: Sequence[T]


_Row = tuple[str, str, str, int | None]
"""Why one annotation counts as it does: its unit, reason, message and the system file's line."""


_Writer = Callable[[str, str, Sequence[Any]], list[_Row]]
"""Writes the rows of some findings of a unit and reason.

It must not know the explainer: only the garbage collector could free such a circle.
"""


class _Texts(dict[tuple[int, ...], str]):
    """Extents as messages show them, each made when it is first asked for; both files have the same tokens."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__()
        self._tokens = tokens.texts

    def __missing__(self, extent: tuple[int, ...]) -> str:
        """Add an extent."""
        self[extent] = found = quoted(" ".join([self._tokens[rank] for rank in extent]), 40)
        return found


class _Names(dict[str, str]):
    """The markables of a document as messages name them, by id, each made when it is first asked for: `17 "ferry"`.

    An empty one is shown with its NAME. `whose` introduces what stands in the document.
    """

    def __init__(self, document: Document, texts: _Texts, whose: str) -> None:
        super().__init__()
        self.whose = whose
        self._markables = document.markables
        self._tokens = document.tokens
        self._texts = texts

    def __missing__(self, name: str) -> str:
        """Add a markable."""
        markable = self._markables[name]
        text = self._texts[markable.tokens] if markable.tokens else f"({markable.name})"
        self[name] = found = f"{name} {text}"
        return found

    def markable(self, markable: Markable) -> str:
        """Return a markable by tag, id, text, sentence and tokens."""
        if not markable.tokens:
            return f"{markable.name} {markable.id} (empty)"
        ids = [self._tokens.ids[rank] for rank in markable.tokens]
        which = f"token {ids[0]}" if len(ids) == 1 else f"tokens {', '.join(ids[:6])}" + (", …" if len(ids) > 6 else "")
        sentence = self._tokens.sentences[markable.tokens[0]]
        return f"{markable.name} {self[markable.id]} (sentence {sentence}, {which})"

    def relation(self, line: AnnotationType, link: Link) -> str:
        """Return a relation with its ends and the values that are scored."""
        source, target, relation, values, _ = link
        return f"{line.name} {relation.id} from {self[source]} to {self[target]}{_values(line.attributes, values)}"

    def tlink(self, link: Link) -> str:
        """Return a TLINK with its type between its ends."""
        source, target, relation, _, link_type = link
        return f"{self.whose}TLINK {relation.id} {self[source]} {link_type or '(no type)'} {self[target]}"

    def line_of(self, relation: Relation) -> int | None:
        """Return the line of a relation if this is the system's file."""
        return None if self.whose else relation.line


class Explainer:
    """Gathers a document's findings: all are counted by reason, the first are written out, what is wrong before what is right."""

    def __init__(self, gold: Document, system: Document) -> None:
        self._counts: Counter[str] = Counter()
        self._wrong: list[tuple[str, str, Sequence[Any], _Writer]] = []
        self._right: list[tuple[str, str, Sequence[Any], _Writer]] = []
        texts = _Texts(gold.tokens)
        self._gold = _Names(gold, texts, "gold's ")
        self._system = _Names(system, texts, "")

    def explanations(self) -> Explanations:
        """Return what was gathered."""
        rows: list[_Row] = []
        for unit, reason, items, write in (*self._wrong, *self._right):
            rows += write(unit, reason, items[: Explanations.SHOWN - len(rows)])
        return Explanations(dict(sorted(self._counts.items())), tuple(rows))

    def count(self, reason: str, number: int) -> None:
        """Count findings of which nothing needs to be said."""
        if number:
            self._counts[reason] += number

    def _add(self, unit: str, reason: str, items: Sequence[Any], write: _Writer) -> None:
        """Add findings of one reason, which are only written if there is room for them."""
        if items:
            self.count(reason, len(items))
            (self._right if reason in RIGHT else self._wrong).append((unit, reason, items, write))

    def add_markables(self, line: AnnotationType, found: Outcome[Markable]) -> None:
        """Add the markables of a NAME."""
        gold, system = self._gold.markable, self._system.markable
        strict = [(one, other, _disagreeing(one, other, line.attributes)) for one, other in found.strict]
        self._add(
            line.name,
            "wrong-attribute",
            [pair for pair in strict if pair[2]],
            lambda unit, reason, pairs: [
                (unit, reason, f"{system(other)} has {_differences(one, other, wrong)} ({one.id})", other.line)
                for one, other, wrong in pairs
            ],
        )
        self._add(
            line.name,
            "matched",
            [pair for pair in strict if not pair[2]],
            lambda unit, reason, pairs: [
                (unit, reason, f"{system(other)} is gold's {one.id}", other.line) for one, other, _ in pairs
            ],
        )
        self._add(
            line.name,
            "overlapping",
            found.overlapping,
            lambda unit, reason, pairs: [
                (unit, reason, f"{system(other)} overlaps with gold's {gold(one)}", other.line) for one, other in pairs
            ],
        )
        self._add(
            line.name,
            "missed",
            found.missed,
            lambda unit, reason, missed: [(unit, reason, f"gold's {gold(one)} is missed", None) for one in missed],
        )
        self._add(
            line.name,
            "spurious",
            found.spurious,
            lambda unit, reason, spurious: [(unit, reason, f"{system(other)} is not in gold", other.line) for other in spurious],
        )

    def add_relations(self, line: AnnotationType, found: Outcome[Link]) -> None:
        """Add the relations of a NAME."""
        gold, system = self._gold.relation, self._system.relation
        for reason, pairs, how in (
            ("relation-matched", found.strict, ""),
            ("relation-overlapping", found.overlapping, ", whose ends overlap with its own"),
        ):
            self._add(
                line.name,
                reason,
                pairs,
                partial(_matched_relations, self._system, line, how),
            )
        self._add(
            line.name,
            "relation-missed",
            found.missed,
            lambda unit, reason, missed: [(unit, reason, f"gold's {gold(line, one)} is missed", None) for one in missed],
        )
        self._add(
            line.name,
            "relation-spurious",
            found.spurious,
            lambda unit, reason, spurious: [
                (unit, reason, f"{system(line, other)} is not in gold", other.relation.line) for other in spurious
            ],
        )

    def add_groups(self, name: str, side: Side, groups: Iterable[tuple[Group, Sequence[Sequence[str]]]]) -> None:
        """Add the groups of mentions of a many2one NAME on one side, each with its parts by the groups of the other side."""
        names, other = (self._gold, "the system") if side == "gold" else (self._system, "gold")
        found = list(groups)
        parted, whole = ([entry for entry in found if (len(entry[1]) > 1) is wanted] for wanted in (True, False))
        for reason, some in ("mentions-missed" if side == "gold" else "mentions-spurious", parted), ("mentions-matched", whole):
            self._add(
                name,
                reason,
                some,
                lambda unit, reason, groups: [
                    (unit, reason, _group(names, group, parts, other), names.line_of(group.relation)) for group, parts in groups
                ],
            )

    def add_tlinks(
        self,
        reason: str,
        side: Side,
        links: Sequence[tuple[Link, TemporalLink]],
        why: str,
        chain: Callable[[TemporalLink], Sequence[Link]] | None = None,
    ) -> None:
        """Add reduced TLINKs of one side; `chain` finds those that decide about one, which `why` introduces."""
        names = self._gold if side == "gold" else self._system
        self._add(
            TLINK,
            reason,
            links,
            lambda unit, reason, links: [
                (unit, reason, f"{names.tlink(link)} {why}{_ids(chain(edge)) if chain else ''}", names.line_of(link.relation))
                for link, edge in links
            ],
        )


def _matched_relations(
    system: _Names, line: AnnotationType, how: str, unit: str, reason: str, pairs: Sequence[tuple[Link, Link]]
) -> list[_Row]:
    return [
        (unit, reason, f"{system.relation(line, other)} is gold's {one.relation.id}{how}", other.relation.line)
        for one, other in pairs
    ]


def _differences(one: Markable, other: Markable, wrong: Sequence[str]) -> str:
    return ", ".join(
        f"{name} {quoted(value_of(other.attributes, name), 30)}, in gold {quoted(value_of(one.attributes, name), 30)}"
        for name in wrong
    )


def _group(names: _Names, group: Group, parts: Sequence[Sequence[str]], other: str) -> str:
    shown = " | ".join(", ".join(names[mention] for mention in part[:5]) for part in parts[:5])
    links, right = len(group.mentions) - 1, len(group.mentions) - len(parts)
    said = (
        f"{right} of {links} links are in {other}'s groups, which part it at |" if len(parts) > 1 else f"it is whole in {other}'s"
    )
    return f"{names.whose}group of {group.relation.targets[0]} ({shown}): {said}"


def _ids(links: Sequence[Link]) -> str:
    return ", ".join([link.relation.id or "?" for link in links[:8]]) + (", …" if len(links) > 8 else "")


@lru_cache(maxsize=256)
def _values(names: tuple[str, ...], values: tuple[str, ...]) -> str:
    """Return what is said of a relation's values behind it."""
    shown = ", ".join([f"{name} {quoted(value, 30)}" for name, value in zip(names, values, strict=True)])
    return f" ({shown})" if shown else ""


def _disagreeing(one: Markable, other: Markable, attributes: Sequence[str]) -> list[str]:
    """Return the attributes whose values differ, not in case alone."""
    if one.attributes == other.attributes:
        return []
    return [name for name in attributes if _differ(value_of(one.attributes, name), value_of(other.attributes, name))]


def _differ(first: str, second: str) -> bool:
    return first != second and first.casefold() != second.casefold()

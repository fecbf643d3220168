"""Why a document scores as it does: its markables and relations, matched, missed and spurious, and what TLINKs follow from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from pytest_nlpeval.escape import quoted
from pytest_nlpeval.task import Explanations
from pytest_nlpeval.tasks.cat.configuration import AnnotationType
from pytest_nlpeval.tasks.cat.document import Document, Markable, value_of
from pytest_nlpeval.tasks.cat.rows import TLINK
from pytest_nlpeval.tasks.cat.selection import Group, Link, type_of

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


_Finding = tuple[str, str, int | None, Callable[..., str], tuple[Any, ...]]
"""Why one annotation counts as it does: its unit, reason, the system file's line, and `write(*parts)`, its message.

No part leads back to the explainer: only the garbage collector could free such a circle.
"""


class _Names(dict[str, str]):
    """The markables of a document as messages name them, by id, each made when it is first asked for: `17 "ferry"`.

    An empty one is shown with its NAME. `whose` introduces what stands in the document.
    """

    def __init__(self, document: Document, whose: str) -> None:
        super().__init__()
        self.whose = whose
        self._markables = document.markables
        self._tokens = document.tokens

    def __missing__(self, name: str) -> str:
        """Add a markable."""
        markable, texts = self._markables[name], self._tokens.texts
        ranks = markable.tokens
        if ranks:
            text = quoted(texts[ranks[0]] if len(ranks) == 1 else " ".join([texts[rank] for rank in ranks]), 40)
        else:
            text = f"({markable.name})"
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
        source, target, relation = link
        values = _values(line.attributes, tuple([value_of(relation.attributes, name) for name in line.attributes]))
        return f"{line.name} {relation.id} from {self[source]} to {self[target]}{values}"


class Explainer:
    """Gathers a document's findings: all are counted by reason, the first are written out, what is wrong before what is right."""

    def __init__(self, gold: Document, system: Document) -> None:
        self._counts: Counter[str] = Counter()
        self._wrong: list[_Finding] = []
        self._right: list[_Finding] = []
        self._gold = _Names(gold, "gold's ")
        self._system = _Names(system, "")

    def explanations(self) -> Explanations:
        """Return what was gathered."""
        findings = [*self._wrong, *self._right][: Explanations.SHOWN]
        rows = [(unit, reason, write(*parts), line) for unit, reason, line, write, parts in findings]
        return Explanations(dict(sorted(self._counts.items())), tuple(rows))

    def _add(self, findings: Sequence[_Finding]) -> None:
        """Add findings of one reason, which are only written out if there is room for them."""
        if findings:
            reason = findings[0][1]
            self._counts[reason] += len(findings)
            part = self._right if reason in RIGHT else self._wrong
            part += findings[: Explanations.SHOWN - len(part)]

    def count(self, reason: str) -> None:
        """Count a finding of which nothing needs to be said."""
        self._counts[reason] += 1

    def add_markables(self, line: AnnotationType, found: Outcome[Markable]) -> None:
        """Add the markables of a NAME."""
        name, gold, system = line.name, self._gold, self._system
        strict = [(system, one, other, _disagreeing(one, other, line.attributes)) for one, other in found.strict]
        self._add([(name, "wrong-attribute", parts[2].line, _matched, parts) for parts in strict if parts[3]])
        self._add([(name, "matched", parts[2].line, _matched, parts) for parts in strict if not parts[3]])
        self._add(
            [(name, "overlapping", other.line, _overlapping, (gold, system, one, other)) for one, other in found.overlapping]
        )
        self._add([(name, "missed", None, _left, (gold, one, "is missed")) for one in found.missed])
        self._add([(name, "spurious", other.line, _left, (system, other, "is not in gold")) for other in found.spurious])

    def add_relations(self, line: AnnotationType, found: Outcome[Link]) -> None:
        """Add the relations of a NAME."""
        name, gold, system = line.name, self._gold, self._system
        for reason, pairs, how in (
            ("relation-matched", found.strict, ""),
            ("relation-overlapping", found.overlapping, ", whose ends overlap with its own"),
        ):
            self._add([(name, reason, pair[1].relation.line, _relation_matched, (system, line, *pair, how)) for pair in pairs])
        missed = [(gold, line, one, "is missed") for one in found.missed]
        self._add([(name, "relation-missed", None, _relation_left, parts) for parts in missed])
        spurious = [(system, line, other, "is not in gold") for other in found.spurious]
        self._add([(name, "relation-spurious", parts[2].relation.line, _relation_left, parts) for parts in spurious])

    def add_groups(self, name: str, side: Side, groups: Iterable[tuple[Group, Sequence[Sequence[str]]]]) -> None:
        """Add the groups of mentions of a many2one NAME on one side, each with its parts by the groups of the other side."""
        names, other = (self._gold, "the system") if side == "gold" else (self._system, "gold")
        for group, parts in groups:
            reason = "mentions-matched" if len(parts) == 1 else "mentions-missed" if side == "gold" else "mentions-spurious"
            line = None if side == "gold" else group.relation.line
            self._add([(name, reason, line, _group, (names, group, parts, other))])

    def add_tlink(
        self, reason: str, side: Side, link: Link, why: str, others: Callable[[], Sequence[Link]] | None = None
    ) -> None:
        """Add a reduced TLINK of one side; `others` finds those that decide about it, which `why` introduces."""
        self._counts[reason] += 1
        part = self._right if reason in RIGHT else self._wrong
        if len(part) < Explanations.SHOWN:
            names, line = (self._gold, None) if side == "gold" else (self._system, link.relation.line)
            part.append((TLINK, reason, line, _tlink, (names, link, why, others)))


def _matched(system: _Names, one: Markable, other: Markable, wrong: Sequence[str]) -> str:
    if not wrong:
        return f"{system.markable(other)} is gold's {one.id}"
    values = ", ".join(
        f"{name} {quoted(value_of(other.attributes, name), 30)}, in gold {quoted(value_of(one.attributes, name), 30)}"
        for name in wrong
    )
    return f"{system.markable(other)} has {values} ({one.id})"


def _overlapping(gold: _Names, system: _Names, one: Markable, other: Markable) -> str:
    return f"{system.markable(other)} overlaps with gold's {gold.markable(one)}"


def _left(names: _Names, markable: Markable, what: str) -> str:
    return f"{names.whose}{names.markable(markable)} {what}"


def _relation_matched(system: _Names, line: AnnotationType, one: Link, other: Link, how: str) -> str:
    return f"{system.relation(line, other)} is gold's {one.relation.id}{how}"


def _relation_left(names: _Names, line: AnnotationType, link: Link, what: str) -> str:
    return f"{names.whose}{names.relation(line, link)} {what}"


def _group(names: _Names, group: Group, parts: Sequence[Sequence[str]], other: str) -> str:
    shown = " | ".join(", ".join(names[mention] for mention in part[:5]) for part in parts[:5])
    links, right = len(group.mentions) - 1, len(group.mentions) - len(parts)
    said = (
        f"{right} of {links} links are in {other}'s groups, which part it at |" if len(parts) > 1 else f"it is whole in {other}'s"
    )
    return f"{names.whose}group of {group.relation.targets[0]} ({shown}): {said}"


def _tlink(names: _Names, link: Link, why: str, others: Callable[[], Sequence[Link]] | None) -> str:
    source, target, relation = link
    behind = ""
    if others:
        chain = others()
        behind = ", ".join([other.relation.id or "?" for other in chain[:8]]) + (", …" if len(chain) > 8 else "")
    said = f"{names.whose}TLINK {relation.id} {names[source]} {type_of(relation) or '(no type)'} {names[target]}"
    return f"{said} {why}{behind}".rstrip()


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

"""Reads the attribute `Entity` of CorefUD: the mentions of a sentence, perhaps in parts, with their heads."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, Self, TypeAlias

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.gathering import Gathering
from pytest_nlpeval.tasks.coref.mentions import STEP, Mention, Zero, places_of
from pytest_nlpeval.wording import plural, quoted

_CHUNK = re.compile(r"\((?P<fields>[^()]++)(?P<whole>\)?+)|(?P<end>[^()\-]++)\)|(?P<rest>.++)")
"""A chunk, or all that stands from where none can be read: so an attribute is read in time linear in its length."""

_PART = re.compile(r"(?P<id>.*)\[(?P<part>[0-9]{1,9})/(?P<parts>[0-9]{1,9})\]")
_DEPENDENCY = re.compile(r"([0-9]+(?:\.[0-9]+)?):(.+)")


class Fields(NamedTuple):
    """Which fields of an opening, counted from 0, are the entity's id and the head; None if there is no head."""

    id: int
    head: int | None

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Return the fields that a line `global.Entity` names; None if none is an id."""
        names = text.split("-")
        identity = next((names.index(name) for name in ("eid", "GRP") if name in names), None)
        return None if identity is None else cls(identity, names.index("head") if "head" in names else None)


@dataclass(slots=True)
class Heads:
    """How many mentions of more than one node say nothing of their heads, and the line of the first of them."""

    number: int = 0
    line: int | None = None

    def miss(self, line: int) -> None:
        """Count a mention without head."""
        self.number += 1
        self.line = self.line or line

    def say(self, log: ProblemLog) -> None:
        """Log how many there are, once a file."""
        if self.number:
            have = "has no head" if self.number == 1 else "have no head"
            message = f"{plural(self.number, 'mention')} of several words {have}; the first word of each is taken"
            log.add("coref.no-heads", message, self.line)


class _Name(NamedTuple):
    """How a mention is called where it begins and ends: the entity's id, and which part of how many; (1, 1) for a whole one."""

    id: str
    part: int
    parts: int

    def __str__(self) -> str:
        return self.id if self.parts == 1 else f"{self.id}[{self.part}/{self.parts}]"


@dataclass(slots=True)
class _Mention:
    """A mention as far as it is read: the ranks of the nodes of each part, its latest part, and what that says of the head.

    `rank` is the number of mentions of its sentence that began before it.
    """

    line: int
    rank: int
    nodes: list[range]
    head: str
    part: int = 1


_Begun: TypeAlias = tuple[_Name, _Mention, int]
"""A mention, or a part of one, that has begun, under which name and at which node."""


class Sentence:
    """The mentions of a sentence: its rank in the document, and the places and enhanced dependencies of its nodes, as they are written.

    The lists of nodes may still grow; a node is there before its mentions are read.
    """

    def __init__(self, rank: int, places: Sequence[int], dependencies: Sequence[str], mentions: Gathering) -> None:
        self.rank = rank
        self.places = places
        self.dependencies = dependencies
        self._mentions = mentions
        self._begun: defaultdict[str, list[_Begun]] = defaultdict(list)
        self._waiting: defaultdict[tuple[str, int], list[_Mention]] = defaultdict(list)  # for the next part, by (id, parts)
        self._complete: list[tuple[str, _Mention]] = []
        self._number = 0

    def read(self, text: str, node: int, fields: Fields, line: int, log: ProblemLog) -> None:
        """Read the attribute of a node, whose rank in the sentence is given."""
        chunks: list[tuple[str, str, str, str]] = _CHUNK.findall(text)
        if not chunks or chunks[-1][-1]:
            message = f"Entity={quoted(text)} cannot be read; expected such as (e1-person-1-, e1) or (e1-person-1-)"
            log.add("coref.brackets", message, line)
            return
        for opening, whole, end, _ in chunks:
            values = [end] if end else opening.split("-")
            place = 0 if end else fields.id
            name = _name_of(values[place] if place < len(values) else "")
            if name is None:
                chunk = f"{end})" if end else f"({opening}{whole}"
                log.add("coref.brackets", f"{quoted(chunk)} has no id, or no part such as [1/2] behind it", line)
            elif end:
                self._end(name, node, line, log)
            else:
                head = values[fields.head] if fields.head is not None and fields.head < len(values) else ""
                self._begin(name, head, node, line, log)
                if whole:
                    self._end(name, node, line, log)

    def _begin(self, name: _Name, head: str, node: int, line: int, log: ProblemLog) -> None:
        mention = _Mention(line, self._number, [], head)
        self._number += 1
        if name.part > 1:
            waiting = self._waiting[name.id, name.parts]
            earlier = [other for other in waiting if other.part == name.part - 1]
            if earlier:
                mention = min(earlier, key=lambda other: other.rank)
                waiting.remove(mention)
                mention.part += 1
                mention.head = head
            else:
                log.add("coref.parts", f"{name} begins without part {name.part - 1} before it; the mention is left out", line)
                mention.part = -name.parts  # no later part continues it
        self._begun[name.id].append((name, mention, node))

    def _end(self, name: _Name, node: int, line: int, log: ProblemLog) -> None:
        begun = self._begun[name.id]
        if not begun:
            log.add("coref.unopened", f"{name}) ends a mention that has not begun in its sentence", line)
            return
        latest = next((rank for rank in range(len(begun) - 1, -1, -1) if begun[rank][0] == name), -1)
        begun_as, mention, first = begun.pop(latest)
        if begun_as != name:
            log.add("coref.parts", f"({begun_as} is closed as {name}); the mention is left out", line)
            return
        mention.nodes.append(range(first, node + 1))
        if mention.part == name.parts:
            self._complete.append((name.id, mention))
        elif mention.part > 0:
            self._waiting[name.id, name.parts].append(mention)

    def end(self, heads: Heads, log: ProblemLog) -> None:
        """Give the mentions to their entities; those that have not ended, or lack parts, are logged."""
        for begun in self._begun.values():
            for name_of_part, mention, _ in begun:
                log.add("coref.unclosed", f"({name_of_part} begins a mention that does not end in its sentence", mention.line)
        for (name, parts), waiting in self._waiting.items():
            for mention in waiting:
                message = f"{name}[{mention.part}/{parts}] has no part {mention.part + 1} behind it; the mention is left out"
                log.add("coref.parts", message, mention.line)
        for name, mention in self._complete:
            self._mentions.add_mention(name, self._mention(mention, heads, log))

    def _mention(self, mention: _Mention, heads: Heads, log: ProblemLog) -> Mention:
        ranks: Sequence[int] = mention.nodes[0] if len(mention.nodes) == 1 else sorted(set(chain(*mention.nodes)))
        places = self.places[ranks[0] : ranks[-1] + 1] if isinstance(ranks, range) else [self.places[rank] for rank in ranks]
        head = ranks[_head(mention, len(ranks), heads, log)]
        place = self.places[head]
        zero = Zero(self.rank, frozenset(_dependencies(self.dependencies[head], mention.line, log))) if place % STEP else None
        return Mention(places_of(places), place, mention.line, zero)


def _name_of(text: str) -> _Name | None:
    part = _PART.fullmatch(text) if text.endswith("]") else None
    name = _Name(part["id"], int(part["part"]), int(part["parts"])) if part else _Name(text, 1, 1)
    return name if name.id and 1 <= name.part <= name.parts else None


def _head(mention: _Mention, number: int, heads: Heads, log: ProblemLog) -> int:
    """Return the rank, from 0, of a mention's head among its nodes."""
    if not mention.head:
        if number > 1:
            heads.miss(mention.line)
        return 0
    digits = mention.head.lstrip("0")
    if digits.isascii() and digits.isdigit() and len(digits) < 10 and int(digits) <= number:
        return int(digits) - 1
    message = f"the head {quoted(mention.head)}; expected a number from 1 to {number}, the nodes of the mention"
    log.add("coref.head", f"{message}; the first one is taken", mention.line)
    return 0


def _dependencies(text: str, line: int, log: ProblemLog) -> Iterator[tuple[str, str]]:
    """Yield parent and relation of each enhanced dependency of an empty node."""
    if text == "_":
        return
    for item in text.split("|"):
        dependency = _DEPENDENCY.fullmatch(item)
        if dependency:
            yield _id_of(dependency[1]), dependency[2]
        else:
            message = f"the dependency {quoted(item)} of an empty node; expected such as 3:nsubj or 3.1:nsubj"
            log.add("coref.deps", f"{message}; it is left out", line)


def _id_of(text: str) -> str:
    """Return an ID in the one form that equal IDs have: 03 is 3."""
    return ".".join(part.lstrip("0") or "0" for part in text.split("."))

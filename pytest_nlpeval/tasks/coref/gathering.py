"""Gathers the mentions of a file while it is read, and puts them in order; each that is in an entity twice, or in two, is logged."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.mentions import STEP, Key, Mention, Mentions, Numbers, Objects, Zero, order_of, ranked
from pytest_nlpeval.tasks.coref.options import COREFUD_1_2, Options


class _Read(NamedTuple):
    """A mention of the document that is read: its place in the order of mentions, itself, and its row."""

    key: Key
    mention: Mention
    row: int


class Gathering:
    """The mentions of a file as far as it is read, in columns; rows are in the order of reading."""

    def __init__(self, options: Options, log: ProblemLog) -> None:
        self.options = options
        self.log = log
        self._owners, self._firsts, self._lasts, self._heads, self._lines = (array("q") for _ in range(5))
        self._gaps: dict[int, tuple[int, ...]] = {}
        self._zeros: dict[int, Zero] = {}
        self._entities: defaultdict[object, int] = defaultdict(count().__next__)  # of the document, numbered in the whole file
        self._ends: list[int] = []
        self._left_out: list[int] = []
        self._ranks: dict[int, int] = {}
        self._may_share = False

    def add(self, entity: object, first: int, last: int, head: int, line: int) -> None:
        """Add a mention of the document that is read, of words from a first to a last place, by its entity's name."""
        self._may_share = True
        self._owners.append(self._entities[entity])
        self._firsts.append(first)
        self._lasts.append(last)
        self._heads.append(head)
        self._lines.append(line)

    def add_mention(self, entity: object, mention: Mention) -> None:
        """Add any mention."""
        if isinstance(mention.places, tuple):
            self._gaps[len(self._firsts)] = mention.places
        if mention.zero:
            self._zeros[len(self._firsts)] = mention.zero
        self.add(entity, mention.places[0], mention.places[-1], mention.head, mention.line)

    def extend(self, entities: Sequence[object], places: Numbers, lines: Numbers) -> None:
        """Add mentions of words, whose first places, last places and heads no other mention of the document has."""
        self._owners.extend(map(self._entities.__getitem__, entities))
        for column, numbers in zip((self._firsts, self._lasts, self._heads, self._lines), (*places, lines), strict=True):
            column.frombytes(numbers.tobytes())

    def end_document(self) -> None:
        """End the document: look for mentions that are in an entity twice, or in two."""
        start, end = self._ends[-1] if self._ends else 0, len(self._firsts)
        if self._may_share and len(set(zip(self._firsts[start:], self._lasts[start:], strict=True))) < end - start:
            entities = without_shared(self._groups(start, end), self.options, self.log)
            self._ranks |= {self._owners[entity[0].row]: start + rank for rank, entity in enumerate(entities)}
            kept = {read.row for entity in entities for read in entity}
            self._left_out += [row for row in range(start, end) if row not in kept]
        self._may_share = False
        self._entities.clear()
        self._ends.append(end)

    def _groups(self, start: int, end: int) -> list[list[_Read]]:
        groups: defaultdict[int, list[_Read]] = defaultdict(list)
        has_gaps = any(row in self._gaps for row in range(start, end))
        for row in range(start, end):
            places = self._gaps.get(row) or range(self._firsts[row], self._lasts[row] + 1, STEP)
            mention = Mention(places, self._heads[row], self._lines[row])
            groups[self._owners[row]].append(_Read(order_of(mention, has_gaps=has_gaps), mention, row))
        return [sorted(groups[owner], key=lambda read: read.key) for owner in sorted(groups)]

    def in_order(self) -> Mentions:
        """Return the mentions that count; entities are in the order of their mentions."""
        number = len(self._firsts)
        ends = np.array([0, *self._ends])
        documents = np.repeat(np.arange(len(self._ends)), np.diff(ends))
        columns = (self._owners, self._firsts, self._lasts, self._heads, self._lines)
        numbers = (np.array(column, np.int64) for column in columns)
        objects = (_column(number, self._gaps), _column(number, self._zeros))
        mentions = Mentions._make((documents, *numbers, *objects))
        order = np.lexsort((mentions.heads, *mentions.keys()[::-1]))
        ranks = np.empty(number, np.int64)
        ranks[mentions.owners[order[::-1]]] = np.arange(number)[::-1]
        if self._ranks:
            ranks[list(self._ranks)] = list(self._ranks.values())
            order = np.lexsort((ranks[mentions.owners], mentions.heads, *mentions.keys()[::-1]))
            order = order[~np.isin(order, self._left_out)]
        mentions = mentions.picked(order)
        return mentions._replace(owners=ranked(ranks[mentions.owners], ends[mentions.documents]))


def _column(number: int, known: dict[int, tuple[int, ...]] | dict[int, Zero]) -> Objects:
    column = np.full(number, None, np.object_)
    for row, value in known.items():
        column[row] = value
    return column


def without_shared(groups: Iterable[Sequence[_Read]], options: Options, log: ProblemLog) -> list[list[_Read]]:
    """Return entities in order, their mentions as often as they count; each that is in an entity twice, or in two, is logged.

    A mention is its places. Twice in an entity it counts once, with the first head; in two entities, the first of them keeps it. In the
    profile `corefud-1.2` mentions may stay in several entities.
    """
    entities = [_without_repeats(group, options, log) for group in groups]
    entities.sort(key=lambda entity: [read.key for read in entity])
    return [entity for entity in _disjoint(entities, options, log) if entity]


def _without_repeats(entity: Sequence[_Read], options: Options, log: ProblemLog) -> list[_Read]:
    lines: dict[object, int] = {}
    kept: dict[object, _Read] = {}
    for read in entity:
        mention = read.mention
        if mention.places in lines:
            first = lines[mention.places]
            log.add("coref.duplicate", f"the entity has this mention on line {first} already; it counts once", mention.line)
        lines.setdefault(mention.places, mention.line)
        kept.setdefault((mention.places, mention.head) if options.keeps_heads_apart else mention.places, read)
    return list(kept.values())


def _disjoint(entities: Sequence[list[_Read]], options: Options, log: ProblemLog) -> list[list[_Read]]:
    owners: dict[object, tuple[int, int]] = {}
    disjoint: list[list[_Read]] = []
    for rank, entity in enumerate(entities):
        own: list[_Read] = []
        for read in entity:
            owner, line = owners.setdefault(read.mention.places, (rank, read.mention.line))
            if owner == rank:
                own.append(read)
            else:
                message = f"another entity has this mention on line {line}; expected each mention in one entity"
                log.add("coref.shared", message, read.mention.line)
        disjoint.append(entity if options.profile == COREFUD_1_2 else own)
    return disjoint

"""Why topics are not right: relevant documents that are not found or stand low, and others before the first relevant one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nsmallest
from typing import Literal, NamedTuple

import numpy as np

from pytest_nlpeval.explanations import Difference, Entry, Explanation, Omitted, Right, explain_in_order
from pytest_nlpeval.shelf import ROOM
from pytest_nlpeval.tasks.ranking.ids import Flags, Integers
from pytest_nlpeval.tasks.ranking.measures import COVERAGE, GROUP, Name
from pytest_nlpeval.tasks.ranking.options import Options
from pytest_nlpeval.tasks.ranking.places import Paired
from pytest_nlpeval.wording import plural

Reason = Literal["missing", "not-found", "low", "before-first"]

MISSING: Reason = "missing"
NOT_FOUND: Reason = "not-found"
LOW: Reason = "low"
BEFORE_FIRST: Reason = "before-first"

_KINDS: dict[Reason, Difference] = {MISSING: "missed", NOT_FOUND: "missed", LOW: "wrong-value", BEFORE_FIRST: "spurious"}

_NOT_BETTER: dict[Reason, tuple[str, ...]] = {
    MISSING: ("Judged",),
    NOT_FOUND: ("Judged",),
    LOW: ("SetP", "SetR", "SetF", "Judged"),
    BEFORE_FIRST: ("R", "Rprec", "SetR", "Judged"),
}
"""The measures that would be no better without what is explained."""

_LOW_PLACE = 10
_MOST, _MOST_BEFORE_FIRST = 20, 5
_QUOTED = 200


class Item(NamedTuple):
    """What is explained of a topic: `number` is a row of gold or, of the results before the first relevant one, the place among them."""

    topic: int
    number: int = -1


def explain(paired: Paired, options: Options) -> Iterator[Entry]:
    """Yield what is wrong with each topic, in gold's order; of a topic the highest grades first, and at most 20 of all that is wrong.

    Then come the places of relevant documents that stand well: a comparison tells them of documents that fell since.
    """
    writer = _Writer(paired, options)
    left: dict[str, int] = {}
    yield from explain_in_order(_wrong(writer, left), writer.explanation, writer.measures_of)
    yield from (Omitted(reason, number) for reason, number in left.items())
    yield from writer.well_placed()


def _wrong(writer: _Writer, left: dict[str, int]) -> Iterator[tuple[Reason, str, Item]]:
    """Yield the reason, the sort and the item of all that is explained; the numbers of what is not go to `left`."""
    relevant, starts = writer.relevant_rows()
    for topic in range(len(writer.paired.places)):
        group = writer.group(topic)
        if not writer.paired.topics.results[topic]:
            yield MISSING, group, Item(topic)
            continue
        rows = relevant[starts[topic] : starts[topic + 1]].tolist()
        reasons: list[tuple[Reason, Item]] = [(LOW if writer.place[row] >= 0 else NOT_FOUND, Item(topic, row)) for row in rows]
        number = min(_MOST_BEFORE_FIRST, int(writer.before_first[topic]))
        reasons += [(BEFORE_FIRST, Item(topic, rank)) for rank in range(number)]
        yield from ((reason, group, item) for reason, item in reasons[:_MOST])
        for reason, _ in reasons[_MOST:]:
            left[reason] = left.get(reason, 0) + 1


@dataclass(slots=True)
class _Writer:
    """Writes explanations. `place` has for each row of gold that of its result among those that are found, -1 for none.

    `before_first` says of each topic how many results that are not relevant stand before its first relevant one, or level with it; 0
    without a relevant one. `first` is the first row of gold of each topic, -1 for none.
    """

    paired: Paired
    options: Options
    place: Integers = field(init=False)
    before_first: Integers = field(init=False)
    first: Integers = field(init=False)

    def __post_init__(self) -> None:
        """Work out what all explanations need."""
        paired = self.paired
        self.place = np.full(len(paired.gold.lists.topic), -1)
        self.place[paired.found.gold] = np.arange(len(paired.found.gold))
        topics = paired.gold.lists.topic
        self.first = np.full(len(paired.gold.lists.topics), -1)
        self.first[topics[::-1]] = np.arange(len(topics))[::-1]  # the last assignment counts
        rankings = paired.rankings()
        first = np.flatnonzero((rankings.blocks.relevant > 0) & (rankings.relevant_before == 0))
        self.before_first = np.zeros(len(paired.places), np.int64)
        blocks = rankings.blocks
        self.before_first[blocks.topic[first]] = (blocks.before + blocks.size - blocks.relevant)[first]

    def relevant_rows(self) -> tuple[Integers, Integers]:
        """Return the rows of gold that are not found or low, by topic, falling grade and id; and where those of each topic begin."""
        paired, lists = self.paired, self.paired.gold.lists
        is_wrong = paired.judgements.is_relevant & ((self.place < 0) | self._is_low())
        rows = np.flatnonzero(is_wrong)
        names = lists.documents.names(rows.tolist())
        ranks = {name: rank for rank, name in enumerate(sorted(set(names)))}
        by_name = np.array([ranks[name] for name in names], np.int64)
        rows = rows[np.lexsort((by_name, -lists.values[rows], lists.topic[rows]))]
        return rows, np.searchsorted(lists.topic[rows], np.arange(len(lists.topics) + 1))

    def _is_low(self) -> Flags:
        """Return which rows of gold have a result that stands behind place max(10, R), or may do so."""
        found = self.paired.found
        bound = np.maximum(_LOW_PLACE, self.paired.topics.relevant[found.topic])
        is_low = np.zeros(len(self.place), np.bool_)
        is_low[found.gold[found.before + found.size > bound]] = True
        return is_low

    def well_placed(self) -> Iterator[Right]:
        """Yield the places of the relevant documents that are found and not low, in gold's order, of the first `ROOM` of them."""
        lists, found = self.paired.gold.lists, self.paired.found
        rows = np.flatnonzero(self.paired.judgements.is_relevant & (self.place >= 0) & ~self._is_low())[:ROOM].tolist()
        for row, name in zip(rows, lists.documents.names(rows), strict=True):
            unit, at = lists.topics[lists.topic[row]], int(self.place[row])
            place = _place(int(found.before[at]), int(found.size[at]))
            yield Right(unit, _key(unit, name), f"{name} (grade {lists.values[row]:g}) is at place {place}")

    def group(self, topic: int) -> str:
        """Return the group of a topic, "" for none."""
        groups = self.paired.gold.groups
        place = int(groups.of_topics[topic])
        return groups.names[place] if place >= 0 else ""

    def explanation(self, reason: Reason, item: Item) -> Explanation:
        """Return why a topic is not right."""
        gold = self.paired.gold
        unit = gold.lists.topics[item.topic]
        text = gold.texts.get(unit, "")
        start = f'"{text[:_QUOTED]}{"…" if len(text) > _QUOTED else ""}": ' if text else ""
        if reason == MISSING:
            return self._said(reason, item, "", f"{start}has no results")._replace(gold_line=self._first_line(item.topic))
        if reason == BEFORE_FIRST:
            return self._before_first(item, start)
        (name,) = gold.lists.documents.names([item.number])
        grade = f"grade {gold.lists.values[item.number]:g}"
        if reason == NOT_FOUND:
            message = f"{start}{name} ({grade}) is not among the {plural(int(self.paired.topics.results[item.topic]), 'result')}"
            return self._said(reason, item, name, message)._replace(
                gold=f"{name} ({grade})", gold_line=gold.lists.line(item.number)
            )
        found, at = self.paired.found, int(self.place[item.number])
        place = _place(int(found.before[at]), int(found.size[at]))
        others = self._others_before(item.topic, at)
        message = f"{start}{name} ({grade}) is at place {place}, behind {others:,} that are not relevant"
        line = self._line(int(found.row[at]))
        said = self._said(reason, item, name, message)
        return said._replace(line=line, gold=f"{name} ({grade})", system=f"{name} at place {place}")

    def _others_before(self, topic: int, at: int) -> int:
        """Return how many results that are not relevant stand before one that gold grades."""
        found = self.paired.found
        earlier = slice(int(np.searchsorted(found.topic, topic)), at)
        is_before = found.before[earlier] < found.before[at]
        relevant = self.paired.judgements.is_relevant[found.gold[earlier]] & is_before
        return int(found.before[at]) - int(np.count_nonzero(relevant))

    def _before_first(self, item: Item, start: str) -> Explanation:
        row, before, size = _first_others(self.paired, item.topic)[item.number]
        (name,) = self.paired.system.lists.documents.names([row])
        at = np.flatnonzero(self.paired.found.row == row).tolist()
        grade = f"grade {self.paired.gold.lists.values[self.paired.found.gold[at[0]]]:g}" if at else "not judged"
        place = _place(before, size)
        end = before + size
        is_level = end > self._first_relevant(item.topic)
        where = "level with" if is_level else "before"
        message = f"{start}{name} ({grade}) is at place {place}, {where} the first relevant document"
        said = self._said(BEFORE_FIRST, item, name, message)
        return said._replace(line=self._line(row), gold=f"{name} ({grade})", system=f"{name} at place {place}")

    def _first_relevant(self, topic: int) -> int:
        """Return how many results stand before the first relevant one."""
        found = self.paired.found
        own = slice(*np.searchsorted(found.topic, (topic, topic + 1)).tolist())
        is_relevant = self.paired.judgements.is_relevant[found.gold[own]]
        return int(found.before[own][is_relevant][0])

    def _said(self, reason: Reason, item: Item, document: str, message: str) -> Explanation:
        """Return an explanation that is complete but for what either side has, and the line."""
        unit = self.paired.gold.lists.topics[item.topic]
        return Explanation(
            unit, reason, message, None, _KINDS[reason], _key(unit, document), measures=self.measures_of(reason, item)
        )

    def _first_line(self, topic: int) -> int | None:
        """Return the line of gold's first judgement of a topic; None if the topic has none, or the file has no lines."""
        row = int(self.first[topic])
        return self.paired.gold.lists.line(row) if row >= 0 else None

    def _line(self, row: int) -> int | None:
        return self.paired.system.lists.line(row)

    def measures_of(self, reason: Reason, item: Item) -> tuple[str, ...]:
        """Return the measures that would be better without what is explained."""
        group = self.group(item.topic)
        names = _better(reason, self.options.measures)
        if not self.options.is_standard or self.paired.topics.relevant[item.topic]:
            names += (COVERAGE,) if reason == MISSING else ()
        else:
            names = (COVERAGE,)
        return (*names, *(f"{GROUP}{group}.{name}" for name in names if group))


@lru_cache(maxsize=64)
def _better(reason: Reason, measures: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the measures that would be better without what is explained."""
    return tuple(name for name in measures if Name.of(name).base not in _NOT_BETTER[reason])


def _key(topic: str, document: str) -> str:
    return f"{topic} {document}" if document else topic


def _place(before: int, size: int) -> str:
    """Return a place as people say it.

    >>> _place(1, 1), _place(1, 2)
    ('2', '2-3')
    """
    return f"{before + 1}" if size == 1 else f"{before + 1}-{before + size}"


@lru_cache(maxsize=8)
def _first_others(paired: Paired, topic: int) -> list[tuple[int, int, int]]:
    """Return the first results that are not relevant, up to the first relevant one and those level with it.

    Each is its row, how many results stand before it, and how many level with it. Of level ones the least ids come first.
    """
    order, documents = paired.order, paired.system.lists.documents
    found, others = paired.found, list[tuple[int, int, int]]()
    own = slice(*np.searchsorted(found.topic, (topic, topic + 1)).tolist())
    is_relevant = paired.judgements.is_relevant[found.gold[own]]
    relevant = set(found.row[own][is_relevant].tolist())
    last = int((found.before + found.size)[own][is_relevant][0])
    begin = int(order.topic_starts[paired.places[topic]])
    values, at = -order.values[begin : begin + last], 0
    while at < last and len(others) < _MOST_BEFORE_FIRST:
        end = int(np.searchsorted(values, values[at], "right"))
        rows = order.rows_at(np.arange(begin + at, begin + end)).tolist()
        named = ((name, row) for row, name in zip(rows, documents.encoded(rows), strict=True))
        if paired.is_by_id:
            placed = [(row, at + rank, 1) for rank, (_, row) in enumerate(sorted(named, reverse=True)) if row not in relevant]
        else:
            room = _MOST_BEFORE_FIRST - len(others)
            least = nsmallest(room, ((name, row) for name, row in named if row not in relevant))
            placed = [(row, at, end - at) for _, row in least]
        others += [entry for entry in placed if entry[1] < last]
        at = end
    return others[:_MOST_BEFORE_FIRST]

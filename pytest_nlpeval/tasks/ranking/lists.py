"""What the files of either side hold: documents with numbers, in topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ranking.ids import Flags, Ids, Integers, Words, keys_of
from pytest_nlpeval.wording import quoted

Values: TypeAlias = NDArray[np.float64]

LONGEST_ID = 1_000
"""Code points of an id."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """The documents of each topic, a row each, in the order of the file.

    `topics` are all topics, in the order in which they first occur, with or without rows. `topic` is the place of each row's topic there.
    `values` are grades, or numbers by whose falling order the results stand: scores, or negative ranks or places. `lines` are the lines of
    the rows, 0 where the file is one JSON value. `by_place` flags the topics whose values are no scores: in these nothing is level.
    """

    topics: tuple[str, ...]
    topic: Integers
    documents: Ids
    values: Values
    lines: Integers
    by_place: Flags

    def keys(self) -> Words:
        """Return the key of each row, see `keys_of`."""
        return keys_of(self.topic, len(self.topics), self.documents)

    def at(self, rows: Integers | Flags) -> Lists:
        """Return the same topics with some rows."""
        return replace(
            self,
            topic=self.topic[rows],
            documents=self.documents.at(rows),
            values=self.values[rows],
            lines=self.lines[rows],
        )

    def line(self, row: int) -> int | None:
        """Return the line of a row, None if it has none."""
        return int(self.lines[row]) or None

    def where(self, row: int) -> str:
        """Return what problems call a row that has no line."""
        return "" if self.lines[row] else place_of(self.topics[self.topic[row]], *self.documents.names([row]))


def place_of(topic: str, document: str = "") -> str:
    """Return what problems call a topic, or a document of it.

    >>> place_of("q1", "d7")
    'topic q1, document d7'
    """
    return f"topic {topic}, document {document}" if document else f"topic {topic}"


@light_dataclass(frozen=True, slots=True, eq=False)
class Index:
    """The rows of lists in the order of their keys, by which those of a pair of topic and document are found."""

    lists: Lists
    keys: Words
    order: Integers

    @classmethod
    def of(cls, lists: Lists) -> Index:
        """Return the index of lists."""
        keys = lists.keys()
        order = np.argsort(keys)
        if len(order) <= np.iinfo(np.int32).max:
            order = order.astype(np.int32)
        return cls(lists, keys[order], order)

    def repeated(self) -> Integers:
        """Return, in ascending order, all rows whose document another row of the same topic has, too; the rows of one pair."""
        same = self.keys[1:] == self.keys[:-1]
        if not same.any():
            return np.zeros(0, np.int64)
        is_suspect = np.zeros(len(self.keys), np.bool_)
        is_suspect[1:] |= same
        is_suspect[:-1] |= same
        suspects = np.sort(self.order[is_suspect].astype(np.int64))
        pairs = _pairs(self.lists, suspects)
        counts: dict[tuple[int, bytes], int] = {}
        for pair in pairs:
            counts[pair] = counts.get(pair, 0) + 1
        return suspects[np.fromiter((counts[pair] > 1 for pair in pairs), np.bool_, len(pairs))]

    def rows_of(self, topic: Integers, documents: Ids) -> tuple[Integers, Integers]:
        """Return which of some pairs of topic and document have rows, and these rows, in the order of the pairs; topics are the lists'."""
        keys = keys_of(topic, len(self.lists.topics), documents)
        first, last = (np.searchsorted(self.keys, keys, side) for side in ("left", "right"))
        numbers = last - first
        pairs = np.repeat(np.arange(len(keys)), numbers)
        starts = np.cumsum(numbers) - numbers
        rows = self.order[first[pairs] + np.arange(len(pairs)) - starts[pairs]].astype(np.int64)
        same = documents.at(pairs).equal(self.lists.documents.at(rows))
        return pairs[same], rows[same]


def _pairs(lists: Lists, rows: Integers) -> list[tuple[int, bytes]]:
    return list(zip(lists.topic[rows].tolist(), lists.documents.encoded(rows.tolist()), strict=True))


def without_duplicates(index: Index, log: ProblemLog, *, best: bool) -> Index:
    """Return lists in which no topic has a document twice; those that do are told at the later row.

    The first row remains, or with `best` the one of the greatest value.
    """
    lists, rows = index.lists, index.repeated()
    if not len(rows):
        return index
    kept: dict[tuple[int, bytes], int] = {}
    is_kept = np.ones(len(lists.topic), np.bool_)
    for row, pair in zip(rows.tolist(), _pairs(lists, rows), strict=True):
        earlier = kept.setdefault(pair, row)
        if earlier == row:
            continue
        name, line = quoted(pair[1].decode()), lists.line(earlier)
        there = "already" if line is None else f"on line {line:,} already"
        message = f"the document {name} stands in the topic {quoted(lists.topics[pair[0]])} {there}; keep one of the two"
        log.add("ranking.duplicate-document", message, lists.line(row), where=lists.where(row))
        is_better = best and lists.values[row] > lists.values[earlier]
        is_kept[earlier if is_better else row] = False
        kept[pair] = row if is_better else earlier
    return Index.of(lists.at(is_kept))


def check_ids(lists: Lists, log: ProblemLog) -> None:
    """Log ids that are too long; that of a topic at its first row."""
    long_topics = [place for place, name in enumerate(lists.topics) if len(name) > LONGEST_ID]
    for place in long_topics:
        rows = np.flatnonzero(lists.topic == place)[:1].tolist()
        _say_long("topic", lists.topics[place], lists.line(rows[0]) if rows else None, log)
    for row in np.flatnonzero(lists.documents.lengths > LONGEST_ID).tolist():
        (name,) = lists.documents.names([row])
        if len(name) > LONGEST_ID:
            _say_long("document", name, lists.line(row), log)


def _say_long(what: str, name: str, line: int | None, log: ProblemLog) -> None:
    log.add("ranking.shape", f"the id of a {what} is too long: {quoted(name)}; at most {LONGEST_ID:,} characters", line)


def topic_names(lists: Lists, places: Integers | Flags) -> Sequence[str]:
    """Return the names of some topics, given by their places or flags."""
    return [lists.topics[place] for place in (np.flatnonzero(places) if places.dtype == np.bool_ else places).tolist()]

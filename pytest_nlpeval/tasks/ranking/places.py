"""The places of the results that gold grades: which of them stand level, behind how many others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.retrieval import Blocks, Rankings, Topics
from pytest_nlpeval.tasks.ranking.gold import Gold
from pytest_nlpeval.tasks.ranking.ids import Flags, Integers
from pytest_nlpeval.tasks.ranking.lists import Lists, Values
from pytest_nlpeval.tasks.ranking.options import Options
from pytest_nlpeval.tasks.ranking.system import System

NOT_JUDGED = -1
"""The grade of a document that was pooled, and not judged."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """What each row of gold means under the options: its gain, and whether it is relevant, judged, and judged not relevant."""

    gain: Values
    is_relevant: Flags
    is_judged: Flags
    is_other: Flags

    @classmethod
    def of(cls, gold: Gold, options: Options) -> Judgements:
        """Return the meaning of grades; trec_eval takes all negative ones for `NOT_JUDGED`."""
        grades = gold.lists.values
        gain = np.maximum(grades, 0.0)
        is_relevant = grades >= options.rel
        is_judged = grades != NOT_JUDGED if options.is_standard else grades >= 0
        return cls(gain if options.gains == "linear" else np.exp2(gain) - 1, is_relevant, is_judged, is_judged & ~is_relevant)


@light_dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The order of results: `rows` of the file by topic and falling value, or None where the file has that order itself.

    `topic_starts` has the first place of each topic of the file, from 0, over all topics one after another, and last the number of all.
    `values` are those of the results in their order; rows with one value in a topic are level.
    """

    rows: Integers | None
    values: Values
    topic_starts: Integers

    @classmethod
    def of(cls, lists: Lists, options: Options) -> Order:
        """Return the order; pytrec_eval rounds scores to single precision."""
        values = lists.values
        if options.profile == "pytrec_eval":
            with np.errstate(over="ignore"):
                rounded = values.astype(np.float32).astype(np.float64)
            values = np.where(lists.by_place[lists.topic], values, rounded)
        topic = lists.topic
        is_sorted = bool(((topic[1:] > topic[:-1]) | ((topic[1:] == topic[:-1]) & (values[1:] <= values[:-1]))).all())
        rows = None if is_sorted else np.lexsort((-values, topic))
        starts = np.append(0, np.cumsum(np.bincount(topic, minlength=len(lists.topics))))
        return cls(rows, values if rows is None else values[rows], starts)

    def places_of(self, rows: Integers) -> Integers:
        """Return where rows of the file stand in the order."""
        if self.rows is None:
            return rows
        places = np.empty(len(self.rows), np.int64)
        places[self.rows] = np.arange(len(self.rows))
        found: Integers = places[rows]
        return found

    def rows_at(self, places: Integers) -> Integers:
        """Return the rows of the file that stand at places of the order."""
        return places if self.rows is None else self.rows[places]

    def level(self, places: Integers) -> tuple[Integers, Integers]:
        """Return the first place of those that are level with some places, and the one behind the last."""
        starts = np.append(True, self.values[1:] != self.values[:-1])[: len(self.values)]
        starts[self.topic_starts[:-1][np.diff(self.topic_starts) > 0]] = True
        begins = np.append(np.flatnonzero(starts), len(self.values))
        block = np.searchsorted(begins, places, "right")
        return begins[block - 1], begins[block]


@light_dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The results that gold grades, in the order of gold's topics and of their places.

    `gold` and `row` are the rows of gold's file and of the system's. Each result stands behind `before` results of its topic, level with
    `size`, itself included. `blocks` has the number of its block, from 0.
    """

    topic: Integers
    gold: Integers
    row: Integers
    before: Integers
    size: Integers
    blocks: Integers


@light_dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Judgements and results.

    `places` gives for each topic of gold that of the file with results, -1 for none; `topics` has what measures must know of them. With
    `is_by_id` equal scores are not level: the documents stand by falling id.
    """

    gold: Gold
    system: System
    judgements: Judgements
    order: Order
    places: Integers
    topics: Topics
    found: Found
    is_by_id: bool = False

    @classmethod
    def of(cls, gold: Gold, system: System, options: Options) -> Paired:
        """Pair both sides: topics and documents by their ids."""
        rank_of = {name: place for place, name in enumerate(system.lists.topics)}
        places = np.array([rank_of.get(name, -1) for name in gold.lists.topics], np.int64)
        order = Order.of(system.lists, options)
        sizes = np.append(np.diff(order.topic_starts), 0)
        own = places[gold.lists.topic]
        asked = np.flatnonzero(own >= 0)
        pairs, rows = system.rows_of(own[asked], gold.lists.documents.at(asked))
        found = _found(gold, asked[pairs], rows, order, own)
        judgements, results = Judgements.of(gold, options), sizes[places]
        return cls(gold, system, judgements, order, places, _topics(gold, judgements, results), found)

    def rankings(self) -> Rankings:
        """Return the blocks that hold a judged document."""
        found, judgements = self.found, self.judgements
        starts = np.flatnonzero(np.diff(found.blocks, prepend=-1))

        def numbers(flags: Flags) -> Integers:
            return _sums(flags[found.gold].astype(np.int64), starts)

        blocks = Blocks(
            found.topic[starts],
            found.before[starts],
            found.size[starts],
            numbers(judgements.is_relevant),
            numbers(judgements.is_other),
            numbers(judgements.is_judged),
            np.bincount(found.blocks, judgements.gain[found.gold], len(starts)).astype(np.float64),
        )
        return Rankings.of(self.topics, blocks)

    def tied_topics(self) -> Flags:
        """Return the topics in which level documents are unlike: one has another gain, or is relevant and another is not."""
        found, judgements = self.found, self.judgements
        starts = np.flatnonzero(np.diff(found.blocks, prepend=-1))
        is_tied = np.zeros(len(self.places), np.bool_)
        size, number = found.size[starts], np.diff(starts, append=len(found.row))
        gain, relevant = judgements.gain[found.gold], judgements.is_relevant[found.gold].astype(np.int64)
        least = np.where(number < size, 0.0, np.minimum.reduceat(gain, starts))
        count = _sums(relevant, starts)
        unlike = (np.maximum.reduceat(gain, starts) > least) | ((count > 0) & (count < size))
        is_tied[found.topic[starts][unlike]] = True
        return is_tied

    def by_document(self) -> Paired:
        """Return the same where level documents stand by falling id, as trec_eval has them: nothing is level any more."""
        found, lists = self.found, self.system.lists
        before = found.before.copy()
        for start in np.flatnonzero((np.diff(found.blocks, prepend=-1) != 0) & (found.size > 1)).tolist():
            end = int(np.searchsorted(found.blocks, found.blocks[start], "right"))
            first = self.order.topic_starts[self.places[found.topic[start]]] + found.before[start]
            rows = self.order.rows_at(np.arange(first, first + found.size[start]))
            names = sorted(lists.documents.encoded(rows.tolist()), reverse=True)
            rank_of = {name: rank for rank, name in enumerate(names)}
            own = lists.documents.encoded(found.row[start:end].tolist())
            before[start:end] += np.array([rank_of[name] for name in own], np.int64)
        order = np.lexsort((before, found.topic))
        size, blocks = np.ones(len(order), np.int64), np.arange(len(order))  # each of its own
        sorted_found = Found(found.topic[order], found.gold[order], found.row[order], before[order], size, blocks)
        return replace(self, found=sorted_found, is_by_id=True)


def _topics(gold: Gold, judgements: Judgements, results: Integers) -> Topics:
    topic, number = gold.lists.topic, len(gold.lists.topics)
    relevant, other = (np.bincount(topic[flags], minlength=number) for flags in (judgements.is_relevant, judgements.is_other))
    gainful = np.flatnonzero(judgements.gain > 0)
    gainful = gainful[np.lexsort((-judgements.gain[gainful], topic[gainful]))]
    return Topics(relevant, other, results, judgements.gain[gainful], topic[gainful].astype(np.int64))


def _sums(numbers: Integers, starts: Integers) -> Integers:
    """Return the sums of numbers from each start to the next."""
    sums: Integers = np.add.reduceat(numbers, starts)
    return sums


def _found(gold: Gold, rows_of_gold: Integers, rows: Integers, order: Order, places_of_topics: Integers) -> Found:
    """Return the results that gold grades, given as pairs of rows, with their places."""
    places = order.places_of(rows)
    topic = gold.lists.topic[rows_of_gold].astype(np.int64)
    sorted_pairs = np.lexsort((places, topic))
    topic, places = topic[sorted_pairs], places[sorted_pairs]
    rows_of_gold, rows = rows_of_gold[sorted_pairs], rows[sorted_pairs]
    first, last = order.level(places)
    begins = order.topic_starts[places_of_topics[rows_of_gold]]
    blocks = np.cumsum(np.diff(first, prepend=-1) != 0) - 1
    return Found(topic, rows_of_gold, rows, first - begins, last - first, blocks)

"""Measures of ranked retrieval, each its mean over all orders of the documents that stand level, in closed form.

A topic's results are cut into *blocks*: sets of documents with equal scores, mostly of one. Wherever all orders of a block are equally
likely, each of its places holds each of its documents with the same probability. Only blocks with a judged document matter: no other adds
anything to a measure.

The letters are those of the formulas. R: relevant documents of a topic in gold, N: those judged not relevant, n: its results. A block has m
documents behind a others, r of them relevant, and c relevant ones before it; t = min(m, max(0, k - a)) of its places are among the first k.

Sources: McSherry, Najork, Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied Scores, ECIR 2008;
Järvelin, Kekäläinen, Cumulated Gain-Based Evaluation of IR Techniques, TOIS 2002; Buckley, Voorhees, Retrieval Evaluation with Incomplete
Information, SIGIR 2004; trec_eval for the measures' names and for the order in which sums are added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.prf import ratio

Integers: TypeAlias = NDArray[np.int64]
Values: TypeAlias = NDArray[np.float64]
Cut: TypeAlias = Integers | int | None
"""How many places count, of all topics or of each; None for all."""

_FAR = np.iinfo(np.int64).max
_CELLS = 1 << 20


@light_dataclass(frozen=True, slots=True, eq=False)
class Topics:
    """The topics: `relevant` is R, `other` is N and `results` n of each, shape `(topics,)`.

    `gains` has the gains above 0 of gold, falling within a topic; `gain_topics` the topic of each, ascending.
    """

    relevant: Integers
    other: Integers
    results: Integers
    gains: Values
    gain_topics: Integers

    def __len__(self) -> int:
        """How many there are."""
        return len(self.relevant)


@light_dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """The blocks that hold a judged document, in the order of `topic` and place, shape `(blocks,)`.

    `before` is a and `size` m; `relevant`, `other` and `judged` say how many documents of the block are relevant, judged not relevant, and
    judged at all. `gain` is the sum of their gains.
    """

    topic: Integers
    before: Integers
    size: Integers
    relevant: Integers
    other: Integers
    judged: Integers
    gain: Values


@light_dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """Blocks of ranked documents. `relevant_before` is c of each, and `other_before` the like of those judged not relevant.

    One topic, whose second and third documents are level; the first is relevant, one of the others, too:

    >>> topics = Topics(np.array([2]), np.array([1]), np.array([3]), np.array([1.0, 1.0]), np.array([0, 0]))
    >>> two = (np.array(pair) for pair in ([0, 0], [0, 1], [1, 2], [1, 1], [0, 1], [1, 2], [1.0, 1.0]))
    >>> ranked = Rankings.of(topics, Blocks(*two))
    >>> ranked.average_precision().tolist() == [(1 + (2 / 2 + 2 / 3) / 2) / 2]
    True
    """

    topics: Topics
    blocks: Blocks
    relevant_before: Integers
    other_before: Integers

    @classmethod
    def of(cls, topics: Topics, blocks: Blocks) -> Rankings:
        """Return blocks with what is before each."""
        counts = (_counted_before(blocks.topic, number) for number in (blocks.relevant, blocks.other))
        return cls(topics, blocks, *counts)

    def among_first(self, counts: Integers, cut: Cut = None) -> Values:
        """Return E(k), the expected number among the first k of what `counts` says of each block: Σ count · t / m."""
        return self._sums(counts * self._within(cut) / self.blocks.size)

    def precision(self, cut: int) -> Values:
        """Return E(k) / k."""
        return self.among_first(self.blocks.relevant, cut) / cut

    def recall(self, cut: Cut) -> Values:
        """Return E(k) / R, 0 without relevant documents; with the cut-off R of each topic, R-precision."""
        return ratio(self.among_first(self.blocks.relevant, cut), self.topics.relevant, empty=0.0)

    def judged_share(self, cut: int) -> Values:
        """Return E(k) of judged documents / min(k, n), 0 without results."""
        return ratio(self.among_first(self.blocks.judged, cut), np.minimum(cut, self.topics.results), empty=0.0)

    def success(self, cut: int) -> Values:
        """Return the probability that one of the first k is relevant: 1 - Π over blocks of C(m - r, t) / C(m, t).

        The quotient is the product of (m - t - i) / (m - i) over i < r, and that of (m - r - i) / (m - i) over i < t: the shorter one is
        multiplied out.
        """
        within = self._within(cut)
        longer = np.maximum(self.blocks.relevant, within)
        failure = np.ones(len(self.blocks.topic))
        for rows, step, is_inside in _steps(np.minimum(self.blocks.relevant, within)):
            size = self.blocks.size[rows, None]
            left = np.maximum(size - longer[rows, None] - step, 0)
            failure[rows] = np.where(is_inside, left / np.maximum(size - step, 1), 1.0).prod(axis=1)
        product = np.ones(len(self.topics))
        np.multiply.at(product, self.blocks.topic, failure)
        return 1 - product

    def reciprocal_rank(self, cut: int | None = None) -> Values:
        """Return the expected 1 / place of the first relevant document, 0 where there is none among the first k.

        It lies in the first block with r > 0, at its place j with the probability C(m - j, r - 1) / C(m, r): r / m for the first place, and
        for each further one (m - j - r + 1) / (m - j) times that before.
        """
        first = np.flatnonzero((self.blocks.relevant > 0) & (self.relevant_before == 0))
        size, relevant, before = self.blocks.size[first], self.blocks.relevant[first], self.blocks.before[first]
        values = np.zeros(len(self.topics))
        for rows, step, is_inside in _steps(np.minimum(size - relevant + 1, self._within(cut)[first])):
            m, r = size[rows, None], relevant[rows, None]
            factors = np.where(step == 0, r / m, (m - step - r + 1) / np.maximum(m - step, 1))
            terms = np.where(is_inside, np.cumprod(factors, axis=1) / (before[rows, None] + step + 1), 0.0)
            values[self.blocks.topic[first[rows]]] = terms.sum(axis=1)
        return values

    def average_precision(self, cut: int | None = None) -> Values:
        """Return 1/R · Σ over places a + j ≤ k of r/m · (c + 1 + (j - 1)(r - 1)/(m - 1)) / (a + j)."""
        sums = np.zeros(len(self.blocks.topic))
        for rows, step, is_inside in _steps(np.where(self.blocks.relevant > 0, self._within(cut), 0)):
            m, r = self.blocks.size[rows, None], self.blocks.relevant[rows, None]
            relevant_up_to = self.relevant_before[rows, None] + 1 + step * (r - 1) / np.maximum(m - 1, 1)
            sums[rows] = np.where(is_inside, r / m * relevant_up_to / (self.blocks.before[rows, None] + step + 1), 0.0).sum(
                axis=1
            )
        return ratio(self._sums(sums), self.topics.relevant, empty=0.0)

    def ndcg(self, cut: int | None = None) -> Values:
        """Return DCG / ideal, 0 where that is 0. DCG is the sum over places i ≤ k of (mean gain of the block at i) / log2(i + 1)."""
        sums = np.zeros(len(self.blocks.topic))
        for rows, step, is_inside in _steps(np.where(self.blocks.gain > 0, self._within(cut), 0)):
            gain = (self.blocks.gain / self.blocks.size)[rows, None]
            sums[rows] = np.where(is_inside, gain / np.log2(self.blocks.before[rows, None] + step + 2.0), 0.0).sum(axis=1)
        return np.minimum(ratio(self._sums(sums), ideal(self.topics, cut), empty=0.0), 1.0)  # a mean gain is rounded

    def bpref(self) -> Values:
        """Return 1/R · Σ over relevant results of 1 - (mean over x = 0 … b of min(z + x, R)) / min(N, R); without N, each is 1.

        b documents of its block are judged not relevant, z before it. The first q = min(b + 1, max(0, R - z)) of the numbers are z + x.
        """
        relevant = self.topics.relevant[self.blocks.topic]
        number = self.blocks.other + 1
        below = np.clip(relevant - self.other_before, 0, number)
        above = below * self.other_before + below * (below - 1) // 2 + (number - below) * relevant
        least = np.minimum(self.topics.other[self.blocks.topic], relevant)
        share = 1 - ratio(above / number, least, empty=0.0)
        return ratio(self._sums(self.blocks.relevant * share), self.topics.relevant, empty=0.0)

    def set_precision(self) -> Values:
        """Return c / n, 0 without results."""
        return ratio(self._sums(self.blocks.relevant), self.topics.results, empty=0.0)

    def set_f(self) -> Values:
        """Return 2c / (n + R), 0 without either."""
        return ratio(2 * self._sums(self.blocks.relevant), self.topics.results + self.topics.relevant, empty=0.0)

    def _within(self, cut: Cut) -> Integers:
        """Return t of each block."""
        last = _FAR if cut is None else cut if isinstance(cut, int) else cut[self.blocks.topic]
        return np.clip(last - self.blocks.before, 0, self.blocks.size)

    def _sums(self, values: Values | Integers) -> Values:
        """Return the sums over the blocks of each topic, added up one by one in their order, as trec_eval does."""
        return np.bincount(self.blocks.topic, values, len(self.topics)).astype(np.float64)


def ideal(topics: Topics, cut: int | None = None) -> Values:
    """Return the greatest DCG of each topic: Σ over the first k gains of gold, in falling order, of gain / log2(place + 1)."""
    starts = np.searchsorted(topics.gain_topics, np.arange(len(topics)))
    place = np.arange(len(topics.gains)) - starts[topics.gain_topics] + 1
    inside = slice(None) if cut is None else place <= cut
    discounted = topics.gains[inside] / np.log2(place[inside] + 1.0)
    return np.bincount(topics.gain_topics[inside], discounted, len(topics)).astype(np.float64)


def _counted_before(topic: Integers, counts: Integers) -> Integers:
    """Return the sum of the counts of the earlier blocks of the same topic."""
    before: Integers = np.cumsum(counts) - counts
    starts = np.flatnonzero(np.diff(topic, prepend=-1))
    return before - np.repeat(before[starts], np.diff(starts, append=len(topic)))


def _steps(lengths: Integers) -> Iterator[tuple[Integers, Integers, NDArray[np.bool_]]]:
    """Yield rows of at least one step, the steps 0, 1, … of the longest of them, and which steps each has, shape `(rows, steps)`.

    Rows of like length come together, so that at most half of a table is empty, and no table is much larger than `_CELLS`. Nearly all rows
    have one step: they are one table.

    >>> [(rows.tolist(), is_inside.tolist()) for rows, _, is_inside in _steps(np.array([1, 0, 3, 1, 2]))]
    [([0, 3], [[True], [True]]), ([4], [[True, True]]), ([2], [[True, True, True]])]
    """
    exponents = np.frexp(np.maximum(lengths - 1, 0))[1]  # 0 for one step, 1 for two, 2 for three and four, ...
    for exponent in np.flatnonzero(np.bincount(exponents[lengths > 0])).tolist():
        alike = np.flatnonzero((lengths > 0) & (exponents == exponent))
        together = max(1, _CELLS >> exponent)
        for start in range(0, len(alike), together):
            rows = alike[start : start + together]
            step = np.arange(lengths[rows].max())
            yield rows, step, step < lengths[rows, None]

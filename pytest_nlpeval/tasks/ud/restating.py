"""An old output scored with today's gold: today's analyses of the sentences that are still there stand in the text that it was given."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.partners import successors
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.ud.document import WORD_FIELDS, Document, Spans, codes_in
from pytest_nlpeval.tasks.ud.enhanced import Edges
from pytest_nlpeval.tasks.ud.paths import Paths
from pytest_nlpeval.tasks.ud.table import Coder, Column, Integers

GONE = "\n"
"""What the names of sentences begin with that today's gold does not ask; no name in a file holds a line feed."""


def restate(earlier: Documents, today: Documents, partners: NDArray[np.int64]) -> Documents:
    """Return the earlier output, and gold in its order: today's analysis of each sentence that has one, the earlier one of all others.

    The output may cut sentences and tokens otherwise than gold, so that nothing of it can be moved alone; gold's sentences can, since a
    partner has the same characters.
    """
    gold: Document = earlier["gold"]
    return {**today, "gold": _composed(gold, today["gold"], successors(partners, len(gold.units))), "system": earlier["system"]}


def _composed(old: Document, new: Document, places: Integers) -> Document:
    """Return the sentences of `old`, or for those that have a place in `new` the one there, under the name that it has there."""
    both = new, old
    chosen = np.where(places >= 0, places, len(new.units) + np.arange(len(places)))
    words = _Chosen([side.first for side in both], chosen)
    tokens = _Chosen([side.first_token for side in both], chosen)
    ranges = _Chosen(
        [np.append(np.searchsorted(side.ranges.start, side.sentences.start), len(side.ranges)) for side in both], chosen
    )
    starts = old.sentences.start - np.concatenate([side.sentences.start for side in both])[chosen]
    return Document(
        old.characters,
        _spans([side.tokens for side in both], tokens, starts),
        tokens.of([side.token_lines for side in both]),
        _column([side.token_forms for side in both], tokens),
        _spans([side.words for side in both], words, starts),
        words.of([side.lines for side in both]),
        {name: _column([side.fields[name] for side in both], words) for name in WORD_FIELDS},
        _spans([side.ranges for side in both], ranges, starts),
        words.first,
        tokens.first,
        words.nodes([side.heads if side.is_parsed else np.full(side.number, side.number) for side in both], words),
        new.is_parsed,
        _edges(both, words, chosen),
        tuple(new.units[place] if place >= 0 else f"{GONE}{rank}" for rank, place in enumerate(places.tolist())),
        new.by_place,
    )


class _Chosen:
    """What the chosen sentences of two documents have, one sentence after the other.

    `firsts` give for each document the rank of each sentence's first thing (a word, say), then the number of things. Ranks of things and
    sentences of the second document follow those of the first one. `rank` are those of the things chosen, `sentence` gives the rank of
    each one's sentence among the chosen, and `first` is what `firsts` are, of the chosen.
    """

    def __init__(self, firsts: list[Integers], chosen: Integers) -> None:
        self.numbers = [int(first[-1]) for first in firsts]
        self._starts = np.append(firsts[0][:-1], firsts[1][:-1] + self.numbers[0])[chosen]
        sizes = np.concatenate([np.diff(first) for first in firsts])[chosen]
        self.first: Integers = np.append(0, np.cumsum(sizes))
        self.sentence: Integers = np.repeat(np.arange(len(chosen)), sizes)
        self.rank: Integers = np.arange(len(self.sentence)) + (self._starts - self.first[:-1])[self.sentence]

    def of(self, values: list[Integers]) -> Integers:
        """Return the values of the things that are chosen."""
        chosen: Integers = np.concatenate(values)[self.rank]
        return chosen

    def nodes(self, values: list[Integers], things: _Chosen) -> Integers:
        """Return ranks among the words chosen, where things have `values`: ranks in their document, or its number of words for 0."""
        roots = things.of([value == number for value, number in zip(values, self.numbers, strict=True)])
        ranks = things.of([values[0], values[1] + self.numbers[0]])
        nodes: Integers = np.where(roots, self.first[-1], ranks - (self._starts - self.first[:-1])[things.sentence])
        return nodes


def _spans(sides: list[Spans], things: _Chosen, starts: Integers) -> Spans:
    """Return the spans of what is chosen, moved by as many characters as their sentence."""
    moved = starts[things.sentence]
    return Spans(things.of([side.start for side in sides]) + moved, things.of([side.end for side in sides]) + moved)


def _column(sides: list[Column], things: _Chosen) -> Column:
    names = Coder()
    codes = things.of([codes_in(side, names) for side in sides])
    return Column(codes.astype(np.int32), tuple(names))


def _edges(sides: tuple[Document, Document], words: _Chosen, chosen: Integers) -> Edges:
    edges = [side.edges for side in sides]
    things = _Chosen([np.searchsorted(side.edges.word, side.first) for side in sides], chosen)
    paths = Paths()
    numbers = [np.array(paths.added(own.paths, str), np.int64)[own.path] for own in edges]
    return Edges(
        words.nodes([own.word for own in edges], things),
        words.nodes([own.head for own in edges], things),
        things.of(numbers),
        paths,
    )

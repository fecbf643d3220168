"""Mentions: the places of their words, their order, and how many places two of them share; and those of many documents, by columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.tasks.coref.options import Singletons

Numbers: TypeAlias = NDArray[np.int64]
Objects: TypeAlias = NDArray[np.object_]

STEP = 1 << 30
"""The distance between two words: word w of a document has place w · STEP, and the m-th empty node behind it w · STEP + m."""

MOST_WORDS = 1 << 32
"""How many words a document has at most, so that 64 bits hold all places."""

Places: TypeAlias = range | tuple[int, ...]
"""The places of a mention, ascending: a range of words, or a tuple if it has gaps, or empty nodes beside words."""


class Zero(NamedTuple):
    """What is known of the head of a mention that is an empty node: the rank of its sentence, and its enhanced dependencies.

    A dependency is a pair of parent and relation; the parent is the ID in the sentence.
    """

    sentence: int
    dependencies: frozenset[tuple[str, str]]


class Mention(NamedTuple):
    """A mention: its places, the place of its head, the line where it begins, from 1; if its head is an empty node, what is known of it."""

    places: Places
    head: int
    line: int
    zero: Zero | None = None


def places_of(ascending: Sequence[int]) -> Places:
    """Return some places in the one form that equal places have."""
    if isinstance(ascending, range):
        return ascending
    first, last = ascending[0], ascending[-1]
    if last - first == (len(ascending) - 1) * STEP and all((place - first) % STEP == 0 for place in ascending):
        return range(first, last + 1, STEP)
    return tuple(ascending)


def shared_places(one: Places, other: Places) -> int:
    """Return how many places two mentions share.

    >>> shared_places(range(STEP, 5 * STEP, STEP), range(3 * STEP, 10 * STEP, STEP))  # words 1 to 4, 3 to 9
    2
    """
    if isinstance(one, range) and isinstance(other, range):
        if (one.start - other.start) % STEP:
            return 0
        return max(0, (min(one[-1], other[-1]) - max(one.start, other.start)) // STEP + 1)
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    whole = long if isinstance(long, range) else frozenset(long)
    return sum(place in whole for place in short)


Key: TypeAlias = tuple[int, int, int, tuple[int, ...], int]


def order_of(mention: Mention, *, has_gaps: bool) -> Key:
    """Return what mentions are ordered by: first place, last place, number of places, places in turn, head.

    If no mention has gaps, the first three say all of the places, of which there may be very many.
    """
    places = mention.places
    return places[0], places[-1], len(places), tuple(places) if has_gaps else (), mention.head


class Mentions(NamedTuple):
    """The mentions of some documents, a row each: by documents, within one in the order of mentions, those of one key by entities.

    `owners` are entities, counted from 0 in their order within a document, none left out. `gaps` has the places of a mention whose places
    are not a range, else None, and `zeros` what is known of a head that is an empty node, else None.
    """

    documents: Numbers
    owners: Numbers
    firsts: Numbers
    lasts: Numbers
    heads: Numbers
    lines: Numbers
    gaps: Objects
    zeros: Objects

    def picked(self, rows: Numbers | slice) -> Mentions:
        """Return some rows."""
        return Mentions._make(column[rows] for column in self)

    def bounds(self, documents: int) -> Numbers:
        """Return how many rows stand before each of so many documents, and at last how many there are."""
        return np.searchsorted(self.documents, np.arange(documents + 1))

    def mention(self, row: int) -> Mention:
        """Return one mention."""
        (mention,) = self.picked(slice(row, row + 1)).each()
        return mention

    def each(self) -> list[Mention]:
        """Return all mentions by themselves."""
        ends = zip(self.firsts.tolist(), self.lasts.tolist(), self.gaps.tolist(), strict=True)
        places = [gaps or range(first, last + 1, STEP) for first, last, gaps in ends]
        return list(map(Mention, places, self.heads.tolist(), self.lines.tolist(), self.zeros.tolist()))

    def lengths(self) -> Numbers:
        """Return how many places each mention has."""
        lengths = (self.lasts - self.firsts) // STEP + 1
        for row in np.flatnonzero(self.gaps).tolist():
            lengths[row] = len(self.gaps[row])
        return lengths

    def keys(self) -> tuple[Numbers, ...]:
        """Return numbers that mentions of one document and equal places have in common alone, and that are in the order of mentions."""
        shapes = np.zeros(len(self.firsts), np.int64)
        rows = np.flatnonzero(self.gaps).tolist()
        ranks = {places: rank for rank, places in enumerate(sorted({self.gaps[row] for row in rows}, key=_by_number), 1)}
        for row in rows:
            rank = ranks[self.gaps[row]]
            shapes[row] = rank - len(ranks) - 1 if _is_before_words(self.gaps[row]) else rank
        return self.documents, self.firsts, self.lasts, shapes

    def settled(self, singletons: Singletons | None) -> Mentions:
        """Return the mentions, without those of entities of one mention if these do not count."""
        if singletons == "keep":
            return self
        starts = np.searchsorted(self.documents, self.documents)
        entities = starts + self.owners
        kept = np.flatnonzero(np.bincount(entities, minlength=1)[entities] > 1)
        return self.picked(kept)._replace(owners=ranked(entities[kept], starts[kept]))


def ranked(numbers: Numbers, starts: Numbers) -> Numbers:
    """Return the rank of each number among the different ones from a start on; those of a start are below the next one."""
    is_there = np.zeros(numbers.max(initial=0) + 1, np.int64)
    is_there[numbers] = 1
    before = np.cumsum(is_there) - is_there
    ranks: Numbers = before[numbers] - before[starts]
    return ranks


def _by_number(places: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return len(places), places


def _is_before_words(places: tuple[int, ...]) -> bool:
    """Whether a mention with gaps stands in order before that of the words from its first place to its last one."""
    words = range(places[0], places[-1] + 1, STEP)
    return len(places) < len(words) or (len(places) == len(words) and places < tuple(words))


def keys_of(gold: Mentions, system: Mentions, *, with_heads: bool) -> tuple[Numbers, Numbers]:
    """Return a number for each mention, which those of one document and the same places (and heads) have in common alone.

    The numbers ascend as mentions do.
    """
    both = Mentions._make(map(np.concatenate, zip(gold, system, strict=True)))
    documents, firsts, lasts, shapes = both.keys()
    heads = np.divmod(both.heads - firsts, STEP) if with_heads else ()
    keys = documents
    for column in (*np.divmod(firsts, STEP), *np.divmod(lasts - firsts, STEP), shapes, *heads):
        keys = joined(keys, column)
    own, other = np.split(keys, [len(gold.firsts)])
    return own, other


def joined(one: Numbers, other: Numbers) -> Numbers:
    """Return a number for each pair of numbers, the first from 0: equal pairs have equal ones, which are in the order of the pairs."""
    other = other - other.min(initial=0)
    width = int(other.max(initial=0)) + 1
    if int(one.max(initial=0)) >= (1 << 62) // width:
        one, other = (np.unique(side, return_inverse=True)[1] for side in (one, other))
        width = len(other)
    return one * width + other


def identical(gold: Mentions, system: Mentions, *, with_heads: bool) -> tuple[Numbers, Numbers]:
    """Return the rows of mentions that both sides have, of one document and the same places (and heads), in pairs.

    Of several the first ones are paired.
    """
    own, other = keys_of(gold, system, with_heads=with_heads)
    ranks = np.arange(len(own)) - np.searchsorted(own, own)
    starts, ends = np.searchsorted(other, own), np.searchsorted(other, own, "right")
    rows = np.flatnonzero(ranks < ends - starts)
    return rows, (starts + ranks)[rows]


def overlapping(gold: Mentions, system: Mentions) -> tuple[Numbers, Numbers, Numbers]:
    """Return the rows of mentions of one document that share places, in pairs, and how many these are.

    Takes time linear in pairs that reach over each other, and a little more.
    """
    sides = gold, system
    _, ranks = np.unique(np.concatenate([ends for side in sides for ends in (side.firsts, side.lasts)]), return_inverse=True)
    documents = np.concatenate([side.documents for side in sides for _ in range(2)])
    size = len(gold.firsts)
    firsts, lasts, others, ends = np.split(documents * len(ranks) + ranks, (size, 2 * size, 2 * size + len(system.firsts)))
    own, other = spans(np.searchsorted(others, firsts), np.searchsorted(others, lasts, "right"))
    later, earlier = spans(np.searchsorted(firsts, others, "right"), np.searchsorted(firsts, ends, "right"))
    own, other = np.concatenate((own, earlier)), np.concatenate((other, later))
    shared = (np.minimum(gold.lasts[own], system.lasts[other]) - np.maximum(gold.firsts[own], system.firsts[other])) // STEP + 1
    shared[(gold.firsts[own] - system.firsts[other]) % STEP != 0] = 0
    for rank in np.flatnonzero(gold.gaps.astype(np.bool_)[own] | system.gaps.astype(np.bool_)[other]).tolist():
        shared[rank] = shared_places(gold.mention(own[rank]).places, system.mention(other[rank]).places)
    are_pairs = shared > 0
    return own[are_pairs], other[are_pairs], shared[are_pairs]


def spans(starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """Return all numbers from each start to its end, each behind the rank of the start."""
    lengths = np.maximum(ends - starts, 0)
    return np.repeat(np.arange(len(starts)), lengths), np.repeat(starts + lengths - np.cumsum(lengths), lengths) + np.arange(
        lengths.sum()
    )

"""Mentions: the places of their words, their order, and how many places two of them share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

STEP = 1 << 40
"""The distance between two words: word w of a document has place w · STEP, and the m-th empty node behind it w · STEP + m."""

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


def words_from(first: int, last: int) -> range:
    """Return the places of consecutive words, both ends included."""
    return range(first * STEP, last * STEP + 1, STEP)


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

    >>> shared_places(words_from(1, 4), words_from(3, 9))
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


def have_gaps(mentions: Iterable[Mention]) -> bool:
    """Whether the first place, the last place and the number of places of some mentions do not say all of their places."""
    return any(isinstance(mention.places, tuple) for mention in mentions)


def order_of(mention: Mention, *, has_gaps: bool) -> Key:
    """Return what mentions are ordered by: first place, last place, number of places, places in turn, head.

    If no mention has gaps, the first three say all of the places, of which there may be very many.
    """
    places = mention.places
    return places[0], places[-1], len(places), tuple(places) if has_gaps else (), mention.head


def overlapping(gold: Sequence[Places], system: Sequence[Places]) -> Iterator[tuple[int, int, int]]:
    """Yield the ranks of two mentions that share places, with the number of these, in time linear in pairs that reach over each other."""
    starts = [(places[0], side, rank) for side, mentions in enumerate((gold, system)) for rank, places in enumerate(mentions)]
    active: tuple[list[int], list[int]] = ([], [])
    for start, side, rank in sorted(starts):
        others = system if side == 0 else gold
        own = (gold if side == 0 else system)[rank]
        near = active[1 - side]
        near[:] = [other for other in near if others[other][-1] >= start]
        for other in near:
            if number := shared_places(own, others[other]):
                yield (rank, other, number) if side == 0 else (other, rank, number)
        active[side].append(rank)

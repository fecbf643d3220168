"""N-grams that a text has in common with its references, for many texts at once.

Source: K. Papineni, S. Roukos, T. Ward, W.-J. Zhu, BLEU: a method for automatic evaluation of machine translation, ACL 2002, section 2.1
(modified n-gram precision).

All windows of `order` tokens are sorted once, by their text's segment. Equal n-grams of any smaller n then stand together, too, as they are
beginnings of windows: one sort serves all n.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

BLOCK = 1 << 18
"""How many tokens are counted at once, unless a single segment has more."""

_DIRECT_BITS = 20


class Tokens(NamedTuple):
    """Sequences of tokens: the numbers of all tokens, from 1, one sequence behind the other, and the length of each sequence."""

    numbers: Ints
    lengths: Ints

    @classmethod
    def of_characters(cls, texts: Sequence[str]) -> Tokens:
        """Return the characters of texts.

        >>> Tokens.of_characters(["ab", "b"]).numbers.tolist()
        [1, 2, 2]
        """
        points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
        occurs = np.zeros(int(points.max(initial=0)) + 1, np.bool_)
        occurs[points] = True
        numbers: Ints = np.cumsum(occurs, dtype=np.int64)[points]
        return cls(numbers, _lengths(texts))

    @classmethod
    def of_words(cls, sequences: Sequence[Sequence[str]]) -> Tokens:
        """Return the words of sequences."""
        lengths = _lengths(sequences)
        every = list(chain.from_iterable(sequences))
        numbers = {word: number for number, word in enumerate(dict.fromkeys(every), 1)}
        return cls(np.fromiter(map(numbers.__getitem__, every), np.int64, len(every)), lengths)


def _lengths(sequences: Sequence[Sequence[str]]) -> Ints:
    return np.fromiter(map(len, sequences), np.int64, len(sequences))


def totals(lengths: Ints, order: int) -> Ints:
    """Return how many n-grams sequences of some lengths have, shape `(sequences, order)`.

    >>> totals(np.array([3, 0]), 2).tolist()
    [[3, 2], [0, 0]]
    """
    numbers: Ints = np.maximum(lengths[:, None] - np.arange(order), 0)
    return numbers


def blocks(sizes: Iterable[int], most: int = BLOCK) -> Iterator[slice]:
    """Yield runs of consecutive segments whose sizes add up to `most` at most, or of one that is greater.

    >>> list(blocks([1, 2, 9, 1], 3))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    start = end = held = 0
    for end, size in enumerate(sizes, 1):
        if held + size > most and end - 1 > start:
            yield slice(start, end - 1)
            start, held = end - 1, 0
        held += size
    if end > start:
        yield slice(start, end)


def matches(tokens: Tokens, segments: Ints, ranks: Ints, order: int) -> Ints:
    """Return how many n-grams of each segment's hypothesis its references have, n = 1 … `order`; shape `(segments, order)`.

    `segments` gives the segment of each sequence of `tokens`, from 0. `ranks` is 0 for a segment's hypothesis, of which there is one,
    and counts its references from 1. An n-gram matches as often as the hypothesis has it, but at most as often as the reference that has
    it most often. `order` is even. Sorting: O(N log N) for N tokens.

    >>> tokens = Tokens.of_characters(["aab", "ab", "aa"])
    >>> matches(tokens, np.array([0, 0, 0]), np.array([0, 1, 2]), 2).tolist()
    [[3, 2]]
    """
    number = int(segments.max(initial=-1)) + 1
    windows = _Windows.of(tokens, segments, ranks, order)
    numbers = np.zeros((number, order), np.int64)
    for size in range(1, order + 1):
        numbers[:, size - 1] = windows.matches(size, number)
    return numbers


class _Windows(NamedTuple):
    """Windows of tokens in the order of their segments and tokens: the segment, the rank of the sequence, both halves of the window.

    Each half is its tokens in `bits` each, the first the highest; behind the end of a sequence they are 0.
    """

    segments: Ints
    ranks: Ints
    first: Ints
    second: Ints
    bits: int
    half: int

    @classmethod
    def of(cls, tokens: Tokens, segments: Ints, ranks: Ints, order: int) -> _Windows:
        half, bits = order // 2, int(tokens.numbers.max(initial=0)).bit_length()
        places, size = _padded_places(tokens.lengths, order)
        padded = np.zeros(size, np.int64)
        padded[places] = tokens.numbers
        packed = np.zeros(size, np.int64)
        for step in range(half):
            packed[: size - step] |= padded[step:] << (bits * (half - 1 - step))
        if half * bits > _DIRECT_BITS:
            codes, names = np.unique(packed, return_inverse=True)
        else:
            codes, names = None, packed
        width = int(names.max(initial=0)).bit_length()
        of_rank = int(ranks.max(initial=0)).bit_length()
        keys = np.repeat(segments, tokens.lengths) << width | names[places]
        keys = (keys << width | names[places + half]) << of_rank | np.repeat(ranks, tokens.lengths)
        keys.sort()
        mask = (1 << width) - 1
        first, second = keys >> (width + of_rank) & mask, keys >> of_rank & mask
        if codes is not None:
            first, second = codes[first], codes[second]
        return cls(keys >> (2 * width + of_rank), keys & ((1 << of_rank) - 1), first, second, bits, half)

    def matches(self, size: int, number: int) -> Ints:
        """Return the matches of each segment's n-grams of this size."""
        if not len(self.first):
            return np.zeros(number, np.int64)
        shift = self.bits * (self.half - size if size <= self.half else 2 * self.half - size)
        beginnings = (self.first if size <= self.half else self.second) >> shift
        changes = beginnings[1:] != beginnings[:-1]
        changes |= self.segments[1:] != self.segments[:-1]
        if size > self.half:
            changes |= self.first[1:] != self.first[:-1]
        starts = np.concatenate([[0], np.flatnonzero(changes) + 1])
        is_whole = beginnings[starts] & ((1 << self.bits) - 1) != 0
        hypothesis = np.add.reduceat((self.ranks == 0).astype(np.int64), starts)
        is_alone = self.ranks.max() <= 1
        reference = np.diff(starts, append=len(self.ranks)) - hypothesis if is_alone else self._greatest(changes)
        common = np.where(is_whole, np.minimum(hypothesis, reference), 0)
        return np.bincount(self.segments[starts], common, number).astype(np.int64)

    def _greatest(self, changes: NDArray[np.bool_]) -> Ints:
        """Return, for each run of equal n-grams, how often the reference has it that has it most often."""
        width = int(self.ranks.max()).bit_length()
        keys = np.concatenate([[0], np.cumsum(changes)]) << width | self.ranks
        keys.sort()
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        counts = np.diff(starts, append=len(keys))
        counts[keys[starts] & ((1 << width) - 1) == 0] = 0
        of_runs = keys[starts] >> width
        greatest: Ints = np.maximum.reduceat(counts, np.flatnonzero(np.diff(of_runs, prepend=-1)))
        return greatest


def _padded_places(lengths: Ints, gap: int) -> tuple[Ints, int]:
    """Return where the tokens of all sequences are if each sequence has a gap behind it, and how long all of it is."""
    before = np.repeat(np.arange(len(lengths)) * gap, lengths)
    return np.arange(len(before)) + before, len(before) + gap * len(lengths)

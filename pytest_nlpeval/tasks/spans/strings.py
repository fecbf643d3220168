"""Very many short strings inside one file, compared without making an object of each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]

WORD = 8
"""How many bytes are compared at once."""

SHORT = 256
"""Up to how many bytes strings are compared all at once, word by word; what is longer is rare, and compared string by string."""

_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(WORD + 1)], np.uint64)


@light_dataclass(frozen=True, slots=True, eq=False)
class Strings:
    """Strings without NUL characters that lie in `data`: where each starts, and how many bytes it has.

    `WORD` bytes follow the last of them in `data`, whatever they are.
    """

    data: bytes
    starts: NDArray[np.signedinteger[Any]]
    lengths: NDArray[np.signedinteger[Any]]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.starts)

    def __getitem__(self, rank: int) -> str:
        """Return one of them."""
        return self._bytes(rank).decode()

    def _bytes(self, rank: int) -> bytes:
        start = int(self.starts[rank])
        return self.data[start : start + int(self.lengths[rank])]

    def between(self, start: int, end: int) -> list[str]:
        """Return those from the rank `start` to before `end`."""
        starts = self.starts[start:end]
        ends = starts + self.lengths[start:end]
        return [self.data[low:high].decode() for low, high in zip(starts.tolist(), ends.tolist(), strict=True)]

    def _words(self, place: int, ranks: Integers | slice) -> Words:
        """Return the eight bytes from a place of some strings on as one number, whatever follows a string included."""
        words = np.ndarray((len(self.data) - WORD + 1,), "<u8", self.data, strides=(1,))
        found: Words = words[self.starts[ranks] + place]
        return found

    def _masks(self, place: int, ranks: Integers | slice) -> Words:
        """Return which of these bytes belong to the strings."""
        masks: Words = _MASKS[np.minimum(self.lengths[ranks] - place, WORD)]
        return masks

    def codes(self) -> tuple[Integers, list[str]]:
        """Return a number for each string, the same for equal ones, and the string that each number stands for."""
        codes = _ranked(self._words(0, slice(None)) & self._masks(0, slice(None)))
        place, longer = WORD, np.flatnonzero(self.lengths > WORD)
        while longer.size and place < SHORT:
            words = _ranked(self._words(place, longer) & self._masks(place, longer))
            codes[longer] = int(codes.max()) + 1 + _ranked(codes[longer] * (int(words.max()) + 1) + words)
            place += WORD
            longer = longer[self.lengths[longer] > place]
        first, ranks = int(codes.max(initial=-1)) + 1, dict[bytes, int]()
        codes[longer] = [first + ranks.setdefault(self._bytes(rank), len(ranks)) for rank in longer.tolist()]
        example = np.full(int(codes.max(initial=-1)) + 1, -1)
        example[codes] = np.arange(len(codes))
        used = np.flatnonzero(example >= 0)
        table = np.zeros_like(example)
        table[used] = np.arange(len(used))
        return table[codes], [self[rank] for rank in example[used].tolist()]

    def differing(self, other: Strings) -> Integers:
        """Return the ranks at which another list, as long as this one, has another string."""
        bits = (self._words(0, slice(None)) ^ other._words(0, slice(None))) & self._masks(0, slice(None))
        differs = (self.lengths != other.lengths) | (bits != 0)
        place, left = WORD, np.flatnonzero((self.lengths > WORD) & ~differs)
        while left.size and place < SHORT:
            differs[left] = (self._words(place, left) ^ other._words(place, left)) & self._masks(place, left) != 0
            place += WORD
            left = left[(self.lengths[left] > place) & ~differs[left]]
        differs[left] = [self._bytes(rank) != other._bytes(rank) for rank in left.tolist()]
        return np.flatnonzero(differs)


def _ranked(numbers: NDArray[np.uint64] | Integers) -> Integers:
    """Return a rank for each number, the same for equal ones; what is usual at the beginning is found to be usual without a search."""
    some, counts = np.unique(numbers[:1000], return_counts=True)
    others = np.flatnonzero(numbers != some[counts.argmax()]) if len(some) else np.zeros(0, np.int64)
    ranks = np.zeros(len(numbers), np.int64)
    rest = np.sort(numbers[others])
    different = rest[np.append(True, rest[1:] != rest[:-1])[: len(rest)]]
    ranks[others] = 1 + np.searchsorted(different, numbers[others])
    return ranks

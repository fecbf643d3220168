"""Very many short strings inside one file, compared without making an object of each."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]

_WORD = 8
_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(_WORD + 1)], np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class Strings:
    """Strings without NUL characters that lie in `data`: where each starts, and how many bytes it has."""

    data: bytes
    starts: Integers
    lengths: Integers
    _words: Words = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Prepare the eight bytes from each place of the data on as one number."""
        padded = self.data + bytes(_WORD)
        object.__setattr__(self, "_words", np.ndarray((len(self.data) + 1,), "<u8", padded, strides=(1,)))

    def __len__(self) -> int:
        """How many there are."""
        return len(self.starts)

    def __getitem__(self, rank: int) -> str:
        """Return one of them."""
        start = int(self.starts[rank])
        return self.data[start : start + int(self.lengths[rank])].decode()

    def _words_at(self, place: int, ranks: Integers | slice) -> Words:
        """Return the eight bytes from a place of some strings on, whatever follows a string included."""
        words: Words = self._words[self.starts[ranks] + place]
        return words

    def _masks_at(self, place: int, ranks: Integers | slice) -> Words:
        """Return which of these bytes belong to the strings."""
        masks: Words = _MASKS[np.minimum(self.lengths[ranks] - place, _WORD)]
        return masks

    def codes(self) -> tuple[Integers, list[str]]:
        """Return a number for each string, the same for equal ones, and the string that each number stands for."""
        codes = _ranked(self._words_at(0, slice(None)) & self._masks_at(0, slice(None)))
        place, longer = _WORD, np.flatnonzero(self.lengths > _WORD)
        while longer.size:
            words = _ranked(self._words_at(place, longer) & self._masks_at(place, longer))
            codes[longer] = int(codes.max()) + 1 + _ranked(codes[longer] * (int(words.max()) + 1) + words)
            place += _WORD
            longer = longer[self.lengths[longer] > place]
        example = np.full(int(codes.max(initial=-1)) + 1, -1)
        example[codes] = np.arange(len(codes))
        used = np.flatnonzero(example >= 0)
        table = np.zeros_like(example)
        table[used] = np.arange(len(used))
        return table[codes], [self[rank] for rank in example[used].tolist()]

    def differing(self, other: Strings) -> Integers:
        """Return the ranks at which another list, as long as this one, has another string."""
        differs = self.lengths != other.lengths
        place, left = 0, np.flatnonzero(~differs)
        while left.size:
            bits = self._words_at(place, left) ^ other._words_at(place, left)
            differs[left] = (bits & self._masks_at(place, left)) != 0
            place += _WORD
            left = left[(self.lengths[left] > place) & ~differs[left]]
        return np.flatnonzero(differs)


def _ranked(numbers: NDArray[np.uint64] | Integers) -> Integers:
    """Return the rank of each number among the different ones."""
    return np.searchsorted(np.unique(numbers), numbers)

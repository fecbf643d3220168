"""Very many ids as one text and their places in it: compared, hashed and looked up without an object for each."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass

Integers: TypeAlias = NDArray[np.signedinteger[Any]]
Flags: TypeAlias = NDArray[np.bool_]
Words: TypeAlias = NDArray[np.uint64]

_BYTES = 8
_MASKS = np.array([(1 << (8 * count)) - 1 for count in range(_BYTES + 1)], np.uint64)
_AT_ONCE = 1 << 20

_FACTORS = np.array([secrets.randbits(64) | 1 for _ in range(2)], np.uint64)
"""Of the hash. They are other ones in each process: nobody can write a file whose ids collide, and no result depends on them."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Ids:
    """Ids as UTF-8: the one of a row is `text[starts[row] : starts[row] + lengths[row]]`."""

    text: bytes
    starts: Integers
    lengths: Integers

    @classmethod
    def of(cls, names: Sequence[str]) -> Self:
        """Return ids given as texts.

        >>> ids = Ids.of(["d1", "dö"])
        >>> ids.names([1, 0]), ids.lengths.tolist()
        (['dö', 'd1'], [2, 3])
        """
        encoded = list(map(str.encode, names))
        lengths = list(map(len, encoded))
        starts = list(accumulate(lengths, initial=0))[: len(names)]
        return cls(b"".join(encoded), np.array(starts, np.int64), np.array(lengths, np.int32))

    def __len__(self) -> int:
        """How many there are."""
        return len(self.starts)

    def at(self, rows: Integers | Flags) -> Ids:
        """Return the ids of some rows."""
        return Ids(self.text, self.starts[rows], self.lengths[rows])

    def names(self, rows: Iterable[int] | None = None) -> list[str]:
        """Return the ids of some rows, or of all, as texts."""
        return [name.decode() for name in self.encoded(range(len(self)) if rows is None else rows)]

    def encoded(self, rows: Iterable[int]) -> Iterator[bytes]:
        """Yield the ids of some rows as they are in the text."""
        return (self.text[(start := int(self.starts[row])) : start + int(self.lengths[row])] for row in rows)

    def words(self, place: int) -> Words:
        """Return eight bytes of each id, from a place on, as a number; bytes behind its end are 0."""
        text = self.text if len(self.text) >= _BYTES else self.text.ljust(_BYTES, b"\0")
        every = np.ndarray((len(text) - _BYTES + 1,), np.dtype("<u8"), text, 0, (1,))  # a number begins at each byte
        begins = self.starts.astype(np.int64) + place
        inside = np.minimum(begins, len(text) - _BYTES)  # the last bytes of the text are the upper ones of its last number
        shifts = np.minimum((begins - inside) * 8, 63).astype(np.uint64)
        words: Words = (every[inside] >> shifts) & _MASKS[np.clip(self.lengths - place, 0, _BYTES)]
        return words

    def equal(self, other: Ids) -> Flags:
        """Return whether each id is that of the same row of others."""
        same: Flags = self.lengths == other.lengths
        for place in range(0, int(self.lengths.max(initial=0)), _BYTES):
            rows = np.flatnonzero(same & (self.lengths > place))
            same[rows] = self.at(rows).words(place) == other.at(rows).words(place)
        return same

    def hashes(self) -> Words:
        """Return a number for each id: equal ids have equal ones, and others nearly always others."""
        hashes = self.lengths.astype(np.uint64)
        for start in range(0, len(self), _AT_ONCE):  # a part after the other, so that little memory is needed besides
            rows = np.arange(start, min(start + _AT_ONCE, len(self)))
            for place in range(0, int(self.lengths[rows].max()), _BYTES):
                rows = rows[self.lengths[rows] > place]
                mixed = (hashes[rows] ^ self.at(rows).words(place)) * _FACTORS[0]
                hashes[rows] = (mixed ^ (mixed >> np.uint64(32))) * _FACTORS[1]
        return hashes


def keys_of(topics: Integers, number: int, ids: Ids) -> Words:
    """Return a key for each pair of topic and id, in the order of topics: the topic's upper bits, below them the id's hash.

    `topics` are below `number`. Equal pairs have equal keys, and others nearly always others: whoever finds equal ones compares the ids.
    """
    bits = np.uint64(max(1, int(number).bit_length()))
    keys = ids.hashes()
    keys >>= bits
    keys |= topics.astype(np.uint64) << (np.uint64(64) - bits)
    return keys


def changes(ids: Ids) -> Integers:
    """Return the rows, from the first on, whose id is not that of the row before.

    >>> changes(Ids.of(["q1", "q1", "q2", "q1"])).tolist()
    [0, 2, 3]
    """
    if not len(ids):
        return np.zeros(0, np.int64)
    same = ids.at(np.arange(1, len(ids))).equal(ids.at(np.arange(len(ids) - 1)))
    return np.append(0, np.flatnonzero(~same) + 1)

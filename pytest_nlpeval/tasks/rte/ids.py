"""Finds pair ids fast: a million of them, without a million Python strings.

Ids are numerals compared as strings (`7` and `07` differ). One of up to 17 digits has the integer key `value * 32 + length`, which is
unique; the rare longer ones get negative keys by rank.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MAX_DIGITS = 17
UNKNOWN = np.iinfo(np.int64).min


def short_key(numeral: str) -> int | None:
    """Return the key of a numeral of at most 17 digits; None for longer ones and for what is no numeral."""
    if len(numeral) > MAX_DIGITS or not (numeral.isascii() and numeral.isdigit()):
        return None
    return int(numeral) * 32 + len(numeral)


def keys_of_digits(digits: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the keys of numerals given by value and length, as `short_key` does."""
    return digits * 32 + lengths


class PairIndex:
    """The ids of a gold file: from key to the pair's rank in the file."""

    def __init__(self, ids: Sequence[str]) -> None:
        """Index `ids`; of repeated ones the first counts."""
        self.ids = tuple(ids)
        self._long: dict[str, int] = {}
        keys = np.array([self._own_key(name) for name in self.ids], np.int64)
        order = np.argsort(keys, kind="stable")
        first = np.ones(keys.size, bool)
        first[1:] = keys[order][1:] != keys[order][:-1]
        self.repeated: list[int] = sorted(order[~first].tolist())
        self._ranks = order[first]
        self._keys = keys[self._ranks]

    def _own_key(self, name: str) -> int:
        key = short_key(name)
        return self._long.setdefault(name, -1 - len(self._long)) if key is None else key

    def key(self, name: str) -> int:
        """Return the key of an id as a run writes it; `UNKNOWN` if it is long and not in the gold file."""
        key = short_key(name)
        return self._long.get(name, UNKNOWN) if key is None else key

    def ranks(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return each key's pair by its rank in the gold file, -1 where there is none."""
        if not self._keys.size:
            return np.full(keys.size, -1)
        places = np.minimum(np.searchsorted(self._keys, keys), self._keys.size - 1)
        return np.where(self._keys[places] == keys, self._ranks[places], -1)

    @property
    def unique(self) -> list[str]:
        """The ids without repetitions, in the file's order."""
        return [self.ids[rank] for rank in sorted(self._ranks.tolist())]

"""The values of items side by side: each item has a number of slots, one for each of its repeats."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


@light_dataclass(frozen=True, eq=False)
class Slots:
    """How many slots each item has, `sizes`; all slots of the first item come first.

    >>> slots = Slots(np.array([2, 1]))
    >>> slots.starts.tolist(), slots.items.tolist(), slots.sums(np.array([1.0, 2.0, 4.0])).tolist()
    ([0, 2], [0, 0, 1], [3.0, 4.0])
    """

    sizes: Rows

    @cached_property
    def starts(self) -> Rows:
        """The first slot of each item."""
        starts: Rows = np.cumsum(self.sizes) - self.sizes
        return starts

    @cached_property
    def items(self) -> Rows:
        """The item of each slot."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @property
    def number(self) -> int:
        """How many slots there are."""
        return int(self.sizes.sum())

    @property
    def is_single(self) -> bool:
        """Whether each item has one slot."""
        return bool((self.sizes == 1).all())

    def sums(self, numbers: Floats) -> Floats:
        """Return the sum of the numbers of each item."""
        sums: Floats = numbers if self.is_single else np.bincount(self.items, numbers, len(self.sizes)).astype(np.float64)
        return sums

    def counts(self, flags: Flags) -> Rows:
        """Return how many slots of each item are flagged."""
        return flags.astype(np.int64) if self.is_single else np.bincount(self.items[flags], minlength=len(self.sizes))

    def ascending(self, numbers: Floats) -> Floats:
        """Return the numbers with those of each item in ascending order, so that no order of records changes a sum."""
        return numbers if self.is_single else numbers[np.lexsort((numbers, self.items))]

    def taken(self, items: Rows) -> Rows:
        """Return the slots of some items, one item after the other; of item -1 there are none."""
        sizes = np.where(items >= 0, self.sizes[items], 0) if len(self.sizes) else np.zeros_like(items)
        starts = np.where(items >= 0, self.starts[items], 0) if len(self.sizes) else np.zeros_like(items)
        return np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())

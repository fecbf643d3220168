"""Shelves: how many explanations are kept, of a document and of a suite. Of very many, nobody reads all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable
from dataclasses import dataclass, field

ROOM = 1_000
"""How many explanations of a document are kept: the first thousand, and at least `SURE` of every sort (a reason, and the measures it
bears on), up to `2 * ROOM` in all."""

MOST = 10_000
"""How many explanations of a suite a report keeps: the first so many, and at least `SURE` of every sort, up to `2 * MOST` in all."""

SURE = 20
"""How many explanations of every sort are kept in any case."""


class _Everything:
    """Contains whatever it is asked for."""

    def __contains__(self, sort: object) -> bool:
        """Say yes."""
        return True


@dataclass(slots=True)
class Shelf:
    """Decides which explanations to keep: the first `room`, and at least `SURE` of every sort, `2 * room` in all."""

    room: int = ROOM
    number: int = 0
    _sorts: Counter[Hashable] = field(default_factory=Counter)

    def takes_sort(self, sort: Hashable) -> bool:
        """Whether to keep one more explanation of this sort."""
        is_kept = self.number < self.room or (self._sorts[sort] < SURE and self.number < 2 * self.room)
        if is_kept:
            self.number += 1
            self._sorts[sort] += 1
        return is_kept

    @property
    def full(self) -> Container[Hashable]:
        """The sorts of which this shelf takes no more, whatever it has taken by then.

        >>> shelf = Shelf(room=1)
        >>> [shelf.takes_sort("a") for _ in range(3)], "a" in shelf.full, "b" in shelf.full
        ([True, True, False], True, True)
        """
        if self.number < self.room:
            return ()
        if self.number >= 2 * self.room:
            return _Everything()
        return frozenset(sort for sort, number in self._sorts.items() if number >= SURE)


@dataclass(slots=True)
class Gathered:
    """What some documents of a suite have explained, in their order; other processes may have documents in between.

    `room` is that of the suite's shelf, `last` the last of the documents.
    """

    room: int = MOST
    last: str = ""
    _sorts: Counter[Hashable] = field(default_factory=Counter)

    def full_at(self, document: str) -> Container[Hashable]:
        """Return the sorts of which the suite's shelf takes no more from a document on; of one before the last, nothing is known.

        Documents in between change nothing of that: they only add to what the shelf has. That it has `2 * room` may be otherwise with them.

        >>> gathered = Gathered(room=30)
        >>> gathered.add("a", ["missed"] * 25 + ["spurious"] * 5)
        >>> ["missed" in gathered.full_at("b"), "spurious" in gathered.full_at("b"), "missed" in gathered.full_at("A")]
        [True, False, False]
        """
        if document < self.last or self._sorts.total() < self.room:
            return ()
        return frozenset(sort for sort, number in self._sorts.items() if number >= SURE)

    def add(self, document: str, sorts: Iterable[Hashable]) -> None:
        """Add the sorts of what documents up to this one have explained; they are left out if they stand before the last."""
        if document >= self.last:
            self.last = document
            self._sorts.update(sorts)

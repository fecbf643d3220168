"""Wrong values: which value of gold the system has taken for which."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest, nsmallest
from typing import Any, NamedTuple, TypeVar

from pytest_nlpeval.columns import Categorical
from pytest_nlpeval.tasks.records.differences import shown

_KEPT = 100
"""How many different wrong values the evidence of a document names."""


class Wrong(NamedTuple):
    """A path, and the values of gold and of the system there as text."""

    path: str
    gold: str
    system: str


@dataclass(slots=True)
class Confused:
    """Collects the wrong values of records."""

    _rows: list[int] = field(default_factory=list)
    _wrong: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, row: int, path: str, gold: Any, system: Any) -> None:
        """Note that in a record the system has another value at a path than gold."""
        self.add_all(path, [(row, gold, system)])

    def add_all(self, path: str, wrong: Sequence[tuple[int, Any, Any]]) -> None:
        """Note records in which the system has another value at a path than gold, each with gold's and the system's."""
        self._rows += [row for row, _, _ in wrong]
        self._wrong += [(path, shown(gold), shown(system)) for _, gold, system in wrong]

    def column(self, length: int) -> Categorical | None:
        """Return the wrong values of each record that are among the most frequent ones, as text; None if there are none."""
        if not self._rows:
            return None
        kept = {wrong: json.dumps(wrong) for wrong in most_frequent(Counter(self._wrong), _KEPT)}
        texts: list[str | None] = [None] * length
        for row, wrong in zip(self._rows, self._wrong, strict=True):
            if wrong in kept:
                earlier = texts[row]
                texts[row] = kept[wrong] if earlier is None else f"{earlier}\n{kept[wrong]}"
        return Categorical.of(texts)


_Texts = TypeVar("_Texts", bound=tuple[str, str, str])


def most_frequent(numbers: Mapping[_Texts, int], most: int) -> list[_Texts]:
    """Return the most frequent wrong values, equally frequent ones in code point order."""
    least = min(nlargest(most, numbers.values()), default=0)
    frequent = [wrong for wrong, number in numbers.items() if number >= least]  # mostly far fewer
    return nsmallest(most, frequent, key=lambda wrong: (-numbers[wrong], wrong))


def wrong_values(text: str) -> list[Wrong]:
    """Return the wrong values that the text of a record names.

    >>> wrong_values('["total", "3", "5"]')
    [Wrong(path='total', gold='3', system='5')]
    """
    return [Wrong(*json.loads(line)) for line in text.split("\n")]

"""Wrong values: which value of gold the system has taken for which."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any, NamedTuple

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

    _of_rows: list[tuple[int, Wrong]] = field(default_factory=list)

    def add(self, row: int, path: str, gold: Any, system: Any) -> None:
        """Note that in a record the system has another value at a path than gold."""
        self._of_rows.append((row, Wrong(path, shown(gold), shown(system))))

    def column(self, length: int) -> Categorical | None:
        """Return the wrong values of each record that are among the most frequent ones, as text; None if there are none."""
        if not self._of_rows:
            return None
        kept = {wrong: json.dumps(wrong) for wrong in most_frequent(Counter(wrong for _, wrong in self._of_rows), _KEPT)}
        texts: list[list[str]] = [[] for _ in range(length)]
        for row, wrong in self._of_rows:
            if wrong in kept:
                texts[row].append(kept[wrong])
        return Categorical.of(["\n".join(lines) or None for lines in texts])


def most_frequent(numbers: Mapping[Wrong, int], most: int) -> list[Wrong]:
    """Return the most frequent wrong values, equally frequent ones in code point order."""
    return nsmallest(most, numbers, key=lambda wrong: (-numbers[wrong], wrong))


def wrong_values(text: str) -> list[Wrong]:
    """Return the wrong values that the text of a record names.

    >>> wrong_values('["total", "3", "5"]')
    [Wrong(path='total', gold='3', system='5')]
    """
    return [Wrong(*json.loads(line)) for line in text.split("\n")]

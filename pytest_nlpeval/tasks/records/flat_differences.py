"""Where flat records differ: counting has found it by columns, so that no record is compared again to explain it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.tasks.records.columns import DIFFERS, FIELD, PARSED, column_of
from pytest_nlpeval.tasks.records.differences import ORDER, Difference, Reason
from pytest_nlpeval.tasks.records.flat import Column, FlatSides


class FlatDifference(NamedTuple):
    """The key at which flat records differ, which is the name of its path, and how."""

    reason: Reason
    path: str

    @property
    def is_object(self) -> bool:
        """Whether what differs is an object."""
        return False

    def told(self, gold: Mapping[str, Any], system: Mapping[str, Any]) -> Difference:
        """Return the difference of two records, with the values of both."""
        mine = None if self.reason == "spurious" else gold[self.path]
        theirs = None if self.reason == "missing" else system[self.path]
        return Difference(self.reason, self.path, self.path, mine, theirs)


@dataclass(frozen=True, slots=True)
class FlatDifferences:
    """Where the flat records of two sides differ, by their rows."""

    sides: FlatSides
    of_rows: Mapping[int, Sequence[FlatDifference]]

    @classmethod
    def of(cls, sides: FlatSides, evidence: Evidence) -> FlatDifferences:
        """Return where the parsed ones among the flat records differ, as evidence tells of each path."""
        is_parsed = sides.rows & (evidence.column(PARSED) == 1)
        of_rows: defaultdict[int, list[FlatDifference]] = defaultdict(list)
        for key in sides.keys:
            differs = is_parsed & (evidence.column(column_of(FIELD, DIFFERS, key)) == 1)
            in_gold, in_system = (side.columns.get(key, Column()).fields(differs) for side in (sides.gold, sides.system))
            for reason, rows in zip(ORDER, (in_gold & in_system, in_gold & ~in_system, in_system & ~in_gold), strict=True):
                found = FlatDifference(reason, key)
                for row in np.flatnonzero(rows).tolist():
                    of_rows[row].append(found)
        return cls(sides, of_rows)

    def in_order(self, row: int) -> Sequence[FlatDifference]:
        """Return the differences of a row in the order in which `differences` has them."""
        found = self.of_rows[row]
        if len(found) == 1:
            return found
        gold, system = (
            {key: place for place, key in enumerate(side.keys_of(row))} for side in (self.sides.gold, self.sides.system)
        )
        return sorted(
            found, key=lambda each: (ORDER.index(each.reason), (system if each.reason == "spurious" else gold)[each.path])
        )

"""Where flat records differ: counting has found it by columns, so that no record is compared again to count it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.records.columns import DIFFERS, FIELD, column_of
from pytest_nlpeval.tasks.records.differences import ORDER, Sort
from pytest_nlpeval.tasks.records.flat import Column, FlatSides


@light_dataclass(frozen=True, slots=True)
class FlatSorts:
    """The sorts of the differences of flat records, by their rows, in any order."""

    sides: FlatSides
    of_rows: Mapping[int, Sequence[Sort]]

    @classmethod
    def of(cls, sides: FlatSides, evidence: Evidence) -> FlatSorts:
        """Return those of the flat records, as evidence tells of each path which of the parsed ones differ."""
        of_rows: defaultdict[int, list[Sort]] = defaultdict(list)
        for key in sides.keys:
            differs = sides.rows & (evidence.column(column_of(FIELD, DIFFERS, key)) == 1)
            in_gold, in_system = (side.columns.get(key, Column()).fields(differs) for side in (sides.gold, sides.system))
            for reason, rows in zip(ORDER, (in_gold & in_system, in_gold & ~in_system, in_system & ~in_gold), strict=True):
                sort = Sort(reason, key)
                for row in np.flatnonzero(rows).tolist():
                    of_rows[row].append(sort)
        return cls(sides, of_rows)

    def in_order(self, row: int) -> Sequence[Sort]:
        """Return the sorts of a row in the order in which `differences` has its differences."""
        places = [{key: place for place, key in enumerate(side.keys_of(row))} for side in (self.sides.gold, self.sides.system)]
        return sorted(
            self.of_rows.get(row, ()), key=lambda sort: (ORDER.index(sort.reason), places[sort.reason == "spurious"][sort.path])
        )

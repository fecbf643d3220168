"""The names of the columns of evidence, and the groups that they tell of."""

from __future__ import annotations

from collections.abc import Iterable

ITEM = "item"
ERROR = "error"
WHOLE, WHOLE_OF = "all.passes", "all.of"
GROUP = "group."
SAME_RECORDS, LEFT_OUT = "@same_records", "@left_out"

LACKS, SIZE, PASSES = "lacks", "n", "passes"
MEAN, SUM, VARIANCE = "mean", "sum", "variance"
VALUE = "value"


def of_result(name: str, column: str) -> str:
    """Return the name of a result's column; the names of results have no dot.

    >>> of_result("right", LACKS)
    'right.lacks'
    """
    return f"{name}.{column}"


def value_column(name: str, rank: int) -> str:
    """Return the name of the column with the values of a result that stand at a place, from 1, in ascending order."""
    return f"{name}.{VALUE}.{rank}"


def groups_in(columns: Iterable[str]) -> tuple[str, ...]:
    """Return the groups that columns tell of, sorted; a result cannot be called `group`."""
    return tuple(sorted(column.removeprefix(GROUP) for column in columns if column.startswith(GROUP)))

"""The report of `nlpeval compare` as a table, for CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_nlpeval.reports.table import cell
from pytest_nlpeval.reports.uncertainty import end_cells, fewer_cells
from pytest_nlpeval.run.side_by_side import Row, SideBySide

COLUMNS = (
    *("suite", "measure", "system", "minus", "value", "low", "high", "p", "p_adjusted", "best", "groups", "reason"),
    *("resamples", "p_resamples"),
)


def comparison_table(comparison: SideBySide) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    """Return a row for each measure and system, then for each two systems one with the difference of the first from the second."""
    names = [output.source for output in comparison.outputs]
    return COLUMNS, ((comparison.suite.name, *cells) for row in comparison.rows for cells in _rows(row, names))


def wide_table(comparison: SideBySide) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    """Return a row for each measure, with the value of each output in a column of its own, empty where there is none."""
    suite, names = comparison.suite.name, (output.source for output in comparison.outputs)
    rows = ((suite, row.measure.name, *(cell(placing.score.value) for placing in row.entries)) for row in comparison.rows)
    return ("suite", "measure", *names), rows


def _rows(row: Row, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    measure = row.measure.name
    for name, placing in zip(names, row.entries, strict=True):
        best, groups = "best" if placing.is_best else "", " ".join(placing.groups)
        numbers = cell(placing.score.value), *end_cells(placing.interval)
        yield measure, name, "", *numbers, "", "", best, groups, placing.score.reason, *fewer_cells(placing.interval, None)
    for difference in row.differences:
        facts = cell(difference.difference), *end_cells(difference.interval), cell(difference.p), cell(difference.p_adjusted)
        fewer = fewer_cells(difference.interval, difference.p_resamples)
        yield measure, difference.second, difference.first, *facts, "", "", "", *fewer

"""The report of `nlpeval history` as a table, for CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_nlpeval.reports.history.blocks import NO_READING
from pytest_nlpeval.reports.table import cell
from pytest_nlpeval.reports.uncertainty import end_cells
from pytest_nlpeval.run.history import History, Point, Reading

COLUMNS = (
    *("suite", "measure", "commit", "day", "subject", "documents", "value", "low", "high"),
    *("drop", "p", "p_adjusted", "fell", "reason", "configuration"),
)


def history_table(histories: Iterable[History]) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    """Return a row for each suite, commit and measure, or for each suite and commit where nothing could be scored."""
    return COLUMNS, (
        (history.suite.name, *row, history.suite.label)
        for history in histories
        for point in history.points
        for row in _rows(point)
    )


def _rows(point: Point) -> Iterator[tuple[str, ...]]:
    for measure, reading in (point.readings or {"": NO_READING}).items():
        value, fall = cell(reading.score.value), _fall_cells(reading)
        reason = reading.score.reason if point.readings else point.run.reason
        yield measure, *point.commit, str(point.documents), value, *end_cells(reading.interval), *fall, reason


def _fall_cells(reading: Reading) -> tuple[str, ...]:
    fall = reading.fall
    return (cell(fall.drop), cell(fall.p), cell(fall.p_adjusted), "fell" * fall.is_significant) if fall else ("",) * 4

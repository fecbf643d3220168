"""The report of `nlpeval history` as a table, for CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_nlpeval.reports.history.blocks import NO_READING
from pytest_nlpeval.reports.table import cell
from pytest_nlpeval.reports.uncertainty import end_cells, fewer_cells
from pytest_nlpeval.run.history import History, Point, Reading

COLUMNS = (
    *("suite", "measure", "commit", "day", "subject", "documents", "value", "low", "high"),
    *("drop", "p", "p_adjusted", "fell", "reason", "configuration", "resamples", "p_resamples"),
)


def history_table(histories: Iterable[History]) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    """Return a row for each suite, commit and measure, or for each suite and commit where nothing could be scored.

    Before those of a suite, each failure of its task is the `reason` of a row without commit and measure.
    """
    return COLUMNS, (row for history in histories for row in _rows_of(history))


def _rows_of(history: History) -> Iterator[tuple[str, ...]]:
    name, config = history.suite.name, history.suite.label
    for problem in history.problems:
        yield name, *[""] * (COLUMNS.index("reason") - 1), str(problem), config, "", ""
    for point in history.points:
        for cells, fewer in _rows(point):
            yield name, *cells, config, *fewer


def _rows(point: Point) -> Iterator[tuple[tuple[str, ...], tuple[str, str]]]:
    """Yield the cells of each row behind the name of the suite, and those behind its configuration."""
    for measure, reading in (point.readings or {"": NO_READING}).items():
        value, fall = cell(reading.score.value), _fall_cells(reading)
        reason = reading.score.reason if point.readings else point.run.reason
        commit = point.commit
        head = (measure, commit.name, commit.day, commit.subject, str(point.documents), value)
        fewer = fewer_cells(reading.interval, reading.fall.p_resamples if reading.fall else None)
        yield (*head, *end_cells(reading.interval), *fall, reason), fewer


def _fall_cells(reading: Reading) -> tuple[str, ...]:
    fall = reading.fall
    return (cell(fall.drop), cell(fall.p), cell(fall.p_adjusted), "fell" * fall.is_significant) if fall else ("",) * 4

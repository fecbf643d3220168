"""The report of a run as a table: a row per suite and measure, per note, and per document and measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pytest_nlpeval.reports.model import Report, ScoreReport, SuiteReport
from pytest_nlpeval.reports.table import cell

CHANCE = ("low", "high", "baseline", "drop", "drop_low", "drop_high", "p")
FEWER = ("resamples", "drop_resamples", "p_resamples")
COLUMNS = ("suite", "system", "task", "measure", "value", "reason", "document", *CHANCE, "group", "configuration", *FEWER)


def table(report: Report) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    """Return a header and one row per suite and measure, then one per document of the report, worst first, and measure.

    `document` is empty in the rows of the suite itself, `group` where a measure is of everything. `configuration` is the file that the
    suite is from. `value` is unrounded, or empty; `reason` then says why. `low` and `high` are the ends of its interval; `baseline`,
    `drop`, `drop_low`, `drop_high` and `p` are how the suite's value compares with the baseline's. `resamples`, `drop_resamples` and
    `p_resamples` are how many resamples the interval, that of the drop and `p` are of, where these are fewer than the statistics say.
    What must be known of a suite besides its scores comes before them, in rows without measure and value: a note as `reason`. A document
    with errors in its files has one such row, with the errors.
    """
    return COLUMNS, (row for suite in report.suites for row in _rows(suite))


class _Line(NamedTuple):
    """What a line says besides its suite: a score of the suite, or of a document."""

    document: str
    measure: str
    score: ScoreReport


def _lines(suite: SuiteReport) -> Iterator[_Line]:
    yield from (_Line("", "", ScoreReport(value=None, reason=note)) for note in suite.notes)
    yield from (_Line("", name, score) for name, score in suite.scores.items())
    for document in suite.cases.listed:
        if document.problems is not None:
            yield _Line(document.name, "", ScoreReport(value=None, reason="; ".join(document.problems)))
        for measure, value in (document.values or {}).items():
            yield _Line(document.name, measure, ScoreReport(value=value))


def _rows(suite: SuiteReport) -> Iterator[tuple[str, ...]]:
    for document, measure, score in _lines(suite):
        head = (suite.name, suite.system, suite.task, measure, cell(score.value), score.reason, document)
        fewer = (cell(getattr(score, name)) for name in FEWER)
        yield *head, *(cell(getattr(score, name)) for name in CHANCE), suite.score(measure).group, suite.config, *fewer

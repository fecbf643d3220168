"""Writes the table at the end of a run, with notes and warnings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import pytest

from pytest_nlpeval.pytest_plugin.judging import records_in
from pytest_nlpeval.pytest_plugin.records import Record, by_suite, warning_lines
from pytest_nlpeval.pytest_plugin.summary import summary_lines
from pytest_nlpeval.reports.configurations import records_telling_configurations
from pytest_nlpeval.reports.view import note_lines
from pytest_nlpeval.wording import printable


def write_table(
    reporter: pytest.TerminalReporter,
    records: Collection[Record],
    noted: Iterable[tuple[str, Sequence[str]]],
    said: Sequence[str] = (),
    warning: str = "",
) -> None:
    """Write the table of records, the notes by suite, further lines, and the warnings, the run's own as well; nothing if there is none."""
    records = records_telling_configurations(list(records))
    lines = summary_lines(records, only_failures=reporter.config.get_verbosity() < 0)
    warnings = [*warning_lines(records), *([printable(warning)] if warning else [])]
    notes = note_lines(noted)
    if lines or warnings or notes or said:
        reporter.write_sep("=", "nlpeval")
    for line, colour in lines:
        reporter.write_line(line, **({colour: True} if colour else {}))
    for line in (*notes, *said):
        reporter.write_line(printable(line))
    for line in warnings:
        reporter.write_line(line, yellow=True)


def write_judged(reporter: pytest.TerminalReporter, reports: Iterable[object]) -> None:
    """Write the table of what tests judged, by their reports: that of a run in which nothing else does."""
    records = [record for _, record in dict(entry for report in reports for entry in records_in(report)).items()]
    write_table(reporter, records, ((own[0]["suite"], own[0]["notes"]) for own in by_suite(records).values()))

"""The items of a run that changed against the baseline, as a table: a row for each item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_nlpeval.config.selection import PART
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.reports.model import Report, SuiteReport
from pytest_nlpeval.reports.table import csv_table
from pytest_nlpeval.reports.view import CHANGES
from pytest_nlpeval.run.item_changes import Change
from pytest_nlpeval.wording import plural

COLUMNS = (
    *("suite", "document", "item", "unit", "group", "change"),
    *("then_reason", "then_gold", "then_system", "today_reason", "today_gold", "today_system", "message", "text"),
)


def changes_csv(report: Report) -> str:
    """Return a CSV file with a row for each item that is newly wrong, newly right, or wrong in another way.

    A side that is right has no gold and system; its reason is `right` if the task tells something of it, else "". `text` is the passage.
    Of a suite that was read from a JSON report, which keeps the first changes, the last row says how many there are besides. Where the
    run is of chosen suites alone, a suite's first row says so.
    """
    return csv_table(COLUMNS, (row for suite in report.suites for row in _rows(suite)))


def _rows(suite: SuiteReport) -> Iterator[Sequence[str]]:
    yield from (_said(suite.name, note) for note in suite.notes if note.startswith(PART))
    if suite.changes is None:
        return
    yield from (_row(suite.name, change) for change in suite.changes.first)
    if more := sum(suite.changes.counts.values()) - len(suite.changes.first):
        yield _said(suite.name, f"{plural(more, 'more change')}, which the JSON report does not have")


def _said(suite: str, message: str) -> Sequence[str]:
    """Return a row that is about no item."""
    return (suite, *[""] * (len(COLUMNS) - 3), message, "")


def _row(suite: str, change: Change) -> Sequence[str]:
    shown = change.explanation
    text = shown.passage.text if shown.passage else ""
    head = (suite, change.case, shown.item, shown.unit, shown.group, CHANGES[change.sort])
    return (*head, *_side(change.before), *_side(change.now), shown.message, text)


def _side(explanation: Explanation | None) -> Sequence[str]:
    return (explanation.reason, explanation.gold, explanation.system) if explanation else ("", "", "")

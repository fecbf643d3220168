"""The native report: the tables that the tasks' original scorers print."""

from __future__ import annotations

from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.native import native
from pytest_nlpeval.reports.view import Setting


def render(report: Report, _setting: Setting | None = None) -> str:
    """Return the tables of all suites of a report."""
    return native(report)

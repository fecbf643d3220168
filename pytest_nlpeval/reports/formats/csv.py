"""The CSV report, for spreadsheets and scripts."""

from __future__ import annotations

from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.table import table
from pytest_nlpeval.reports.table import csv_table
from pytest_nlpeval.reports.view import Setting


def render(report: Report, _setting: Setting | None = None) -> str:
    """Return a report as CSV."""
    return csv_table(*table(report))

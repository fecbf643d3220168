"""The HTML report: one page that needs nothing else and no network."""

from __future__ import annotations

from pytest_nlpeval.reports.markup import html
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.page import page_of
from pytest_nlpeval.reports.view import Setting


def render(report: Report, _setting: Setting | None = None) -> str:
    """Return a report as one HTML page; equal reports give equal bytes."""
    return html("page", page=page_of(report))

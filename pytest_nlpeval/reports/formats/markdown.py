"""The Markdown report: what a person reads in a job summary or a comment."""

from __future__ import annotations

from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.markdown import markdown
from pytest_nlpeval.reports.view import Setting


def render(report: Report, setting: Setting | None = None) -> str:
    """Return a report as Markdown."""
    return markdown(report, setting or Setting())

"""The text report: what a person reads, in a file or a pipe. On a terminal the command shows the same lines and tables in colours."""

from __future__ import annotations

from pytest_nlpeval.reports.blocks import plain
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.blocks import blocks
from pytest_nlpeval.reports.view import Setting


def render(report: Report, setting: Setting | None = None) -> str:
    """Return a report as plain text."""
    return plain(blocks(report, setting or Setting()))

"""The HTML report: one page that needs nothing else and no network. A pure function of the JSON report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_nlpeval.reports.markup import html
from pytest_nlpeval.reports.run.page import page_of
from pytest_nlpeval.reports.view import Setting


def render(report: Mapping[str, Any], _setting: Setting | None = None) -> str:
    """Return a JSON report as one HTML page; equal reports give equal bytes."""
    return html("page", page=page_of(report))

"""The JSON report itself (schemas/report.schema.json), as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.view import Setting


def render(report: Report | Mapping[str, Any], _setting: Setting | None = None) -> str:
    """Return the report as text: keys in a fixed order, values unrounded, so that equal results give equal bytes."""
    return "".join(pieces(report))


def pieces(report: Report | Mapping[str, Any], _setting: Setting | None = None) -> Iterator[str]:
    """Yield the same text piece by piece, so that a large report is not in memory a second time."""
    yield from json.JSONEncoder(indent=2, allow_nan=False).iterencode(report.to_json() if isinstance(report, Report) else report)
    yield "\n"

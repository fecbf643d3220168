"""The JSON report itself (schemas/report.schema.json), as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pytest_nlpeval.reports.view import Setting


def render(report: Mapping[str, Any], _setting: Setting | None = None) -> str:
    """Return the report as text: keys in a fixed order, values unrounded, so that equal results give equal bytes."""
    return json.dumps(report, indent=2, allow_nan=False) + "\n"

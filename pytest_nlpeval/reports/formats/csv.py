"""The CSV report: one row per suite and measure, and one per note, for spreadsheets and scripts."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from itertools import chain
from typing import Any

from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.wording import printable

COLUMNS = ("suite", "system", "task", "measure", "value", "reason")


def render(report: Mapping[str, Any], _setting: Setting | None = None) -> str:
    """Return a header and one line per suite and measure; `value` is unrounded, or empty with the `reason`.

    What must be known of a suite besides its scores comes before them, in lines without measure and value: a note as `reason`.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for suite in report["suites"]:
        notes = [("", {"value": None, "reason": note}) for note in suite.get("notes", ())]
        for name, score in chain(notes, suite["scores"].items()):
            value = "" if score["value"] is None else repr(score["value"])
            row = (suite["name"], suite["system"], suite["task"], name, value, score.get("reason", ""))
            writer.writerow([_cell(cell) for cell in row])
    return stream.getvalue()


def _cell(text: str) -> str:
    """Return the text on one line, so marked that a spreadsheet does not take it for a formula."""
    safe = printable(text)
    return f"'{safe}" if safe.startswith(("=", "+", "-", "@")) else safe

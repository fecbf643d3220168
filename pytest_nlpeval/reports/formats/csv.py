"""The CSV report: one row per suite and measure, one per note, and one per document and measure, for spreadsheets and scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_nlpeval.reports.table import cell, csv_table
from pytest_nlpeval.reports.view import Setting

COLUMNS = ("suite", "system", "task", "measure", "value", "reason", "document")


def render(report: Mapping[str, Any], _setting: Setting | None = None) -> str:
    """Return a header and one line per suite and measure, then one per document of the report, worst first, and measure.

    `document` is empty in the lines of the suite itself. `value` is unrounded, or empty; `reason` then says why. What must be known of a
    suite besides its scores comes before them, in lines without measure and value: a note as `reason`. A document with errors in its
    files has one such line, with the errors.
    """
    return csv_table(COLUMNS, (row for suite in report["suites"] for row in _rows(suite)))


Line = tuple[str, str, float | None, str]
"""Document, measure, value, reason."""


def _of_suite(suite: Mapping[str, Any]) -> Iterator[Line]:
    yield from (("", "", None, note) for note in suite.get("notes", ()))
    yield from (("", name, score["value"], score.get("reason", "")) for name, score in suite["scores"].items())


def _of_documents(suite: Mapping[str, Any]) -> Iterator[Line]:
    for entry in suite["cases"].get("documents", ()):
        if "problems" in entry:
            yield entry["name"], "", None, "; ".join(entry["problems"])
        for measure, value in entry.get("values", {}).items():
            yield entry["name"], measure, value, ""


def _rows(suite: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for document, measure, value, reason in (*_of_suite(suite), *_of_documents(suite)):
        yield suite["name"], suite["system"], suite["task"], measure, cell(value), reason, document

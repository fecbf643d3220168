"""The CSV report: one row per suite and measure, one per note, and one per document and measure, for spreadsheets and scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pytest_nlpeval.reports.table import cell, csv_table
from pytest_nlpeval.reports.view import Json, Setting

CHANCE = ("low", "high", "baseline", "drop", "drop_low", "drop_high", "p")
COLUMNS = ("suite", "system", "task", "measure", "value", "reason", "document", *CHANCE, "group")


def render(report: Json, _setting: Setting | None = None) -> str:
    """Return a header and one line per suite and measure, then one per document of the report, worst first, and measure.

    `document` is empty in the lines of the suite itself, `group` where a measure is of everything. `value` is unrounded, or empty; `reason`
    then says why. `low` and `high` are the ends of its interval; `baseline`, `drop`, `drop_low`, `drop_high` and `p` are how the suite's
    value compares with the baseline's. What must be known of a suite besides its scores comes before them, in lines without measure and
    value: a note as `reason`. A document with errors in its files has one such line, with the errors.
    """
    return csv_table(COLUMNS, (row for suite in report["suites"] for row in _rows(suite)))


class _Line(NamedTuple):
    """What a line says besides its suite: a score of the suite, or of a document."""

    document: str
    measure: str
    score: Mapping[str, Any]


def _lines(suite: Json) -> Iterator[_Line]:
    yield from (_Line("", "", {"reason": note}) for note in suite.get("notes", ()))
    yield from (_Line("", name, score) for name, score in suite["scores"].items())
    for entry in suite["cases"].get("documents", ()):
        if "problems" in entry:
            yield _Line(entry["name"], "", {"reason": "; ".join(entry["problems"])})
        yield from (_Line(entry["name"], measure, {"value": value}) for measure, value in entry.get("values", {}).items())


def _rows(suite: Json) -> Iterator[tuple[str, ...]]:
    head = (suite["name"], suite["system"], suite["task"])
    for document, measure, score in _lines(suite):
        said = (measure, cell(score.get("value")), score.get("reason", ""), document)
        group = suite["scores"].get(measure, {}).get("group", "")
        yield *head, *said, *(cell(score.get(name)) for name in CHANCE), group

"""The report of a run as a table: a row per suite and measure, per note, and per document and measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pytest_nlpeval.reports.table import cell
from pytest_nlpeval.reports.view import Json

CHANCE = ("low", "high", "baseline", "drop", "drop_low", "drop_high", "p")
COLUMNS = ("suite", "system", "task", "measure", "value", "reason", "document", *CHANCE, "group")


def table(report: Json) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    """Return a header and one row per suite and measure, then one per document of the report, worst first, and measure.

    `document` is empty in the rows of the suite itself, `group` where a measure is of everything. `value` is unrounded, or empty; `reason`
    then says why. `low` and `high` are the ends of its interval; `baseline`, `drop`, `drop_low`, `drop_high` and `p` are how the suite's
    value compares with the baseline's. What must be known of a suite besides its scores comes before them, in rows without measure and
    value: a note as `reason`. A document with errors in its files has one such row, with the errors.
    """
    return COLUMNS, (row for suite in report["suites"] for row in _rows(suite))


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

"""The report of `nlpeval history` (schemas/history.schema.json), and what is made of it for people and programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pytest_nlpeval import __version__
from pytest_nlpeval.reports.blocks import Block, Said, Table, joined
from pytest_nlpeval.reports.compare.blocks import chance_sentence, p_value
from pytest_nlpeval.reports.table import cell, csv_table
from pytest_nlpeval.reports.view import Json, of_count
from pytest_nlpeval.run.history import History
from pytest_nlpeval.wording import number, plural

CSV = (
    *("suite", "measure", "commit", "day", "subject", "documents", "value", "low", "high"),
    *("drop", "p", "p_adjusted", "fell", "reason"),
)

WIDTH = 40
"""Characters of a chart, whatever the terminal: what is piped into a file looks the same."""

_MOST_SUBJECT = 50


def history_document(histories: Iterable[History]) -> dict[str, Any]:
    """Return the report as a JSON document."""
    return {
        "version": 1,
        "tool": f"pytest-nlpeval {__version__}",
        "suites": [history.to_json() for history in histories],
    }


def history_blocks(report: Json) -> list[Block]:
    """Return a table with a chart for each measure of each suite, the oldest commit first, and which commits let a score fall."""
    return joined([part for suite in report["suites"] for part in _suite(suite)])


def history_csv(report: Json) -> str:
    """Return a line for each suite, measure and commit, or for each suite and commit where nothing could be scored."""
    return csv_table(CSV, (row for suite in report["suites"] for row in _csv_rows(suite)))


def _suite(suite: Json) -> Iterator[Sequence[Block]]:
    points = suite["points"]
    if not points:
        yield [Said(f"{suite['name']}: no commit has the suite; commit its configuration and the system's files")]
        return
    head = [Said(f"{suite['name']}: {plural(len(points), 'commit')}; {chance_sentence(suite['statistics'])}", "title")]
    if "cut" in suite:
        head.append(Said(cut_sentence(suite["cut"]), "warning"))
    yield head
    for measure in suite["measures"] or ({"measure": ""},):
        yield [*([Said(measure["measure"], "title")] if measure["measure"] else []), _table(measure["measure"], points)]
    yield [Said(line, "bad") for measure in suite["measures"] for line in falls(measure["measure"], points)]


def cut_sentence(commit: str) -> str:
    """Return that the history of a shallow clone ends at a commit, and what to do."""
    return (
        f"The history of this shallow clone ends at {commit[:12]}; fetch more of it (`git fetch --unshallow`; with "
        "actions/checkout set `fetch-depth: 0`)."
    )


def _table(measure: str, points: Iterable[Json]) -> Table:
    """Return the table of a measure, with a chart on a scale from the least to the greatest end of an interval."""
    scores = [of_count(point["scores"].get(measure, {})) for point in points]
    ends = [score[end] for score in scores for end in ("value", "low", "high") if score.get(end) is not None]
    scale = (min(ends), max(ends)) if ends else None
    axis = f"{number(scale[0])}{number(scale[1]).rjust(WIDTH - len(number(scale[0])))}" if scale else ""
    header = ("commit", "day", "documents", "value", "low", "high", Said(axis, "chart"), "", "subject")
    rows = [_row(point, score, scale) for point, score in zip(points, scores, strict=True)]
    return Table(header, rows, (("documents",), ("day",), ("low", "high"), ("subject",), (axis,)))


def _row(point: Json, score: Json, scale: tuple[float, float] | None) -> tuple[Said | str, ...]:
    subject = point["subject"]
    short = subject if len(subject) <= _MOST_SUBJECT else f"{subject[:_MOST_SUBJECT]}…"
    reason = score.get("reason", point.get("reason", ""))
    return (
        point["commit"][:12],
        point["day"],
        f"{point['documents']:,}",
        *(number(score.get(name)) for name in ("value", "low", "high")),
        Said(chart_line(score, scale) if scale and score.get("value") is not None else "", "chart"),
        Said("fell", "bad") if score.get("fell") else "",
        f"{short} ({reason})" if reason else short,
    )


def chart_line(score: Json, scale: tuple[float, float]) -> str:
    """Return a value as `o` between the ends of its interval, `|`, on a line of `WIDTH` characters from one end of the scale to the other.

    >>> chart_line({"value": 0.5, "low": 0.25, "high": 0.75}, (0.25, 1.0)).rstrip()
    '|------------o------------|'
    """
    least, greatest = scale
    span = greatest - least or 1

    def place(value: float) -> int:
        return round((value - least) / span * (WIDTH - 1))

    value = score["value"]
    low, high = place(score.get("low", value)), place(score.get("high", value))
    line = [" "] * WIDTH
    line[low : high + 1] = "-" * (high + 1 - low)
    line[low] = line[high] = "|"
    line[place(value)] = "o"
    return "".join(line)


def falls(measure: str, points: Iterable[Json]) -> Iterator[str]:
    """Yield which commits let a measure fall significantly, the oldest first."""
    before: Json = {}
    for point in points:
        score = point["scores"].get(measure, {})
        if score.get("fell"):
            values = f"{number(before['value'])} -> {number(score['value'])}"
            where = f"{point['commit'][:12]} ({point['day']}, {point['subject']})"
            yield f"{measure} fell with {where}: {values}, adjusted p = {p_value(score['p_adjusted'])}"
        before = score if score.get("value") is not None else before


def _csv_rows(suite: Json) -> Iterator[tuple[str, ...]]:
    for point in suite["points"]:
        facts = (point["commit"], point["day"], point["subject"], str(point["documents"]))
        for measure, score in (point["scores"] or {"": {"reason": point.get("reason", "")}}).items():
            numbers = [cell(score.get(name)) for name in ("value", "low", "high", "drop", "p", "p_adjusted")]
            yield suite["name"], measure, *facts, *numbers, "fell" if score.get("fell") else "", score.get("reason", "")

"""What the HTML page shows of a JSON report, in the order in which it is shown. Pure functions of the JSON report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.drawing import Picture, pictures
from pytest_nlpeval.reports.view import (
    DocumentTable,
    GateRow,
    document_table,
    explanation_summary,
    gate_rows,
    place_of,
    problems_of,
    verdict_sentence,
)
from pytest_nlpeval.wording import plural

Json = Mapping[str, Any]

OPEN_ROWS = 10
"""How many documents, problems or explanations of a suite are open; the others are folded."""

MOST_ROWS = 1_000
MOST_EXPLAINED = 200
"""Of a suite; of many suites, fewer of each, down to `OPEN_ROWS`."""

Side = Literal["", "gold", "system", "both"]


class Piece(NamedTuple):
    """A part of a passage, and the sides that mark it."""

    text: str
    side: Side


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """An explanation: the place, what is said, the pieces of the passage, and what either side has."""

    place: str
    kind: str
    reason: str
    message: str
    pieces: Sequence[Piece]
    gold: str
    system: str


class ScoreRow(NamedTuple):
    """A measure of a suite, its value and interval, or why there is no value."""

    measure: str
    value: float | None
    low: float | None
    high: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class SuiteView:
    """A suite as the page shows it; `key` is its anchor, unique on the page."""

    key: str
    name: str
    task: str
    passed: bool
    total: int
    failed: int
    place: str
    signature: str
    notes: Sequence[str]
    problems: Sequence[Problem]
    gates: Sequence[GateRow]
    scores: Sequence[ScoreRow]
    documents: DocumentTable
    summary: str
    explanations: Sequence[ExplanationView]
    unshown: int

    @property
    def has_marks(self) -> bool:
        """Whether a passage marks anything."""
        return any(piece.side for entry in self.explanations for piece in entry.pieces)

    @property
    def failing(self) -> list[GateRow]:
        """The conditions that make the run fail."""
        return [row for row in self.gates if row.fails]


@dataclass(frozen=True, slots=True)
class Group:
    """The systems of one suite, with the pictures of all of them together."""

    key: str
    name: str
    suites: Sequence[SuiteView]
    pictures: Sequence[Picture]


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page."""

    passed: bool
    verdict: str
    tool: str
    problems: Sequence[Problem]
    groups: Sequence[Group]


def page_of(report: Json) -> Page:
    """Return what the page shows of a report."""
    number = max(1, len(report["suites"]))
    rows, explained = (max(OPEN_ROWS, min(most, 2 * most // number)) for most in (MOST_ROWS, MOST_EXPLAINED))
    found: dict[tuple[str, int, str], list[tuple[str, Json]]] = {}
    for suite in report["suites"]:
        base = suite["name"].removesuffix(f"/{suite['system']}") if suite["system"] else suite["name"]
        found.setdefault((suite["config"], suite["line"], base), []).append((suite["system"] or suite["name"], suite))
    groups = [
        Group(
            f"g{place}",
            base,
            [_suite(f"g{place}s{rank}", suite, rows, explained) for rank, (_, suite) in enumerate(suites, 1)],
            pictures(suites),
        )
        for place, ((_, _, base), suites) in enumerate(found.items(), 1)
    ]
    return Page(report["passed"], verdict_sentence(report), report["tool"], problems_of(report), groups)


def _suite(key: str, suite: Json, rows: int, explained: int) -> SuiteView:
    cases = suite["cases"]
    explanations = suite.get("explanations", {"counts": {}, "first": ()})
    first = explanations["first"][:explained]
    return SuiteView(
        key,
        suite["name"],
        suite["task"],
        suite["outcome"] == "ok",
        cases["total"],
        cases["failed"],
        f"{suite['config']}:{suite['line']}" if suite["config"] else "",
        suite["signature"],
        suite.get("notes", ()),
        sorted(problems_of(suite), key=lambda problem: problem.severity != "error"),
        gate_rows(suite),
        [_score(name, score) for name, score in suite["scores"].items()],
        document_table(suite, rows),
        explanation_summary(suite),
        list(map(_explanation, first)),
        sum(explanations["counts"].values()) - len(first),
    )


def _score(name: str, score: Json) -> ScoreRow:
    return ScoreRow(name, score["value"], score.get("low"), score.get("high"), score.get("reason", ""))


def _explanation(entry: Json) -> ExplanationView:
    passage = entry.get("passage")
    return ExplanationView(
        place_of(entry),
        entry.get("kind", ""),
        entry["reason"],
        entry["message"],
        list(pieces(passage)) if passage else [],
        entry.get("gold", ""),
        entry.get("system", ""),
    )


def pieces(passage: Json) -> Iterator[Piece]:
    """Yield the parts of a passage between which what the sides mark changes.

    >>> list(pieces({"text": "abcd", "gold": [[0, 2]], "system": [[1, 3]]}))
    [Piece(text='a', side='gold'), Piece(text='b', side='both'), Piece(text='c', side='system'), Piece(text='d', side='')]
    """
    text = passage["text"]
    spans = {side: [(start, min(end, len(text))) for start, end in passage[side]] for side in ("gold", "system")}
    ends = sorted({0, len(text), *(end for side in spans.values() for span in side for end in span if end < len(text))})
    for start, end in pairwise(ends):
        yield Piece(text[start:end], _side(*(any(low <= start < high for low, high in spans[side]) for side in spans)))


def _side(gold: bool, system: bool) -> Side:  # noqa: FBT001 - whether either side marks it
    if gold and system:
        return "both"
    return "gold" if gold else "system" if system else ""


def counted(rows: Sequence[Any], noun: str) -> str:
    """Return how many more rows there are than are open: `12 more documents`."""
    return plural(max(0, len(rows) - OPEN_ROWS), f"more {noun}")

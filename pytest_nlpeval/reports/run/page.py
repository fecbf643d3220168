"""What the HTML page shows of a report, in the order in which it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.change_sentences import NO_CHANGES
from pytest_nlpeval.reports.digest import verdict_of
from pytest_nlpeval.reports.drawing import picture
from pytest_nlpeval.reports.explanation_views import Explained, ExplanationView, explained
from pytest_nlpeval.reports.grids import Drawn, drawings
from pytest_nlpeval.reports.measure_rows import MeasureGroup, measure_groups
from pytest_nlpeval.reports.model import GateReport, Report, SuiteReport
from pytest_nlpeval.reports.precision_recall import precision_recall
from pytest_nlpeval.reports.view import (
    CHANGES,
    DocumentTable,
    GateRow,
    document_table,
    explanation_summary,
    rows_of,
    worst_documents,
)
from pytest_nlpeval.wording import number, plural

OPEN_ROWS = 10
"""How many documents, problems or explanations of a suite are open; the others are folded."""

LEADING = 2
"""How many explanations of a suite that failed are shown before all suites."""

MOST_ROWS = 1_000
MOST_EXPLAINED = 1_000
"""Of a suite; of many suites, fewer of each, down to `OPEN_ROWS`."""

MOST_BYTES = 1_500_000
"""Of the texts of all explanations."""


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
    unshown_problems: int
    gates: Sequence[GateRow]
    failing: Sequence[tuple[str, str]]
    groups: Sequence[MeasureGroup]
    documents: DocumentTable
    worst: str
    summary: str
    changed: str
    explained: Explained

    @property
    def leading(self) -> list[ExplanationView]:
        """The first explanations of what is wrong."""
        wrong = (entry for entry in self.explained.entries if entry.change != CHANGES["newly_right"])
        return list(islice(wrong, LEADING))

    @property
    def has_marks(self) -> bool:
        """Whether a passage marks anything."""
        return any(piece.side for entry in (*self.explained.entries, *self.explained.known) for piece in entry.pieces)

    @property
    def folded_measures(self) -> int:
        """How many measures are not in the first group."""
        return sum(len(group.rows) for group in self.groups[1:])

    @property
    def is_compared(self) -> bool:
        """Whether any measure has the baseline's value."""
        return any(row.baseline is not None for group in self.groups for row in group.rows)


@dataclass(frozen=True, slots=True)
class Group:
    """The systems of one suite, with what is drawn of all of them together."""

    key: str
    name: str
    suites: Sequence[SuiteView]
    drawings: Sequence[Drawn]


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page."""

    passed: bool
    verdict: str
    tool: str
    problems: Sequence[Problem]
    groups: Sequence[Group]

    @property
    def failed(self) -> list[SuiteView]:
        """The suites that failed."""
        return [suite for group in self.groups for suite in group.suites if not suite.passed]


@dataclass(frozen=True, slots=True)
class Room:
    """How many rows, explanations and bytes of their texts a suite may have on the page."""

    rows: int
    explanations: int
    size: int

    @classmethod
    def of(cls, suites: int) -> Room:
        """Return the room that each of so many suites has."""
        rows, explanations = (max(OPEN_ROWS, min(most, 2 * most // max(1, suites))) for most in (MOST_ROWS, MOST_EXPLAINED))
        return cls(rows, explanations, MOST_BYTES // max(1, suites))


def page_of(report: Report) -> Page:
    """Return what the page shows of a report."""
    room = Room.of(len(report.suites))
    bases: dict[tuple[str, int, str], list[tuple[str, SuiteReport]]] = {}
    for suite in report.suites:
        base = suite.name.removesuffix(f"/{suite.system}") if suite.system else suite.name
        bases.setdefault((suite.config, suite.line, base), []).append((suite.system or suite.name, suite))
    groups = [
        Group(
            f"g{group}",
            base,
            [_suite(f"g{group}s{rank}", suite, room) for rank, (_, suite) in enumerate(suites, 1)],
            [*drawings(suites), *_scatter(suites)],
        )
        for group, ((_, _, base), suites) in enumerate(bases.items(), 1)
    ]
    return Page(report.passed, verdict_of(report).text, report.tool, report.problems, groups)


def _scatter(suites: Sequence[tuple[str, SuiteReport]]) -> list[Drawn]:
    values = [(system, {name: score.value for name, score in suite.scores.items()}) for system, suite in suites]
    graphs = precision_recall(values, {gate.measure for _, suite in suites for gate in suite.gates})
    return [picture(graphs)] if graphs else []


def _suite(key: str, suite: SuiteReport, room: Room) -> SuiteView:
    changes: Mapping[str, int] = dict((suite.changes or NO_CHANGES).counts.items())
    problems = sorted(suite.problems, key=lambda problem: problem.severity != "error")
    return SuiteView(
        key=key,
        name=suite.name,
        task=suite.task,
        passed=suite.outcome == "ok",
        total=suite.cases.total,
        failed=suite.cases.failed,
        place=f"{suite.config}:{suite.line}" if suite.config else "",
        signature=str(suite.signature),
        notes=suite.notes,
        problems=problems[: room.rows],
        unshown_problems=len(problems[room.rows :]),
        gates=rows_of(suite),
        failing=[(gate.measure, _failure(suite, gate)) for gate in suite.gates if gate.fails],
        groups=measure_groups(suite),
        documents=document_table(suite, room.rows),
        worst=worst_documents(suite, 3),
        summary=explanation_summary(suite),
        changed=", ".join(f"{changes[sort]:,} {word}" for sort, word in CHANGES.items() if changes.get(sort)),
        explained=explained(suite, room.explanations, room.size),
    )


def _failure(suite: SuiteReport, gate: GateReport) -> str:
    """Return how a gate fails, and what its measure was in the baseline, if that does not tell it."""
    before = suite.score(gate.measure).baseline
    reason = gate.reason or f"{number(gate.value)}, {gate.bound} wanted"
    if before is None or gate.baseline is not None or suite.baseline is None:
        return reason
    return f"{reason}; it was {number(before)} at {suite.baseline.source}"


def counted(rows: Sequence[Any], noun: str) -> str:
    """Return how many more rows there are than are open: `12 more documents`."""
    return plural(max(0, len(rows) - OPEN_ROWS), f"more {noun}")

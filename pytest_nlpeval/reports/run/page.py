"""What the HTML page shows of a report, in the order in which it is shown: the digest of the run, and everything that is folded."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.anchors import Anchors
from pytest_nlpeval.reports.digest import Digest, SuiteDigest, digest_of
from pytest_nlpeval.reports.digest_parts import Kind, Limit, MeasureRow
from pytest_nlpeval.reports.drawing import picture
from pytest_nlpeval.reports.grids import Drawn, drawings
from pytest_nlpeval.reports.items import Items, Room, items_of
from pytest_nlpeval.reports.limit_pictures import LimitPictures, limit_pictures
from pytest_nlpeval.reports.measure_rows import MeasureGroup, measure_groups
from pytest_nlpeval.reports.model import Report, SuiteReport
from pytest_nlpeval.reports.precision_recall import precision_recall
from pytest_nlpeval.reports.run.sparkline import Sparkline, sparkline
from pytest_nlpeval.reports.uncertainty import fewer_of_scores
from pytest_nlpeval.reports.view import DocumentTable, document_table
from pytest_nlpeval.wording import harmless

MOST_ROWS = 200
"""How many rows of gated measures have a picture; of more, all measures tell."""

FEW_WITHIN = 2
"""So many measures within their limits are not folded."""

PARTS = ("gates", "worse", "items", "documents", "graphs", "measures")
"""The parts of a suite that have anchors: `dev.gates`, `dev.worse`."""


class GateLine(NamedTuple):
    """A row of a gated measure: its anchor, and a reason for each of its limits and one for the lack of a value, "" for none."""

    row: MeasureRow
    key: str
    reasons: Sequence[str]


@light_dataclass(frozen=True, slots=True)
class GateTable:
    """Rows of gated measures with their pictures; `unshown` is how many more there are."""

    rows: Sequence[GateLine]
    pictures: LimitPictures
    unshown: int

    @classmethod
    def of(cls, rows: Sequence[MeasureRow], key: str, anchors: Anchors, said: list[str]) -> GateTable:
        """Return the table of a suite's rows; `key` is the suite's anchor. Its reasons are added to what the suite has `said`."""
        shown = rows[:MOST_ROWS]
        lines = [GateLine(row, anchors.name(f"{key}.{row.measure}"), _new_reasons(row, said)) for row in shown]
        return cls(lines, limit_pictures(shown), len(rows) - len(shown))


def _new_reasons(row: MeasureRow, said: list[str]) -> list[str]:
    """Return why each limit of a row is not judged, or which items it counts, and why there is no value; "" for what was `said` before.

    Of a missing baseline, or of a file with errors, every gate of a suite would say the same.
    """
    reasons = [limit.reason if limit.verdict != "passed" else "" for limit in row.limits]
    reasons.append(row.score.reason if row.score.value is None else "")
    for place, reason in enumerate(reasons):
        if any(reason.rstrip(".") in text for text in said):
            reasons[place] = ""
        else:
            said.append(reason)
    return reasons


@light_dataclass(frozen=True, slots=True)
class SuiteView:
    """A suite as the page shows it; `key` is its anchor, and the beginning of those of its parts."""

    key: str
    told: SuiteDigest
    problems: Sequence[Problem]
    unshown_problems: int
    failing: GateTable
    within: GateTable
    groups: Sequence[MeasureGroup]
    documents: DocumentTable
    items: Items
    drawings: Sequence[Drawn]

    @property
    def report(self) -> SuiteReport:
        """The suite's report."""
        return self.told.suite

    @property
    def measures(self) -> int:
        """How many measures there are."""
        return sum(len(group.rows) for group in self.groups)

    @property
    def place(self) -> str:
        """Where the suite is configured."""
        return f"{self.report.config}:{self.report.line}" if self.report.config else ""

    @property
    def gated(self) -> str:
        """The gated measures by which items are filtered, as a JSON array: of many only those that fail."""
        rows = self.told.rows if len(self.told.rows) <= MOST_ROWS else self.told.failing[:MOST_ROWS]
        return json.dumps([harmless(row.measure) for row in rows])

    @property
    def is_compared(self) -> bool:
        """Whether any measure has the baseline's value."""
        return any(row.baseline is not None for group in self.groups for row in group.rows)

    @property
    def past(self) -> Sparkline | None:
        """The failed measure over the last commits; None if nobody asked."""
        since = self.report.since
        row = next((row for row in self.told.rows if since and row.measure == since.measure), None)
        return sparkline(since, row)

    @property
    def grown(self) -> Sequence[tuple[str, Kind]]:
        """What grew most of each sort, two at most."""
        told = (growth for growth in self.told.growth if growth.grown and growth.by != "document")
        return [(growth.by, growth.grown[0]) for growth in told][:2]

    @property
    def by_document(self) -> Mapping[str, Kind]:
        """How many items of each document are wrong, then and today; empty without a comparison."""
        documents = next((growth.kinds for growth in self.told.growth if growth.by == "document"), ())
        return {kind.name: kind for kind in documents if kind.then is not None}

    @property
    def nearest(self) -> tuple[MeasureRow, Limit] | None:
        """The passed row whose limit is the nearest to its value, with that limit; None if no limit is one of the value."""
        near = [
            (limit.gate.distance, row, limit)
            for row in self.told.within
            for limit in row.limits
            if limit.gate.bounds_value and limit.gate.distance is not None
        ]
        return min(near, key=lambda fact: fact[0])[1:] if near else None


@light_dataclass(frozen=True, slots=True)
class SystemsView:
    """What is drawn of all systems of a suite together."""

    key: str
    name: str
    drawings: Sequence[Drawn]


@light_dataclass(frozen=True, slots=True)
class Page:
    """The whole page; `overview` has a picture for each suite that failed."""

    told: Digest
    failed: Sequence[SuiteView]
    passed: Sequence[SuiteView]
    systems: Sequence[SystemsView]
    overview: LimitPictures
    facts: Sequence[tuple[str, str]]

    @property
    def suites(self) -> list[SuiteView]:
        """All suites, the worst first."""
        return [*self.failed, *self.passed]

    @property
    def title(self) -> str:
        """The verdict, what counts first."""
        return self.told.verdict.foremost

    @property
    def also(self) -> str:
        """The rest of the verdict, and how many documents there are."""
        return self.told.verdict.text.partition("; ")[2]


def run_page(report: Report) -> tuple[str, Mapping[str, Any]]:
    """Return the template of a report of a run, and what it shows."""
    return "page", {"page": page_of(report)}


def page_of(report: Report) -> Page:
    """Return what the page shows of a report."""
    told = digest_of(report)
    room = Room.of(len(report.suites))
    anchors = Anchors("overview", "passed", "main", "footer")
    systems = _systems(report)
    alone = {name: suites[0][1] for name, suites in systems.items() if len(suites) == 1}
    own = {id(suite) for suite in alone.values()}
    views = [
        _suite(digest, anchors, room if digest.fails or not told.failed else room.least, draws=id(digest.suite) in own)
        for digest in told.suites
    ]
    failed, passed = ([view for view in views if view.told.fails is fails] for fails in (True, False))
    worst = [view.told.worst for view in failed]
    pictures = iter(limit_pictures([row for row in worst if row]).pictures)
    return Page(
        told,
        failed,
        passed,
        [
            SystemsView(anchors.name(f"{base}.systems"), base, drawn)
            for (_, _, base), suites in systems.items()
            if len(suites) > 1 and (drawn := _drawings(suites))
        ],
        LimitPictures(limit_pictures([row for row in worst if row]).ticks, [next(pictures) if row else None for row in worst]),
        _facts(told),
    )


def _systems(report: Report) -> Mapping[tuple[str, int, str], Sequence[tuple[str, SuiteReport]]]:
    """Return the systems of each suite of the configuration, by file, line and name."""
    systems: dict[tuple[str, int, str], list[tuple[str, SuiteReport]]] = {}
    for suite in report.suites:
        base = suite.name.removesuffix(f"/{suite.system}") if suite.system else suite.name
        systems.setdefault((suite.config, suite.line, base), []).append((suite.system or suite.name, suite))
    return systems


def _drawings(suites: Sequence[tuple[str, SuiteReport]]) -> list[Drawn]:
    values = [(system, {name: score.value for name, score in suite.scores.items()}) for system, suite in suites]
    before = [{name: score.baseline for name, score in suite.scores.items()} for _, suite in suites]
    gated = {gate.measure for _, suite in suites for gate in suite.gates}
    graphs = precision_recall(values, gated, before) if len(suites) > 1 else []
    return [*drawings(suites), *([picture(graphs)] if graphs else [])]


def _suite(told: SuiteDigest, anchors: Anchors, room: Room, *, draws: bool) -> SuiteView:
    suite = told.suite
    key = anchors.name(suite.name, *PARTS)
    problems = sorted(suite.problems, key=lambda problem: problem.severity != "error")
    is_short = len(told.within) <= FEW_WITHIN
    said = [told.sentence, told.baseline]
    return SuiteView(
        key,
        told,
        problems[: room.rows],
        len(problems[room.rows :]),
        GateTable.of([*told.failing, *(told.within if is_short else ())], key, anchors, said),
        GateTable.of([] if is_short else told.within, key, anchors, said),
        measure_groups(suite),
        document_table(suite, room.rows),
        items_of(told, key, anchors, room),
        _drawings([("today", suite)]) if draws else [],
    )


def _facts(told: Digest) -> list[tuple[str, str]]:
    """Return what made the report, and the command that makes it again."""
    report = told.report
    configs = list(dict.fromkeys(suite.config for suite in report.suites if suite.config))
    command = shlex.join(["nlpeval", "run", *configs, *report.arguments, "--report", "html:report.html"]) if configs else ""
    statistics = next((suite.statistics for suite in report.suites if suite.statistics), None)
    python = f", Python {report.python}" if report.python else ""
    interval = f"{100 * statistics.confidence:g} % intervals, " if statistics and statistics.confidence else ""
    fewer = fewer_of_scores([score for suite in report.suites for score in suite.scores.values()])
    facts = {
        "made by": f"{report.tool}{python}",
        "of": told.today,
        "statistics": f"{interval}{statistics.resamples:,} draws{fewer}, seed {statistics.seed}" if statistics else "",
        "again": command,
    }
    return [(name, fact) for name, fact in facts.items() if fact]

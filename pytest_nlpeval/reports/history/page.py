"""The HTML page of `nlpeval history`: each measure as a line over the commits, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.numbers import short_commit
from pytest_nlpeval.problems import problem_lines
from pytest_nlpeval.reports import TOOL
from pytest_nlpeval.reports.drawing import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Curve,
    Dot,
    Picture,
    Reference,
    Scale,
    Tick,
    path_of,
)
from pytest_nlpeval.reports.history.blocks import NO_READING, cut_sentence, falls, gold_sentences, reason_of, statistics_of
from pytest_nlpeval.reports.measure_rows import change_words
from pytest_nlpeval.reports.model import ScoreReport
from pytest_nlpeval.reports.uncertainty import shown_ends
from pytest_nlpeval.run.history import History, Point, Reading
from pytest_nlpeval.wording import number, plural, whole

MOST_LABELS = 8
"""How many commits have their names below the drawing."""


class TimeRow(NamedTuple):
    """A commit, and the measure's score with it: the ends of its interval and the drop as shown, whether it fell, how much in words."""

    point: Point
    score: ScoreReport
    fell: bool
    change: str

    @property
    def commit(self) -> str:
        """The commit's name, shortened."""
        return short_commit(self.point.commit.name)


@light_dataclass(frozen=True, slots=True)
class MeasureHistory:
    """A measure over the commits; `picture` is None where no commit has a value, `falls` says which commits let it fall."""

    measure: str
    picture: Picture | None
    description: str
    rows: Sequence[TimeRow]
    falls: Sequence[str]

    @property
    def values(self) -> list[float]:
        """The values, the oldest first."""
        return [row.score.value for row in self.rows if row.score.value is not None]


@light_dataclass(frozen=True, slots=True)
class SuiteHistory:
    """A suite: what is said of it, and its measures."""

    key: str
    name: str
    notes: Sequence[str]
    measures: Sequence[MeasureHistory]


def history_page(histories: Sequence[History]) -> tuple[str, Mapping[str, Any]]:
    """Return the template of the page, and what it shows."""
    suites = [_suite(f"h{rank}", history) for rank, history in enumerate(histories, 1)]
    fallen = sum(len(measure.falls) for suite in suites for measure in suite.measures)
    commits = len({point.commit.name for history in histories for point in history.points})
    title = f"History of {plural(len(suites), 'suite')} over {plural(commits, 'commit')}: " + (
        f"{plural(fallen, 'fall')} beyond chance" if fallen else "no score fell beyond chance"
    )
    if failed := sum(bool(history.problems) for history in histories):
        title += f"; the task fails in {plural(failed, 'suite')}"
    return "history", {"title": title, "tool": TOOL, "suites": suites}


def _suite(key: str, history: History) -> SuiteHistory:
    points = history.points
    notes = [f"{plural(len(points), 'commit')}; {statistics_of(history)}"]
    if not points:
        notes = ["No commit has the suite; commit its configuration and the system's files."]
    notes += [cut_sentence(history.cut)] if history.cut else []
    notes += problem_lines(history.problems, history.suite.root)
    notes += gold_sentences(points)
    measures = [measure.name for measure in history.measures] or ([""] if points else [])
    return SuiteHistory(
        key, history.suite.name, notes, [_measure(measure, points, _limits(history, measure)) for measure in measures]
    )


def _limits(history: History, measure: str) -> list[tuple[str, float]]:
    """Return the limits that today's gates set to a measure's value, each with what is said of it."""
    gates, _ = history.suite.gates([each for each in history.measures if each.name == measure])
    conditions = (condition for gate in gates for condition in gate.judged_conditions())
    return [(f"limit {condition.bound}", condition.threshold) for condition in conditions if condition.bounds_value]


def _measure(measure: str, points: Sequence[Point], limits: Sequence[tuple[str, float]] = ()) -> MeasureHistory:
    rows = [_row(point, point.readings.get(measure, NO_READING)) for point in points]
    told = "; ".join(f"{row.commit}: {number(row.score.value)}" for row in rows)
    return MeasureHistory(measure, _picture(measure, rows, limits), told, rows, list(falls(measure, points)))


def _row(point: Point, reading: Reading) -> TimeRow:
    value, fall = reading.score.value, reading.fall
    low, high = shown_ends(reading.interval, value)
    drop = whole(fall.drop, value) if fall else None
    score = ScoreReport(value=value, reason=reason_of(point, reading), low=low, high=high, drop=drop)
    return TimeRow(point, score, reading.fell, "" if fall is None or drop is None else change_words(drop, fall.p_adjusted))


def _picture(measure: str, rows: Sequence[TimeRow], limits: Sequence[tuple[str, float]]) -> Picture | None:
    """Return the drawing of a measure: a point for each commit that has a value, its interval, a line from each to the next, and limits."""
    marks = [mark for row in rows for mark in (row.score.value, row.score.low, row.score.high) if mark is not None]
    if not marks:
        return None
    x = Scale(-0.5, len(rows) - 0.5, LEFT, WIDTH - RIGHT)
    y = _scale([*marks, *(limit for _, limit in limits)])
    scores = [(rank, row.score) for rank, row in enumerate(rows)]
    pairs = [
        ((rank, before.value), (rank + 1, after.value))
        for (rank, before), (_, after) in pairwise(scores)
        if before.value is not None and after.value is not None
    ]
    step = -(-len(rows) // MOST_LABELS)
    systems = ["value, with its interval", *(["fell beyond chance"] if any(row.fell for row in rows) else [])]
    return Picture(
        name=measure,
        title=measure,
        meaning="",
        x_label="commit",
        y_label=measure,
        x_ticks=[Tick(x.place(rank), rows[rank].commit) for rank in range(0, len(rows), step)],
        y_ticks=y.ticks(),
        systems=systems,
        references=[_limit_line(name, limit, x, y) for name, limit in limits],
        curves=[Curve(0, "".join(path_of(pair, x, y) for pair in pairs))] if pairs else [],
        dots=[
            Dot(int(rows[rank].fell), x.place(rank), y.place(score.value), _label(rows[rank]))
            for rank, score in scores
            if score.value is not None
        ],
        facts=[],
        intervals=[
            Curve(0, _interval(x.place(rank), y.place(score.low), y.place(score.high)))
            for rank, score in scores
            if score.low is not None and score.high is not None
        ],
    )


def _limit_line(name: str, limit: float, x: Scale, y: Scale) -> Reference:
    """Return the line of a limit, from the first commit's side to the last's."""
    return Reference(name, path_of([(x.low, limit), (x.high, limit)], x, y), x.place(x.high), y.place(limit), is_limit=True)


def _label(row: TimeRow) -> str:
    score, commit = row.score, row.point.commit
    ends = f" ({number(score.low)} to {number(score.high)})" if score.low is not None else ""
    return f"{row.commit}, {commit.day}, {commit.subject}: {number(score.value)}{ends}"


def _interval(x: str, low: str, high: str) -> str:
    """Return the path of an interval: a line upright between two short ones."""
    return f"M{x} {low}V{high}m-4 0h8M{x} {low}m-4 0h8"


def _scale(marks: Sequence[float]) -> Scale:
    """Return a scale with a little room above and below the marks, but none that a share cannot reach."""
    low, high = min(marks), max(marks)
    room = (high - low) * 0.05 or 0.05
    if low >= 0 and high <= 1:
        return Scale(max(0.0, low - room), min(1.0, high + room), HEIGHT - BOTTOM, TOP)
    return Scale(low - room, high + room, HEIGHT - BOTTOM, TOP)

"""The HTML page of `nlpeval history`: each measure as a line over the commits, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from pytest_nlpeval.reports import TOOL
from pytest_nlpeval.reports.drawing import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Curve, Dot, Picture, Scale, Tick, path_of
from pytest_nlpeval.reports.history.blocks import NO_READING, cut_sentence, falls, reason_of
from pytest_nlpeval.reports.measure_rows import change_words
from pytest_nlpeval.reports.uncertainty import chance_sentence, shown_ends
from pytest_nlpeval.run.history import History, Point, Reading
from pytest_nlpeval.wording import number, plural, whole

MOST_LABELS = 8
"""How many commits have their names below the drawing."""


class TimeRow(NamedTuple):
    """A commit: what is known of it, and the measure's score with it."""

    commit: str
    day: str
    subject: str
    documents: int
    value: float | None
    low: float | None
    high: float | None
    drop: float | None
    change: str
    fell: bool
    reason: str


@dataclass(frozen=True, slots=True)
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
        return [row.value for row in self.rows if row.value is not None]


@dataclass(frozen=True, slots=True)
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
        f"{plural(fallen, 'significant fall')}" if fallen else "no score fell significantly"
    )
    return "history", {"title": title, "tool": TOOL, "suites": suites}


def _suite(key: str, history: History) -> SuiteHistory:
    points = history.points
    notes = [f"{plural(len(points), 'commit')}; {chance_sentence(history.suite.statistics, history.resampled)}"]
    if not points:
        notes = ["No commit has the suite; commit its configuration and the system's files."]
    notes += [cut_sentence(history.cut)] if history.cut else []
    measures = [measure.name for measure in history.measures] or ([""] if points else [])
    return SuiteHistory(key, history.suite.name, notes, [_measure(measure, points) for measure in measures])


def _measure(measure: str, points: Sequence[Point]) -> MeasureHistory:
    rows = [_row(point, point.readings.get(measure, NO_READING)) for point in points]
    told = "; ".join(f"{row.commit}: {number(row.value)}" for row in rows)
    return MeasureHistory(measure, _picture(measure, rows), told, rows, list(falls(measure, points)))


def _row(point: Point, reading: Reading) -> TimeRow:
    value, fall = reading.score.value, reading.fall
    drop = whole(fall.drop, value) if fall else None
    return TimeRow(
        point.commit.name[:12],
        point.commit.day,
        point.commit.subject,
        point.documents,
        value,
        *shown_ends(reading.interval, value),
        drop,
        "" if fall is None or drop is None else change_words(drop, fall.p_adjusted),
        reading.fell,
        reason_of(point, reading),
    )


def _picture(measure: str, rows: Sequence[TimeRow]) -> Picture | None:
    """Return the drawing of a measure: a point for each commit that has a value, its interval, and a line from each to the next."""
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    if not ends:
        return None
    x = Scale(-0.5, len(rows) - 0.5, LEFT, WIDTH - RIGHT)
    y = _scale(ends)
    known = [(place, row) for place, row in enumerate(rows)]
    pairs = [
        ((one, first.value), (other, second.value))
        for (one, first), (other, second) in pairwise(known)
        if first.value is not None and second.value is not None
    ]
    step = -(-len(rows) // MOST_LABELS)
    systems = ["value, with its interval", *(["fell significantly"] if any(row.fell for row in rows) else [])]
    return Picture(
        name=measure,
        title=measure,
        meaning="",
        x_label="commit",
        y_label=measure,
        x_ticks=[Tick(x.place(place), row.commit[:7]) for place, row in known[::step]],
        y_ticks=y.ticks(),
        systems=systems,
        references=[],
        curves=[Curve(0, "".join(path_of(pair, x, y) for pair in pairs))] if pairs else [],
        dots=[
            Dot(int(row.fell), x.place(place), y.place(row.value), _label(row)) for place, row in known if row.value is not None
        ],
        facts=[],
        intervals=[
            Curve(0, _interval(x.place(place), y.place(row.low), y.place(row.high)))
            for place, row in known
            if row.low is not None and row.high is not None
        ],
    )


def _label(row: TimeRow) -> str:
    ends = f" ({number(row.low)} to {number(row.high)})" if row.low is not None else ""
    return f"{row.commit}, {row.day}, {row.subject}: {number(row.value)}{ends}"


def _interval(x: str, low: str, high: str) -> str:
    """Return the path of an interval: a line upright between two short ones."""
    return f"M{x} {low}V{high}m-4 0h8M{x} {low}m-4 0h8"


def _scale(ends: Sequence[float]) -> Scale:
    """Return a scale with a little room above and below the numbers, but none that a share cannot reach."""
    low, high = min(ends), max(ends)
    room = (high - low) * 0.05 or 0.05
    if low >= 0 and high <= 1:
        return Scale(max(0.0, low - room), min(1.0, high + room), HEIGHT - BOTTOM, TOP)
    return Scale(low - room, high + room, HEIGHT - BOTTOM, TOP)

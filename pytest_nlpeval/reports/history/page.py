"""The HTML page of `nlpeval history`: each measure as a line over the commits, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pytest_nlpeval.reports.compare.blocks import chance_sentence
from pytest_nlpeval.reports.drawing import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Curve, Dot, Picture, Scale, Tick, path_of
from pytest_nlpeval.reports.history.blocks import cut_sentence, falls
from pytest_nlpeval.reports.measure_rows import change_words
from pytest_nlpeval.reports.view import Json, of_count
from pytest_nlpeval.wording import number, plural

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


def history_html(report: Json) -> str:
    """Return the report of `nlpeval history` as one HTML page."""
    from pytest_nlpeval.reports.markup import html

    suites = [_suite(f"h{place}", suite) for place, suite in enumerate(report["suites"], 1)]
    fallen = sum(len(measure.falls) for suite in suites for measure in suite.measures)
    commits = len({point["commit"] for suite in report["suites"] for point in suite["points"]})
    head = f"History of {plural(len(suites), 'suite')} over {plural(commits, 'commit')}: " + (
        f"{plural(fallen, 'significant fall')}" if fallen else "no score fell significantly"
    )
    return html("history", title=head, tool=report["tool"], suites=suites)


def _suite(key: str, suite: Json) -> SuiteHistory:
    points = suite["points"]
    notes = [f"{plural(len(points), 'commit')}; {chance_sentence(suite['statistics'])}"]
    if not points:
        notes = ["No commit has the suite; commit its configuration and the system's files."]
    notes += [cut_sentence(suite["cut"])] if "cut" in suite else []
    measures = [_measure(measure["measure"], points) for measure in suite["measures"]]
    return SuiteHistory(key, suite["name"], notes, measures or [_measure("", points)] if points else [])


def _measure(measure: str, points: Sequence[Json]) -> MeasureHistory:
    scores = [point["scores"].get(measure, {"value": None}) for point in points]
    rows = [_row(point, score) for point, score in zip(points, scores, strict=True)]
    told = "; ".join(f"{row.commit}: {number(row.value)}" for row in rows)
    return MeasureHistory(measure, _picture(measure, rows), told, rows, list(falls(measure, points)))


def _row(point: Json, score: Json) -> TimeRow:
    score = of_count(score)
    drop = score.get("drop")
    return TimeRow(
        point["commit"][:12],
        point["day"],
        point["subject"],
        point["documents"],
        score["value"],
        score.get("low"),
        score.get("high"),
        drop,
        "" if drop is None else change_words(drop, score.get("p_adjusted")),
        score.get("fell", False),
        score.get("reason", point.get("reason", "")),
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

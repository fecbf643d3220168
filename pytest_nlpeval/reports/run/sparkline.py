"""A small picture of a measure over the last commits, with its limits: since when it is as bad as it is."""

from __future__ import annotations

from typing import NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.numbers import day, figure, short_commit
from pytest_nlpeval.reports.digest_parts import MeasureRow
from pytest_nlpeval.reports.drawing import Scale, path_of
from pytest_nlpeval.reports.since import PointReport, SinceReport
from pytest_nlpeval.wording import plural

WIDTH, HEIGHT = 300, 60
"""Of the picture, in its own units."""

MARGIN = 8
"""Between the points and each edge."""


class Mark(NamedTuple):
    """A point: its place, what it says (`c0ffee1 Prune the model, 14 Nov 2023: 0.500`), and whether the measure fell at it."""

    x: str
    y: str
    point: PointReport
    is_step: bool

    @property
    def name(self) -> str:
        """The commit, or that there is none."""
        return " ".join(filter(None, (short_commit(self.point.commit), self.point.subject))) or "not committed"

    @property
    def day(self) -> str:
        """The commit's day, "" without one."""
        return day(self.point.date) if self.point.date else ""

    @property
    def text(self) -> str:
        """What the point says."""
        return f"{', '.join(filter(None, (self.name, self.day)))}: {figure(self.point.value)}"


@light_dataclass(frozen=True, slots=True)
class Sparkline:
    """The marks of a measure, the oldest first; the line through them; and its limits, each with the path of a line and a text."""

    measure: str
    marks: list[Mark]
    path: str
    limits: list[tuple[str, str]]

    @property
    def title(self) -> str:
        """`accuracy over 5 commits and today's files`."""
        commits = sum(bool(mark.point.commit) for mark in self.marks)
        return f"{self.measure} over {plural(commits, 'commit')}" + (
            " and files that are not committed" if commits < len(self.marks) else ""
        )


def sparkline(since: SinceReport | None, row: MeasureRow | None) -> Sparkline | None:
    """Return the picture of what a suite says of the past; None if it says nothing. `row` is the measure's, which has its limits."""
    if since is None or len(since.points) < 2:
        return None
    bounds = {limit.text: limit.gate.threshold for limit in (row.limits if row else ()) if limit.gate.bounds_value}
    values = [*(point.value for point in since.points), *bounds.values()]
    low, high = min(values), max(values)
    room = 0.1 * (high - low) or 0.05
    x = Scale(0, len(since.points) - 1, MARGIN, WIDTH - MARGIN)
    y = Scale(low - room, high + room, HEIGHT - MARGIN, MARGIN)
    marks = [
        Mark(x.place(rank), y.place(point.value), point, is_step=point.commit == since.commit)
        for rank, point in enumerate(since.points)
    ]
    line = path_of([(rank, point.value) for rank, point in enumerate(since.points)], x, y)
    limits = [(path_of([(x.low, bound), (x.high, bound)], x, y), text) for text, bound in bounds.items()]
    return Sparkline(since.measure, marks, line, limits)

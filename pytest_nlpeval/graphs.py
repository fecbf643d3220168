"""Graphs of a result as data: what a task draws beside its scores. Whoever shows a report draws them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, NamedTuple

Point = tuple[float, float]

MOST_POINTS = 500
"""Of a line in a report."""


class Axis(NamedTuple):
    """An axis: what it shows, and the range of it that is drawn."""

    label: str
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, slots=True)
class Series:
    """Points that belong together: a `line` from each to the next, by ascending x, or `points` of their own.

    `name` says what they are; the series of one name in the graphs of several systems are compared.

    Raises:
        ValueError: if a number is not finite, or the x of a line descend.
    """

    name: str
    points: tuple[Point, ...]
    style: Literal["line", "points"] = "line"

    def __post_init__(self) -> None:
        """Check that the points can be drawn."""
        if not all(math.isfinite(number) for point in self.points for number in point):
            raise ValueError(f"series {self.name} has a point without a place")
        if self.style == "line" and any(
            first[0] > second[0] for first, second in zip(self.points, self.points[1:], strict=False)
        ):
            raise ValueError(f"the x of the line {self.name} descend")


@dataclass(frozen=True, slots=True)
class Graph:
    """A picture of a suite's result: axes and series.

    `name` is what programs call it, made as a measure's name is. The graphs of one name, of several systems on the same gold, are drawn as
    one picture. `title` is a phrase, `meaning` one sentence that says what the graph shows and how to read it.
    """

    name: str
    title: str
    meaning: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form, lines of at most `MOST_POINTS` points."""
        return {
            "name": self.name,
            "title": self.title,
            "meaning": self.meaning,
            "x": self.x._asdict(),
            "y": self.y._asdict(),
            "series": [_series(series) for series in self.series],
        }


def _series(series: Series) -> dict[str, Any]:
    points = thinned(series.points) if series.style == "line" else series.points
    return {"name": series.name, "style": series.style, "points": [list(point) for point in points]}


def thinned(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """Return at most `most` of a line's points, which ascend in x, so that the line looks the same.

    The x that there are is cut into columns of equal width; of each column the first, the lowest, the highest and the last point stay, so
    that no step is lost and the line leaves its old course by no more than a column (Jugel, Jerzak, Hackenbroich, Markl: M4, A
    Visualization-Oriented Time Series Data Aggregation, VLDB 2014). Few points are all kept.

    >>> thinned([(x / 10, 0.5) for x in range(11)], most=4)
    [(0.0, 0.5), (1.0, 0.5)]
    """
    if len(points) <= most:
        return list(points)
    low, width = points[0][0], (points[-1][0] - points[0][0]) or 1.0
    columns = most // 4
    kept: list[Point] = []
    for _, column in groupby(points, lambda point: min(int((point[0] - low) / width * columns), columns - 1)):
        kept += _marks(list(column))
    return kept


def _marks(column: Sequence[Point]) -> Iterable[Point]:
    """Return the first, lowest, highest and last point of a column, in their order, each once."""
    places = range(len(column))
    lowest, highest = min(places, key=lambda place: column[place][1]), max(places, key=lambda place: column[place][1])
    return [column[place] for place in sorted({0, lowest, highest, len(column) - 1})]

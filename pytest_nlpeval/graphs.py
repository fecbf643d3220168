"""Graphs of a result as data: what a task draws beside its scores. Whoever shows a report draws them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Literal, NamedTuple, Self

from pytest_nlpeval.light_dataclasses import frozen_dataclass

Point = tuple[float, float]

MOST_POINTS = 500
"""Of a line in a report."""

MOST_NAMES = 25
"""Of the rows, and of the columns, of a matrix."""


class Axis(NamedTuple):
    """An axis: what it shows, and the range of it that is drawn."""

    label: str
    low: float = 0.0
    high: float = 1.0

    def spanning(self, other: Axis) -> Axis:
        """Return the axis as long as it and another one need."""
        return self._replace(low=min(self.low, other.low), high=max(self.high, other.high))


@frozen_dataclass(frozen=True, slots=True)
class Series:
    """Points that belong together: a `line` from each to the next, by ascending x, or `points` of their own.

    A `reference` is a line that no system has made, such as the diagonal of chance: it is the same for all. A `baseline` is the line of
    the baseline's result, or its point if it is a single one. `name` says what they are; the series of one name in the graphs of several
    systems are compared. `area` is the area under a line where that has a meaning, such as that of a ROC curve. `sizes` are the numbers of
    items of which each point tells.

    Raises:
        ValueError: if a number is not finite, the x of a line descend, or sizes are not one for each point.
    """

    name: str
    points: tuple[Point, ...]
    style: Literal["line", "points", "reference", "baseline"] = "line"
    area: float | None = None
    sizes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check that the points can be drawn."""
        if not all(math.isfinite(number) for point in self.points for number in point):
            raise ValueError(f"series {self.name} has a point without a place")
        if self.style != "points" and any(
            first[0] > second[0] for first, second in zip(self.points, self.points[1:], strict=False)
        ):
            raise ValueError(f"the x of the line {self.name} descend")
        if self.sizes and len(self.sizes) != len(self.points):
            raise ValueError(f"the sizes of {self.name} are not one for each point")


@frozen_dataclass(frozen=True, slots=True)
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

    def beside(self, before: Graph) -> Graph:
        """Return the graph with the lines of that of the baseline's result, the axes as long as both need."""
        lines = tuple(replace(series, style="baseline") for series in before.series if series.style == "line")
        x, y = self.x.spanning(before.x), self.y.spanning(before.y)
        return replace(self, x=x, y=y, series=(*self.series, *lines))

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
    points = thinned(series.points) if series.style != "points" and not series.sizes else series.points
    facts: dict[str, Any] = {"name": series.name, "style": series.style, "points": [list(point) for point in points]}
    area = {} if series.area is None else {"area": series.area}
    return facts | area | ({"sizes": list(series.sizes)} if series.sizes else {})


@frozen_dataclass(frozen=True, slots=True)
class Matrix:
    """A table of counts: how often each row name stands against each column name, such as gold labels against the system's.

    `name`, `title` and `meaning` are those of a graph. `rows` and `columns` say what either side is. `numbers` has shape (row names, column
    names); where names were left out, the last of either side stands for them together. `before` are the numbers of the baseline's result,
    () without one.

    Raises:
        ValueError: if `numbers` or `before` has another shape.
    """

    name: str
    title: str
    meaning: str
    rows: str
    columns: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    numbers: tuple[tuple[int, ...], ...]
    before: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        """Check the shape."""
        for numbers in (self.numbers, *([self.before] if self.before else [])):
            if len(numbers) != len(self.row_names) or any(len(row) != len(self.column_names) for row in numbers):
                raise ValueError(f"the numbers of {self.name} are not one for each row and column")

    def beside(self, before: Matrix) -> Matrix:
        """Return the matrix with the numbers of that of the baseline's result, over the names that either has.

        Where names were left out, nobody can say which of them stand together: the matrix is then returned as it is.

        >>> one = Matrix.of("m", "M", "It shows.", "gold", "system", {("a", "b"): 2})
        >>> one.beside(Matrix.of("m", "M", "It shows.", "gold", "system", {("a", "c"): 5})).before
        ((0, 5),)
        """
        sides = ((self.row_names, before.row_names), (self.column_names, before.column_names))
        if any(len(names) >= MOST_NAMES for side in sides for names in side):
            return self
        rows, columns = (tuple(sorted({*own, *others})) for own, others in sides)
        numbers, earlier = (_over(matrix, rows, columns) for matrix in (self, before))
        return replace(self, row_names=rows, column_names=columns, numbers=numbers, before=earlier)

    @classmethod
    def of(cls, name: str, title: str, meaning: str, rows: str, columns: str, counts: Mapping[tuple[str, str], int]) -> Self:
        """Return the matrix of counts by row name and column name; a pair that is not there counts 0.

        Names are in ascending order. Of more than `MOST_NAMES` on a side those with the smallest counts, on both sides together, are one.

        >>> matrix = Matrix.of("m", "M", "It shows.", "gold", "system", {("a", "b"): 2, ("b", "b"): 1})
        >>> matrix.row_names, matrix.column_names, matrix.numbers
        (('a', 'b'), ('b',), ((2,), (1,)))
        """
        totals: Counter[str] = Counter()
        for pair, number in counts.items():
            for label in pair:
                totals[label] += number
        sides = [_kept_names({pair[side] for pair in counts}, totals) for side in (0, 1)]
        row_names, column_names = map(_shown_names, sides)
        numbers = [[0] * len(column_names) for _ in row_names]
        for (row, column), number in counts.items():
            numbers[sides[0][row]][sides[1][column]] += number
        return cls(name, title, meaning, rows, columns, row_names, column_names, tuple(map(tuple, numbers)))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form."""
        return {
            "name": self.name,
            "title": self.title,
            "meaning": self.meaning,
            "rows": {"label": self.rows, "names": list(self.row_names)},
            "columns": {"label": self.columns, "names": list(self.column_names)},
            "numbers": [list(row) for row in self.numbers],
            **({"before": [list(row) for row in self.before]} if self.before else {}),
        }


def _over(matrix: Matrix, rows: Sequence[str], columns: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of these rows and columns, 0 for what the matrix does not have."""
    cells = {
        (row, column): number
        for row, numbers in zip(matrix.row_names, matrix.numbers, strict=True)
        for column, number in zip(matrix.column_names, numbers, strict=True)
    }
    return tuple(tuple(cells.get((row, column), 0) for column in columns) for row in rows)


def _kept_names(names: Iterable[str], totals: Mapping[str, int]) -> dict[str, int]:
    """Return the place of each name; of many names, those with the smallest totals share the last place."""
    ordered = sorted(names)
    if len(ordered) > MOST_NAMES:
        kept = set(sorted(ordered, key=lambda name: -totals[name])[: MOST_NAMES - 1])
        ordered = [*(name for name in ordered if name in kept), *(name for name in ordered if name not in kept)]
    return {name: min(place, MOST_NAMES - 1) for place, name in enumerate(ordered)}


def _shown_names(places: Mapping[str, int]) -> tuple[str, ...]:
    left_out = len(places) - MOST_NAMES + 1
    return tuple(list(places)[: MOST_NAMES - 1]) + (
        (f"{left_out:,} others",) if left_out > 1 else tuple(places)[MOST_NAMES - 1 :]
    )


@frozen_dataclass(frozen=True, slots=True)
class Bars:
    """A bar for each name: its value along the axis, such as the accuracy of each group of items.

    `name`, `title` and `meaning` are those of a graph; the bars of one name in the graphs of several systems are compared. `before` are the
    baseline's values of the bars.

    Raises:
        ValueError: if a value is not finite, or a name stands twice.
    """

    name: str
    title: str
    meaning: str
    axis: Axis
    bars: tuple[tuple[str, float], ...]
    before: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        """Check that the bars can be drawn."""
        if not all(math.isfinite(value) for _, value in (*self.bars, *self.before)):
            raise ValueError(f"{self.name} has a bar without an end")
        if len({name for name, _ in self.bars}) != len(self.bars):
            raise ValueError(f"{self.name} has two bars of one name")

    def beside(self, before: Bars) -> Bars:
        """Return the bars with those of the baseline's result of the same names, the axis as long as both need."""
        names = {name for name, _ in self.bars}
        return replace(self, axis=self.axis.spanning(before.axis), before=tuple(bar for bar in before.bars if bar[0] in names))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form."""
        then = dict(self.before)
        return {
            "name": self.name,
            "title": self.title,
            "meaning": self.meaning,
            "axis": self.axis._asdict(),
            "bars": [
                {"name": name, "value": value, **({"before": then[name]} if name in then else {})} for name, value in self.bars
            ],
        }


Drawing = Graph | Matrix | Bars
"""Whatever a task draws."""


def drawing_of(data: Mapping[str, Any]) -> Drawing:
    """Read back what `to_json` of a drawing wrote; `ValueError` if it cannot be drawn."""
    head = data["name"], data["title"], data["meaning"]
    if "series" in data:
        return Graph(*head, Axis(**data["x"]), Axis(**data["y"]), tuple(map(_series_of, data["series"])))
    if "bars" in data:
        bars = tuple((bar["name"], bar["value"]) for bar in data["bars"])
        return Bars(
            *head, Axis(**data["axis"]), bars, tuple((bar["name"], bar["before"]) for bar in data["bars"] if "before" in bar)
        )
    rows, columns = data["rows"], data["columns"]
    numbers, before = (tuple(map(tuple, data.get(name, ()))) for name in ("numbers", "before"))
    return Matrix(*head, rows["label"], columns["label"], tuple(rows["names"]), tuple(columns["names"]), numbers, before)


def _series_of(data: Mapping[str, Any]) -> Series:
    points = tuple((x, y) for x, y in data["points"])
    return Series(data["name"], points, data["style"], data.get("area"), tuple(data.get("sizes", ())))


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

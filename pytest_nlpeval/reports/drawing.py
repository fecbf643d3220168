"""Pictures of graphs: where axes, marks, lines and points lie in an SVG drawing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, floor, log10
from string import ascii_lowercase
from typing import ClassVar, NamedTuple

from pytest_nlpeval.graphs import Axis, Graph, Series
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.wording import number

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 88, 16, 16, 56
"""The margins, which have the labels of the axes."""

STYLES = 8
"""How many looks of lines and points the style sheet has."""


class Tick(NamedTuple):
    """A mark of an axis: where it lies, and the number that it stands for."""

    place: str
    label: str


class Curve(NamedTuple):
    """A line: its system, its path, the text for a pointer on the line, and the letter at a place of the line, or "".

    That of the baseline is `past`.
    """

    system: int
    path: str
    label: str = ""
    letter: str = ""
    x: str = ""
    y: str = ""
    past: bool = False


class Dot(NamedTuple):
    """A point: its system, its place, the text for a pointer on the point, and the letter beside it, or "".

    That of the baseline is `past`; `path` leads from it to the point of today.
    """

    system: int
    x: str
    y: str
    label: str
    letter: str = ""
    past: bool = False
    path: str = ""


class Reference(NamedTuple):
    """A line that no system has made: its name, its path, the place of its end, and whether it is the limit of a gate."""

    name: str
    path: str
    x: str
    y: str
    is_limit: bool = False


class Fact(NamedTuple):
    """What a picture says in numbers: a point, or one of a line, and of how many items it tells, None if nobody says."""

    system: str
    series: str
    x: float
    y: float
    size: int | None = None


class Area(NamedTuple):
    """The area under a line."""

    system: str
    series: str
    area: float


MOST_FACTS = 20
"""Of a line: of one with more points those at `STEPS` places are told, and its end."""

STEPS = 10


@light_dataclass(frozen=True, slots=True)
class Picture:
    """A graph of one or several systems, ready to be drawn; `systems` are numbered in their order.

    `intervals` stand upright; `letters` stand beside lines and points, each with the series that it means.
    """

    name: str
    title: str
    meaning: str
    x_label: str
    y_label: str
    x_ticks: Sequence[Tick]
    y_ticks: Sequence[Tick]
    systems: Sequence[str]
    references: Sequence[Reference]
    curves: Sequence[Curve]
    dots: Sequence[Dot]
    facts: Sequence[Fact]
    intervals: Sequence[Curve] = ()
    letters: Sequence[tuple[str, str]] = ()
    areas: Sequence[Area] = ()
    kind: ClassVar = "picture"

    @property
    def has_sizes(self) -> bool:
        """Whether a point says of how many items it tells."""
        return any(fact.size is not None for fact in self.facts)

    @property
    def has_past(self) -> bool:
        """Whether a line is the baseline's."""
        return any(curve.past for curve in self.curves)

    @property
    def has_past_dots(self) -> bool:
        """Whether a point is the baseline's."""
        return any(dot.past for dot in self.dots)


def picture(graphs: Sequence[tuple[str, Graph]]) -> Picture:
    """Return the graphs of one name, each with its system, as one picture.

    It has the baselines' lines and points, too; of several systems those that are not the line or the point of today.
    """
    _, first = graphs[0]
    x = Scale.of([graph.x for _, graph in graphs], LEFT, WIDTH - RIGHT)
    y = Scale.of([graph.y for _, graph in graphs], HEIGHT - BOTTOM, TOP)
    letters = _letters([graph for _, graph in graphs])
    every = [(rank, system, series) for rank, (system, graph) in enumerate(graphs) for series in graph.series if series.points]
    if len(graphs) > 1:
        today = {(rank, series.name, tuple(series.points)) for rank, _, series in every if series.style in TODAY}
        every = [
            entry
            for entry in every
            if entry[2].style != "baseline" or (entry[0], entry[2].name, tuple(entry[2].points)) not in today
        ]
    return Picture(
        first.name,
        first.title,
        first.meaning,
        first.x.label,
        first.y.label,
        x.ticks(),
        y.ticks(),
        [system for system, _ in graphs],
        _references((series for _, _, series in every), x, y),
        [_curve(rank, system, series, (x, y), letters) for rank, system, series in every if _is_line(series)],
        [dot for rank, system, series in every for dot in _dots(rank, system, series, (x, y), letters)]
        + _past_dots(every, (x, y)),
        [fact for _, system, series in every for fact in _facts(system, series)],
        letters=[(letter, name) for name, letter in letters.items()],
        areas=[Area(system, _told(series), series.area) for _, system, series in every if series.area is not None],
    )


TODAY = ("line", "points")
"""The styles of series that are of today's result."""


def _is_line(series: Series) -> bool:
    """Whether a series is drawn as a line of a result; of the baseline's, a single point is none."""
    return series.style == "line" or (series.style == "baseline" and len(series.points) > 1)


def _told(series: Series) -> str:
    return f"{series.name}, baseline" if series.style == "baseline" else series.name


def _references(every: Iterable[Series], x: Scale, y: Scale) -> list[Reference]:
    """Return the lines of reference, each once, however many systems have it."""
    lines = {series.name: series.points for series in every if series.style == "reference"}
    return [
        Reference(name, path_of(points, x, y), x.place(points[-1][0]), y.place(points[-1][1])) for name, points in lines.items()
    ]


def _letters(graphs: Sequence[Graph]) -> dict[str, str]:
    """Return a letter for each series of a kind if a system has several such series; all systems have the same letters.

    The kinds are lines, and points if each such series is a single one.
    """
    letters: dict[str, str] = {}
    for style in ("line", "points"):
        systems = [[series for series in graph.series if series.style == style] for graph in graphs]
        every = [series for system in systems for series in system]
        is_marked = style == "line" or all(len(series.points) == 1 for series in every)
        if is_marked and max(map(len, systems)) > 1:
            names = dict.fromkeys(series.name for series in every if series.name not in letters)
            letters |= zip(names, ascii_lowercase[len(letters) :], strict=False)
    return letters


def _curve(rank: int, system: str, line: Series, scales: tuple[Scale, Scale], letters: Mapping[str, str]) -> Curve:
    """Return a line of a system; its letter stands at the middle point."""
    x, y = scales
    middle = line.points[len(line.points) // 2]
    place = x.place(middle[0]), y.place(middle[1])
    is_past = line.style == "baseline"
    letter = "" if is_past else letters.get(line.name, "")
    return Curve(rank, path_of(line.points, x, y), f"{system}, {_told(line)}", letter, *place, past=is_past)


def _dots(rank: int, system: str, series: Series, scales: tuple[Scale, Scale], letters: Mapping[str, str]) -> Iterator[Dot]:
    """Yield the points of a system."""
    x, y = scales
    for right, up in series.points if series.style == "points" else ():
        label = f"{system}, {series.name}: {number(right)}, {number(up)}"
        yield Dot(rank, x.place(right), y.place(up), label, letters.get(series.name, ""))


def _past_dots(every: Sequence[tuple[int, str, Series]], scales: tuple[Scale, Scale]) -> list[Dot]:
    """Return the single points of the baselines' results, each with the way to the point of today that has its name."""
    x, y = scales
    today = {(rank, series.name): series.points[-1] for rank, _, series in every if series.style == "points"}
    dots = []
    for rank, system, series in every:
        if series.style == "baseline" and not _is_line(series):
            ((right, up),) = series.points
            label = f"{system}, {_told(series)}: {number(right)}, {number(up)}"
            end = today.get((rank, series.name))
            path = path_of([(right, up), end], x, y) if end else ""
            dots.append(Dot(rank, x.place(right), y.place(up), label, past=True, path=path))
    return dots


def _facts(system: str, series: Series) -> Iterator[Fact]:
    """Yield what a series says in numbers: all of its points, or those of a long line at places that are evenly spread, and its end."""
    if series.style == "reference":
        return
    points = list(series.points)
    sizes: Sequence[int | None] = series.sizes or [None] * len(points)
    places: Iterable[int] = range(len(points))
    if _is_line(series) and len(points) > MOST_FACTS:
        low, high = points[0][0], points[-1][0]
        marks = [low + (high - low) * step / STEPS for step in range(STEPS + 1)]
        places = sorted({bisect_right(points, mark, key=lambda point: point[0]) - 1 for mark in marks} | {len(points) - 1})
    yield from (Fact(system, _told(series), *points[place], sizes[place]) for place in places)


def path_of(points: Iterable[Sequence[float]], x: Scale, y: Scale) -> str:
    """Return the path from each point to the next."""
    return "M" + "L".join(f"{x.place(right)} {y.place(up)}" for right, up in points)


class Scale(NamedTuple):
    """Maps the range of an axis to places in the drawing."""

    low: float
    high: float
    start: int
    end: int

    @classmethod
    def of(cls, axes: Sequence[Axis], start: int, end: int) -> Scale:
        """Return the scale that has room for all of the axes."""
        low, high = min(axis.low for axis in axes), max(axis.high for axis in axes)
        return cls(low, high if high > low else low + 1, start, end)

    def place(self, value: float) -> str:
        """Return the place of a value; one outside the range lies at its border."""
        share = min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))
        return f"{self.start + share * (self.end - self.start):.1f}"

    def ticks(self) -> list[Tick]:
        """Return marks at round numbers: four to eleven of them."""
        step = round_step((self.high - self.low) / 5)
        numbers = (place * step for place in range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1))
        return [Tick(self.place(value), f"{value:.10g}") for value in numbers]


def round_step(rough: float) -> float:
    """Return the greatest of 1, 2 and 5 times a power of ten that is not above the rough step."""
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (5, 2, 1) if factor * power <= rough * (1 + 1e-9))

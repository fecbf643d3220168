"""Pictures of graphs: where axes, marks, lines and points lie in an SVG drawing. Pure functions of the JSON report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any, NamedTuple

Json = Mapping[str, Any]

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 56
"""The margins, which have the labels of the axes."""

STYLES = 8
"""How many looks of lines and points the style sheet has."""


class Tick(NamedTuple):
    """A mark of an axis: where it lies, and the number that it stands for."""

    place: str
    label: str


class Curve(NamedTuple):
    """A line: whose it is, and its path."""

    system: int
    path: str


class Dot(NamedTuple):
    """A point: whose it is, and where it lies."""

    system: int
    x: str
    y: str


class Fact(NamedTuple):
    """What a picture says in numbers: a point, or the end of a line."""

    system: str
    series: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Picture:
    """A graph of one or several systems, ready to be drawn; `systems` are numbered in their order."""

    name: str
    title: str
    meaning: str
    x_label: str
    y_label: str
    x_ticks: Sequence[Tick]
    y_ticks: Sequence[Tick]
    systems: Sequence[str]
    curves: Sequence[Curve]
    dots: Sequence[Dot]
    facts: Sequence[Fact]


def pictures(suites: Sequence[tuple[str, Json]]) -> list[Picture]:
    """Return one picture for each graph that any of the suites has; each is given with the name of its system."""
    found: dict[str, list[tuple[str, Json]]] = {}
    for system, suite in suites:
        for graph in (drawing for drawing in suite.get("graphs", ()) if "series" in drawing):
            found.setdefault(graph["name"], []).append((system, graph))
    return list(map(_picture, found.values()))


def _picture(graphs: Sequence[tuple[str, Json]]) -> Picture:
    first = graphs[0][1]
    x = _Scale.of([graph["x"] for _, graph in graphs], LEFT, WIDTH - RIGHT)
    y = _Scale.of([graph["y"] for _, graph in graphs], HEIGHT - BOTTOM, TOP)
    every = [(place, system, series) for place, (system, graph) in enumerate(graphs) for series in graph["series"]]
    return Picture(
        first["name"],
        first["title"],
        first["meaning"],
        first["x"]["label"],
        first["y"]["label"],
        x.ticks(),
        y.ticks(),
        [system for system, _ in graphs],
        [
            Curve(place, _path(series["points"], x, y))
            for place, _, series in every
            if series["style"] == "line" and series["points"]
        ],
        [
            Dot(place, x.place(one), y.place(other))
            for place, _, series in every
            if series["style"] == "points"
            for one, other in series["points"]
        ],
        [fact for _, system, series in every for fact in _facts(system, series)],
    )


def _facts(system: str, series: Json) -> Iterator[Fact]:
    shown = series["points"][-1:] if series["style"] == "line" else series["points"]
    return (Fact(system, series["name"], x, y) for x, y in shown)


def _path(points: Sequence[Sequence[float]], x: _Scale, y: _Scale) -> str:
    return "M" + "L".join(f"{x.place(one)} {y.place(other)}" for one, other in points)


class _Scale(NamedTuple):
    """Maps the range of an axis to places in the drawing."""

    low: float
    high: float
    start: int
    end: int

    @classmethod
    def of(cls, axes: Sequence[Json], start: int, end: int) -> _Scale:
        low, high = min(axis["low"] for axis in axes), max(axis["high"] for axis in axes)
        return cls(low, high if high > low else low + 1, start, end)

    def place(self, value: float) -> str:
        """Return the place of a value; one outside the range lies at its border."""
        share = min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))
        return f"{self.start + share * (self.end - self.start):.1f}"

    def ticks(self) -> list[Tick]:
        """Return marks at round numbers: four to eleven of them."""
        step = _step((self.high - self.low) / 5)
        numbers = (place * step for place in range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1))
        return [Tick(self.place(value), f"{value:.10g}") for value in numbers]


def _step(rough: float) -> float:
    """Return the greatest of 1, 2 and 5 times a power of ten that is not above the rough step."""
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (5, 2, 1) if factor * power <= rough * (1 + 1e-9))

"""Precision against recall, for suites whose measures have both: a graph as tasks give them, with lines of equal F."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from pytest_nlpeval.graphs import Axis, Graph, Series

Values = Mapping[str, float | None]
"""The values of a system's measures."""

MOST_NAMES = 6
"""How many pairs of precision and recall are drawn; of more, only those with gates."""

LEVELS = tuple(tenth / 10 for tenth in range(1, 10))
"""The values of F whose lines are drawn."""

STEPS = 40
"""Of a line of equal F."""


def precision_recall(
    systems: Sequence[tuple[str, Values]], gated: Collection[str] = (), before: Sequence[Values] = ()
) -> list[tuple[str, Graph]]:
    """Return for each system the graph of its pairs of precision and recall; [] if no system has any. `gated` are measures with gates.

    A pair is two measures whose names differ in their last part alone: `muc.precision` and `muc.recall`. `before` has the values of each
    system's baseline, () without any; a pair of the baseline is drawn beside the same pair of today.
    """
    names = _chosen([values for _, values in systems], gated)
    points = [(system, _points(values, names, "points")) for system, values in systems]
    if not any(pairs for _, pairs in points):
        return []
    lines = [Series(f"F {level:g}", tuple(equal_f(level)), "reference") for level in LEVELS]
    earlier = [_points(values, names, "baseline") for values in before] or [[]] * len(systems)
    return [
        (system, _graph([*lines, *pairs, *_of_names(past, pairs)])) for (system, pairs), past in zip(points, earlier, strict=True)
    ]


def _of_names(past: Sequence[Series], pairs: Sequence[Series]) -> list[Series]:
    """Return the baseline's pairs that today's output has, too."""
    names = {series.name for series in pairs}
    return [series for series in past if series.name in names]


def equal_f(level: float) -> list[tuple[float, float]]:
    """Return the points (recall, precision) of equal balanced F, P = F R / (2R - F), from precision 1 to recall 1."""
    least = level / (2 - level)
    recalls = (least ** (1 - step / STEPS) for step in range(STEPS + 1))  # closer together where the line is steep
    return [(recall, min(1.0, level * recall / (2 * recall - level))) for recall in recalls]


def _graph(series: Sequence[Series]) -> Graph:
    return Graph(
        "precision-recall",
        "Precision and recall",
        "Better is further up and to the right; along each dashed line, F is the same.",
        Axis("recall"),
        Axis("precision"),
        tuple(series),
    )


def _points(values: Values, names: Sequence[str], style: Literal["points", "baseline"]) -> list[Series]:
    pairs = [(name, _value(values, name, "recall"), _value(values, name, "precision")) for name in names]
    return [
        Series(name or "all", ((recall, precision),), style)
        for name, recall, precision in pairs
        if recall is not None and precision is not None
    ]


def _chosen(systems: Sequence[Values], gated: Collection[str]) -> list[str]:
    """Return the names of the pairs that are drawn."""
    pairs = [
        name
        for name in dict.fromkeys(_name(measure) for values in systems for measure in values)
        if any(_value(values, name, side) is not None for values in systems for side in ("precision", "recall"))
    ]
    judged = set(map(_name, gated))
    first = pairs if len(pairs) <= MOST_NAMES else [name for name in pairs if name in judged] or pairs
    return first[:MOST_NAMES]


def _name(measure: str) -> str:
    return measure.rpartition(".")[0]


def _value(values: Values, name: str, side: str) -> float | None:
    return values.get(f"{name}.{side}" if name else side)

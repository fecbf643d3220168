"""Precision against recall, for suites whose measures have both: a graph as tasks give them, with lines of equal F."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]

MOST_NAMES = 6
"""How many pairs of precision and recall are drawn; of more, only those with gates."""

LEVELS = tuple(tenth / 10 for tenth in range(1, 10))
"""The values of F whose lines are drawn."""

STEPS = 40
"""Of a line of equal F."""


def precision_recall(suites: Sequence[tuple[str, Json]]) -> list[tuple[str, Json]]:
    """Return for each system the graph of its pairs of precision and recall; [] if no suite has any.

    A pair is two measures whose names differ in their last part alone: `muc.precision` and `muc.recall`.
    """
    names = _chosen([suite for _, suite in suites])
    points = [(system, _points(suite, names)) for system, suite in suites]
    if not any(found for _, found in points):
        return []
    lines = [{"name": f"F {level:g}", "style": "reference", "points": equal_f(level)} for level in LEVELS]
    return [(system, _graph([*lines, *found])) for system, found in points]


def equal_f(level: float) -> list[tuple[float, float]]:
    """Return the points (recall, precision) of equal balanced F, P = F R / (2R - F), from precision 1 to recall 1."""
    least = level / (2 - level)
    recalls = (least ** (1 - step / STEPS) for step in range(STEPS + 1))  # closer together where the line is steep
    return [(recall, min(1.0, level * recall / (2 * recall - level))) for recall in recalls]


def _graph(series: Sequence[Json]) -> Json:
    return {
        "name": "precision-recall",
        "title": "Precision and recall",
        "meaning": "Better is further up and to the right; along each dashed line, F is the same.",
        "x": {"label": "recall", "low": 0.0, "high": 1.0},
        "y": {"label": "precision", "low": 0.0, "high": 1.0},
        "series": series,
    }


def _points(suite: Json, names: Sequence[str]) -> list[Json]:
    pairs = [(name, (_value(suite, name, "recall"), _value(suite, name, "precision"))) for name in names]
    return [{"name": name or "all", "style": "points", "points": [pair]} for name, pair in pairs if None not in pair]


def _chosen(suites: Sequence[Json]) -> list[str]:
    """Return the names of the pairs that are drawn."""
    pairs = [
        name
        for name in dict.fromkeys(measure.rpartition(".")[0] for suite in suites for measure in suite["scores"])
        if any(_value(suite, name, side) is not None for suite in suites for side in ("precision", "recall"))
    ]
    gated = {gate["measure"].rpartition(".")[0] for suite in suites for gate in suite["gates"]}
    first = pairs if len(pairs) <= MOST_NAMES else [name for name in pairs if name in gated] or pairs
    return first[:MOST_NAMES]


def _value(suite: Json, name: str, side: str) -> float | None:
    value: float | None = suite["scores"].get(f"{name}.{side}" if name else side, {}).get("value")
    return value

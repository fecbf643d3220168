"""The graphs of results: how the items' means are spread, and the leading measure of each group."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.graphs import Axis, Bars, Drawing, Graph, Series
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.metrics.own_values import own_values
from pytest_nlpeval.tasks.scores.measures import measures
from pytest_nlpeval.tasks.scores.options import Options


def graphs(evidence: Evidence, options: Options) -> Iterator[Drawing]:
    """Yield how the items' values of each result are spread, and with groups a bar for each."""
    every = {measure.name: measure for measure in measures(options, list(evidence.columns)) or ()}
    for result in options.results:
        for name in (f"{result.name}.mean", f"{result.name}.pass_rate"):
            if name not in every:
                continue
            own = own_values(every[name], evidence)
            values = np.sort(own[~np.isnan(own)]) if own is not None else np.zeros(0)
            if len(values):
                yield _spread(result.name, name, values)
                break
    yield from _slices(evidence, options)


def _spread(result: str, measure: str, values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Graph:
    distinct, numbers = np.unique(values, return_counts=True)
    shares = np.cumsum(numbers) / len(values)
    low, high = float(distinct[0]), float(distinct[-1])
    points = [(low, 0.0), *zip(distinct.tolist(), shares.tolist(), strict=True)]
    return Graph(
        f"spread.{result}",
        f"Spread of {result}",
        f"The share of the items whose own {measure} is at most a value, for each value; where the line is steep, many items lie.",
        Axis(result, low, high if high > low else low + 1.0),
        Axis("share of items"),
        (Series("items", tuple(points)),),
    )


def _slices(evidence: Evidence, options: Options) -> Iterator[Bars]:
    every = measures(options, list(evidence.columns)) or ()
    leading = next((measure for measure in every if measure.name.endswith((".pass_rate", ".mean"))), None)
    if leading is None:
        return
    sample = Sample(evidence)
    suffix = f".{leading.name}"
    bars = [
        (measure.name.removeprefix("group.").removesuffix(suffix), float(measure.values(sample)[0]))
        for measure in every
        if measure.name.startswith("group.") and measure.name.endswith(suffix)
    ]
    bars = [(group, value) for group, value in bars if not np.isnan(value)]
    if bars:
        values = [value for _, value in bars]
        low, high = min(0.0, *values), max(0.0, *values)
        yield Bars(
            "groups",
            f"{leading.name} by group",
            f"The {leading.name} of the items of each group alone.",
            Axis(leading.name, low, high if high > low else 1.0),
            tuple(bars),
        )

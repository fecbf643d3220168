"""How far a unit fell: what changes of a task that has values per unit are sorted by."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.measures import Measure, Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.run.falls import fall_of
from pytest_nlpeval.run.item_changes import Change
from pytest_nlpeval.tasks.scores import TASK  # whose units fall in `mean` and `pass_rate`


def _mean(column: str, sample: Sample) -> Values:
    return ratio(sample.total(column), sample.total(f"{column} given"))


SECONDS = Measure("seconds.mean", "", "", partial(_mean, "seconds"), better="lower")
QUALITY = Measure("judge.quality.mean", "", "", partial(_mean, "quality"))
MEDIAN = Measure("judge.quality.median", "", "", partial(_mean, "quality"))


def evidence(**units: tuple[float | None, float | None]) -> Evidence:
    """Seconds and quality of each unit, None for no value."""
    columns = {}
    for rank, name in enumerate(("seconds", "quality")):
        values = [unit[rank] for unit in units.values()]
        columns[name] = np.array([value or 0.0 for value in values])
        columns[f"{name} given"] = np.array([float(value is not None) for value in values])
    return Evidence.of(list(units), columns, "d")


BEFORE = evidence(a=(2.0, 0.75), b=(None, 0.5), c=(None, None), old=(1.0, 1.0))
NOW = evidence(a=(5.0, 0.5), b=(4.0, None), c=(None, None), new=(1.0, 0.0))


@pytest.mark.parametrize(
    ("unit", "measures", "falls"),
    [
        ("a", (), 5 - 2),
        ("a", ("seconds.*",), 5 - 2),
        ("a", ("judge.*.mean",), 0.75 - 0.5),
        ("a", ("*.median",), 0.0),
        ("b", ("judge.*.mean",), math.inf),
        ("b", ("seconds.*",), -math.inf),
        ("c", ("judge.*.mean",), 0.0),
        ("old", (), 0.0),
        ("new", (), 0.0),
    ],
)
def test_a_unit_falls_in_the_first_measure_that_its_explanation_bears_on(
    unit: str, measures: tuple[str, ...], falls: float
) -> None:
    fall = fall_of(TASK, [MEDIAN, SECONDS, QUALITY], BEFORE, NOW)
    assert fall is not None
    change = Change("d", "newly_wrong", None, Explanation(unit, "low", "", measures=measures))
    assert fall(change) == falls


@pytest.mark.parametrize("measures", [[], [MEDIAN]])
def test_without_values_of_units_nothing_is_sorted(measures: list[Measure]) -> None:
    assert fall_of(TASK, measures, BEFORE, NOW) is None

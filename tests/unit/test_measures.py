from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import Evidence, Measure
from pytest_nlpeval.measures import Sample, Score
from pytest_nlpeval.metrics.prf import ratio


def sample(values: list[int], weights: list[list[int]] | None = None) -> Sample:
    evidence = Evidence.of([str(row) for row in range(len(values))], {"a": np.array(values, np.int64)})
    return Sample(evidence, None if weights is None else np.array(weights, np.int64).reshape(len(weights), len(values)))


rows = st.lists(st.tuples(st.integers(-100, 100), st.integers(0, 3)), max_size=8)


@given(rows)
def test_a_weight_counts_as_repetition(data: list[tuple[int, int]]) -> None:
    values, weights = [value for value, _ in data], [weight for _, weight in data]
    repeated = [value for value, weight in data for _ in range(weight)]
    assert sample(values, [weights]).total("a").tolist() == sample(repeated).total("a").tolist()
    (found,) = sample(values, [weights]).rows(np.arange(len(values)))
    assert [values[row] for row in found.tolist()] == repeated


def test_totals_come_one_per_resample() -> None:
    assert sample([1, 10], [[1, 1], [2, 0], [0, 3]]).total("a").tolist() == [1 + 10, 2, 3 * 10]


@given(st.lists(st.floats(-1e6, 1e6), max_size=20))
def test_sums_of_floats_do_not_depend_on_the_order(values: list[float]) -> None:
    def total(column: list[float]) -> float:
        evidence = Evidence.of([""] * len(column), {"a": np.array(column, np.float64)})
        return float(Sample(evidence).total("a")[0])

    assert total(values) == total(values[::-1]) == math.fsum(values)


def test_a_measure_gives_a_value_or_a_reason() -> None:
    share = Measure("share", "A share.", "a / a", lambda s: ratio(s.total("a"), s.total("a")), "nothing there")
    assert share.score(sample([2])) == Score(1.0)
    assert share.score(sample([])) == Score(None, "nothing there")
    told = Measure("share", "", "", share.values, lambda evidence: f"{len(evidence.units)} units")
    assert told.score(sample([0])) == Score(None, "1 units")
    assert Score(None, "why").to_json() == {"value": None, "reason": "why"}
    assert Score(0.5).to_json() == {"value": 0.5}


def test_what_several_measures_need_is_computed_once() -> None:
    calls: list[Evidence] = []

    def number_of_units(evidence: Evidence) -> int:
        calls.append(evidence)
        return len(evidence.units)

    kept = sample([1])
    assert [kept.once("x", number_of_units) for _ in range(2)] == [1, 1]
    assert len(calls) == 1

"""pass@k and pass^k by drawing, percentiles under weights by repeating, notes on percentiles by counting."""

from __future__ import annotations

from itertools import combinations
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.tasks.scores.remarks import values_beyond
from pytest_nlpeval.tasks.scores.statistics import AllOf, AnyOf, Percentile, Scope
from tests.unit.tasks.scores.files import items, objects, scored


@pytest.mark.parametrize("size", range(1, 8))
def test_pass_at_k_and_pass_hat_k_are_means_over_all_draws(size: int) -> None:
    for passes in range(size + 1):
        values = [1] * passes + [0] * (size - passes)
        for k in range(1, size + 1):
            draws = list(combinations(values, k))
            assert AnyOf(k)(size, passes) == pytest.approx(mean(float(any(draw)) for draw in draws), abs=1e-12)
            assert AllOf(k)(size, passes) == pytest.approx(mean(float(all(draw)) for draw in draws), abs=1e-12)


@given(st.lists(st.tuples(st.floats(-9, 9), st.integers(0, 4)), min_size=1, max_size=12), st.integers(1, 99))
def test_a_percentile_under_weights_is_that_of_repeated_values(pairs: list[tuple[float, int]], percent: int) -> None:
    values, weights = np.array([value for value, _ in pairs]), np.array([weight for _, weight in pairs])
    columns = {"r.n": np.ones(len(pairs), np.int8), "r.value.1": values}
    sample = Sample(Evidence.of(list(map(str, range(len(pairs)))), columns), weights[None, :])
    (found,) = Percentile("r", percent)(Scope(sample))
    repeated = np.repeat(values, weights)
    assert found == pytest.approx(np.percentile(repeated, percent) if len(repeated) else np.nan, abs=1e-12, nan_ok=True)


@given(st.integers(1, 400), st.integers(1, 99))
def test_values_beyond_a_percentile(number: int, percent: int) -> None:
    place = np.percentile(np.arange(number), percent, method="linear")
    exact = (number - 1) * percent / 100
    assert place == pytest.approx(exact)
    beyond = sum(value > exact + 1e-9 for value in range(number)), sum(value < exact - 1e-9 for value in range(number))
    assert values_beyond(number, percent) == beyond[percent < 50]


def test_many_repeats_work_out_binomials_once_and_exactly() -> None:
    """C(1000, 100) has 140 digits, more than a double holds."""
    records = objects({"id": "a", "r": [1] * 990 + [0] * 10} for _ in range(1))
    result = {"pass": 1, "measures": ["pass^100", "pass@100"]}
    found = scored(items("a"), records, repeats="any", results={"r": result}).values()
    exact = 1.0
    for step in range(100):
        exact *= (990 - step) / (1000 - step)
    assert found["r.pass^100"] == pytest.approx(exact, rel=1e-12)
    assert found["r.pass@100"] == 1.0

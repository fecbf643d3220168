"""Results per item against scipy and inspect_ai, on random values; the extra `oracle` installs scipy.

Where inspect_ai is installed by hand, its reducers are compared, too.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.tasks.scores.statistics import AllOf, AnyOf, Percentile, Scope
from tests.unit.tasks.scores.files import items, objects, scored


def evidence(values: NDArray[np.float64]) -> Evidence:
    """Return the values of items, shape (items, repeats)."""
    number, repeats = values.shape
    columns: dict[str, Column] = {f"r.value.{rank + 1}": values[:, rank].copy() for rank in range(repeats)}
    return Evidence.of(list(map(str, range(number))), columns | {"r.n": np.full(number, repeats, np.int16)})


@pytest.mark.parametrize("seed", range(30))
def test_percentiles(seed: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    chance = np.random.default_rng(seed)
    values = chance.lognormal(0, 2, (int(chance.integers(1, 40)), int(chance.integers(1, 5))))
    sample = Sample(evidence(values.round(int(chance.integers(0, 4)))))
    every = np.concatenate([sample.evidence.column(name) for name in sample.evidence.columns if "value" in name])
    for percent in range(1, 100):
        (found,) = Percentile("r", percent)(Scope(sample))
        assert found == pytest.approx(stats.scoreatpercentile(every, percent), rel=1e-12, abs=1e-12)


def test_pass_at_k_and_pass_hat_k() -> None:
    scorer = pytest.importorskip("inspect_ai.scorer")
    for size in range(1, 15):
        for passes in range(size + 1):
            values = [scorer.Score(value=float(rank < passes)) for rank in range(size)]
            for k in range(1, size + 1):
                assert AnyOf(k)(size, passes) == pytest.approx(scorer.pass_at(k)(values).value, abs=1e-9)
                assert AllOf(k)(size, passes) == pytest.approx(scorer.pass_k(k)(values).value, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_means_over_repeats_and_items(seed: int) -> None:
    scorer = pytest.importorskip("inspect_ai.scorer")
    chance = np.random.default_rng(seed)
    values = chance.random((int(chance.integers(1, 30)), 5)).round(2)
    records = objects({"id": str(item), "r": own.tolist()} for item, own in enumerate(values))
    found = scored(items(range(len(values))), records, repeats=5, results=["r"]).values()
    reduced = [scorer.mean_score()([scorer.Score(value=value) for value in own.tolist()]).value for own in values]
    assert found["r.mean"] == pytest.approx(sum(reduced) / len(reduced), abs=1e-12)

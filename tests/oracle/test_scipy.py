"""The randomisation test against scipy's; the extra `oracle` installs it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.pairing import pair
from pytest_nlpeval.metrics.prf import f1
from pytest_nlpeval.metrics.resampling import randomise

stats = pytest.importorskip("scipy.stats")

F = Measure("f", "", "", lambda sample: f1(sample.total("right"), sample.total("said"), sample.total("gold")))
MEAN = Measure("mean", "", "", lambda sample: sample.total("right") / sample.total("gold"))

Run = dict[str, NDArray[np.int8]]


def run(units: int, seed: int) -> Run:
    chance = np.random.default_rng(seed)
    said = (chance.random(units) < 0.8).astype(np.int8)
    return {"right": said & (chance.random(units) < 0.6), "said": said, "gold": np.ones(units, np.int8)}


def evidence(columns: Run) -> Evidence:
    return Evidence.of([str(unit) for unit in range(len(columns["said"]))], columns, "d")


def scipys(measure: Measure, now: Run, baseline: Run, alternative: str, resamples: float) -> float:
    """Return the p of scipy, which permutes within pairs of units; each unit is the number of its row in one of two tables."""
    units = len(now["said"])
    table = {name: np.concatenate([baseline[name], now[name]]) for name in now}

    def value(rows: NDArray[np.int64]) -> float:
        sums = {name: float(column[rows].sum()) for name, column in table.items()}
        return sums["right"] / sums["gold"] if measure is MEAN else 2 * sums["right"] / (sums["said"] + sums["gold"])

    def drop(before: NDArray[np.int64], after: NDArray[np.int64]) -> float:
        return value(before.astype(np.int64)) - value(after.astype(np.int64))

    rows = (np.arange(units), np.arange(units) + units)
    found = stats.permutation_test(
        rows, drop, permutation_type="samples", vectorized=False, alternative=alternative, n_resamples=resamples
    )
    return float(found.pvalue)


@pytest.mark.parametrize("measure", [F, MEAN], ids=lambda measure: measure.name)
@pytest.mark.parametrize("seed", range(4))
def test_exact_ps(measure: Measure, seed: int) -> None:
    now, baseline = run(9, seed), run(9, seed + 20)
    found = randomise(pair(evidence(now), evidence(baseline), "units"), [measure], Draws(2**9))[measure.name]
    assert found.is_exact
    assert found.p == pytest.approx(scipys(measure, now, baseline, "greater", np.inf), abs=1e-12)
    assert found.p_two_sided == pytest.approx(min(1, scipys(measure, now, baseline, "two-sided", np.inf)), abs=1e-12)


def test_a_million_resamples() -> None:
    """scipy counts all ways; a share of a million is off by less than 5 standard errors."""
    now, baseline = run(60, 1), run(60, 2)
    right = now["right"].astype(np.int64), baseline["right"].astype(np.int64)
    found = randomise(pair(evidence(now), evidence(baseline), "units"), [MEAN], Draws(10**6))["mean"]
    assert not found.is_exact
    better, worse = (int(np.count_nonzero(first > second)) for first, second in (right, right[::-1]))
    exact = stats.binomtest(worse, better + worse, 0.5, alternative="greater").pvalue
    assert found.p == pytest.approx(exact, abs=5 * 0.5 / 10**3)
    assert found.p == pytest.approx(scipys(MEAN, now, baseline, "greater", 9999), abs=5 * 0.5 / 100)

"""What must hold for results of whatever items: order, repetition, groups, missing values, and how measures depend on one another."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.measures import Sample
from tests.unit.tasks.scores.files import Scored, items, objects, scored

NUMBERS = st.one_of(st.integers(-3, 3), st.floats(-1e3, 1e3).map(lambda number: round(number, 3)))
REPEATS = 4
EVERY = [
    "mean",
    "sum",
    "pass_rate",
    "flaky",
    "within_sd",
    "p5",
    "p50",
    "p99",
    *(f"pass{sign}{k}" for sign in "@^" for k in (1, 2, 3, 4)),
]

runs = st.lists(st.lists(NUMBERS, min_size=REPEATS, max_size=REPEATS), min_size=1, max_size=6)


def scored_runs(values: list[list[Any]], order: list[int] | None = None, gold: str | None = None, **more: Any) -> Scored:
    """Score items with these values, a record for each repeat, the records in an order."""
    records = [{"id": f"i{item}", "r": value} for item, own in enumerate(values) for value in own]
    chosen = records if order is None else [records[place] for place in order]
    result = {"field": "r", "pass": 0.5, "measures": EVERY, **more.pop("result", {})}
    gold = items(f"i{item}" for item in range(len(values))) if gold is None else gold
    return scored(gold, objects(chosen), repeats=REPEATS, results={"r": result}, **more)


def same(one: dict[str, float], other: dict[str, float]) -> None:
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert value == pytest.approx(other[name], abs=1e-9, rel=1e-12, nan_ok=True), name


@given(runs, st.data())
@settings(max_examples=60)
def test_the_order_of_records_changes_nothing(values: list[list[float]], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(values) * REPEATS)))
    first, second = scored_runs(values), scored_runs(values, order)
    assert first.evidence == second.evidence
    assert first.values() == second.values()


@given(runs)
@settings(max_examples=60)
def test_lists_are_records(values: list[list[float]]) -> None:
    gold = items(f"i{item}" for item in range(len(values)))
    listed = objects({"id": f"i{item}", "r": own} for item, own in enumerate(values))
    result = {"field": "r", "pass": 0.5, "measures": EVERY}
    assert scored(gold, listed, repeats=REPEATS, results={"r": result}).evidence == scored_runs(values).evidence


@given(runs)
@settings(max_examples=60)
def test_pass_at_k_rises_and_pass_hat_k_falls(values: list[list[float]]) -> None:
    found = scored_runs(values).values()
    assert found["r.pass@1"] == pytest.approx(found["r.pass_rate"], abs=1e-12)
    assert found["r.pass^1"] == pytest.approx(found["r.pass_rate"], abs=1e-12)
    for k in (1, 2, 3):
        assert found[f"r.pass@{k}"] <= found[f"r.pass@{k + 1}"] + 1e-12
        assert found[f"r.pass^{k}"] >= found[f"r.pass^{k + 1}"] - 1e-12


@given(st.lists(st.lists(st.booleans(), min_size=REPEATS, max_size=REPEATS), min_size=1, max_size=6))
@settings(max_examples=40)
def test_of_true_and_false_the_mean_is_the_pass_rate(values: list[list[bool]]) -> None:
    found = scored_runs(values, result={"pass": True}).values()
    assert found["r.mean"] == pytest.approx(found["r.pass_rate"], abs=1e-12)


@given(runs)
@settings(max_examples=60)
def test_measures_are_those_of_numpy(values: list[list[float]]) -> None:
    found, every = scored_runs(values).values(), np.array(values, np.float64)
    assert found["r.mean"] == pytest.approx(every.mean(axis=1).mean(), abs=1e-9)
    assert found["r.sum"] == pytest.approx(every.sum(), abs=1e-9)
    assert found["r.within_sd"] == pytest.approx(math.sqrt(every.var(axis=1, ddof=1).mean()), abs=1e-9)
    for percent in (5, 50, 99):
        assert found[f"r.p{percent}"] == pytest.approx(np.percentile(every, percent), abs=1e-9)


@given(runs)
@settings(max_examples=40)
def test_each_item_three_times_changes_only_sums_and_percentiles(values: list[list[float]]) -> None:
    once, thrice = scored_runs(values).values(), scored_runs(values * 3).values()
    changing = {"r.sum", "r.p5", "r.p50", "r.p99"}
    same(
        {name: value for name, value in once.items() if name not in changing},
        {n: v for n, v in thrice.items() if n not in changing},
    )


@given(runs, st.data())
@settings(max_examples=60)
def test_an_item_of_weight_w_is_w_items(values: list[list[float]], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values)))
    copies = [own for own, weight in zip(values, weights, strict=True) for _ in range(weight)]
    weighted = scored_runs(values).values(np.array([weights]))
    if copies:
        same(weighted, scored_runs(copies).values())
    else:
        assert all(math.isnan(value) or value == 0 for value in weighted.values())


@given(runs)
@settings(max_examples=30)
def test_missing_and_skip_change_nothing_where_nothing_is_missing(values: list[list[float]]) -> None:
    plain = scored_runs(values)
    assert (
        plain.evidence
        == scored_runs(values, result={"missing": -7}).evidence
        == scored_runs(values, result={"skip": 0.5}).evidence
    )


@given(runs)
@settings(max_examples=30)
def test_a_group_of_all_items_has_the_values_of_the_suite(values: list[list[float]]) -> None:
    gold = objects({"id": f"i{item}", "g": "all of them"} for item in range(len(values)))
    found = scored_runs(values, gold=gold, group="g").values()
    own = {name: value for name, value in found.items() if not name.startswith(("group.", "macro."))}
    same(own, {name.removeprefix("group.all of them."): value for name, value in found.items() if name.startswith("group.")})
    same({"mean": own["r.mean"]}, {"mean": found["macro.r.mean"]})


@given(st.lists(st.one_of(NUMBERS, st.none()), min_size=1, max_size=8), st.integers(0, 8))
@settings(max_examples=80)
def test_without_skip_a_measure_has_a_value_only_if_every_item_has(values: list[float | None], cut: int) -> None:
    records = objects({"id": str(item), "score": value, "x": 1} for item, value in enumerate(values[: max(cut, 1)]))
    found = scored(items(range(len(values))), records)
    is_whole = (None not in values[: max(cut, 1)] and cut >= len(values)) or (len(values) == 1 and values[0] is not None)
    assert (found.evidence is not None) == is_whole
    if not is_whole:
        assert {line.rsplit(":", 1)[1] for line in found.told()} <= {"missing", "missing-id", "column"}


@given(runs)
@settings(max_examples=30)
def test_a_resample_of_a_sum_with_skipped_items_has_no_value(values: list[list[float]]) -> None:
    broken: list[list[Any]] = [*values, [None] * REPEATS]
    found = scored_runs(broken, result={"skip": 0.9})
    if found.evidence is None:  # one item of two is more than a share of 0.9 allows only if there is one alone
        return
    weights = np.ones((1, len(broken)), np.int64)
    weights[0, -1] = 0
    assert math.isnan(found.values(weights)["r.sum"])
    assert Sample(found.evidence, weights).total("r.n").tolist() == [REPEATS * len(values)]

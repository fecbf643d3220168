"""Intervals and tests, against what they are by definition: samples with repeated rows, and all ways to swap units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from threadpoolctl import threadpool_info

from pytest_nlpeval import load_suites
from pytest_nlpeval.columns import CLUSTER, Categorical
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.measures import COUNT, Measure, OfGroup, Sample, Values
from pytest_nlpeval.metrics import draws, weighting
from pytest_nlpeval.metrics.draws import Draws, bootstrap_counts, unseen_counts
from pytest_nlpeval.metrics.pairing import By, pair, ranks_of, resampled_by
from pytest_nlpeval.metrics.prf import f1, ratio
from pytest_nlpeval.metrics.ranking import confidence_weighted_scores
from pytest_nlpeval.metrics.resampling import (
    TOLERANCE,
    Distribution,
    Significance,
    _critical,
    _test,
    bootstrap,
    bootstrap_drops,
    randomise,
)
from pytest_nlpeval.metrics.stretches import runs
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.tasks import TASKS

ROOT = Path(__file__).parents[3]
BYS: tuple[By, By] = ("units", "documents")


def _cws(sample: Sample) -> Values:
    order = np.argsort(-sample.evidence.column("confidence"), kind="stable")
    return confidence_weighted_scores(runs(sample.evidence.column("right"), [order]), sample.running_sums)[:, 0]


def _macro(sample: Sample) -> Values:
    return sample.document_mean(ratio(sample.document_sums("right"), sample.document_sums("all")))


MEASURES = (
    Measure("accuracy", "", "", lambda sample: ratio(sample.total("right"), sample.total("all"))),
    Measure("f1", "", "", lambda sample: f1(sample.total("right"), sample.total("said"), sample.total("all"))),
    Measure("precision", "", "", lambda sample: ratio(sample.total("right"), sample.total("said"))),
    Measure("wrong", "", "", lambda sample: sample.total("said") - sample.total("right"), range=COUNT, better="lower"),
    Measure("credit", "", "", lambda sample: ratio(sample.total("credit"), sample.total("all"))),
    Measure("cws", "", "", _cws),
    Measure("macro", "", "", _macro),
)


def run(sizes: Sequence[int], seed: int) -> Evidence:
    """Return the evidence of a run with documents of these sizes."""
    chance = np.random.default_rng(seed)
    parts = []
    for rank, size in enumerate(sizes):
        said = (chance.random(size) < 0.7).astype(np.int8)
        right = said & (chance.random(size) < 0.6)
        columns: dict[str, Column] = {
            "all": np.ones(size, np.int8),
            "said": said,
            "right": right,
            "credit": right * chance.random(size) / 3,
            "confidence": chance.random(size),
        }
        parts.append(Evidence.of([str(unit) for unit in range(size)], columns, f"d{rank}"))
    return Evidence.merge(parts)


def repeated(evidence: Evidence, counts: Sequence[int], by: By) -> Evidence:
    """Return the evidence in which each document or row appears as often as it counts: each copy of a document is one of its own."""
    parts = evidence.split()
    if by == "documents":
        copies = [
            part.named(f"{part.documents[0]}-{copy}") for part, count in zip(parts, counts, strict=True) for copy in range(count)
        ]
        return Evidence.merge(copies)
    of_rows = iter(np.array(counts)[ranks_of(evidence, "units")].tolist())
    rows = [np.repeat(np.arange(size), [next(of_rows) for _ in range(size)]) for size in evidence.sizes]
    return Evidence.merge(
        Evidence.of(
            [part.units[row] for row in chosen.tolist()],
            {name: column[chosen] for name, column in part.columns.items()},
            part.documents[0],
        )
        for part, chosen in zip(parts, rows, strict=True)
    )


def value(measure: Measure, evidence: Evidence) -> float:
    return float(measure.values(Sample(evidence))[0])


def drop(measure: Measure, now: Evidence, baseline: Evidence) -> float:
    difference = value(measure, baseline) - value(measure, now)
    return difference if measure.better == "higher" else -difference


def sorted_values(values: Sequence[float]) -> list[float]:
    return sorted(found for found in values if not math.isnan(found))


def suites() -> list[Suite]:
    return [suite for task in TASKS for suite in load_suites(ROOT / "examples" / task / "nlpeval.yaml")]


@pytest.mark.parametrize("suite", suites(), ids=lambda suite: suite.name)
def test_a_bootstrap_value_is_that_of_repeated_rows(suite: Suite) -> None:
    """Every measure of every task, on its example; rankings of several documents have no average precision by definition.

    A single unit or document has no distribution.
    """
    evidence = Engine().count(suite).evidence
    assert evidence is not None
    every = suite.measures(list(evidence.columns))
    for by in BYS:
        _assert_values_are_those_of_copies(
            evidence, [one for one in every if by == "units" or one.name != "average_precision"], by
        )


def _assert_values_are_those_of_copies(evidence: Evidence, measures: Sequence[Measure], by: By) -> None:
    size = len(evidence.documents if by == "documents" else evidence.units)
    counts = np.concatenate(list(bootstrap_counts(Draws(6), size)))
    copies = [repeated(evidence, count, by) for count in counts.tolist()] if size > 1 else []
    by_name = {measure.name: measure for measure in measures}
    for name, found in bootstrap(evidence, measures, Draws(6), by).items():
        measure = by_name[name]
        expected = sorted_values([value(measure, copy) for copy in copies])
        assert found.values.tolist() == pytest.approx(expected, abs=1e-12), name
        assert found.observed == pytest.approx(value(measure, evidence), abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("by", BYS)
def test_bootstrapped_drops_are_those_of_repeated_rows(by: By) -> None:
    sizes = [3, 1, 4, 2]
    now, baseline = run(sizes, 1), run(sizes, 2)
    counts = np.concatenate(list(bootstrap_counts(Draws(30), 4 if by == "documents" else 10))).tolist()
    for name, found in bootstrap_drops(pair(now, baseline, by), MEASURES, Draws(30)).items():
        measure = next(measure for measure in MEASURES if measure.name == name)
        expected = [drop(measure, *(repeated(side, count, by) for side in (now, baseline))) for count in counts]
        assert found.values.tolist() == pytest.approx(sorted_values(expected), abs=1e-12), name
        assert found.observed == pytest.approx(drop(measure, now, baseline), abs=1e-12)


def swapped(now: Evidence, baseline: Evidence, way: Sequence[int], by: By) -> tuple[Evidence, Evidence]:
    """Return both runs with some documents or rows exchanged; each document has the same rows in both."""
    marks = np.repeat(way, now.sizes) if by == "documents" else np.array(way)
    sides = [
        {name: np.where(marks, other.column(name), own.column(name)) for name in own.columns}
        for own, other in ((now, baseline), (baseline, now))
    ]
    first, second = (Evidence(now.documents, now.sizes, now.units, columns) for columns in sides)
    return first, second


@pytest.mark.parametrize("by", BYS)
@pytest.mark.parametrize("seed", range(4))
def test_exact_ps_are_those_of_all_ways(by: By, seed: int) -> None:
    sizes = [3, 1, 2, 2]
    now, baseline = run(sizes, seed), run(sizes, seed + 10)
    ways = [swapped(now, baseline, way, by) for way in product((0, 1), repeat=4 if by == "documents" else 8)]
    for name, test in randomise(pair(now, baseline, by), MEASURES, Draws(256)).items():
        measure = next(measure for measure in MEASURES if measure.name == name)
        observed, drops = drop(measure, now, baseline), [drop(measure, *way) for way in ways]
        assert test.drop == pytest.approx(observed, abs=1e-12, nan_ok=True)
        assert test.is_exact
        if not math.isnan(observed):
            assert test.p == sum(not found < observed - 1e-12 for found in drops) / len(drops), name
            assert test.p_two_sided == sum(not abs(found) < abs(observed) - 1e-12 for found in drops) / len(drops), name


@pytest.mark.parametrize("by", BYS)
def test_many_ways_are_drawn(by: By) -> None:
    """p = (1 + as great) / (1 + resamples), near the share of all ways."""
    sizes = [2] * 12
    pairs = pair(run(sizes, 5), run(sizes, 6), by)
    exact = randomise(pairs, MEASURES[:2], Draws(1 << 24 if by == "units" else 1 << 12))
    for name, test in randomise(pairs, MEASURES[:2], Draws(4000)).items():
        assert test.is_exact == (2**test.differing <= 4000)
        assert exact[name].is_exact
        assert test.p == pytest.approx(exact[name].p, abs=4 * 0.5 / 4000**0.5)
        assert test.p * 4001 == pytest.approx(round(test.p * 4001), abs=1e-9) or test.is_exact


def test_identical_systems_are_never_worse() -> None:
    same = run([4, 4, 4], 1)
    for by in BYS:
        for test in randomise(pair(same, same, by), MEASURES, Draws(100)).values():
            assert (test.p, test.p_two_sided, test.differing, test.drop) == (1, 1, 0, 0)
        for found in bootstrap_drops(pair(same, same, by), MEASURES, Draws(100)).values():
            assert not found.values.any()


def accuracy_run(right: Sequence[int]) -> Evidence:
    numbers = np.array(right, np.int8)
    return Evidence.of(
        [str(rank) for rank in range(len(numbers))], {"right": numbers, "all": np.ones(len(numbers), np.int8)}, "d"
    )


@given(st.lists(st.integers(0, 1), min_size=1, max_size=10))
def test_more_errors_are_never_less_significant(right: list[int]) -> None:
    """A run whose units turn wrong one after the other."""
    baseline, ps = accuracy_run(right), [1.0]
    for wrong in range(len(right) + 1):
        now = accuracy_run([0] * wrong + right[wrong:])
        ps.append(randomise(pair(now, baseline, "units"), MEASURES[:1], Draws(1024))["accuracy"].p)
        assert ps[-1] == 0.5 ** sum(right[:wrong])
    assert ps == sorted(ps, reverse=True)


def test_only_units_that_differ_in_what_is_read_are_swapped() -> None:
    now, baseline = run([40], 1), run([40], 2)
    test = randomise(pair(now, baseline, "units"), MEASURES, Draws(10))
    expected = np.count_nonzero(now.column("said") != baseline.column("said"))
    assert test["accuracy"].differing == np.count_nonzero(now.column("right") != baseline.column("right"))
    assert test["accuracy"].differing >= expected - 40
    assert test["cws"].differing == 40


def test_a_unit_of_one_run_only_is_no_drop() -> None:
    """Accuracy is 1 and 2/3, but the third item was asked of one run alone."""
    now, baseline = accuracy_run([1, 1]), accuracy_run([1, 1, 0])
    (measure,) = (found for found in MEASURES if found.name == "accuracy")
    for pairs in (pair(now, baseline, "units"), pair(baseline, now, "units")):
        test = randomise(pairs, [measure], Draws(8))["accuracy"]
        assert (test.drop, test.p, test.p_two_sided, test.differing) == (0, 1, 1, 0)
        drops = bootstrap_drops(pairs, [measure], Draws(40))["accuracy"]
        assert set(drops.values.tolist()) == {0}


@pytest.mark.parametrize("by", BYS)
def test_how_much_is_done_at_once_changes_no_bit(by: By, monkeypatch: pytest.MonkeyPatch) -> None:
    now, baseline = run([5, 3, 4, 6] * 4, 1), run([5, 3, 4, 6] * 4, 2)
    pairs = pair(now, baseline, by)

    def everything() -> list[object]:
        drawn = (bootstrap(now, MEASURES, Draws(40), by), bootstrap_drops(pairs, MEASURES, Draws(40)))
        return [[found.values.tobytes() for found in one.values()] for one in drawn] + [
            repr(randomise(pairs, MEASURES, Draws(40)))
        ]

    first = everything()
    for at_once in (1, 100, 1 << 20):
        monkeypatch.setattr(draws, "_AT_ONCE", at_once)
        monkeypatch.setattr(weighting, "_AT_ONCE", at_once)
        assert everything() == first


def test_a_measure_is_drawn_alike_whatever_is_asked_beside_it() -> None:
    now, baseline = run([30], 1), run([30], 2)
    pairs = pair(now, baseline, "units")
    for measure in MEASURES:
        alone, among = (randomise(pairs, asked, Draws(50))[measure.name] for asked in ([measure], MEASURES))
        assert repr(alone) == repr(among)  # a number that is none is never equal to itself
        one, all_ = (bootstrap(now, asked, Draws(50), "units")[measure.name] for asked in ([measure], MEASURES))
        assert np.array_equal(one.values, all_.values)


def distribution(values: Sequence[float], observed: float = 0.0) -> Distribution:
    return Distribution.of(observed, np.array(values, np.float64))


@pytest.mark.parametrize("by", BYS)
def test_a_single_unit_says_nothing_of_others(by: By) -> None:
    one, other = run([1], 1), run([1], 2)
    units = pair(one, other, by)
    assert units.differs.all()
    found = bootstrap_drops(units, MEASURES, Draws(200))["accuracy"]
    assert math.isinf(found.upper(0.05))
    assert all(
        math.isnan(end) for end in (*found.interval()[:2], *bootstrap(one, MEASURES, Draws(200), by)["accuracy"].interval()[:2])
    )
    same = bootstrap_drops(pair(one, one, by), MEASURES, Draws(200))["accuracy"]
    assert same.upper(0.05) == 0
    two = bootstrap_drops(pair(run([1, 1], 1), run([1, 1], 2), by), MEASURES, Draws(200))["accuracy"]
    assert len(two.values) == 200, "two units tell something of others"


@pytest.mark.parametrize(("by", "size"), [("documents", 3), ("units", 2 + 3)])
def test_documents_without_units_are_drawn_like_all_others_and_never_where_units_are(by: By, size: int) -> None:
    evidence = run([2, 3, 0], 1)
    found = bootstrap(evidence, MEASURES, Draws(50), by)
    samples = [repeated(evidence, row, by) for piece in bootstrap_counts(Draws(50), size) for row in piece.tolist()]
    for measure in MEASURES:
        assert found[measure.name].values == pytest.approx(sorted_values([value(measure, sample) for sample in samples]))


def test_nothing_has_no_interval() -> None:
    found = bootstrap(run([0], 1), MEASURES, Draws(50), "units")
    assert all(math.isnan(end) for distribution_ in found.values() for end in distribution_.interval()[:2])


def test_percentiles() -> None:
    """Of 1,000 values the interval of 95 % leaves out 24 at each end: it ends at the 25th."""
    values = distribution(list(range(1, 1001)))
    assert values.interval(0.95)[:2] == (25, 976)
    assert values.interval(0.9)[:2] == (50, 951)
    for number, cut in ((78, 1), (79, 2)):  # 0.025 of 79 parts is 1.975, of which whole values are cut off, and of 80 parts 2
        assert distribution(list(range(1, number + 1))).interval(0.95)[:2] == (cut, number + 1 - cut)
    assert values.upper(0.05) == 951
    assert values.error == pytest.approx(math.sqrt(1000 * 1001 / 12), rel=1e-12)
    assert distribution([3.0]).interval()[:2] == (3, 3)
    assert math.isnan(distribution([3.0]).error)


def test_resamples_without_value() -> None:
    few, many = (distribution([*range(100 - number), *[math.nan] * number]) for number in (5, 6))
    assert few.interval(0.95)[:2] == (1, 93)
    assert np.isnan(many.interval(0.95)[:2]).all()
    quarter = distribution([1.0, 2, 3, math.nan])
    assert quarter.interval(0.75)[:2] == (1, 3), "no more than a quarter has none"
    assert np.isnan(quarter.interval(0.8)[:2]).all()
    assert few.upper(0.05) == math.inf
    assert distribution([*range(99), math.nan], 0).upper(0.05) == 95
    unknown = distribution([1.0, 2.0], math.nan)
    assert np.isnan(unknown.interval()[:2]).all()
    assert math.isnan(unknown.upper(0.05))


def test_no_value_is_no_reason_to_fail() -> None:
    """Precision of a run that says nothing has no value, neither observed nor where its silence is swapped."""
    now, baseline = run([6], 1), run([6], 2)
    silent = Evidence.of(now.units, {"all": now.columns["all"]}, "d0")
    test = randomise(pair(silent, baseline, "units"), MEASURES[2:3], Draws(64))["precision"]
    assert np.isnan([test.drop, test.p, test.p_two_sided]).all()
    nothing = randomise(pair(Evidence.merge([]), Evidence.merge([]), "units"), MEASURES, Draws(8))
    assert math.isnan(nothing["accuracy"].p)
    assert nothing["wrong"].p == 1


def test_what_has_no_value_in_a_swap_counts_as_great() -> None:
    """A precision of 1 of 1 against 0 of 1, said of different units: half of the ways leave a run without any."""

    def said(right: list[int], said: list[int]) -> Evidence:
        columns = {"right": np.array(right, np.int8), "said": np.array(said, np.int8), "all": np.ones(2, np.int8)}
        return Evidence.of(["1", "2"], columns, "d")

    test = randomise(pair(said([0, 0], [0, 1]), said([1, 0], [1, 0]), "units"), MEASURES[2:3], Draws(4))["precision"]
    assert (test.drop, test.p) == (1, 3 / 4)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1e3), min_size=2, max_size=12))
def test_floats_are_summed_exactly(credits_: list[float]) -> None:
    numbers: NDArray[np.float64] = np.array(credits_)
    evidence = Evidence.of([str(rank) for rank in range(len(numbers))], {"credit": numbers})
    counts = np.concatenate(list(bootstrap_counts(Draws(20), len(numbers)))).tolist()
    expected = [math.fsum(np.repeat(numbers, count).tolist()) for count in counts]
    total = Measure("total", "", "", lambda sample: sample.total("credit"))
    found = bootstrap(evidence, [total], Draws(20), "units")["total"].values
    assert found.tolist() == pytest.approx(sorted(expected), rel=1e-15, abs=1e-12)


def test_units_of_the_example_are_documents_where_there_are_enough() -> None:
    assert resampled_by(run([1] * 20, 1)) == "documents"


def threads() -> list[int]:
    """In how many threads numpy multiplies matrices, as far as it can be told."""
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_matrices_are_multiplied_in_one_thread_and_afterwards_in_as_many_as_before() -> None:
    found: list[int] = []

    def values(sample: Sample) -> Values:
        sample.require_rows()  # it is asked for totals before there are resamples
        found.extend(threads())
        return sample.total("right")

    before = threads()
    bootstrap(run([5], 1), [Measure("right", "", "", values)], Draws(2), "units")
    assert set(found) <= {1}
    assert threads() == before


@pytest.mark.parametrize("resamples", [1 << 12, 900])
def test_the_critical_drop_parts_those_whose_p_is_at_most_the_level_from_the_others(resamples: int) -> None:
    """Ten units that differ, and 2^10 ways to swap them: the ways with at least w wrong ones are a tail of the binomial distribution."""
    turned_wrong, turned_right, unchanged = 8, 2, 10
    names = [str(unit) for unit in range(20)]
    now, baseline = (
        Evidence.of(names, {"right": np.array(flags, np.int8), "all": np.ones(20, np.int8)}, "d")
        for flags in (
            [0] * turned_wrong + [1] * turned_right + [1] * unchanged,
            [1] * turned_wrong + [0] * turned_right + [1] * unchanged,
        )
    )
    pairs, level = pair(now, baseline, "units"), 0.03
    test = randomise(pairs, MEASURES[:1], Draws(resamples), {"accuracy": level})["accuracy"]
    tails = {(2 * wrong - 10) / 20: sum(math.comb(10, k) for k in range(wrong, 11)) / 2**10 for wrong in range(11)}
    smallest, next_smaller = (
        min(drop for drop, p in tails.items() if p <= level),
        max(drop for drop, p in tails.items() if p > level),
    )
    assert test.critical == pytest.approx((smallest + next_smaller) / 2)
    assert math.isnan(randomise(pairs, MEASURES[:1], Draws(resamples))["accuracy"].critical)
    assert math.isnan(randomise(pairs, MEASURES[:1], Draws(resamples), {"accuracy": 2.0**-12})["accuracy"].critical)


@pytest.mark.parametrize(
    ("drops", "level", "exact", "critical"),
    [
        # Of four ways a share of 1/4 is one, of 1/2 two; drawn ways count the observed one, too: of five a share of 0.5 is 2.5.
        ([0.4, 0.0, 0.2, 0.1], 0.25, True, (0.4 + 0.2) / 2),
        ([0.4, 0.0, 0.2, 0.1], 0.5, True, (0.2 + 0.1) / 2),
        ([0.4, 0.0, 0.2, 0.1], 0.65, True, (0.2 + 0.1) / 2),
        ([0.4, 0.0, 0.2, 0.1], 0.5, False, (0.4 + 0.2) / 2),
        ([0.4, 0.0, 0.2, 0.1], 0.6, False, (0.2 + 0.1) / 2),
        ([0.9, 0.6, 0.4, 0.1], 0.75, True, (0.4 + 0.1) / 2),
        ([0.4, 0.0, 0.2, 0.1], 0.2, True, math.nan),
        ([0.4, 0.0, 0.2, 0.1], 1.0, True, math.nan),
        ([1.0, 1.0, 1.0], 1 / 3, True, math.nan),
        # What has no value counts as infinitely great.
        ([math.nan, 0.0, 0.1, 0.2], 0.5, True, (0.2 + 0.1) / 2),
        ([math.nan, 0.4, 0.1, 0.1], 0.5, True, (0.4 + 0.1) / 2),
        ([math.nan, 0.0, 0.0, 0.0], 0.25, True, math.nan),
        # Drops this close are equal.
        ([0.5, TOLERANCE, 0.0], 2 / 3, True, 0.25),
        ([0.5, 1.5 * TOLERANCE, 0.0], 2 / 3, True, 0.75 * TOLERANCE),
        ([3000.0, 1000 + 500 * TOLERANCE, 1000.0], 2 / 3, True, 2000.0),
    ],
)
def test_the_critical_drop_is_between_two(drops: list[float], level: float, exact: bool, critical: float) -> None:
    made = _critical(np.array(drops), level, Significance(0.1, 0.5, 1.0, 2, is_exact=exact))
    assert made == pytest.approx(critical, rel=1e-9, abs=0, nan_ok=True)


def test_a_drop_within_the_noise_of_floats_is_as_great_as_the_observed_one() -> None:
    assert _test(0.0, np.array([0.0, -TOLERANCE]), 1, is_exact=True).p == 1
    assert _test(0.0, np.array([0.0, -2 * TOLERANCE]), 1, is_exact=True).p == 1 / 2
    assert distribution([TOLERANCE]).share_up_to(0) == 1
    assert distribution([2 * TOLERANCE]).share_up_to(0) == 1 / 2
    large = 1e9
    assert _test(large, np.array([large, large * (1 - TOLERANCE / 2), large - 1, 0]), 2, is_exact=True).p == 2 / 4


def test_without_a_value_the_test_says_how_many_units_differ_all_the_same() -> None:
    test = _test(math.nan, np.array([0.0, 0.1]), 7, is_exact=True)
    assert (test.differing, test.is_exact) == (7, True)


@pytest.mark.parametrize(("resamples", "is_exact"), [(8, True), (7, False)])
def test_all_ways_are_counted_if_there_are_no_more_than_resamples(resamples: int, is_exact: bool) -> None:
    pairs = pair(accuracy_run([0, 0, 0, 1]), accuracy_run([1, 1, 1, 1]), "units")
    assert randomise(pairs, MEASURES[:1], Draws(resamples))["accuracy"].is_exact is is_exact


def test_a_unit_that_was_not_seen_is_drawn_by_the_seed() -> None:
    values = distribution(list(range(50)))
    for seed in (1, 2):
        drawn = sorted((values.values + 0.25 * unseen_counts(Draws(50, seed))).tolist())
        assert values.with_unseen(0.25, seed).values.tolist() == drawn
    assert values.with_unseen(0.25, 1).values.tolist() != values.with_unseen(0.25, 2).values.tolist()


def test_of_a_group_only_its_own_units_differ() -> None:
    """The measure needs rows; the last unit is in no group."""

    def by_rows(sample: Sample) -> Values:
        sample.require_rows()
        return ratio(sample.total("right"), sample.total("all"))

    def table(right: list[int]) -> Evidence:
        columns = {"right": np.array(right, np.int8), "all": np.ones(4, np.int8), "mine": np.array([1, 1, 0, 0], np.int8)}
        return Evidence.of("abcd", columns, "d")

    measure = Measure("group.a.x", "", "", by_rows, of_group=OfGroup("a", "x", "mine"))
    tests = randomise(pair(table([0, 0, 0, 0]), table([1, 1, 1, 1]), "units"), [measure], Draws(100))
    assert tests["group.a.x"].differing == 2


@pytest.mark.parametrize("by", ["units", "clusters"])
def test_rows_in_another_order_have_the_same_intervals_and_tests(by: By) -> None:
    now, before = run([40], 1), run([40], 2)
    clusters = Categorical.of([f"c{row // 3}" for row in range(40)])
    shown = []
    for order in (np.arange(40), np.random.default_rng(0).permutation(40)):
        ordered = [
            Evidence.of(
                [one.units[row] for row in order.tolist()],
                {name: column[order] for name, column in {**one.columns, CLUSTER: clusters}.items()},
            )
            for one in (now, before)
        ]
        pairs = pair(ordered[0], ordered[1], by)
        values = {name: found.values.tolist() for name, found in bootstrap(ordered[0], MEASURES, Draws(50), by).items()}
        drops = {name: found.values.tolist() for name, found in bootstrap_drops(pairs, MEASURES, Draws(50)).items()}
        tests = {name: (found.p, found.differing) for name, found in randomise(pairs, MEASURES, Draws(50)).items()}
        shown.append((values, drops, tests))
    for one, other in zip(*shown, strict=True):
        assert one == {name: pytest.approx(found, abs=1e-12, nan_ok=True) for name, found in other.items()}


def test_a_document_whose_rows_are_the_same_does_not_differ_by_what_floats_add_up_to() -> None:
    """(.1 + .2 + .3) - .1 - .2 - .3 is not 0 in floats."""
    now, before = (
        Evidence.merge(
            Evidence.of("abc", {"credit": np.array([0.1, 0.2, third]), "all": np.ones(3, np.int8)}, name)
            for name, third in (("one", 0.3), ("two", other))
        )
        for other in (0.3, 0.4)
    )
    mean = Measure("mean", "", "", lambda sample: sample.total("credit") / sample.total("all"))
    assert randomise(pair(now, before, "documents"), [mean], Draws(50))["mean"].differing == 1

"""The greatest drop between two runs, with what the sample does not show."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure, Range, Sample, Values
from pytest_nlpeval.metrics.draws import Draws, unseen_counts
from pytest_nlpeval.metrics.greatest_drops import upper_end
from pytest_nlpeval.metrics.pairing import By, pair
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.metrics.resampling import Distribution, bootstrap_drops
from pytest_nlpeval.metrics.shares import greatest_drop

DRAWS = Draws(2_000, 1)


def run(values: list[int], documents: bool = False) -> Evidence:
    parts = [
        Evidence.of([str(rank)], {"right": np.array([value], np.int8)}, f"{rank:04}" if documents else "d")
        for rank, value in enumerate(values)
    ]
    if documents:
        return Evidence.merge(parts)
    return Evidence.of(list(map(str, range(len(values)))), {"right": np.array(values, np.int8)}, "d")


def mean(sample: Sample) -> Values:
    return ratio(sample.total("right"), sample.total(np.ones(len(sample.evidence.units), np.int8)))


SHARE = Measure("share", "", "", mean)
ERRORS = Measure("errors", "", "", mean, range=Range(0.0, math.inf), better="lower")


def end(now: list[int], before: list[int], measure: Measure = SHARE, by: By = "units") -> float:
    pairs = pair(run(now, by == "documents"), run(before, by == "documents"), by)
    return upper_end(pairs, measure, bootstrap_drops(pairs, [measure], DRAWS)[measure.name], 0.05, 1)


def test_of_a_share_of_units_it_is_exact() -> None:
    now, before = [0, 0, 1, *[1] * 97], [1, 1, 0, *[1] * 97]
    assert end(now, before) == greatest_drop(2, 1, 100)
    assert end(before, now) == greatest_drop(1, 2, 100)


def test_where_less_is_better_a_unit_is_newly_wrong_with_1() -> None:
    assert end([1, *[0] * 99], [0] * 100, ERRORS) == greatest_drop(1, 0, 100)


@pytest.mark.parametrize("by", ["units", "documents"])
def test_fewer_than_thirty_units_say_nothing(by: By) -> None:
    assert end([1] * 29, [1] * 29, by=by) == math.inf
    assert end([1] * 30, [1] * 30, by=by) < math.inf


def test_alpha_is_that_of_the_interval() -> None:
    pairs = pair(run([0] + [1] * 99), run([1] * 100), "units")
    drops = bootstrap_drops(pairs, [SHARE], DRAWS)[SHARE.name]
    assert upper_end(pairs, SHARE, drops, 0.2, 1) == greatest_drop(1, 0, 100, 0.2)


def test_units_without_a_value_are_none_of_thirty() -> None:
    def share_of_judged(sample: Sample) -> Values:
        return ratio(sample.total("right"), sample.total("judged"))

    def judged(number: int) -> Evidence:
        flags = (np.arange(40) < number).astype(np.int8)
        return Evidence.of(list(map(str, range(40))), {"right": flags, "judged": flags}, "d")

    measure = Measure("judged share", "", "", share_of_judged)
    for number, is_enough in ((29, False), (30, True)):
        pairs = pair(judged(number), judged(number), "units")
        limit = upper_end(pairs, measure, bootstrap_drops(pairs, [measure], DRAWS)[measure.name], 0.05, 1)
        assert (limit < math.inf) == is_enough


def test_a_lost_unit_costs_no_more_than_the_value() -> None:
    """Half of 100 documents are right: the value is 1/2, and so is the cost of a lost one, times 1/100."""
    values = [1, 0] * 50
    assert end(values, values, by="documents") == pytest.approx(3 * (1 / 2) / 100)


def test_where_nothing_changed_it_is_the_rule_of_three() -> None:
    """100 documents, all right: a lost one costs 1/100."""
    assert end([1] * 100, [1] * 100, by="documents") == pytest.approx(3 / 100)


def test_a_lost_unit_of_a_measure_without_worst_value_is_as_bad_as_the_worst_that_was_seen() -> None:
    """The mean is 4/100, and the worst unit has 4: a unit like it costs (4 - 0.04) / 100 each time it is drawn."""
    values = [4, *[0] * 99]
    assert end(values, values, ERRORS) == pytest.approx(3 * (4 - 0.04) / 100)


def test_where_more_is_better_the_worst_that_was_seen_is_the_least() -> None:
    """The mean is -4/100, the worst unit has -4, and the best one 0."""
    gain = Measure("gain", "", "", mean, range=Range(-math.inf, math.inf))
    values = [-4, *[0] * 99]
    assert end(values, values, gain) == pytest.approx(3 * (4 - 0.04) / 100)


def test_without_a_worst_value_nothing_is_said_of_what_no_unit_has_alone() -> None:
    def of_a_whole(sample: Sample) -> Values:
        values: Values = np.minimum(mean(sample), np.full(sample.size, 9.0))  # of totals alone no size is known
        return values

    measure = Measure("whole", "", "", of_a_whole, range=Range(0.0, math.inf), better="lower", needs="rows")
    assert end([4] * 100, [4] * 100, measure) == math.inf


def test_nothing_is_said_of_what_has_no_value() -> None:
    pairs = pair(run([1] * 30), run([1] * 30), "units")
    assert math.isnan(upper_end(pairs, SHARE, Distribution(math.nan, np.zeros(0), 10), 0.05, 1))


def test_a_unit_that_was_not_seen_is_drawn_as_often_as_any() -> None:
    """exp(-1) of the resamples have it not at all, as many once, half as many twice; the standard error is 0.5 % at most."""
    shares = np.bincount(unseen_counts(Draws(10_000, 7))) / 10_000
    assert shares[:3].tolist() == pytest.approx([math.exp(-1), math.exp(-1), math.exp(-1) / 2], abs=0.02)
    assert unseen_counts(Draws(5, 7)).tolist() == unseen_counts(Draws(10_000, 7))[:5].tolist()


def test_the_share_of_drops_up_to_a_limit_counts_what_is_not_known() -> None:
    """Of four resamples one has no value and two are at most 0.1; the evidence itself counts too."""
    drops = Distribution.of(0.1, np.array([0.0, 0.1, 0.2, math.nan]))
    assert drops.share_up_to(0.1) == pytest.approx((1 + 3) / (1 + 4))
    assert drops.share_up_to(-0.1) == pytest.approx((1 + 1) / (1 + 4))


def test_each_run_is_a_share_by_its_own_rows() -> None:
    """An item of the baseline counts two, and one of now counts one: either run is a mean of its items, both together are none."""

    def share_of_all(sample: Sample) -> Values:
        return ratio(sample.total("right"), sample.total("all"))

    def counted(right: int, number: int) -> Evidence:
        flags = (np.arange(40) < right).astype(np.int8)
        columns = {"right": flags * number, "all": np.full(40, number, np.int8)}
        return Evidence.of(list(map(str, range(40))), columns, "d")

    pairs, measure = pair(counted(38, 1), counted(40, 2), "units"), Measure("share", "", "", share_of_all)
    drops = bootstrap_drops(pairs, [measure], DRAWS)["share"]
    assert upper_end(pairs, measure, drops, 0.05, 1) == greatest_drop(2, 0, 40)

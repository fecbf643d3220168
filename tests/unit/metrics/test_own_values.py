from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from pytest_nlpeval.evidence import Evidence, Numbers
from pytest_nlpeval.measures import Measure, Sample, Values
from pytest_nlpeval.metrics.own_values import own_values, own_values_of, shares_of_units
from pytest_nlpeval.metrics.prf import ratio


def evidence(**columns: list[int]) -> Evidence:
    length = len(next(iter(columns.values())))
    return Evidence.of(list(map(str, range(length))), {name: np.array(values, np.int8) for name, values in columns.items()})


def accuracy(sample: Sample) -> Values:
    return ratio(sample.total("right"), sample.total("judged"))


def f(sample: Sample) -> Values:
    return ratio(2 * sample.total("right"), sample.total("gold") + sample.total("system"))


def ranking(sample: Sample) -> Values:
    return sample.counts(np.arange(1)).astype(np.float64)[:, 0]


def share_of_units(measure: Measure, table: Evidence | Sample, rows: Numbers | None = None) -> Values | None:
    return next((own for _, own in shares_of_units([measure], table, rows)), None)


def test_the_mean_of_units_that_are_right_or_wrong_is_a_share() -> None:
    table = evidence(right=[1, 0, 1, 0], judged=[1, 1, 1, 0])
    own = share_of_units(Measure("accuracy", "", "", accuracy), table)
    assert own is not None
    assert own[:3].tolist() == [1, 0, 1]
    assert np.isnan(own[3]), "who is not judged is in no share"


def test_f_is_none_unless_it_counts_each_unit_once() -> None:
    measure = Measure("f", "", "", f)
    assert share_of_units(measure, evidence(right=[1, 0, 0], gold=[1, 1, 0], system=[1, 0, 1])) is None
    labels = evidence(right=[1, 0, 1], gold=[1, 1, 1], system=[1, 1, 1])
    assert share_of_units(measure, labels) is not None, "of single labels it is the accuracy"


def test_units_of_several_items_make_no_share() -> None:
    assert share_of_units(Measure("accuracy", "", "", accuracy), evidence(right=[1, 1], judged=[2, 1])) is None


def test_no_order_of_rows_makes_a_share_of_a_quotient_of_other_sums() -> None:
    """Two units of two items and two of one: the quotient of all, 3 / 6, is the mean of their own values, too."""
    rows = [(2, 2), (0, 2), (1, 1), (0, 1)]
    precision = Measure("precision", "", "", lambda sample: ratio(sample.total("right"), sample.total("system")))
    for order in permutations(rows):
        right, system = zip(*order, strict=True)
        assert share_of_units(precision, evidence(right=list(right), system=list(system))) is None


def test_a_number_of_units_is_no_share() -> None:
    assert share_of_units(Measure("n", "", "", lambda sample: sample.total("right")), evidence(right=[1, 0, 1])) is None


def test_what_reads_rows_has_no_own_values() -> None:
    assert own_values(Measure("r", "", "", ranking, needs="rows"), evidence(right=[1])) is None


def test_what_follows_from_totals_and_reads_rows_all_the_same_has_the_same_own_values() -> None:
    """As labels do where they are many: the rows are more than are weighted at once, and some have no value."""

    def by_rows(sample: Sample) -> Values:
        sample.require_rows()
        return accuracy(sample)

    table = evidence(right=[row % 3 for row in range(1_100)], judged=[row % 2 for row in range(1_100)])
    additive, other = (own_values(Measure("m", "", "", values), table) for values in (accuracy, by_rows))
    assert additive is not None
    assert other is not None
    np.testing.assert_array_equal(additive, other)


def test_what_measures_share_is_worked_out_once_for_all_of_them() -> None:
    """Once for each part of the rows, and once of the columns alone."""
    shared: list[int] = []
    kept: list[int] = []

    def of_all(sample: Sample) -> Values:
        shared.append(sample.size)
        return np.zeros(1)

    def by_rows(sample: Sample) -> Values:
        sample.once("kept", lambda table: kept.append(len(table.units)))
        sample.require_rows()
        sample.shared("shared", lambda: of_all(sample))
        return accuracy(sample)

    table = evidence(right=[row % 3 for row in range(1_100)], judged=[1] * 1_100)
    measures = [Measure(f"m{rank}", "", "", by_rows) for rank in range(20)]
    own = own_values_of(measures, table)
    assert (shared, kept) == ([512, 512, 76], [1_100, 512, 512, 76])
    for measure in measures:
        np.testing.assert_array_equal(own[measure.name], own_values(measure, table))


def test_a_part_of_the_rows_is_a_share_of_its_own() -> None:
    table = evidence(right=[1, 1, 2], judged=[1, 1, 1])
    measure = Measure("accuracy", "", "", accuracy)
    assert share_of_units(measure, table) is None
    own = own_values(measure, table)
    assert own is not None
    assert own.tolist() == pytest.approx([1, 1, 2])


def test_a_mean_of_nothing_is_no_value_and_a_share_all_the_same() -> None:
    """The part of the rows that is tried, too, has none of one row: mean and value are missing there."""
    assert share_of_units(Measure("accuracy", "", "", accuracy), evidence(right=[1], judged=[1])) is not None


def test_rows_that_do_not_count_keep_no_measure_from_being_a_share() -> None:
    measure, table = Measure("f", "", "", f), evidence(right=[0, 0, 1, 1], gold=[1, 0, 1, 1], system=[0, 1, 1, 1])
    assert share_of_units(measure, table) is None
    assert share_of_units(measure, table, np.array([0, 0, 3, 1])) is not None
    assert share_of_units(measure, table, np.array([1, 1, 3, 1])) is None


def test_what_is_no_share_hides_no_other() -> None:
    """What reads rows has no own values; what is the same of any rows has one for all of them."""
    table = evidence(right=[1, 0, 1], judged=[1, 1, 1])
    same = Measure("same", "", "", lambda _sample: np.ones(1))
    measures = [Measure("r", "", "", ranking, needs="rows"), same, Measure("accuracy", "", "", accuracy)]
    assert [measure.name for measure, _ in shares_of_units(measures, table)] == ["accuracy"]


def test_a_sample_without_weights_stands_for_its_evidence_and_a_column_may_be_worked_out() -> None:
    table = evidence(answer=[2, 1, 2], judged=[1, 1, 1])
    measure = Measure(
        "twos", "", "", lambda sample: ratio(sample.total(sample.evidence.column("answer") == 2), sample.total("judged"))
    )
    for given in (table, Sample(table)):
        own = share_of_units(measure, given)
        assert own is not None
        assert own.tolist() == [1, 0, 1]

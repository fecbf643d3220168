from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.columns import Categorical, Column, Sparse
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import COUNT, Measure, Sample, Values
from pytest_nlpeval.metrics import possible_values
from pytest_nlpeval.metrics.possible_values import check_counts, check_values
from pytest_nlpeval.metrics.prf import ratio

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=12)


def accuracy(sample: Sample) -> Values:
    return ratio(sample.total("right"), sample.total("judged"))


def by_rows(sample: Sample) -> Values:
    sample.require_rows()
    return accuracy(sample)


ACCURACY = Measure("accuracy", "", "", accuracy)
JUDGED = Measure("judged", "", "", lambda sample: sample.total("judged"), range=COUNT)


def table(right: Column, judged: Column, document: str = "") -> Evidence:
    return Evidence.of(list(map(str, range(*judged.shape))), {"right": right, "judged": judged}, document)


def ints(*numbers: int) -> Column:
    return np.array(numbers, np.int64)


@given(ROWS, st.booleans())
def test_rows_that_could_be_counted_are_believed_and_no_others_are(rows: list[tuple[int, int]], sparse: bool) -> None:
    right, judged = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    evidence = table(Sparse.from_dense(right) if sparse else right, judged)
    if all(each <= of for each, of in rows if of) and right.sum() <= judged.sum():
        check_values([ACCURACY, JUDGED], evidence)
    elif any(each > of for each, of in rows if of):
        with pytest.raises(ValueError, match="accuracy"):
            check_values([ACCURACY, JUDGED], evidence)


@pytest.mark.parametrize(
    ("right", "judged", "said"),
    [
        (ints(2, 2), ints(1, 1), r"accuracy is 2; it lies between 0 and 1"),
        (ints(0, 2), ints(1, 1), r"accuracy of one document is 2; it lies between 0 and 1"),
        (np.array([0.0, math.inf]), ints(1, 1), "accuracy is inf"),
        (ints(0, 0), np.array([0.5, 1.0]), "judged is 1.5; it is a whole number and lies between 0 and inf"),
    ],
)
def test_whatever_is_beyond_its_range_is_told_with_what_it_is_of(right: Column, judged: Column, said: str) -> None:
    parts = [table(right[row : row + 1], judged[row : row + 1], f"d{row}") for row in range(2)]
    with pytest.raises(ValueError, match=said):
        check_values([ACCURACY, JUDGED], Evidence.merge(parts))


def test_a_row_is_found_behind_many_that_are_alike_but_for_their_category() -> None:
    right, judged, kind = np.zeros(1000, np.int64), np.ones(1000, np.int64), Categorical.of("ab" * 500)
    right[700], right[701:703] = 3, -1
    evidence = Evidence.of(list(map(str, range(1000))), {"right": right, "judged": judged, "kind": kind})
    with pytest.raises(ValueError, match="accuracy of one unit is 3; it lies between 0 and 1"):
        check_values([ACCURACY], evidence)


def test_a_measure_that_needs_rows_is_tried_with_all_of_them_alone() -> None:
    check_values([Measure("accuracy", "", "", by_rows)], table(ints(2, 0), ints(1, 1)))
    with pytest.raises(ValueError, match=r"accuracy is 1\.5;"):
        check_values([Measure("accuracy", "", "", by_rows)], table(ints(2, 1), ints(1, 1)))


def test_a_measure_that_needs_rows_where_these_are_many_is_tried_with_single_ones() -> None:
    def by_many_rows(sample: Sample) -> Values:
        if len(sample.evidence.units) > 2:
            sample.require_rows()
        return accuracy(sample)

    with pytest.raises(ValueError, match="accuracy of one unit is 2;"):
        check_values([Measure("accuracy", "", "", by_many_rows)], table(ints(2, 0, 0, 0), ints(1, 1, 1, 1)))


def test_no_value_is_no_impossible_value() -> None:
    check_values([ACCURACY], table(ints(0), ints(0)))
    check_values([ACCURACY], table(ints(), ints()))


def test_what_a_measure_raises_is_passed_on() -> None:
    def broken(_sample: Sample) -> Values:
        raise KeyError("right")

    with pytest.raises(KeyError):
        check_values([Measure("accuracy", "", "", broken)], table(ints(1), ints(1)))


def test_no_count_is_negative() -> None:
    check_counts(Evidence.of("ab", {"n": ints(0, 3), "c": Categorical.of(["x", None]), "x": np.array([-1.5, 2.0])}))
    check_counts(Evidence.of("", {"n": ints(), "c": Categorical.of([])}))
    with pytest.raises(ValueError, match="n is -3, and counts something"):
        check_counts(Evidence.of("ab", {"n": ints(0, -3)}))
    with pytest.raises(ValueError, match="n is -3, and counts something"):
        check_counts(Evidence.of("ab", {"n": Sparse.of([1], [-3], 2)}))


def test_rows_of_ones_in_any_two_columns_are_told_apart() -> None:
    """The bits of 1.0 end in 52 zeros: a sum of products with random numbers alone took 700 of these rows for others."""
    pairs = np.array(list(combinations(range(64), 2)))
    ones = np.zeros((64, len(pairs)))
    ones[pairs.T, np.arange(len(pairs))] = 1.0
    evidence = Evidence.of([str(row) for row in range(len(pairs))], {str(column): row for column, row in enumerate(ones)})
    assert len(possible_values._distinct(evidence).units) == len(pairs)


def test_rows_of_great_numbers_are_told_apart_that_are_one_as_floats() -> None:
    assert len(possible_values._distinct(Evidence.of("abc", {"n": ints(2**53, 2**53 + 1, 2**53)})).units) == 2

"""Sums of columns under weights are those of fractions: exact, or rounded once."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_nlpeval import sums
from pytest_nlpeval.sums import exact, exact_parts, exact_sums, running_sums, weighted_sums

FLOATS = st.floats(-(2.0**60), 2.0**60, allow_subnormal=False).map(lambda value: value if abs(value) > 2.0**-60 else 0.0)
"""Numbers whose digits lie far apart: no float holds the sum of a few."""

ROWS = st.lists(st.tuples(st.integers(0, 3), FLOATS), max_size=12)


def is_power_of_2(number: int) -> bool:
    return number & (number - 1) == 0


def common_unit(numbers: list[float]) -> Fraction:
    """Return the greatest power of two of which all numbers are multiples."""
    ratios = [number.as_integer_ratio() for number in numbers if number]
    assert all(is_power_of_2(below) for _, below in ratios)
    return min(Fraction(above & -above, below) for above, below in ratios)


def test_the_sum_of_integers_is_exact_whatever_their_type() -> None:
    assert exact(np.full(1000, 127, np.int8)) == 127_000
    assert exact(np.array([2**60, 1], np.int64)) == 2**60 + 1
    assert exact(np.array([1, 2.0**-53, 2.0**-53])) == 1 + 2.0**-52


@given(st.lists(FLOATS, min_size=1, max_size=8), st.sampled_from([0, 1, 2, 3, 1000, 2**20, 2**31, 2**32 - 1]))
@example([1.0, 2.0**-18, 2.0**-35, 2.0**-53], 2**32 - 1)
def test_parts_add_up_exactly_in_any_order(numbers: list[float], entries: int) -> None:
    """No sum of that many entries of a part has more digits than a float; together the parts leave out next to nothing."""
    parts = exact_parts(np.array(numbers), entries)
    assert len(parts) <= 3
    assert all(part.any() for part in parts)
    for part in parts:
        greatest = Fraction(float(np.abs(part).max()))
        assert greatest * max(entries, 1) <= 2**53 * common_unit(part.tolist())
    for place, number in enumerate(numbers):
        left = abs(Fraction(number) - sum(Fraction(float(part[place])) for part in parts))
        assert left <= Fraction(max(map(abs, numbers))) / 2**60


@given(st.lists(st.integers(-(2**30), 2**30), max_size=5), st.integers(0, 2**20))
def test_integers_are_one_part_as_long_as_a_float_holds_their_sum(numbers: list[int], entries: int) -> None:
    assert [part.tolist() for part in exact_parts(np.array(numbers, np.int64), entries)] == ([numbers] if any(numbers) else [])


@given(ROWS)
@example([(1, 1.0), (1, 2.0**-53), (1, 2.0**-53), (3, 5.0)])
def test_sums_of_groups_are_rounded_once(rows: list[tuple[int, float]]) -> None:
    groups, numbers = np.array([group for group, _ in rows], np.int64), np.array([number for _, number in rows], np.float64)
    expected = [math.fsum(number for own, number in rows if own == group) for group in range(4)]
    assert exact_sums(numbers, groups, 4).tolist() == [expected]


@pytest.mark.parametrize("at_once", [7, 1 << 20])
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-9, 9)), max_size=8), st.data())
def test_each_resample_has_its_own_sums(at_once: int, rows: list[tuple[int, int]], data: st.DataObject) -> None:
    """However many resamples are worked out together."""
    width = st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))
    weights = data.draw(st.lists(width, max_size=5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "_AT_ONCE", at_once)
        found = weighted_sums(
            np.array(weights, np.float64).reshape(len(weights), len(rows)),
            np.array([number for _, number in rows], np.float64),
            np.array([group for group, _ in rows], np.int64),
            3,
        )
    assert found.tolist() == [
        [sum(weight * number for weight, (own, number) in zip(of_rows, rows, strict=True) if own == group) for group in range(3)]
        for of_rows in weights
    ]


@pytest.mark.parametrize("number", [0, 1, 15, 16, 17, 31, 32, 33, 100])
def test_running_sums_at_every_place(number: int) -> None:
    """Blocks of steps begin and end at places of their own; the weights of a type that cannot hold the sums."""
    weights = np.array([[(rank * 37) % 128 for rank in range(number)], [127] * number], np.int8).reshape(2, number)
    order = np.arange(number, dtype=np.int64)[::-1]
    found = running_sums(weights, order, np.arange(number + 1, dtype=np.int64))
    assert found.tolist() == [[sum(of[place] for place in order[:end]) for end in range(number + 1)] for of in weights.tolist()]

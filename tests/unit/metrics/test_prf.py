from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.prf import f1, f_of, ratio

COUNTS = st.integers(0, 1000)


def test_a_ratio_and_an_empty_denominator() -> None:
    assert ratio([1, 2, 0], [2, 3, 4]).tolist() == [1 / 2, 2 / 3, 0]
    assert math.isnan(ratio(0, 0))
    assert ratio([0, 1], [0, 2], empty=1.0).tolist() == [1, 1 / 2]
    assert ratio([0, 1], [0, 2], empty=1).tolist() == [1, 1 / 2]


def test_numerator_and_denominator_broadcast() -> None:
    assert ratio(1, [1, 2, 4]).tolist() == [1, 1 / 2, 1 / 4]
    assert ratio([[1], [2]], [1, 2]).tolist() == [[1, 1 / 2], [2, 1]]
    assert ratio(np.zeros(0), np.zeros(0)).shape == (0,)


def test_f1_of_the_worked_example() -> None:
    assert f1([2, 2], [2, 3], [3, 2]).tolist() == [4 / 5, 4 / 5]


def test_f1_without_anything_correct_is_0_and_without_anything_at_all_none() -> None:
    assert f1(0, 2, 3) == 0
    assert f1(0, 2, 0) == 0
    assert math.isnan(f1(0, 0, 0))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.float32, np.int64])
def test_counts_of_any_kind_do_not_overflow(kind: type[np.number[Any]]) -> None:
    """Evidence keeps counts in as few bytes as they need: 2 * 100 is more than a byte holds."""
    counts = np.full(2, 100, kind)
    assert f1(counts, counts, counts).tolist() == [1, 1]
    assert ratio(np.ones(1, kind), np.full(1, 3, kind)).tolist() == [1 / 3]
    assert f_of(np.ones(1, kind), np.zeros(1, kind)).tolist() == [0]


@given(correct=st.integers(1, 1000), more_system=COUNTS, more_gold=COUNTS)
def test_f1_is_the_harmonic_mean_of_precision_and_recall(correct: int, more_system: int, more_gold: int) -> None:
    system, gold = correct + more_system, correct + more_gold
    precision, recall = Fraction(correct, system), Fraction(correct, gold)
    assert float(f1(correct, system, gold)) == pytest.approx(float(2 * precision * recall / (precision + recall)), abs=1e-15)


@given(correct=COUNTS, more_system=COUNTS, more_gold=COUNTS)
def test_f1_lies_between_0_and_1_and_does_not_care_which_side_is_gold(correct: int, more_system: int, more_gold: int) -> None:
    system, gold = correct + more_system, correct + more_gold
    value = float(f1(correct, system, gold))
    assert math.isnan(value) if system + gold == 0 else 0 <= value <= 1
    assert value == float(f1(correct, gold, system)) or math.isnan(value)


def test_f_of_precision_and_recall_is_their_harmonic_mean_and_0_of_nothing() -> None:
    assert f_of([1, 0.5, 0, 0], [1, 0.25, 0, 0.5]).tolist() == [1, 1 / 3, 0, 0]
    assert f_of(1, 0).tolist() == 0

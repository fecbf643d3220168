"""Numbers as people read them: fixed decimals, unless two numbers that differ would look the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import numbers
from pytest_nlpeval.numbers import TOLERANCE

SHARES = st.floats(0, 1)


@given(SHARES, SHARES)
def test_a_value_never_looks_like_a_limit_that_it_differs_from(value: float, limit: float) -> None:
    shown = numbers.figure(value, [limit])
    decimals = len(shown.partition(".")[2])
    assert decimals >= 3
    if abs(value - limit) > TOLERANCE * 2:
        assert shown != f"{limit:.{decimals}f}"


@given(SHARES)
def test_shares_have_three_decimals(value: float) -> None:
    assert numbers.figure(value) == f"{value:.3f}"


@given(st.floats(-1, 1))
def test_a_difference_is_0_only_if_there_is_none(value: float) -> None:
    shown = numbers.difference(value)
    assert (shown == "0") == (abs(value) <= TOLERANCE)
    assert shown == "0" or abs(value) <= 2 * TOLERANCE or shown.strip("0.−")
    assert shown.startswith(numbers.MINUS) == (shown != "0" and value < 0)


def test_words_for_numbers() -> None:
    assert [numbers.change(value) for value in (3, -3, 0, 0.5, None)] == ["+3", "−3", "0", "+0.500", "–"]
    assert numbers.interval(-0.01, 0.0) == "[−0.010, 0.000]"
    assert numbers.interval(None, 0.5) == ""
    assert [numbers.p_equation(p) for p in (0.0001, 0.05, 1.0)] == ["p < 0.001", "p = 0.050", "p > 0.99"]
    assert numbers.figure(-0.00001) == "0.000"

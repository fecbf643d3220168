from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.rte.confidence import confidence_key, confidence_text

NEAR = st.text("0123456789.eE+-", min_size=1, max_size=9)
DIGITS = st.text("0123456789", max_size=8)


@st.composite
def confidences(draw: st.DrawFn) -> str:
    """Texts of the grammar, cut to 8 characters now and then: not all of them are confidences."""
    number = draw(st.sampled_from(("", "0", "1", "00"))) + draw(st.sampled_from((".", ""))) + draw(DIGITS)
    exponent = draw(st.sampled_from(("", "", "e0", "E-1", "e+1", "e-12345", "e-99999")))
    return (number + exponent)[:8]


@pytest.mark.parametrize(
    "texts",
    [
        ("1", "1.0", "1.000", "1.", "01", "10e-1", "0.1e1"),
        ("0.5", ".5", "5e-1", "0.50000"),
        ("0", "0.0", ".0", "0e99999", "0e-99999"),
    ],
)
def test_ways_to_write_the_same_number_are_tied(texts: tuple[str, ...]) -> None:
    assert len({confidence_key(text) for text in texts}) == 1
    assert confidence_key(texts[0]) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nan",
        "inf",
        "-0",
        "+1",
        "-0.5",
        ".",
        "e1",
        "1e",
        ".e1",
        "1.0.0",
        "1_0",
        "0x1",
        "1,0",
        " 1",
        "1 ",
        "1\n",
        "½",
        "\u0660.5",
        "1.1",
        "2",
        "1.000001",
        "1e99999",
        "0.1234567",
        "000000000",
    ],
)
def test_what_is_no_confidence(text: str) -> None:
    assert confidence_key(text) is None


def test_eight_characters_are_the_limit() -> None:
    assert confidence_key("0.123456") is not None
    assert confidence_key("0.1234567") is None
    assert confidence_key("00000001") == confidence_key("1")


def test_beyond_what_a_float_can_tell_apart() -> None:
    assert float("1e-99999") == float("2e-99999") == 0
    keys = [confidence_key(text) for text in ("0", "1e-99999", "2e-99999", "1e-9999", ".9999999", "1")]
    assert None not in keys
    assert keys == sorted(keys, key=lambda key: -1 if key is None else key)
    assert len(set(keys)) == len(keys)


@given(confidences(), confidences())
def test_keys_order_exactly_as_decimals_do(one: str, other: str) -> None:
    first, second = confidence_key(one), confidence_key(other)
    if first is not None and second is not None:
        assert (first < second, first == second) == (Decimal(one) < Decimal(other), Decimal(one) == Decimal(other))


@given(st.one_of(NEAR, confidences()))
def test_exactly_the_plain_decimals_from_0_to_1_are_confidences(text: str) -> None:
    plain = "+" not in text.lower().partition("e")[0] and "-" not in text.lower().partition("e")[0]
    try:
        good = len(text) <= 8 and plain and 0 <= Decimal(text) <= 1
    except ArithmeticError:
        good = False
    assert (confidence_key(text) is not None) == good


@given(confidences())
def test_the_text_of_a_key_is_its_value(text: str) -> None:
    key = confidence_key(text)
    if key is not None:
        shown = confidence_text(key)
        assert Decimal(text) < Decimal("1e-300") if shown == "below 1e-300" else Decimal(shown) == Decimal(text)

"""How the records of two files pair, by their names and values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.kit.recognition import first_of, is_fraction, is_number, items_option, pairing_options


def samples(gold: str, system: str, name: str = "x.csv") -> Samples:
    return Samples(Sample(name, gold.encode()), Sample(name, system.encode()))


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("id,label\n1,a\n", "id,label\n1,a\n", {}),
        ("key,label\nx,a\ny,a\n", "key,label\ny,a\nx,b\n", {"id": "key"}),
        ("doc_id,label\nx,a\ny,a\n", "name,label\ny,a\nx,b\n", {"id": {"gold": "doc_id", "system": "name"}}),
        (",label\n0,a\n1,a\n", ",label\n0,a\n1,b\n", {"id": "#0"}),
        ("label\na\na\n", "label\nb\na\n", {"pair": "line"}),
        ("label\na\na\n", "label\nb\n", None),
        ("n,label\n1,a\n2,a\n", "n,label\n3,b\n4,b\n5,b\n", None),
    ],
)
def test_how_records_pair(gold: str, system: str, expected: dict[str, Any] | None) -> None:
    assert pairing_options(samples(gold, system)) == expected


def test_where_records_stand_in_a_document() -> None:
    both = samples('{"a": {"b": [{"id": 1}]}}', '[{"id": 1}]', "x.json")
    assert items_option(both) == {"items": {"gold": "a.b"}}


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_and_their_texts_are_alike(value: float) -> None:
    assert is_number(value)
    assert is_number(repr(value))
    assert is_fraction(repr(value)) == is_fraction(value)


@given(st.integers())
def test_whole_numbers_are_no_fractions(value: int) -> None:
    assert is_number(value)
    assert not is_fraction(str(value))


def test_truth_and_text_are_no_numbers() -> None:
    assert not is_number(True)
    assert not is_number("x")


def test_the_first_name_wins_whatever_its_case() -> None:
    assert first_of(("label", "class"), ["Class", "Label"]) == "Label"
    assert first_of(("x",), ["y"]) is None

"""Records that are packed: whatever asks for them gets what was read."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.records.flat import Flat
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.packed import Packed

SCALARS = st.sampled_from([1, True, "", "x", None, Decimal("1.50"), 10**30])
KEYS = st.sampled_from(["a", "b", "c", "", "k" * 201])
RECORDS = st.dictionaries(KEYS, st.one_of(SCALARS, st.lists(SCALARS, max_size=2), st.just({"d": 1})), max_size=4)
VALUES = st.lists(st.one_of(RECORDS, st.none(), st.just("text"), st.just([1])), max_size=12)


def written(value: Any) -> str:
    """Return a value with the types of all that is in it, and the order of its keys."""
    return repr(value)


@given(VALUES, st.lists(st.integers(0, 12)))
def test_packed_values_are_what_they_were(values: list[Any], cuts: list[int]) -> None:
    packed = Packed.by(Options())
    ends = [*sorted(cuts), len(values)]
    for start, end in zip([0, *ends], ends, strict=False):
        packed.extend(values[start:end])
        packed.end()
    assert list(map(written, packed)) == list(map(written, values))
    for row in packed.others:
        assert not packed.are_packed[row]


@given(VALUES, st.randoms(use_true_random=False))
def test_records_in_another_order_have_the_columns_of_their_keys(values: list[Any], chance: Any) -> None:
    """A place may have no record, and a record no place."""
    places = [place if chance.random() < 0.8 else -1 for place in chance.sample(range(len(values)), len(values))]
    flat = Flat.arranged(Packed.of(values, Options()), np.array(places, np.int64))
    records = [None if place < 0 else values[place] for place in places]
    assert list(map(written, flat)) == list(map(written, records))
    for row, record in enumerate(records):
        is_object = bool(flat.is_object[row])
        assert flat.is_flat[row] == (is_object or not isinstance(record, dict | list))
        if isinstance(record, dict) and is_object:
            assert {key for key, column in flat.columns.items() if row in column.rows} == record.keys()
    in_file = [value for place, value in enumerate(values) if place in places and flat.is_object[places.index(place)]]
    assert list(flat.columns) == list(dict.fromkeys(key for record in in_file for key in record))


def test_what_is_put_in_the_place_of_others_is_packed() -> None:
    packed = Packed.of([{"a": 1}, "text", [2]], Options())
    packed.replace({1: {"b": 2}, 2: {"c": [3]}})
    assert list(packed) == [{"a": 1}, {"b": 2}, {"c": [3]}]
    assert packed.are_packed.tolist() == [True, True, False]
    assert [packed[row] for row in (2, 0)] == [{"c": [3]}, {"a": 1}]

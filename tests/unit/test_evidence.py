from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import Evidence
from pytest_nlpeval.evidence import Column

numbers = st.integers(-(2**40), 2**40)
floats = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def evidences(draw: st.DrawFn, name: str = "d") -> Evidence:
    rows = draw(st.integers(0, 4))
    units = [f"u{row}" for row in range(rows)]
    columns: dict[str, Column] = {
        "a": np.array(draw(st.lists(numbers, min_size=rows, max_size=rows)), np.int64),
        "b": np.array(draw(st.lists(floats, min_size=rows, max_size=rows)), np.float64),
    }
    return Evidence.of(units, columns, name)


parts = st.integers(0, 4).flatmap(lambda count: st.tuples(*(evidences(f"d{rank}") for rank in range(count))))


@given(parts)
def test_merge_does_not_depend_on_order_or_grouping(pieces: tuple[Evidence, ...]) -> None:
    whole = Evidence.merge(pieces)
    for order in itertools.permutations(pieces):
        assert Evidence.merge(order) == whole
    for cut in range(len(pieces) + 1):
        assert Evidence.merge([Evidence.merge(pieces[:cut]), Evidence.merge(pieces[cut:])]) == whole


@given(parts)
def test_split_undoes_merge(pieces: tuple[Evidence, ...]) -> None:
    if pieces:
        assert Evidence.merge(pieces).split() == list(pieces)


@given(parts)
def test_json_gives_back_the_same_evidence(pieces: tuple[Evidence, ...]) -> None:
    whole = Evidence.merge(pieces)
    assert Evidence.from_json(json.loads(json.dumps(whole.to_json()))) == whole


def test_a_column_that_a_part_lacks_is_zero_there() -> None:
    first = Evidence.of(["x"], {"a": np.array([3])}, "1")
    second = Evidence.of(["y", "z"], {"b": np.array([4, 5])}, "2")
    whole = Evidence.merge([second, first])
    assert whole.documents == ("1", "2")
    assert whole.units == ("x", "y", "z")
    assert whole.column("a").tolist() == [3, 0, 0]
    assert whole.column("b").tolist() == [0, 4, 5]
    assert whole.column("c").tolist() == [0, 0, 0]
    assert whole.document_ranks().tolist() == [0, 1, 1]


def test_a_document_counts_once() -> None:
    part = Evidence.of(["x"], {}, "1")
    with pytest.raises(ValueError, match="twice"):
        Evidence.merge([part, part])


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="shape"):
        Evidence.of(["x"], {"a": np.array([1, 2])})
    with pytest.raises(ValueError, match="sizes"):
        Evidence(("d",), (2,), ("x",), {})


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": {"a": ["text"]}},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": {"a": ["object", ""]}},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": {"a": ["int8", "?"]}},
        {"documents": ["d"], "sizes": [1], "units": ["u"], "columns": {"a": ["int64", "AA=="]}},
        {"documents": ["d"], "sizes": [2], "units": ["u"], "columns": {"a": ["int8", "AA=="]}},
        {"documents": ["d"], "sizes": ["x"], "units": ["u"], "columns": {}},
    ],
)
def test_what_is_no_evidence_is_refused(data: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        Evidence.from_json(data)


def test_evidence_is_compared_never_hashed() -> None:
    part = Evidence.of(["x"], {"a": np.array([1])})
    assert part != Evidence.of(["x"], {"a": np.array([2])})
    assert part != "something else"
    with pytest.raises(TypeError):
        hash(part)

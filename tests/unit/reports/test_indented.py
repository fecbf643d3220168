from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.reports.indented import DEEPEST, indented

LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text())
VALUES = st.recursive(
    LEAVES, lambda parts: st.one_of(st.lists(parts), st.tuples(parts, parts), st.dictionaries(st.text(), parts))
)


@given(VALUES, st.integers(0, DEEPEST))
def test_the_bytes_are_those_of_the_standard_library(value: Any, depth: int) -> None:
    assert "".join(indented(value, depth=depth)) == json.dumps(value, indent=2)


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), {1: ""}, {"a": {2}}, object], ids=str)
@pytest.mark.parametrize("depth", [0, DEEPEST])
def test_what_json_does_not_have_is_refused(value: object, depth: int) -> None:
    with pytest.raises((TypeError, ValueError)):
        list(indented([value], depth=depth))


def test_a_long_list_comes_in_pieces() -> None:
    """An explanation, which lies in five others, is a piece and its comma another: the longest piece does not grow with their number."""
    entry = {"case": "d1", "gold": [[0, 5]]}
    report = {"suites": [{"explanations": {"first": [entry] * 1_000}}]}
    assert max(map(len, indented(report))) < 2 * len(json.dumps(entry, indent=2)) + 10 * DEEPEST

"""Matching by every kind of rule is what trying all ways gives."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.records.comparing import Comparer
from pytest_nlpeval.tasks.records.options import options
from tests.unit.tasks.records.naive import Naive

VALUES = st.sampled_from(["x", "y", "x y", "x x  y", 1, 2, 3, "", None])
KEYS = st.sampled_from("ab")
HELD = VALUES | st.lists(VALUES, max_size=3)
INNER = st.dictionaries(KEYS, VALUES, max_size=2)
TWO = st.sampled_from(["x", "y", None])
TIED = st.fixed_dictionaries({"a": TWO, "b": TWO})
OBJECTS = st.fixed_dictionaries({}, optional={"a": HELD, "b": HELD, "n": st.lists(INNER | VALUES, max_size=3)})
LISTS = st.lists(TIED, min_size=1, max_size=3) | st.lists(OBJECTS | VALUES, max_size=3)
RECORDS = st.fixed_dictionaries({"l": LISTS}, optional={"m": HELD})
WAYS = st.sampled_from(["multiset", "set", "ordered"]).map(lambda way: {"list": way})
RULES = st.sampled_from(
    [{"value": "number"}, {"value": "number", "tolerance": 1}, {"value": "tokens"}, {"value": "tokens", "list": "ordered"}, {"list": "any"}]
)  # fmt: skip
COMPARE = st.fixed_dictionaries(
    {},
    optional={
        "l": WAYS | st.sampled_from([{"key": "a"}, {"key": "b", "list": "ordered"}, {"value": "tokens"}]),
        "l.n": WAYS | st.just({"value": "number", "tolerance": 1}),
        **dict.fromkeys(["l.a", "l.b", "l.n.a", "m"], WAYS | RULES),
    },
)


def lone_where_any(value: Any, compare: Any, path: str = "") -> Any:
    """The system's record with one value where gold has alternatives."""
    if isinstance(value, dict):
        return {key: lone_where_any(held, compare, f"{path}.{key}".strip(".")) for key, held in value.items()}
    if isinstance(value, list):
        some = [lone_where_any(held, compare, path) for held in value]
        return next(iter(some), None) if compare.get(path, {}).get("list") == "any" else some
    return value


@given(RECORDS, RECORDS, COMPARE)
def test_the_numbers_are_those_of_the_best_of_all_ways(gold: Any, answered: Any, compare: Any) -> None:
    system = lone_where_any(answered, compare)
    tally = Comparer.of(options(compare=compare)).compared(gold, system).tally
    numbers = {
        path: (tally.gold.get(path, 0), tally.system.get(path, 0), tally.credit.get(path, 0))
        for path in {**tally.gold, **tally.system}
    }
    assert {path: every for path, every in numbers.items() if any(every)} == Naive(compare).numbers(gold, system)

"""Paths: what they lead to in any JSON, and what they are ambiguous in."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.kit.records import AmbiguousError, Path

KEYS = st.text("ab.[]=0", max_size=3)
LEAVES = st.none() | st.booleans() | st.integers(0, 3) | st.text("ab", max_size=2)
TREES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12)


@given(TREES, st.text("ab.[]=01", max_size=8))
def test_any_path_leads_to_something_in_any_tree_or_to_nothing(tree: Any, text: str) -> None:
    trail: list[str | int] = []
    try:
        found = Path.of(text).follow(tree, is_list=True, trail=trail)
    except AmbiguousError:
        return
    if found is not None:
        for key in trail:
            tree = tree[key]
        assert found == tree


@given(st.lists(st.sampled_from(["a", "b", "c d", "é"]), min_size=1, max_size=20), LEAVES)
def test_keys_with_dots_between_lead_through_objects(keys: list[str], leaf: Any) -> None:
    tree = leaf
    for key in reversed(keys):
        tree = {key: tree}
    assert Path.of(".".join(keys)).follow(tree) == leaf
    assert Path.of(".".join(keys)).follow({".".join(keys): leaf}) == leaf


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        (".", {"a": 1}, {"a": 1}),
        ("hyp.txt", {"hyp.txt": 1, "hyp": {"txt": 2}}, 1),
        ("a.b.c", {"a.b": {"d": 1}, "a": {"b": {"c": 2}}}, None),  # there is no going back
        ("a.b", {"a": [{"b": [[1]]}]}, 1),
        ("a.1.b", {"a": [{"b": 1}, {"b": 2}]}, 2),
        ("a.2", {"a": [1, 2]}, None),
        ("a.b", {"a": [{"b": 1}, {"b": 2}]}, None),
        ("a.b", {"a": []}, None),
        ("a.b", {"a": "text"}, None),
        ("0", {"0": 1}, 1),
        ("²", [1, 2, 3], None),
        ("9" * 5000, [1], None),
        ("m[name=Correctness [GEval]].score", {"m": [{"name": "Correctness [GEval]", "score": 1}, {"name": "x"}]}, 1),
        ("m[n=a.b].s", {"m": [{"n": "a.b", "s": 1}, {"n": "a"}]}, 1),
        ("m[n=1].s", {"m": [{"n": 1, "s": "one"}, {"n": 2}]}, "one"),
        ("m[n=true].s", {"m": [{"n": True, "s": 1}, {"n": "false"}]}, 1),
        ("m[n=x]", {"m[n=x]": 1, "m": [{"n": "x"}]}, 1),
        ("m[n=x].s", {"m": [[{"n": "x", "s": 1}]]}, 1),
        ("m[n=x].s", {"m": {"n": "x", "s": 1}}, None),
        ("m[n=x].s", {"m": [{"n": "y"}]}, None),
        ("m.e[n=x].s", {"m.e": [{"n": "x", "s": 1}]}, 1),
    ],
)
def test_where_paths_lead(path: str, value: Any, found: Any) -> None:
    assert Path.of(path).follow(value) == found


def test_a_field_that_is_a_list_by_its_type_stays_one() -> None:
    assert Path.of("a").follow({"a": [1]}) == 1
    assert Path.of("a").follow({"a": [1]}, is_list=True) == [1]


def test_two_elements_with_the_text() -> None:
    with pytest.raises(AmbiguousError):
        Path.of("m[n=x]").follow({"m": [{"n": "x"}, {"n": " x"}]})


def test_at_most_twenty_steps() -> None:
    assert len(Path.of(".".join("a" * 20)).steps) == 20
    with pytest.raises(ValueError, match="21 steps"):
        Path.of(".".join("a" * 21))

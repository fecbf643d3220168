"""A long list is checked by one entry of each shape: that finds whatever the whole list would show."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.run.evidence_file import _without_repetition

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "error", "missed", "a" * 64])
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=5), max_leaves=8)
NAMES = st.sampled_from(["unit", "right", "counts", "first", "pair", "gold_line", "message", "gold", "system"])
EXPLANATIONS = st.fixed_dictionaries(
    {"counts": st.dictionaries(NAMES, SCALARS, max_size=2), "first": st.lists(st.dictionaries(NAMES, VALUES), max_size=2)},
    optional={"right": st.lists(VALUES | st.lists(st.just("a"), max_size=6), max_size=4)},
)
SUITES = st.fixed_dictionaries(
    {
        "files": st.lists(st.dictionaries(NAMES, SCALARS, max_size=2), max_size=4),
        "problems": st.lists(st.dictionaries(NAMES, VALUES, max_size=2), max_size=4),
        "explanations": st.lists(EXPLANATIONS, max_size=4),
        "evidence": st.fixed_dictionaries({"sizes": st.lists(SCALARS, max_size=5), "units": st.lists(SCALARS, max_size=5)}),
    }
)


@given(SUITES)
@example({"explanations": [{"counts": {}, "first": [], "right": [["a"] * 4, ["a"] * 3]}]})
@settings(max_examples=20)
def test_the_brief_file_has_the_faults_of_the_whole_one(suite: dict[str, Any]) -> None:
    check = Draft202012Validator(json_schema("evidence.schema.json"))
    whole = {"version": 1, "shard": [1, 2], "run": {}, "suites": [suite], "sha256": ""}

    def faults(data: Any) -> set[tuple[str, ...]]:
        """What is wrong, by the rules that are broken: the brief lists have other places."""
        return {tuple(map(str, error.absolute_schema_path)) for error in check.iter_errors(data)}

    assert faults(_without_repetition(whole)) == faults(whole)

"""The quick validator finds exactly what the library's finds."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.reports.quick_validator import quick_validator
from tests.browser.pages import report
from tests.unit.reports.documents import document

SCHEMA = json_schema("report.schema.json")

LEAVES = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-2, 2) | st.sampled_from(["", "a", "string", "missed"])
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner), max_leaves=6
)

LEAF_SCHEMAS = (
    st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"]).map(lambda name: {"type": name})
    | st.just({"type": ["integer", "null"], "description": "A number."})
    | st.just({"enum": ["a", "b"]})
    | st.just({"type": "string", "enum": ["a"]})
    | st.just({"enum": [1, None]})
    | st.just({"type": "string", "minLength": 1})
    | st.just({"type": "number", "minimum": 0})
    | st.just({"minimum": 1})
    | st.just({"const": 1})
    | st.sampled_from(["#/$defs/leaf", "#/$defs/tree"]).map(lambda reference: {"$ref": reference})
    | st.just({"$ref": "#/$defs/tree", "type": "object"})
    | st.booleans()
)
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    LEAF_SCHEMAS,
    lambda inner: (
        st.fixed_dictionaries(
            {"items": inner},
            optional={
                "prefixItems": st.lists(inner, min_size=1, max_size=2),
                "minItems": st.integers(0, 2),
                "maxItems": st.integers(0, 2),
                "contains": inner,
            },
        )
        | st.fixed_dictionaries(
            {"properties": st.dictionaries(st.sampled_from("abc"), inner)},
            optional={
                "additionalProperties": st.booleans() | inner,
                "required": st.just(["a"]),
                "minProperties": st.just(2),
                "type": st.sampled_from(["object", "array", ["object", "null"]]),
            },
        )
    ),
    max_leaves=6,
)


def mistakes(validator: Any, schema: Any, value: Any) -> list[tuple[str, list[Any], list[Any]]]:
    return [
        (error.message, list(error.absolute_path), list(error.absolute_schema_path))
        for error in validator(schema).iter_errors(value)
    ]


DEFINITIONS = {
    "leaf": {"type": ["string", "integer"], "minimum": 0},
    "tree": {"properties": {"a": {"$ref": "#/$defs/tree"}, "b": {"$ref": "#/$defs/leaf"}}, "additionalProperties": False},
}


@given(SCHEMAS, VALUES)
def test_it_finds_what_the_library_finds(schema: Any, value: Any) -> None:
    schema = {**schema, "$defs": DEFINITIONS} if isinstance(schema, dict) else schema
    assert mistakes(quick_validator, schema, value) == mistakes(Draft202012Validator, schema, value)


@given(st.data(), VALUES)
def test_it_finds_what_the_library_finds_in_a_report(data: st.DataObject, value: Any) -> None:
    """Some value of a report is replaced by another one."""
    found = copy.deepcopy(document(*report()["suites"]))
    holder: Any = found
    while True:
        key = data.draw(st.sampled_from(list(range(len(holder)) if isinstance(holder, list) else holder)))
        if not holder[key] or not isinstance(holder[key], list | dict) or data.draw(st.integers(0, 5)) == 0:
            break
        holder = holder[key]
    holder[key] = value
    assert mistakes(quick_validator, SCHEMA, found) == mistakes(Draft202012Validator, SCHEMA, found)

"""What is seen of a value is what the library finds, and nothing of the examples' configurations is left to the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pytest_nlpeval.files import Source, json_schema
from pytest_nlpeval.formats.json_schema import is_valid
from pytest_nlpeval.formats.schema_mistakes import WithoutNaN
from pytest_nlpeval.formats.sight import Sight, UnseenError
from pytest_nlpeval.formats.yaml import YAML_KINDS, read_yaml
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks import TASKS, load_task
from tests.browser.pages import report
from tests.unit.reports.documents import document

NUMBERS = st.integers(-2, 2) | st.sampled_from([-1.5, 0.0, 1.0, 1.5, float("inf"), float("nan")])
LEAVES = st.none() | st.booleans() | NUMBERS | st.sampled_from(["", "a", "b", "ab", "1"])
NAMES = st.sampled_from("abc")
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=5)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
SIZES = st.integers(0, 3)


def some_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas with some keywords, of those that are known and of some that are not."""
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
        "enum": st.lists(LEAVES, min_size=1, max_size=3),
        "const": VALUES,
        "pattern": st.sampled_from(["^a", "b$"]),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), SIZES),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), st.sampled_from([-1, 0, 0.5, 1])),
        **dict.fromkeys(("items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"), inner),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), st.lists(inner, min_size=1, max_size=2)),
        **dict.fromkeys(("properties", "dependentSchemas"), st.dictionaries(NAMES, inner, max_size=2)),
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b"]), inner, max_size=2),
        "uniqueItems": st.booleans(),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "minContains": SIZES,
        "title": st.just("A title."),
        "$ref": st.sampled_from(["#/$defs/leaf", "#/$defs/tree"]),
    }
    chosen = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=4, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: keywords[name] for name in names}))


SCHEMAS = st.recursive(st.booleans(), some_of, max_leaves=5)
DEFINITIONS = {
    "leaf": {"type": ["string", "integer"], "minimum": 0},
    "tree": {"properties": {"a": {"$ref": "#/$defs/tree"}, "b": {"$ref": "#/$defs/leaf"}}, "additionalProperties": False},
}


def seen(value: Any, schema: Any) -> bool | None:
    """Return whether a value is seen to follow a schema, None if that is not seen."""
    try:
        return Sight(schema).follows(value, schema)
    except UnseenError:
        return None


@given(SCHEMAS, VALUES)
def test_what_is_seen_is_what_the_library_finds(schema: Any, value: Any) -> None:
    schema = {**schema, "$defs": DEFINITIONS} if isinstance(schema, dict) else schema
    found = WithoutNaN(schema).is_valid(value)
    assert seen(value, schema) in (found, None)
    assert is_valid(value, schema) == found


@given(SCHEMAS, VALUES)
def test_right_at_sight_is_right_whatever_nan_is(schema: Any, value: Any) -> None:
    schema = {**schema, "$defs": DEFINITIONS} if isinstance(schema, dict) else schema
    assert not Sight(schema).is_right(value, schema) or Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        (True, {"const": 1}, False),
        (1.0, {"const": 1}, True),
        (1.0, {"type": "integer"}, True),
        (1.5, {"type": ["integer", "null"]}, False),
        (True, {"minimum": 2}, True),
        (float("nan"), {"type": "number"}, None),
        (float("nan"), {"title": "Anything."}, None),
        (("a",), {"type": "array"}, None),
        (["a", "a"], {"uniqueItems": True}, False),
        ([1, True], {"uniqueItems": True}, None),
        ([[]], {"items": {"enum": [[]]}}, None),
        (["a"], {"items": False, "prefixItems": [{}]}, None),
        (["a"], {"contains": False, "minContains": 0}, None),
        ({"a": 1}, {"additionalProperties": False, "patternProperties": {"a": {}}}, None),
        ({"a": 1}, {"dependentSchemas": {"a": {"required": ["b"]}}}, False),
        ({"kind": "x"}, {"if": {"properties": {"kind": {"const": "y"}}}, "then": False}, True),
        ({"kind": "x"}, {"if": {"properties": {"kind": {"const": "y"}}}, "else": False}, False),
        ({}, {"if": {"format": "date"}, "then": False}, None),
        ({"a": 1}, {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, True),
        ({"a": 1, "b": 1}, {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, False),
        ({}, {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, False),
        ("a", {"oneOf": [{}, {"format": "date"}]}, None),
        ("a", {"not": False}, None),
        ("a", {"$ref": "#/$defs/name"}, None),
        ("a", {"$ref": "#/properties/name"}, None),
        ({1: "a"}, {"propertyNames": {"type": "string"}}, False),
    ],
)
def test_what_is_seen(value: Any, schema: Any, expected: bool | None) -> None:
    assert seen(value, schema) is expected


EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("task", TASKS)
def test_a_right_configuration_is_seen_to_be_right(task: str) -> None:
    source = Source("nlpeval.yaml", (EXAMPLES / task / "nlpeval.yaml").read_bytes())
    written = read_yaml(source, ProblemLog("nlpeval.yaml", YAML_KINDS))
    assert written is not None
    schema, options = json_schema("nlpeval.schema.json"), load_task(task).options_schema
    assert seen(written.value, schema)
    assert all(seen(suite.get("options", {}), options) for suite in written.value["suites"])


def test_a_right_report_is_seen_to_be_right() -> None:
    assert seen(document(*report()["suites"]), json_schema("report.schema.json"))

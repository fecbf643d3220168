"""What surely follows a schema does so for the library, too; the schemas of this project leave nothing right to the library."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.json_schema import surely_follows
from pytest_nlpeval.tasks import TASKS, load_task

LEAVES = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-2, 2) | st.sampled_from(["", "a", "ab", "b", "1"])
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner), max_leaves=6
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
SIZES = st.integers(0, 2)
SIMPLE = {
    "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
    "enum": st.lists(LEAVES, min_size=1, max_size=3),
    "const": LEAVES,
    **{
        f"{side}{what}": SIZES
        for side, what in (("min", "Length"), ("max", "Length"), ("min", "Items"), ("max", "Items"), ("min", "Properties"))
    },
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), SIZES),
    "pattern": st.sampled_from(["^a", "b$", "1"]),
    "uniqueItems": st.booleans(),
    "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
    "description": st.just("Said of it."),
    "format": st.just("date"),  # unknown: the library decides
    "minContains": st.just(0),
    "$ref": st.sampled_from(["#/$defs/x", "#/$defs/none"]),
}


def of_keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several, by_name = st.lists(inner, min_size=1, max_size=2), st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
    nested = {
        **dict.fromkeys(("items", "contains", "propertyNames", "additionalProperties", "if", "then", "else", "not"), inner),
        **dict.fromkeys(("allOf", "anyOf", "prefixItems"), several),
        **dict.fromkeys(("properties", "dependentSchemas", "patternProperties"), by_name),
    }
    plain = {name: SIMPLE[name] for name in ("type", "required", "uniqueItems")}
    return st.fixed_dictionaries({}, optional={**nested, **plain})


SCHEMAS = st.recursive(st.booleans() | st.fixed_dictionaries({}, optional=SIMPLE), of_keywords, max_leaves=6)


@given(SCHEMAS, st.sampled_from([{"type": "string"}, {"minimum": 1, "type": "number"}]), VALUES)
def test_what_surely_follows_a_schema_follows_it(part: Any, definition: Any, value: Any) -> None:
    schema = {"allOf": [part], "$defs": {"x": definition}}
    if surely_follows(value, schema):
        assert "#/$defs/none" in json.dumps(part) or Draft202012Validator(schema).is_valid(value)


EXAMPLES = Path(__file__).parents[3] / "examples"
CONFIGURATION = json_schema("nlpeval.schema.json")


def configurations() -> list[Any]:
    return [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(EXAMPLES.glob("*/nlpeval.yaml"))]


def options() -> list[tuple[str, Any]]:
    return [(entry["task"], entry["options"]) for each in configurations() for entry in each["suites"] if "options" in entry]


def changed(data: st.DataObject, value: Any) -> Any:
    """Return a copy in which some value is another one, or missing, or one is added."""
    copied = copy.deepcopy({"": value})
    holder: Any = copied
    key: Any = ""
    while isinstance(holder[key], dict | list) and holder[key] and data.draw(st.integers(0, 5)):
        holder = holder[key]
        key = data.draw(st.sampled_from(list(range(len(holder)) if isinstance(holder, list) else holder)))
    way = data.draw(st.sampled_from(["replace", "delete", "add"]))
    if way == "add" and isinstance(holder[key], dict):
        holder[key][data.draw(st.sampled_from(["gold", "min", "alpha", "kind", "format", "x"]))] = data.draw(VALUES)
    elif way == "delete" and holder is not copied:
        del holder[key]
    else:
        holder[key] = data.draw(VALUES)
    return copied[""]


@given(st.data())
def test_of_configurations_with_a_mistake_it_says_what_the_library_says(data: st.DataObject) -> None:
    value = changed(data, data.draw(st.sampled_from(configurations())))
    assert surely_follows(value, CONFIGURATION) == Draft202012Validator(CONFIGURATION).is_valid(value)


@given(st.data())
def test_of_options_with_a_mistake_it_says_what_the_library_says(data: st.DataObject) -> None:
    task, given_options = data.draw(st.sampled_from(options()))
    value, schema = changed(data, given_options), load_task(task).options_schema
    right = Draft202012Validator(schema).is_valid(value)
    assert not surely_follows(value, schema) or right


@pytest.mark.parametrize("number", range(len(configurations())))
def test_examples_need_no_library(number: int) -> None:
    assert surely_follows(configurations()[number], CONFIGURATION)


@pytest.mark.parametrize("number", range(len(options())))
def test_options_of_examples_need_no_library(number: int) -> None:
    task, value = options()[number]
    assert surely_follows(value, load_task(task).options_schema)


@pytest.mark.parametrize("task", TASKS)
def test_no_options_follow_the_schema_where_the_library_says_so(task: str) -> None:
    schema: Mapping[str, Any] = load_task(task).options_schema
    assert surely_follows({}, schema) == Draft202012Validator(schema).is_valid({})


def test_what_the_library_alone_decides_is_not_sure() -> None:
    assert not surely_follows(math.nan, {"type": "number"})
    assert not surely_follows({"a": math.nan}, {"properties": {"a": {"not": {"type": "number"}}}})
    assert not surely_follows((1,), {"maxItems": 1})
    assert not surely_follows([[1], [1]], {"uniqueItems": True})
    assert not surely_follows([1], {"enum": [[1]]})
    assert not surely_follows("a", {"format": "date"})
    assert not surely_follows("a", {"type": "text"})

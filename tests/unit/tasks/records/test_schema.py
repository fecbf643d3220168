"""Schemas against the package jsonschema, which this project has anyway."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.problems import PROBLEMS
from pytest_nlpeval.tasks.records.schema import Schema, read_schema
from tests.work import calls_of

VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 2, 3, "", "a", "ab"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=5,
)
COUNTS = st.integers(0, 3)
TYPES = st.sampled_from(["object", "array", "string", "number", "integer", "boolean", "null"])


def keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.lists(st.sampled_from("abc"), max_size=2, unique=True)
    counted = ("minProperties", "maxProperties", "minItems", "maxItems", "minLength", "maxLength", "minContains", "maxContains")
    bounds = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
    some = st.lists(inner, min_size=1, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
            "enum": st.lists(VALUES, min_size=1, max_size=2),
            "const": VALUES,
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "required": names,
            "additionalProperties": inner,
            "propertyNames": inner,
            "dependentRequired": st.dictionaries(st.sampled_from("abc"), names, max_size=2),
            "items": inner,
            "prefixItems": some,
            "contains": inner,
            "uniqueItems": st.booleans(),
            "multipleOf": st.integers(1, 2),
            "allOf": some,
            "anyOf": some,
            "oneOf": some,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            **dict.fromkeys(counted, COUNTS),
            **dict.fromkeys(bounds, COUNTS),
        },
    )


SCHEMAS: st.SearchStrategy[Any] = st.recursive(st.booleans() | st.just({}), keywords, max_leaves=6)


def read(schema: Any) -> tuple[Schema | None, ProblemLog]:
    log = ProblemLog("schema.json", PROBLEMS)
    return read_schema(Source("schema.json", json.dumps(schema).encode()), {}, Options(), log), log


@given(SCHEMAS, VALUES)
def test_it_agrees_with_jsonschema(schema: Any, value: Any) -> None:
    read_one, log = read(schema)
    assert read_one is not None, log.problems()
    assert (read_one.violation(value) is None) == Draft202012Validator(schema).is_valid(value)


def test_a_tree_of_references_is_checked() -> None:
    tree = {"type": "object", "properties": {"in": {"type": "array", "items": {"$ref": "#"}}}, "required": ["name"]}
    schema, _ = read(tree)
    assert schema is not None
    assert schema.violation({"name": 1, "in": [{"name": 2, "in": []}]}) is None
    violation = schema.violation({"name": 1, "in": [{"name": 2}, {"in": []}]})
    assert violation is not None
    assert (violation.place, violation.keyword) == ("in[1]", "/required")


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": {"b": 1}, "a.b": "x"}, "a.b"),
        ({"a": [1], "a[0]": "x"}, "a[0]"),
        ({"a": {"b (its name)": 1}, "a.b": {"c": "x"}}, "a.b.c"),
        ([{"a": {"b": 1}, "a.b": "x"}], "[0].a.b"),
    ],
)
def test_places_that_are_written_alike_are_checked_each(value: Any, place: str) -> None:
    """A key may have dots and brackets, which lead elsewhere in another object."""
    within = {"type": ["object", "array", "number"], "items": {"$ref": "#"}, "additionalProperties": {"$ref": "#"}}
    schema, _ = read({**within, "propertyNames": {"type": "string"}})
    assert schema is not None
    violation = schema.violation(value)
    assert violation is not None
    assert violation.place == place


@pytest.mark.parametrize("reference", ["#/$defs/a b~1%", "#/$defs/a%20b~1%25", "#/%24defs/a%20b%7E1%25"])
def test_a_reference_may_be_written_as_in_a_url(reference: str) -> None:
    schema, log = read({"$ref": reference, "$defs": {"a b/%": {"type": "object"}}})
    assert schema is not None, log.problems()
    assert schema.violation({}) is None
    assert schema.violation([]) is not None


def test_a_name_is_said_to_be_one() -> None:
    schema, _ = read({"properties": {"a": {"propertyNames": {"maxLength": 1}}}})
    assert schema is not None
    violation = schema.violation({"a": {"bc": 1}})
    assert violation is not None
    assert (violation.place, violation.keyword) == ("a.bc (its name)", "/properties/a/propertyNames/maxLength")


def test_numbers_are_compared_by_value() -> None:
    schema, _ = read({"enum": [1, 0.5], "multipleOf": 0.1, "type": "number"})
    assert schema is not None
    assert schema.violation(Decimal("1.0")) is None
    assert schema.violation(Decimal("0.50")) is None
    assert schema.violation(value=True) is not None


@pytest.mark.parametrize(
    "schema",
    [{"$ref": "#"}, {"allOf": [{"$ref": "#"}]}, {"$ref": "#/$defs/a", "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}}, {"$ref": "http://x/"}],
)  # fmt: skip
def test_references_that_lead_nowhere_are_told(schema: Any) -> None:
    found, log = read(schema)
    assert found is None
    assert log.count("records.schema")


def test_exponential_schemas_are_checked_in_no_time() -> None:
    """Each of 60 definitions refers twice to the next: met once a place, that is 60 checks and not 2 ** 60."""
    chain: dict[str, Any] = {f"d{rank}": {"allOf": [{"$ref": f"#/$defs/d{rank + 1}"}] * 2} for rank in range(60)}
    schema, _ = read({"$ref": "#/$defs/d0", "$defs": {**chain, "d60": {"type": "object"}}})
    assert schema is not None
    assert schema.violation({}) is None
    assert schema.violation([]) is not None


def test_values_are_looked_up_in_an_enumeration() -> None:
    """An enumeration of all that a list may have is as long as the list: work for each pair of values would be four times as much."""

    def work(size: int) -> int:
        values = list(range(size))
        schema, _ = read({"items": {"enum": values}})
        assert schema is not None
        calls = calls_of(lambda: schema.violation(values))
        assert schema.violation(values) is None
        assert schema.violation([*values, size]) is not None
        return calls

    assert work(400) < 3 * work(200)

"""Checks a YAML document against a JSON Schema: what is right is seen here, what may be wrong is told by the library jsonschema.

Importing jsonschema takes as long as a seventh of a small run, in which a configuration is nearly always right. So this module only says
what surely follows a schema. It decides a value exactly or not at all: it knows the keywords that the schemas of this project use, and
leaves any other keyword, NaN and whatever YAML does not have to the library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from pytest_nlpeval.formats.yaml import Marked, Steps
from pytest_nlpeval.problems import ProblemLog


def check_schema(
    document: Marked,
    schema: Mapping[str, Any],
    path: Steps,
    code: str,
    log: ProblemLog,
    *,
    without: Collection[str] = (),
    takes_nan: bool = True,
) -> None:
    """Log every way in which the part of `document` at `path` breaks `schema`, with the code `code`.

    Keys in `without` are left out, as if the part did not have them. NaN is a number unless `takes_nan` is false.
    The message for a rule that holds only under a condition (`if`, `dependentRequired`, `dependentSchemas`) names the option and the
    condition: `"columns" is not allowed with format: jsonl`. A `default` in the schema counts where the option is not given.
    """
    value = document.value
    for step in path:
        value = value[step]
    if without:
        value = {key: inner for key, inner in value.items() if key not in without}
    if surely_follows(value, schema):
        return
    from pytest_nlpeval.formats.schema_mistakes import mistakes  # which imports jsonschema

    for inner, message in mistakes(value, schema, takes_nan=takes_nan):
        place = document.place((*path, *inner))
        log.add(code, message, place.line, place.column, ".".join(map(str, (*path, *inner))))


class _UnsureError(Exception):
    """A keyword or a value that only the library decides."""


def surely_follows(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value follows a schema; False also where only the library can tell.

    >>> surely_follows({"a": 1}, {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False})
    True
    >>> surely_follows({"b": 1}, {"properties": {}, "additionalProperties": False}), surely_follows("a", {"format": "date"})
    (False, False)
    """
    try:
        return _follows(value, schema, schema)
    except _UnsureError:
        return False


Root = Mapping[str, Any]
"""The whole schema, which references lead into."""


def _follows(value: Any, schema: Any, root: Root) -> bool:
    """Whether a value follows a part of the schema, which holds if each of its keywords does."""
    if isinstance(schema, bool):
        return schema
    if type(value) not in _PLAIN or value != value or not schema.keys() <= _KNOWN:  # noqa: PLR0124 - NaN is unequal to itself
        raise _UnsureError
    return all(_CHECKS[keyword](value, schema, root) for keyword in schema if keyword not in _ANNOTATIONS)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_PLAIN = frozenset({dict, list, str, int, float, bool, type(None)})
_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": _is_number,
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
}


def _has_type(value: Any, schema: Root, _root: Root) -> bool:
    names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if not _TYPES.keys() >= set(names):
        raise _UnsureError
    return any(_TYPES[name](value) for name in names)


def _leads(value: Any, schema: Root, root: Root) -> bool:
    """Whether a value follows the definition that a reference leads to."""
    steps = schema["$ref"].split("/")
    if steps[:2] != ["#", "$defs"] or len(steps) != 3 or steps[2] not in root.get("$defs", {}):
        raise _UnsureError
    return _follows(value, root["$defs"][steps[2]], root)


def _is_one_of(value: Any, wanted: Collection[Any]) -> bool:
    """Whether a value equals one of several; true is not 1."""
    if isinstance(value, dict | list):
        raise _UnsureError
    return any(value == each and isinstance(value, bool) == isinstance(each, bool) for each in wanted)


def _has_known_keys(value: Any, schema: Root, root: Root) -> bool:
    """Whether the values of all keys that `properties` does not name follow `additionalProperties`."""
    own = schema.get("properties", {})
    return not isinstance(value, dict) or all(
        _follows(inner, schema["additionalProperties"], root) for key, inner in value.items() if key not in own
    )


def _has_no_repetition(value: Any, schema: Root, _root: Root) -> bool:
    if not isinstance(value, list) or not schema["uniqueItems"]:
        return True
    if any(isinstance(entry, dict | list) for entry in value):
        raise _UnsureError
    return len({(isinstance(entry, bool), entry) for entry in value}) == len(value)


def _fits_condition(value: Any, schema: Root, root: Root) -> bool:
    """Whether a value follows `then` where it follows `if`, and `else` where it does not."""
    return _follows(value, schema.get("then" if _follows(value, schema["if"], root) else "else", True), root)


def _limit(keyword: str, kinds: tuple[type, ...], holds: Callable[[Any, Any], bool]) -> Callable[[Any, Root, Root], bool]:
    """Return the check of a keyword that says something of values of some types, and nothing of others."""

    def check(value: Any, schema: Root, _root: Root) -> bool:
        return not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds) or holds(value, schema[keyword])

    return check


def _each(keyword: str, kind: type[Collection[Any]], combine: Callable[..., bool]) -> Callable[[Any, Root, Root], bool]:
    """Return the check of a keyword whose schema all, or any, entries of a list or keys of a mapping follow."""

    def check(value: Any, schema: Root, root: Root) -> bool:
        return not isinstance(value, kind) or combine(_follows(entry, schema[keyword], root) for entry in value)

    return check


_NUMBER = (int, float)

_CHECKS: Mapping[str, Callable[[Any, Root, Root], bool]] = {
    "$ref": _leads,
    "type": _has_type,
    "enum": lambda value, schema, _: _is_one_of(value, schema["enum"]),
    "const": lambda value, schema, _: _is_one_of(value, [schema["const"]]),
    "minimum": _limit("minimum", _NUMBER, lambda value, least: value >= least),
    "maximum": _limit("maximum", _NUMBER, lambda value, greatest: value <= greatest),
    "exclusiveMinimum": _limit("exclusiveMinimum", _NUMBER, lambda value, bound: value > bound),
    "exclusiveMaximum": _limit("exclusiveMaximum", _NUMBER, lambda value, bound: value < bound),
    "minLength": _limit("minLength", (str,), lambda value, least: len(value) >= least),
    "maxLength": _limit("maxLength", (str,), lambda value, greatest: len(value) <= greatest),
    "pattern": _limit("pattern", (str,), lambda value, pattern: re.search(pattern, value) is not None),
    "minItems": _limit("minItems", (list,), lambda value, least: len(value) >= least),
    "maxItems": _limit("maxItems", (list,), lambda value, greatest: len(value) <= greatest),
    "uniqueItems": _has_no_repetition,
    "items": _each("items", list, all),
    "contains": _each("contains", list, any),
    "propertyNames": _each("propertyNames", dict, all),
    "minProperties": _limit("minProperties", (dict,), lambda value, least: len(value) >= least),
    "required": _limit("required", (dict,), lambda value, names: all(name in value for name in names)),
    "properties": lambda value, schema, root: (
        not isinstance(value, dict)
        or all(_follows(value[name], rule, root) for name, rule in schema["properties"].items() if name in value)
    ),
    "additionalProperties": _has_known_keys,
    "allOf": lambda value, schema, root: all(_follows(value, part, root) for part in schema["allOf"]),
    "anyOf": lambda value, schema, root: any(_follows(value, part, root) for part in schema["anyOf"]),
    "dependentSchemas": lambda value, schema, root: (
        not isinstance(value, dict)
        or all(_follows(value, rule, root) for name, rule in schema["dependentSchemas"].items() if name in value)
    ),
    "if": _fits_condition,
}

_ANNOTATIONS = frozenset(
    {"$schema", "$defs", "title", "description", "default", "examples", "patternHint", "patternNames", "then", "else"}
)
"""Keywords that by themselves demand nothing."""

_KNOWN = _CHECKS.keys() | _ANNOTATIONS

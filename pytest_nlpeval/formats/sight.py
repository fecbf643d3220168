"""Sees which JSON values follow a schema, without the library: importing that takes a tenth of a small run.

What is not seen to be right, and whatever a schema says in keywords that are not known here, is the library's to judge. A test lets both
judge the same values.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from math import isnan
from typing import Any

_TYPES: Mapping[type, frozenset[str]] = {
    str: frozenset({"string"}),
    bool: frozenset({"boolean"}),
    int: frozenset({"integer", "number"}),
    float: frozenset({"number"}),
    type(None): frozenset({"null"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
}
"""What a schema calls a value of a Python type."""

_DEFINITIONS = "#/$defs/"


class Sight:
    """Tells which values follow a schema, which is one resource (without `$id` below its top), or one of its parts.

    >>> sight = Sight({"$defs": {"name": {"type": "string"}}})
    >>> sight.is_right("a", {"$ref": "#/$defs/name"}), sight.is_right(["a", 1], {"items": {"$ref": "#/$defs/name"}})
    (True, False)
    >>> sight.is_right("a", {"type": "string", "format": "date"})  # a keyword that is not known here
    False
    """

    def __init__(self, schema: Any) -> None:
        self._definitions: Mapping[str, Any] = schema.get("$defs", {}) if isinstance(schema, dict) else {}

    def is_right(self, value: Any, schema: Any) -> bool:
        """Whether a value follows a schema; False also where that is not seen."""
        try:
            return self.follows(value, schema)
        except UnseenError:
            return False

    def follows(self, value: Any, schema: Any) -> bool:
        """Whether a value follows a schema.

        Raises:
            UnseenError: if that is not seen: the value is none of JSON, or a keyword is not known.
        """
        if type(value) not in _TYPES or (type(value) is float and isnan(value)):  # some take NaN for a number
            raise UnseenError
        if isinstance(schema, bool):
            return schema
        for keyword, expected in schema.items():
            if keyword not in _ANNOTATIONS:
                if keyword not in _CHECKS:
                    raise UnseenError
                if not _CHECKS[keyword](self, value, expected, schema):
                    return False
        return True

    def follows_reference(self, value: Any, reference: str) -> bool:
        """Whether a value follows a definition; otherwise as `follows`."""
        name = reference.removeprefix(_DEFINITIONS)
        if name == reference or name not in self._definitions:
            raise UnseenError
        return self.follows(value, self._definitions[name])


class UnseenError(Exception):
    """It is not seen whether a value follows a schema."""


_Check = Callable[[Sight, Any, Any, Mapping[str, Any]], bool]
"""Whether a value follows a keyword: `check(sight, value, expected, schema)`."""


def _type(_sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    names = _TYPES[type(value)]
    is_one = expected in names if isinstance(expected, str) else not names.isdisjoint(expected)
    return is_one or (type(value) is float and value.is_integer() and "integer" in expected)


def _is_equal(value: Any, other: Any) -> bool:
    if isinstance(value, list | dict) and isinstance(other, list | dict):
        raise UnseenError
    return bool(value == other) and isinstance(value, bool) == isinstance(other, bool)


def _const(_sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    return _is_equal(value, expected)


def _enum(_sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    return any(_is_equal(value, each) for each in expected)


def _pattern(_sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    return not isinstance(value, str) or re.search(expected, value) is not None


def _bound(holds: Callable[[Any, Any], bool]) -> _Check:
    def check(_sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
        return type(value) not in {int, float} or holds(value, expected)

    return check


def _size(kind: type[str | list[Any] | dict[str, Any]], holds: Callable[[int, int], bool]) -> _Check:
    def check(_sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
        return type(value) is not kind or holds(len(value), expected)

    return check


def _items(sight: Sight, value: Any, expected: Any, schema: Mapping[str, Any]) -> bool:
    if "prefixItems" in schema:
        raise UnseenError
    return not isinstance(value, list) or all(sight.follows(each, expected) for each in value)


def _contains(sight: Sight, value: Any, expected: Any, schema: Mapping[str, Any]) -> bool:
    if "minContains" in schema or "maxContains" in schema:
        raise UnseenError
    return not isinstance(value, list) or any(sight.follows(each, expected) for each in value)


def _unique(_sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    if not expected or not isinstance(value, list):
        return True
    if not all(isinstance(each, str) for each in value):
        raise UnseenError
    return len(set(value)) == len(value)


def _required(_sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    return not isinstance(value, dict) or all(name in value for name in expected)


def _properties(sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    if not isinstance(value, dict):
        return True
    return all(sight.follows(value[name], own) for name, own in expected.items() if name in value)


def _others(sight: Sight, value: Any, expected: Any, schema: Mapping[str, Any]) -> bool:
    if "patternProperties" in schema:
        raise UnseenError
    if not isinstance(value, dict):
        return True
    own = schema.get("properties", {})
    return all(sight.follows(each, expected) for name, each in value.items() if name not in own)


def _names(sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    return not isinstance(value, dict) or all(sight.follows(name, expected) for name in value)


def _dependent(sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    return not isinstance(value, dict) or all(sight.follows(value, own) for name, own in expected.items() if name in value)


def _all_of(sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    return all(sight.follows(value, each) for each in expected)


def _any_of(sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    return any(sight.follows(value, each) for each in expected)


def _one_of(sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    return sum(sight.follows(value, each) for each in expected) == 1


def _if(sight: Sight, value: Any, expected: Any, schema: Mapping[str, Any]) -> bool:
    return sight.follows(value, schema.get("then" if sight.follows(value, expected) else "else", True))


def _reference(sight: Sight, value: Any, expected: Any, _schema: Mapping[str, Any]) -> bool:
    return sight.follows_reference(value, expected)


_CHECKS: Mapping[str, _Check] = {
    "type": _type,
    "$ref": _reference,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "minLength": _size(str, operator.ge),
    "maxLength": _size(str, operator.le),
    "minimum": _bound(operator.ge),
    "maximum": _bound(operator.le),
    "exclusiveMinimum": _bound(operator.gt),
    "exclusiveMaximum": _bound(operator.lt),
    "items": _items,
    "minItems": _size(list, operator.ge),
    "maxItems": _size(list, operator.le),
    "uniqueItems": _unique,
    "contains": _contains,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _others,
    "propertyNames": _names,
    "minProperties": _size(dict, operator.ge),
    "dependentSchemas": _dependent,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "if": _if,
}

_ANNOTATIONS = frozenset(
    {"$schema", "$defs", "title", "description", "default", "examples", "then", "else", "patternHint", "patternNames"}
)
"""Keywords that demand nothing by themselves; `$defs` is read at the top, `then` and `else` with `if`."""

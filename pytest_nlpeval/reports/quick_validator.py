"""Checks large JSON against a schema: the library's validator, which does not descend into texts and numbers that are right at sight.

A report of 32 MiB has millions of them, and a descent of the library costs some microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

_TYPES: Mapping[type, frozenset[str]] = {
    str: frozenset({"string"}),
    bool: frozenset({"boolean"}),
    int: frozenset({"integer", "number"}),
    float: frozenset({"number"}),
    type(None): frozenset({"null"}),
}
"""What a schema calls a value of a Python type."""

_SEEN = {"type", "enum", "description"}
"""Keywords that `is_right_at_sight` knows; of a schema with any other it says nothing."""


def is_right_at_sight(value: Any, schema: Any) -> bool:
    """Whether a text, a number, a truth value or null follows a schema; False also where that is not seen at once.

    >>> is_right_at_sight("a", {"type": "string"}), is_right_at_sight("a", {"enum": ["a", "b"]}), is_right_at_sight(1, {"type": "string"})
    (True, True, False)
    >>> is_right_at_sight("a", {"type": "string", "minLength": 1})
    False
    """
    names = _TYPES.get(type(value))
    if names is None or not isinstance(schema, dict) or not schema.keys() <= _SEEN:
        return False
    wanted = schema.get("type")
    if wanted is not None and not (wanted in names if isinstance(wanted, str) else not names.isdisjoint(wanted)):
        return False
    return "enum" not in schema or (isinstance(value, str) and value in schema["enum"])


def _properties(validator: Any, properties: Mapping[str, Any], instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for name, own in properties.items():
        if name in instance and not is_right_at_sight(instance[name], own):
            yield from validator.descend(instance[name], own, path=name, schema_path=name)


def _items(validator: Any, items: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, list) or all(is_right_at_sight(value, items) for value in instance):
        return
    yield from Draft202012Validator.VALIDATORS["items"](validator, items, instance, schema)


QuickValidator = extend(Draft202012Validator, {"properties": _properties, "items": _items})  # type: ignore[no-untyped-call]
"""Finds what `Draft202012Validator` finds."""

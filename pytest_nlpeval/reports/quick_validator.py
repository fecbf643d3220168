"""Checks large JSON against a schema: the library's validator, which does not descend into what is right at sight.

A report of 32 MiB has millions of values, and a descent of the library costs some microseconds. What does not look right, and whatever
a schema says in keywords that are not known here, is the library's to judge. A test lets both judge the same values.
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
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
}
"""What a schema calls a value of a Python type."""

_OF_TYPE: Mapping[type, frozenset[str]] = {
    int: frozenset({"minimum"}),
    float: frozenset({"minimum"}),
    list: frozenset({"items", "minItems", "maxItems"}),
    dict: frozenset({"properties", "required", "additionalProperties"}),
}
_KEYWORDS: Mapping[type, frozenset[str]] = {
    kind: _OF_TYPE.get(kind, frozenset()) | {"type", "enum", "description", "$ref"} for kind in _TYPES
}
"""The keywords that are known, for values of each type; of a schema with any other nothing is seen."""

_DEFINITIONS = "#/$defs/"


class Sight:
    """Tells which values follow the parts of a schema; `definitions` are what its references lead to.

    >>> sight = Sight({"name": {"type": "string"}})
    >>> sight.is_right("a", {"$ref": "#/$defs/name"}), sight.is_right(["a", 1], {"items": {"$ref": "#/$defs/name"}})
    (True, False)
    >>> sight.is_right("a", {"type": "string", "minLength": 1})  # which is not seen at once
    False
    """

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions

    def is_right(self, value: Any, schema: Any) -> bool:
        """Whether a value follows a schema; False also where that is not seen at once."""
        kind = type(value)
        names = _TYPES.get(kind)
        if names is None or not isinstance(schema, dict) or not schema.keys() <= _KEYWORDS[kind]:
            return False
        wanted = schema.get("type")
        if wanted is not None and not (wanted in names if isinstance(wanted, str) else not names.isdisjoint(wanted)):
            return False
        if "enum" in schema and not (isinstance(value, str) and value in schema["enum"]):
            return False
        return (
            ("$ref" not in schema or self._follows(value, schema["$ref"]))
            and ("minimum" not in schema or value >= schema["minimum"])
            and (kind is not list or self._has_right_items(value, schema))
            and (kind is not dict or self._has_right_properties(value, schema))
        )

    def _follows(self, value: Any, reference: str) -> bool:
        name = reference.removeprefix(_DEFINITIONS)
        return name != reference and name in self._definitions and self.is_right(value, self._definitions[name])

    def _has_right_items(self, values: list[Any], schema: Mapping[str, Any]) -> bool:
        if not schema.get("minItems", 0) <= len(values) <= schema.get("maxItems", len(values)):
            return False
        return "items" not in schema or all(self.is_right(value, schema["items"]) for value in values)

    def _has_right_properties(self, values: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
        if not all(name in values for name in schema.get("required", ())):
            return False
        own, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        return all(
            self.is_right(value, own[name]) if name in own else others is True or self.is_right(value, others)
            for name, value in values.items()
        )

    def properties(self, validator: Any, properties: Mapping[str, Any], instance: Any, _schema: Any) -> Iterator[ValidationError]:
        """Yield what is wrong with the properties of an object, as the library does."""
        if not isinstance(instance, dict):
            return
        for name, own in properties.items():
            if name in instance and not self.is_right(instance[name], own):
                yield from validator.descend(instance[name], own, path=name, schema_path=name)

    def items(self, validator: Any, items: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        """Yield what is wrong with the items of a list, as the library does."""
        if not isinstance(instance, list):
            return
        if not isinstance(items, dict) or "prefixItems" in schema:
            yield from Draft202012Validator.VALIDATORS["items"](validator, items, instance, schema)
            return
        for rank, value in enumerate(instance):
            if not self.is_right(value, items):
                yield from validator.descend(value, items, path=rank)


def quick_validator(schema: Any) -> Any:
    """Return a validator that finds what `Draft202012Validator` finds by a schema that is one resource: without `$id` below its top."""
    definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
    sight = Sight(definitions)
    return extend(Draft202012Validator, {"properties": sight.properties, "items": sight.items})(schema)  # type: ignore[no-untyped-call]

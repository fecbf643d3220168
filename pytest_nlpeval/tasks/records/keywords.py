"""The keywords of a JSON Schema: what their values may be, and what they demand of a value."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import unquote

if TYPE_CHECKING:
    from pytest_nlpeval.tasks.records.schema import Check, Place, Violation

NAME = -1
"""The step of a place that leads from a key's value to the key itself."""

Fault: TypeAlias = "Violation | str | None"
"""How a value breaks a keyword: the violation of an inner schema, or a message; None or "" if it does not."""

_Checked = Callable[["Check", str, dict[str, Any], Any, Any, "Place"], "Fault"]
"""`check(check, pointer, schema, expected, value, place)`."""


def _is_number(value: object) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "integer": lambda value: _is_number(value) and value == int(value),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def identity(value: Any) -> Hashable:
    """Return what equal values of JSON have in common: numbers by value, objects without order."""
    if isinstance(value, dict):
        return "object", frozenset((key, identity(held)) for key, held in value.items())
    if isinstance(value, list):
        return "array", tuple(map(identity, value))
    return "number" if _is_number(value) else type(value).__name__, value


def _type(_check: Check, _pointer: str, _schema: dict[str, Any], expected: Any, value: Any, _place: Place) -> Fault:
    names = [expected] if isinstance(expected, str) else expected
    return None if any(_TYPES[name](value) for name in names) else f"is not of type {' or '.join(names)}"


def _enum(check: Check, pointer: str, _schema: dict[str, Any], expected: Any, value: Any, _place: Place) -> Fault:
    return None if identity(value) in check.schema.allowed(pointer, expected) else "is none of the allowed values"


def _const(_check: Check, _pointer: str, _schema: dict[str, Any], expected: Any, value: Any, _place: Place) -> Fault:
    return None if identity(expected) == identity(value) else "is not the one allowed value"


def escaped(key: str) -> str:
    """Return a key as it stands in a pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def target_of(reference: str) -> str:
    """Return the pointer that a reference leads to; as in any URL, `%20` is a blank there.

    >>> target_of("#/$defs/a%20b")
    '/$defs/a b'
    """
    return unquote(reference.removeprefix("#")) if reference.startswith("#") else reference


def _properties(check: Check, pointer: str, _schema: dict[str, Any], expected: Any, value: Any, place: Place) -> Fault:
    if not isinstance(value, dict):
        return None
    inner = (check.violation(f"{pointer}/{escaped(key)}", value[key], (*place, key)) for key in expected if key in value)
    return next(filter(None, inner), None)


def _required(_check: Check, _pointer: str, _schema: dict[str, Any], expected: Any, value: Any, _place: Place) -> Fault:
    lacks = [key for key in expected if key not in value] if isinstance(value, dict) else []
    return f'lacks "{lacks[0]}"' if lacks else None


def _additional(check: Check, pointer: str, schema: dict[str, Any], _expected: Any, value: Any, place: Place) -> Fault:
    if not isinstance(value, dict) or "patternProperties" in schema:
        return None
    own = schema.get("properties", {})
    inner = (check.violation(pointer, held, (*place, key)) for key, held in value.items() if key not in own)
    return next(filter(None, inner), None)


def _names(check: Check, pointer: str, _schema: dict[str, Any], _expected: Any, value: Any, place: Place) -> Fault:
    if not isinstance(value, dict):
        return None
    inner = (check.violation(pointer, key, (*place, key, NAME)) for key in value)
    return next(filter(None, inner), None)


def _dependent(_check: Check, _pointer: str, _schema: dict[str, Any], expected: Any, value: Any, _place: Place) -> Fault:
    if isinstance(value, dict):
        for key, others in expected.items():
            if key in value and (lacks := [other for other in others if other not in value]):
                return f'has "{key}", and lacks "{lacks[0]}"'
    return None


def _items(check: Check, pointer: str, schema: dict[str, Any], _expected: Any, value: Any, place: Place) -> Fault:
    if not isinstance(value, list):
        return None
    start = len(schema.get("prefixItems", ()))
    inner = (check.violation(pointer, held, (*place, rank)) for rank, held in enumerate(value) if rank >= start)
    return next(filter(None, inner), None)


def _prefix(check: Check, pointer: str, _schema: dict[str, Any], expected: Any, value: Any, place: Place) -> Fault:
    if not isinstance(value, list):
        return None
    inner = (check.violation(f"{pointer}/{rank}", held, (*place, rank)) for rank, held in enumerate(value[: len(expected)]))
    return next(filter(None, inner), None)


def _contains(check: Check, pointer: str, schema: dict[str, Any], _expected: Any, value: Any, place: Place) -> Fault:
    if not isinstance(value, list):
        return None
    number = sum(check.violation(pointer, held, (*place, rank)) is None for rank, held in enumerate(value))
    least, most = schema.get("minContains", 1), schema.get("maxContains")
    if number < least:
        return f"has {number} of the items it must contain, expected at least {least}"
    return f"has {number} of the items it must contain, expected at most {most}" if most is not None and number > most else None


def _unique(_check: Check, _pointer: str, _schema: dict[str, Any], expected: Any, value: Any, _place: Place) -> Fault:
    is_broken = expected and isinstance(value, list) and len(set(map(identity, value))) < len(value)
    return "has an item twice" if is_broken else None


def _size(kind: type, noun: str, *, is_least: bool) -> _Checked:
    def check(_check: Check, _pointer: str, _schema: dict[str, Any], expected: Any, value: Any, _place: Place) -> Fault:
        if not isinstance(value, kind) or (len(value) >= expected if is_least else len(value) <= expected):  # type: ignore[arg-type]
            return None
        return f"has {len(value)} {noun}, expected at {'least' if is_least else 'most'} {expected}"  # type: ignore[arg-type]

    return check


def _bound(words: str, holds: Callable[[Any, Any], bool]) -> _Checked:
    def check(_check: Check, _pointer: str, _schema: dict[str, Any], expected: Any, value: Any, _place: Place) -> Fault:
        return f"is {value}, expected {words} {expected}" if _is_number(value) and not holds(value, expected) else None

    return check


def _all_of(check: Check, pointer: str, _schema: dict[str, Any], expected: Any, value: Any, place: Place) -> Fault:
    return next(filter(None, _violations(check, pointer, expected, value, place)), None)


def _any_of(check: Check, pointer: str, _schema: dict[str, Any], expected: Any, value: Any, place: Place) -> Fault:
    is_right = any(violation is None for violation in _violations(check, pointer, expected, value, place))
    return None if is_right else "satisfies none of the schemas"


def _one_of(check: Check, pointer: str, _schema: dict[str, Any], expected: Any, value: Any, place: Place) -> Fault:
    number = sum(violation is None for violation in _violations(check, pointer, expected, value, place))
    return None if number == 1 else f"satisfies {number} of the schemas, expected one"


def _violations(check: Check, pointer: str, expected: Any, value: Any, place: Place) -> Iterator[Violation | None]:
    return (check.violation(f"{pointer}/{rank}", value, place) for rank in range(len(expected)))


def _not(check: Check, pointer: str, _schema: dict[str, Any], _expected: Any, value: Any, place: Place) -> Fault:
    return "satisfies what it must not" if check.violation(pointer, value, place) is None else None


def _if(check: Check, pointer: str, schema: dict[str, Any], _expected: Any, value: Any, place: Place) -> Fault:
    branch = "then" if check.violation(pointer, value, place) is None else "else"
    return check.violation(pointer.removesuffix("if") + branch, value, place) if branch in schema else None


def _ref(check: Check, _pointer: str, _schema: dict[str, Any], expected: Any, value: Any, place: Place) -> Fault:
    return check.violation(target_of(expected), value, place)


CHECKS: dict[str, _Checked] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "dependentRequired": _dependent,
    "minProperties": _size(dict, "keys", is_least=True),
    "maxProperties": _size(dict, "keys", is_least=False),
    "items": _items,
    "prefixItems": _prefix,
    "contains": _contains,
    "minItems": _size(list, "items", is_least=True),
    "maxItems": _size(list, "items", is_least=False),
    "uniqueItems": _unique,
    "minLength": _size(str, "characters", is_least=True),
    "maxLength": _size(str, "characters", is_least=False),
    "minimum": _bound("at least", lambda value, bound: bool(value >= bound)),
    "maximum": _bound("at most", lambda value, bound: bool(value <= bound)),
    "exclusiveMinimum": _bound("more than", lambda value, bound: bool(value > bound)),
    "exclusiveMaximum": _bound("less than", lambda value, bound: bool(value < bound)),
    "multipleOf": _bound("a multiple of", lambda value, unit: (Fraction(value) / Fraction(unit)).denominator == 1),
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    "$ref": _ref,
}


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(held, str) for held in value)


def _is_type(value: Any) -> bool:
    return bool(value) and (value in _TYPES if isinstance(value, str) else _are_texts(value) and set(value) <= _TYPES.keys())


def _is_list_of_schemas(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _are_dependencies(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_are_texts, value.values()))


_COUNT = (_is_count, "a whole number from 0")
_NUMBER = (_is_number, "a number")
_SCHEMAS = (_is_list_of_schemas, "a list of schemas")
_OBJECT = (_TYPES["object"], "an object")
_LIST = (_TYPES["array"], "a list")

_EXPECTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "type": (_is_type, f"one of {', '.join(_TYPES)}, or a list of such"),
    "enum": _LIST,
    "properties": _OBJECT,
    "$defs": _OBJECT,
    "definitions": _OBJECT,
    "patternProperties": _OBJECT,
    "required": (_are_texts, "a list of texts"),
    "dependentRequired": (_are_dependencies, "an object of lists of texts"),
    "uniqueItems": (_TYPES["boolean"], "true or false"),
    "multipleOf": (lambda value: _is_number(value) and value > 0, "a number above 0"),
    "$ref": (_TYPES["string"], "a text"),
    **dict.fromkeys(("prefixItems", "allOf", "anyOf", "oneOf"), _SCHEMAS),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _NUMBER),
    **dict.fromkeys(
        ["minProperties", "maxProperties", "minItems", "maxItems", "minContains", "maxContains", "minLength", "maxLength"],
        _COUNT,
    ),
}


def fault_of(keyword: str, value: Any) -> str:
    """Return what is wrong with the value of a keyword, "" if nothing is. Schemas in it are looked at by themselves."""
    if keyword == "items" and isinstance(value, list):
        return "is a list; expected a schema (a list of schemas is `prefixItems`)"
    if keyword not in _EXPECTED:
        return ""
    is_right, expected = _EXPECTED[keyword]
    return "" if is_right(value) else f"is of a wrong type; expected {expected}"

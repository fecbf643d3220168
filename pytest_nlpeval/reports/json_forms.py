"""Dataclasses to JSON and back, by their fields: a field that has its default is absent from the JSON object.

A class that says how itself (`to_json` and `from_json`) is asked for it. Texts, numbers and None are themselves, tuples are arrays, and
mappings are objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache, partial
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")


def encoded(value: Any) -> Any:
    """Return the JSON form of a value."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if is_dataclass(value):
        return encoded_fields(value)
    if isinstance(value, Mapping):
        return {name: encoded(part) for name, part in value.items()}
    return [encoded(part) for part in value] if isinstance(value, tuple) else value


def encoded_fields(value: Any) -> dict[str, Any]:
    """Return a dataclass as a JSON object: of the fields with a default those that have another value.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Score:
    ...     value: float | None
    ...     reason: str = ""
    >>> encoded_fields(Score(None)), encoded_fields(Score(0.5, "by chance"))
    ({'value': None}, {'value': 0.5, 'reason': 'by chance'})
    """
    parts = ((part, getattr(value, part.name)) for part in fields(value) if part.init)
    return {part.name: encoded(fact) for part, fact in parts if fact != _default(part)}


def _default(part: Field[Any]) -> Any:
    return part.default if part.default_factory is MISSING else part.default_factory()


def decoded_fields(kind: Callable[..., T], data: Mapping[str, Any], **facts: Any) -> T:
    """Read back what `encoded_fields` wrote of a dataclass; `facts` are the values of fields that JSON does not have."""
    decoders = _decoders(kind)
    return kind(**{name: decoders[name](part) for name, part in data.items()}, **facts)


@cache
def _decoders(kind: Any) -> Mapping[str, Callable[[Any], Any]]:
    """Return what reads each field of a dataclass: what its metadata name under `from_json`, or what its type wants."""
    hints = get_type_hints(kind)
    return {part.name: part.metadata.get("from_json") or _decoder(hints[part.name]) for part in fields(kind)}


@cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    """Return what reads the JSON form of a type; of a type or None, what reads that type."""
    if hasattr(kind, "from_json"):
        read: Callable[[Any], Any] = kind.from_json
        return read
    if hasattr(kind, "__dataclass_fields__"):
        return partial(decoded_fields, kind)
    parts = [_decoder(part) for part in get_args(kind) if part not in (NoneType, ...)]
    if get_origin(kind) is tuple:
        return lambda data: tuple(map(parts[0], data))
    if get_origin(kind) is Mapping:
        return lambda data: {name: parts[1](part) for name, part in data.items()}
    if NoneType in get_args(kind):
        return lambda data: None if data is None else parts[0](data)
    return lambda data: data

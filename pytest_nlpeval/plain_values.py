"""Values without code of other packages: texts, numbers, tuples and this package's own records, of no derived class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, TypeVar, cast

T = TypeVar("T")

_PLAIN = frozenset((str, int, float, bool, type(None)))
_OWNERS = frozenset((__name__.partition(".")[0], "builtins"))
_BARE: Mapping[type, Callable[[Any], object]] = {str: str.__str__, int: int.__int__, float: float.__float__}


def plain(value: T) -> T:
    """Return a value in which no text, number, tuple, mapping or record is of a class that another package has derived.

    A text of such a class is code: whatever hashes, compares or prints the text later would run it, far from the function that gave it.
    What is plain already is returned itself; so is what is neither of these, such as an array, and is not looked into.

    >>> class Loud(str):
    ...     def __str__(self):
    ...         raise SystemExit
    >>> plain((Loud("x"), 0.5))
    ('x', 0.5)
    """
    return cast("T", _plain(value))


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    own = next(base for base in kind.__mro__ if base.__module__.partition(".")[0] in _OWNERS)
    if own in _BARE:
        return _BARE[own](value)
    make: Callable[[tuple[Any, ...]], Any]
    if issubclass(own, tuple):
        parts, make = tuple(tuple.__iter__(value)), partial(tuple.__new__, own)
    elif issubclass(own, list):
        parts, make = tuple(list.__iter__(value)), list
    elif isinstance(value, Mapping):
        parts, make = tuple(value.items()), dict
    elif is_dataclass(own):
        parts, make = tuple(getattr(value, field.name) for field in fields(own)), partial(_made_of, own)
    else:
        return value
    plain_parts = tuple(map(_plain, parts))
    is_plain = kind is own and all(this is that for this, that in zip(plain_parts, parts, strict=True))
    return value if is_plain else make(plain_parts)


def _made_of(kind: type, parts: tuple[Any, ...]) -> Any:
    return kind(*parts)

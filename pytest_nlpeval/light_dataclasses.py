"""Dataclasses that take less time to make: a command makes about a hundred before it reads a file.

Python's `dataclass` compiles six methods of each frozen class, which would be a quarter of what a small run costs. The classes of this
module share the functions that compare, hash and show them.

- Of a light dataclass Python compiles `__init__` alone. It is frozen for the type checker, as in
  https://threeofwands.com/attra-iv-zero-overhead-frozen-attrs-classes/, and not while a program runs.
- A frozen dataclass is so while a program runs, too. All that functions of tasks and users of the Python interface are given (a source, a
  measure, a verdict, whatever is in `kit`) are such: nobody checks types there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

__all__ = ["frozen_dataclass", "light_dataclass"]

T = TypeVar("T")


def _light_dataclass(*, frozen: bool, eq: bool = True, **choices: bool) -> Callable[[type[T]], type[T]]:
    """Make a dataclass of a class, as `dataclasses.dataclass` does with `frozen=True`; the other choices are that function's.

    Two are equal if they are of one class and all fields are that are compared. With `eq=False`, each is equal to itself alone.

    >>> @_light_dataclass(frozen=True, slots=True)
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), len({Point(1), Point(1, 0), Point(1, 1)})
    (Point(x=1, y=0), True, 2)

    Raises:
        TypeError: if it is not to be frozen; Python's own need not compile more for such a class.
    """
    _require(frozen=frozen)
    return partial(_made, eq=eq, choices=choices)


def _frozen_dataclass(*, frozen: bool, eq: bool = True, **choices: bool) -> Callable[[type[T]], type[T]]:
    """Make a dataclass of a class, as `light_dataclass` does, whose fields raise `dataclasses.FrozenInstanceError` when they are changed.

    Type checkers take this function for `dataclasses.dataclass`, and want to read `frozen=True`.

    Raises:
        TypeError: if it is not to be frozen.
    """
    _require(frozen=frozen)
    return partial(_made, eq=eq, choices={**choices, "frozen": True})


def _require(*, frozen: bool) -> None:
    if not frozen:
        raise TypeError("these dataclasses are frozen; of one that changes, use dataclasses.dataclass")


def _made(plain: type[T], *, eq: bool, choices: dict[str, bool]) -> type[T]:
    """Return a dataclass with the functions that all share; a function that the class itself defines stays."""
    cls: Any = dataclass(eq=False, repr=False, **choices)(plain)
    own = vars(plain)
    cls.__repr__ = own.get("__repr__", _repr)
    if eq:
        # Without any field to compare, two of a class are equal.
        cls.__compared_fields__ = attrgetter(*[field.name for field in fields(cls) if field.compare] or ["__class__"])
        cls.__eq__ = own.get("__eq__", _eq)
        cls.__hash__ = own.get("__hash__") or _hash
    return cast("type[T]", cls)


def _eq(self: Any, other: Any) -> bool:
    is_alike = other.__class__ is self.__class__
    return bool(self.__compared_fields__(self) == self.__compared_fields__(other)) if is_alike else NotImplemented


def _hash(self: Any) -> int:
    return hash(self.__compared_fields__(self))


def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


if TYPE_CHECKING:
    from dataclasses import dataclass as frozen_dataclass
    from dataclasses import dataclass as light_dataclass
else:
    frozen_dataclass, light_dataclass = _frozen_dataclass, _light_dataclass

"""What records may hold: their keys, and how large they are."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pytest_nlpeval.tasks.records.trees import Path
from pytest_nlpeval.wording import quoted

LONGEST_KEY = 200


class Limits(NamedTuple):
    """How many scalars a record may have, and how many objects a list in it."""

    scalars: int
    objects: int


OF_GOLD, OF_SYSTEM = Limits(5_000, 500), Limits(20_000, 2_000)
MOST_PATHS = 1_000


class Excess(NamedTuple):
    """What is wrong with a record: `key` or `too-long`, and a message."""

    problem: str
    message: str


@dataclass(slots=True)
class Bounds:
    """Looks for keys that cannot be, and for lists and records that are too long; a key that is right is looked at once."""

    limits: Limits
    _right: set[str] = field(default_factory=set)

    def excess(self, record: dict[str, Any], root: Path) -> list[Excess]:
        """Return what is wrong with a record, with nothing of it left out."""
        found: list[Excess] = []
        scalars = self._walk(record, root, found)
        if scalars > self.limits.scalars:
            message = f"has {scalars:,} values, at most {self.limits.scalars:,} are allowed; split the record"
            found.append(Excess("too-long", message))
        return list(dict.fromkeys(found))

    def _walk(self, value: Any, path: Path | None, found: list[Excess]) -> int:
        """Return the number of scalars in a value; the path is None where lists may have any number of objects."""
        if isinstance(value, dict):
            own = None if path is None or path.rule.is_map else path
            scalars = 0
            for key, held in value.items():
                self._check_key(key, found)
                scalars += self._walk(held, own and own.child(key), found)
            return scalars
        if isinstance(value, list):
            own = None if path is None or path.rule.list == "any" or path.rule.value == "whole" else path
            if own is not None:
                self._check_objects(value, own, found)
            return sum(self._walk(held, own, found) for held in value)
        return 1

    def _check_key(self, key: str, found: list[Excess]) -> None:
        if key in self._right:
            return
        if message := fault_of_key(key):
            found.append(Excess("key", message))
        else:
            self._right.add(key)

    def _check_objects(self, values: list[Any], path: Path, found: list[Excess]) -> None:
        objects = [value for value in values if isinstance(value, dict)]
        if len(objects) <= self.limits.objects:
            return
        key = path.rule.key
        number = max(Counter(repr(list(_values_at(each, key))) for each in objects).values()) if key else len(objects)
        if number > self.limits.objects:
            cure = f"of one {key}" if key else "in a list; give the list a `key` in the option compare, or split it"
            found.append(
                Excess("too-long", f"has {number:,} objects at {path.name}, at most {self.limits.objects:,} are allowed {cure}")
            )


def _values_at(value: Any, path: str) -> Iterator[Any]:
    """Yield what a path leads to in an object, through all lists on the way."""
    if isinstance(value, list):
        for held in value:
            yield from _values_at(held, path)
    elif isinstance(value, dict):
        for key, held in value.items():
            if key == path:
                yield held
            elif path.startswith(f"{key}."):
                yield from _values_at(held, path[len(key) + 1 :])


def fault_of_key(key: str) -> str:
    """Return what is wrong with a key, "" if nothing is."""
    if not key:
        return "has an empty key; give it a name"
    if len(key) > LONGEST_KEY:
        return f"the key {quoted(key)} is too long; expected at most {LONGEST_KEY} characters"
    if not key.isprintable() and any(unicodedata.category(character) == "Cc" for character in key):
        return f"the key {quoted(key)} has a control character; expected none"
    return ""

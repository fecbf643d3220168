"""What the files of the task share: JSON or JSON Lines by content, values with the path of keys to them, ids."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Dialect
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.wording import quoted

_GREATEST = int(sys.float_info.max)
"""Ids and numbers may be any whole number that has a float."""

DOCUMENT = Dialect.of("qa.json", greatest=_GREATEST)
IDS = Dialect.of("qa.json", "qa.duplicate-id", greatest=_GREATEST)
"""An object whose keys are the ids of questions."""

LINES = Dialect.of("qa.json", blank_start=True, greatest=_GREATEST)


def is_json_lines(source: Source, keys: Collection[str]) -> bool:
    """Whether the first line that is not blank is a JSON object with one of these keys and `id`."""
    line = source.data.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").partition(b"\n")[0].rstrip()
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return False
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return "id" in found and not found.keys().isdisjoint(keys)


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a JSON document, and the path of keys to it; `line` is that of a record of JSON Lines, else None.

    What asks for a value of a type logs `qa.shape` if it is something else.
    """

    value: Any
    log: ProblemLog
    line: int | None = None
    path: str = ""

    def __getitem__(self, key: str | int) -> Node:
        """Return the value of a key, or of a place in a list, which must be there."""
        path = f"{self.path}[{key}]" if isinstance(key, int) else f"{self.path}.{key}" if self.path else key
        return Node(self.value[key], self.log, self.line, path)

    def has(self, *keys: str) -> bool:
        """Whether the value is an object, and these keys are there; logs what is not so."""
        if not isinstance(self.value, dict):
            self.refuse(f"an object with {' and '.join(f'`{key}`' for key in keys)}")
            return False
        missing = [f"`{key}`" for key in keys if key not in self.value]
        if missing:
            self._say(f"expected the key {' and '.join(missing)}, found {_keys(self.value)}")
        return not missing

    def items(self) -> Iterator[Node]:
        """Yield the values of a list."""
        if not isinstance(self.value, list):
            self.refuse("a list")
            return
        yield from (self[place] for place in range(len(self.value)))

    def text(self) -> str | None:
        """Return the text."""
        if isinstance(self.value, str):
            return self.value
        return self.refuse("text")

    def name(self) -> str | None:
        """Return an id, a text or a whole number, as text."""
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return str(self.value)
        return self.refuse("an id, as text or as a whole number")

    def number(self) -> float | None:
        """Return a number."""
        if isinstance(self.value, int | float) and not isinstance(self.value, bool):
            return float(self.value)
        return self.refuse("a number")

    def refuse(self, expected: str) -> None:
        """Log that something else was expected."""
        self._say(f"expected {expected}, got {_kind(self.value)}")

    def _say(self, message: str) -> None:
        start = f"{quoted(self.path, 200)}: " if self.path else ""
        self.log.add("qa.shape", f"{start}{message}", self.line)


def _keys(found: Collection[str]) -> str:
    return ", ".join(f"`{key[:60]}`" for key in list(found)[:6]) + (", …" if len(found) > 6 else "") or "none"


def _kind(value: object) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    kinds = {str: "text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds[type(value)]


def where(name: str) -> str:
    """Return what problems call the question with that id."""
    return f"question {name}"

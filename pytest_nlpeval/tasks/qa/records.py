"""What the files of the task share: JSON or JSON Lines by content, values with the path of keys to them, ids."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Dialect
from pytest_nlpeval.kit.records import Conventions, File, Layout
from pytest_nlpeval.problems import ProblemLog

_GREATEST = int(sys.float_info.max)
"""Ids and numbers may be any whole number that has a float."""

DOCUMENT = Dialect.of("qa.json", greatest=_GREATEST)
IDS = Dialect.of("qa.json", "qa.duplicate-id", greatest=_GREATEST)
"""An object whose keys are the ids of questions."""

LINES = Dialect.of("qa.json", blank_start=True, greatest=_GREATEST)

CONVENTIONS = Conventions(
    "qa",
    LINES,
    item="question",
    answer="prediction",
    advice="write the empty text where the system finds no answer",
    names_ids=True,
)


def file_of(source: Source, log: ProblemLog) -> File:
    """Return a file as the kit of records knows it."""
    return File(source, Layout(), CONVENTIONS, log)


def is_json_lines(source: Source, keys: Collection[str]) -> bool:
    """Whether the first line that is not blank is a JSON object with one of these keys and `id`."""
    line = source.data.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").partition(b"\n")[0].rstrip()
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return False
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return "id" in record and not record.keys().isdisjoint(keys)


class Node(NamedTuple):
    """An object or list in a JSON document, and the path of keys to it; `line` is that of a record of JSON Lines, else None.

    `where` names the question that it belongs to, once that is known.

    What asks for a value of a type logs `qa.shape` if it is something else, and then has none. Paths are made where there is a fault:
    most values have none.
    """

    value: Any
    log: ProblemLog
    line: int | None = None
    path: str = ""
    where: str = ""

    def has(self, *keys: str) -> bool:
        """Whether this is an object that has these keys."""
        if not isinstance(self.value, dict):
            self.refuse(f"an object with {_listed(keys)}")
            return False
        missing = [key for key in keys if key not in self.value]
        if missing:
            self.say(f"expected {_listed(missing)}, found {_listed(list(self.value)[:_MOST_KEYS])}")
        return not missing

    def items(self, key: str) -> Iterator[Node]:
        """Yield the items of a list."""
        if not isinstance(self.value[key], list):
            self.refuse("a list", key)
            return
        path = self.path_of(key)
        for place, value in enumerate(self.value[key]):
            yield Node(value, self.log, self.line, f"{path}[{place}]", self.where)

    def text(self, key: str | int) -> str | None:
        """Return a text."""
        text = self.value[key]
        if isinstance(text, str):
            return text
        self.refuse("text", key)
        return None

    def name(self, key: str) -> str | None:
        """Return an id, a text or a whole number, as text."""
        name = self.value[key]
        if isinstance(name, str):
            return name
        if isinstance(name, int) and not isinstance(name, bool):
            return str(name)
        self.refuse("an id, as text or as a whole number", key)
        return None

    def number(self, key: str) -> float | None:
        """Return a number."""
        number = self.value[key]
        if isinstance(number, int | float) and not isinstance(number, bool):
            return float(number)
        self.refuse("a number", key)
        return None

    def refuse(self, expected: str, key: str | int | None = None) -> None:
        """Log that something else was expected here, or as the value of a key or place."""
        value = self.value if key is None else self.value[key]
        self.say(f"expected {expected}, got {_kind(value)}", key)

    def say(self, message: str, key: str | int | None = None) -> None:
        """Log `qa.shape` with the path of keys."""
        path = self.path if key is None else self.path_of(key)
        self.log.add("qa.shape", f"{path[:_LONGEST_PATH]}: {message}" if path else message, self.line, where=self.where)

    def path_of(self, key: str | int) -> str:
        """Return the path of keys to a value."""
        return f"{self.path}[{key}]" if isinstance(key, int) else f"{self.path}.{key}" if self.path else key


_MOST_KEYS = 6
_LONGEST_PATH = 200


def _listed(keys: Collection[str]) -> str:
    return " and ".join(f"`{key[:_LONGEST_PATH]}`" for key in keys) or "no key"


def _kind(value: object) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    kinds = {str: "text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds[type(value)]

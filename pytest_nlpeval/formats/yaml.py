"""Reads YAML into plain values, with the line and column of each.

Refused, each with its place: duplicate keys, more aliases and deeper nesting than a cap allows (an alias bomb), binary values and custom
tags, several documents, numbers that would be rounded. Dates are strings: values are those that JSON has.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import yaml

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import Kind, ProblemLog

YAML_KINDS = {
    "yaml.syntax": Kind("error", "the file is not well-formed YAML", fixed=True),
    "yaml.duplicate-key": Kind("error", "a key appears twice in a mapping", fixed=True),
    "yaml.number": Kind("error", "a number would be rounded", fixed=True),
    "yaml.limit": Kind("error", "aliases, nesting or size beyond what a configuration needs", fixed=True),
}

MAX_BYTES = 1 << 18
MAX_DEPTH = 40
MAX_ALIASES = 500
MAX_VALUES = 50_000

Steps = tuple[str | int, ...]
"""The keys and indices that lead to a value of a document."""
"""The keys and indices that lead to a value of a document."""


class Place(NamedTuple):
    """A line and column of a YAML file, both from 1."""

    line: int
    column: int


class Marked(NamedTuple):
    """A YAML document: its plain `value` and, by path of keys and indices, the `places` of keys and items."""

    value: Any
    places: dict[Steps, Place]

    def place(self, path: Steps) -> Place:
        """Return the place of the nearest part of `path` that has one."""
        while path not in self.places:
            path = path[:-1]
        return self.places[path]


_TAG = "tag:yaml.org,2002:"
MAX_DIGITS = 300


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the plain scalars of YAML 1.2: `off`, `no` and `12:30` are strings, `1e-3` is a number."""


_Loader.yaml_implicit_resolvers = {}
for _name, _expression, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", "-+.0123456789"),
    ("merge", r"<<", "<"),
):
    _Loader.add_implicit_resolver(f"{_TAG}{_name}", re.compile(f"^(?:{_expression})$"), list(_first))


class _Refused(Exception):  # noqa: N818 - never leaves this module
    """The document goes beyond a limit."""


def read_yaml(source: Source, log: ProblemLog) -> Marked | None:
    """Return the document's value with its places, or None with all problems in the log."""
    if len(source.data) > MAX_BYTES:
        log.add("yaml.limit", f"has {len(source.data):,} bytes; a configuration has at most {MAX_BYTES:,}")
        return None
    try:
        _check_limits(source.data)
        loader = _Loader(source.data)
        try:
            node = loader.get_single_node()
            builder = _Builder(loader, log)
            value = builder.build(node, ()) if node is not None else None
        finally:
            loader.dispose()
    except _Refused as refusal:
        message, mark = refusal.args
        log.add("yaml.limit", message, *_place(mark))
        return None
    except yaml.YAMLError as error:
        _log_syntax(error, source, log)
        return None
    builder.places[()] = Place(1, 1)
    return None if log.has_errors else Marked(value, builder.places)


def _check_limits(data: bytes) -> None:
    depth = aliases = 0
    for event in yaml.parse(data, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        aliases += isinstance(event, yaml.AliasEvent)
        if depth > MAX_DEPTH:
            raise _Refused(f"nested more than {MAX_DEPTH} deep", event.start_mark)
        if aliases > MAX_ALIASES:
            raise _Refused(f"more than {MAX_ALIASES} aliases", event.start_mark)


class _Builder:
    """Turns nodes into values; each value reached through an alias counts again towards the cap."""

    def __init__(self, loader: _Loader, log: ProblemLog) -> None:
        self.places: dict[Steps, Place] = {}
        self._loader = loader
        self._log = log
        self._values = 0
        self._open: set[int] = set()

    def build(self, node: yaml.Node, path: Steps) -> Any:
        self._values += 1
        if self._values > MAX_VALUES:
            raise _Refused(f"more than {MAX_VALUES:,} values after following its aliases", node.start_mark)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if node.tag not in (f"{_TAG}map", f"{_TAG}seq"):
            self._log.add("yaml.syntax", f"the tag {node.tag} is not allowed", *_place(node.start_mark))
            return None
        if id(node) in self._open:
            raise _Refused("an alias refers to a value that contains it", node.start_mark)
        self._open.add(id(node))
        value = self._mapping(node, path) if isinstance(node, yaml.MappingNode) else self._sequence(node, path)
        self._open.remove(id(node))
        return value

    def _sequence(self, node: yaml.Node, path: Steps) -> list[Any]:
        items: list[Any] = []
        for index, item in enumerate(node.value):
            self.places[*path, index] = _place(item.start_mark)
            items.append(self.build(item, (*path, index)))
        return items

    def _mapping(self, node: yaml.MappingNode, path: Steps) -> dict[str, Any]:
        self._check_keys(node)
        self._loader.flatten_mapping(node)
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if isinstance(key_node, yaml.ScalarNode):
                self.places[*path, key_node.value] = _place(key_node.start_mark)
                result[key_node.value] = self.build(value_node, (*path, key_node.value))
        return result

    def _check_keys(self, node: yaml.MappingNode) -> None:
        seen: dict[str, int] = {}
        for key, _ in node.value:
            place = _place(key.start_mark)
            if not isinstance(key, yaml.ScalarNode):
                self._log.add("yaml.syntax", "a key must be a plain string", *place)
            elif key.value in seen and key.tag != f"{_TAG}merge":
                first = seen[key.value]
                message = f'the key "{key.value}" appears on line {first} already; keep one of the two'
                self._log.add("yaml.duplicate-key", message, *place)
            else:
                seen[key.value] = place.line

    def _scalar(self, node: yaml.ScalarNode) -> str | int | float | bool | None:
        text: str = node.value
        match node.tag.removeprefix(_TAG):
            case "str" | "merge" | "value":
                return text
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "int" if len(text) <= MAX_DIGITS:
                return int(text)
            case "float" | "int":
                return self._float(text.lower().replace(".inf", "inf").replace(".nan", "nan"), node)
            case _:
                self._log.add("yaml.syntax", f"the tag {node.tag} is not allowed", *_place(node.start_mark))
                return None

    def _float(self, text: str, node: yaml.ScalarNode) -> float:
        """Return a number; what it is not as it is written goes to the log: rounding would change what a tolerance or a limit says."""
        number = float(text)
        if text.lstrip("+-") not in ("inf", "nan") and not _is_as_written(number, text):
            shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
            rounded = "infinity" if math.isinf(number) else repr(number)
            cure = f"write {rounded}" if math.isfinite(number) else "write a smaller one"
            message = f"{shown} would be rounded to {rounded}; {cure}, or the digits in quotation marks where a text may stand"
            self._log.add("yaml.number", message, *_place(node.start_mark))
        return number


_LONGEST = 40
"""How many characters of a number are shown."""


def _is_as_written(number: float, text: str) -> bool:
    """Whether the shortest decimal form of a number has the value that is written."""
    if repr(number) == text:
        return True
    from decimal import Decimal, InvalidOperation

    try:
        return Decimal(text) == Decimal(repr(number))
    except InvalidOperation:  # an exponent that no decimal has
        return False


def _place(mark: yaml.Mark) -> Place:
    return Place(mark.line + 1, mark.column + 1)


_HINTS = {
    "alias": "a name that begins with * needs quotation marks",
    "flow mapping": "a path with {doc} needs quotation marks inside braces",
    "character '|'": 'a value that begins with | needs quotation marks: "|"',
    "cannot start any token": "a value that begins with this needs quotation marks",
    "tab": "indent with blanks",
    "'\\t'": "indent with blanks",
}


def _log_syntax(error: yaml.YAMLError, source: Source, log: ProblemLog) -> None:
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    context = getattr(error, "context", None)
    message = f"{context}: {reason}" if context else str(reason)
    message += next((f"; {hint}" for sign, hint in _HINTS.items() if sign in message), "")
    if (mark := getattr(error, "problem_mark", None)) is not None:
        log.add("yaml.syntax", message, *_place(mark))
    else:
        position = getattr(error, "position", None) or 0
        log.add("yaml.syntax", message, source.data[:position].count(b"\n") + 1)

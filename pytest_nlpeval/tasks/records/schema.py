"""Reads a JSON Schema, and says whether a value satisfies it.

Source: JSON Schema, draft 2020-12, as far as the task's page says. No pattern of a user is run. A place of a value meets a place of the
schema once, so that the time is bounded by their numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import read_json
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.records.keywords import CHECKS, NAME, escaped, fault_of, identity, target_of
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.parsing import SCHEMAS

MOST_PLACES = 10_000

ANNOTATIONS = frozenset(
    [
        "$schema",
        "$id",
        "$anchor",
        "$comment",
        "$defs",
        "definitions",
        "$vocabulary",
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "format",
    ]
)
"""Keywords that say nothing of a value."""

_INNER = ("additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else")
_INNER_LISTS = ("prefixItems", "allOf", "anyOf", "oneOf")
_INNER_OBJECTS = ("properties", "$defs", "definitions")


Place: TypeAlias = tuple[str | int, ...]
"""The keys and ranks that lead to a part of a value, and `NAME` behind a key to the key itself: no two parts have one place."""


class Violation(NamedTuple):
    """Where a value breaks a schema: the pointer of the keyword, the place in the value, and what is wrong."""

    keyword: str
    steps: Place
    message: str

    @property
    def place(self) -> str:
        """The place in the value as text: `items[2].price`."""
        return "".join(map(_written, self.steps)).removeprefix(".")

    def __str__(self) -> str:
        """Return the place in the value, what is wrong, and the place in the schema."""
        return f"{self.place or 'the record'} {self.message} (#{self.keyword})"


def _written(step: str | int) -> str:
    return f".{step}" if isinstance(step, str) else " (its name)" if step == NAME else f"[{step}]"


@dataclass(slots=True, eq=False)
class Schema:
    """A schema whose keywords have values of the right types; `places` has its schemas by their pointers."""

    places: dict[str, Any]
    _allowed: dict[str, frozenset[Hashable]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def allowed(self, pointer: str, values: list[Any]) -> frozenset[Hashable]:
        """Return the identities of the values that are allowed at a pointer: an enumeration may be as long as the list that it is about."""
        if pointer not in self._allowed:
            self._allowed[pointer] = frozenset(map(identity, values))
        return self._allowed[pointer]

    def violation(self, value: Any) -> Violation | None:
        """Return how a value of JSON breaks the schema, None if it does not."""
        return Check(self).violation("", value, ())


@dataclass(slots=True)
class Check:
    """The check of one value; what a place of it has come to at a place of the schema is kept."""

    schema: Schema
    _known: dict[tuple[str, Place], Violation | None] = field(default_factory=dict)

    def violation(self, pointer: str, value: Any, place: Place) -> Violation | None:
        """Return how the part of the value at a place breaks the schema at a pointer, None if it does not."""
        known = (pointer, place)
        if known not in self._known:
            self._known[known] = self._worked_out(pointer, value, place)
        return self._known[known]

    def _worked_out(self, pointer: str, value: Any, place: Place) -> Violation | None:
        schema = self.schema.places[pointer]
        if isinstance(schema, bool):
            return None if schema else Violation(pointer, place, "is not allowed")
        for keyword, expected in schema.items():
            check = CHECKS.get(keyword)
            if check is None:
                continue
            fault = check(self, f"{pointer}/{escaped(keyword)}", schema, expected, value, place)
            if fault:
                return fault if isinstance(fault, Violation) else Violation(f"{pointer}/{escaped(keyword)}", place, str(fault))
        return None


def read_schema(source: Source, _documents: Documents, _options: Options, log: ProblemLog) -> Schema | None:
    """Return the schema in a file, or None with all problems in the log."""
    entry = read_json(source, log, SCHEMAS)
    if entry is None:
        return None
    places = dict(_places("", entry.value))
    unchecked: dict[str, str] = {}
    for pointer, schema in places.items():
        for keyword, message in _faults(schema, places):
            log.add(
                "records.schema", f"#{pointer}/{escaped(keyword)} {message}" if keyword else f"#{pointer or '/'} {message}", 1
            )
        for keyword in _unchecked(schema):
            unchecked.setdefault(keyword, pointer)
    if len(places) > MOST_PLACES:
        log.add("records.schema", f"has {len(places):,} schemas in it, at most {MOST_PLACES:,} are allowed", 1)
    for keyword, pointer in unchecked.items():
        log.add("records.schema-keyword", f"the keyword {keyword} (#{pointer}/{escaped(keyword)}) is not checked", 1)
    if not log.has_errors:
        for pointer in _circles(places):
            log.add("records.schema", f"#{pointer} refers to itself; expected references that lead to an end", 1)
    return None if log.has_errors else Schema(places)


def _places(pointer: str, schema: Any) -> Iterator[tuple[str, Any]]:
    """Yield all schemas in a schema, itself first, by their pointers."""
    stack = [(pointer, schema)]
    while stack:
        at, held = stack.pop()
        yield at, held
        if isinstance(held, dict):
            stack += list(_inner(at, held))[::-1]


def _inner(pointer: str, schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for keyword, value in schema.items():
        at = f"{pointer}/{escaped(keyword)}"
        if keyword in _INNER:
            yield at, value
        elif keyword in _INNER_LISTS and isinstance(value, list):
            yield from ((f"{at}/{rank}", held) for rank, held in enumerate(value))
        elif keyword in _INNER_OBJECTS and isinstance(value, dict):
            yield from ((f"{at}/{escaped(key)}", held) for key, held in value.items())


def _faults(schema: Any, places: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the keywords of a schema that cannot be, and why; "" for the schema itself."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, dict):
        yield "", "is no schema; expected an object, true or false"
        return
    for keyword, value in schema.items():
        if message := fault_of(keyword, value):
            yield keyword, message
        elif keyword == "$ref" and target_of(value) not in places:
            yield keyword, f'is "{value}"; expected the place of a schema in this file, such as "#/$defs/item"'


def _unchecked(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for keyword in schema:
            if (
                keyword not in CHECKS
                and keyword not in ANNOTATIONS
                and keyword not in ("then", "else", "minContains", "maxContains")
            ):
                yield keyword
        if "patternProperties" in schema and "additionalProperties" in schema:
            yield "additionalProperties"


_SAME_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")


def _circles(places: dict[str, Any]) -> Iterator[str]:
    """Yield schemas that a value meets again at the same place."""
    done: set[str] = set()
    for start in places:
        trail: dict[str, None] = {}
        stack: list[tuple[str, bool]] = [(start, False)]
        while stack:
            pointer, is_left = stack.pop()
            if is_left:
                trail.pop(pointer)
                done.add(pointer)
            elif pointer in trail:
                yield pointer
                return
            elif pointer not in done:
                trail[pointer] = None
                stack.append((pointer, True))
                stack += [(inner, False) for inner in _at_the_same_place(pointer, places)]


def _at_the_same_place(pointer: str, places: dict[str, Any]) -> Iterator[str]:
    schema = places[pointer]
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        yield target_of(schema["$ref"])
    for keyword in _SAME_PLACE:
        held = schema.get(keyword)
        if isinstance(held, list):
            yield from (f"{pointer}/{keyword}/{rank}" for rank in range(len(held)))
        elif held is not None:
            yield f"{pointer}/{keyword}"

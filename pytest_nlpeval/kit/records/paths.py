"""Paths to values in JSON: `scores.match.value`, `turns.0.text`, `metrics[name=Recall].score`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pytest_nlpeval.kit.records.layout import text_of
from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.wording import quoted

MOST_STEPS = 20


class Step(NamedTuple):
    """A step as it is written; `[key=text]` behind the name picks an element of the list with that name."""

    written: str
    name: str
    key: str = ""
    text: str = ""


class Run(NamedTuple):
    """Some next steps of a path that may be one key of an object, the step behind them, and what then picks an element of the list."""

    key: str
    end: int
    last: Step | None = None


class AmbiguousError(LookupError):
    """Several elements of a list have the text that a path asks for."""


@frozen_dataclass(frozen=True, slots=True)
class Path:
    """Steps with dots between; `runs` has, for each step, the runs of steps that begin there, the longest first.

    At an object, the longest run of the next steps that is a key is taken. At a list, a step of digits takes that element, from 0, and
    `name[key=text]` the one that is an object with this text under the key; else a list of one element is that element. The text in the
    brackets ends at the first `]` behind which a dot or nothing stands. The path `.` leads to the value itself.
    """

    steps: tuple[Step, ...]
    runs: tuple[tuple[Run, ...], ...]

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, text: str) -> Path:
        """Return the path that is written so; `ValueError` if it has more than `MOST_STEPS` steps.

        >>> [step.written for step in Path.of("a.b[c=d.e].f").steps]
        ['a', 'b[c=d.e]', 'f']
        """
        steps = () if text == "." else tuple(_steps(text))
        if len(steps) > MOST_STEPS:
            raise ValueError(f"the path {text[:60]}… has {len(steps)} steps, at most {MOST_STEPS} are allowed")
        return cls(steps, tuple(tuple(_runs(steps, start)) for start in range(len(steps))))

    @property
    def written(self) -> str:
        """The path as text."""
        return ".".join(step.written for step in self.steps) or "."

    @property
    def is_key(self) -> bool:
        """Whether the path is a single key."""
        return len(self.steps) == 1 and not self.steps[0].key

    def follow(self, value: Any, *, is_list: bool = False, trail: list[str | int] | None = None) -> Any:
        """Return what the path leads to from a value of JSON, None for nothing; with `is_list` a list at its end stays one.

        Keys and places on the way go to the `trail`. Raises `AmbiguousError`.

        >>> Path.of("a.b.c").follow({"a.b": [{"c": 1}], "a": {"b": {"c": 2}}})
        1
        """
        at = 0
        while at < len(self.steps):
            keys, at = self._keys(value, at)
            if not keys:
                return None
            for key in keys:
                value = value[key]
            if trail is not None:
                trail += keys
        return value if is_list else alone(value)

    def _keys(self, value: Any, at: int) -> tuple[list[str | int], int]:
        """Return the keys and places that lead on from a value, none if nothing does, and the step behind them."""
        if isinstance(value, dict):
            run = next((run for run in self.runs[at] if run.key in value), None)
            if run is None:
                return [], at
            picked = [] if run.last is None else _picked(value[run.key], run.last)
            return ([] if picked is None else [run.key, *picked]), run.end
        if isinstance(value, list):
            step = self.steps[at].written
            if step.isascii() and step.isdecimal():
                return ([int(step)] if len(step) < 10 and int(step) < len(value) else []), at + 1
            return ([0] if len(value) == 1 else []), at
        return [], at


def alone(value: Any) -> Any:
    """Return the element of a list that has one, and of a list in it; anything else as it is."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value


_STEP = re.compile(r"([^.\[]*)\[([^=\]]+)=(.*?)\](?=\.|\Z)|[^.]*", re.DOTALL)


def _steps(text: str) -> Iterator[Step]:
    start = 0
    while start <= len(text) and (match := _STEP.match(text, start)):
        yield Step(match[0], *(match.group(1, 2, 3) if match[2] else (match[0],)))
        start = match.end() + 1


def _runs(steps: Sequence[Step], start: int) -> Iterator[Run]:
    for end in range(len(steps), start, -1):
        before = "".join(f"{step.written}." for step in steps[start : end - 1])
        last = steps[end - 1]
        yield Run(before + last.written, end)
        if last.key:
            yield Run(before + last.name, end, last)


def _picked(elements: Any, step: Step) -> list[str | int] | None:
    """Return the place of the one element that a step picks, None if there is none; a list of one list is that list."""
    if not isinstance(elements, list):
        return None
    places: list[str | int] = [
        place
        for place, element in enumerate(elements)
        if isinstance(element, dict) and step.key in element and text_of(element[step.key]) == step.text
    ]
    if len(places) > 1:
        raise AmbiguousError(f"two elements of `{step.name}` have {quoted(step.text)} as {quoted(step.key)}")
    if not places and len(elements) == 1 and (inner := _picked(elements[0], step)):
        return [0, *inner]
    return places or None

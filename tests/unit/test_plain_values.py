"""Plain values: what a task gives is the same whatever classes its texts and numbers are of, and none of their code runs later."""

from __future__ import annotations

import sys
from collections import UserDict
from dataclasses import replace
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

import numpy as np
import pytest

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanation, Link, Passage
from pytest_nlpeval.plain_values import plain
from pytest_nlpeval.problems import Kind
from pytest_nlpeval.task import Starter, StarterGate


class Kinds(StrEnum):
    """A text that is a member."""

    NOUN = "noun"


class Ranks(IntEnum):
    """A number that is a member."""

    FIRST = 1


def end(*_: object, **__: object) -> Any:
    sys.exit(0)


METHODS = set(dir(str)) - set(dir(type)) | {
    "__eq__",
    "__ne__",
    "__lt__",
    "__gt__",
    "__hash__",
    "__str__",
    "__repr__",
    "__reduce_ex__",
}
Loud: Any = type("Loud", (str,), dict.fromkeys(METHODS - {"__new__"}, end))
"""Texts of which every method ends the process."""


class Pair(NamedTuple):
    """A tuple of another package."""

    first: str
    second: float


class Own(Explanation):
    """An explanation of another package."""


LOUD = Loud("x")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (LOUD, "x"),
        (Kinds.NOUN, "noun"),
        (Ranks.FIRST, 1),
        (np.str_("x"), "x"),
        (np.float64(0.5), 0.5),
        ((LOUD, (LOUD,)), ("x", ("x",))),
        ([LOUD], ["x"]),
        (Pair("a", 0.5), ("a", 0.5)),
        (UserDict({"a": LOUD}), {"a": "x"}),
        ({"a": [Ranks.FIRST]}, {"a": [1]}),
        (Own("1", LOUD, "m", chain=(Link(LOUD, "r", "t"),)), Explanation("1", "x", "m", chain=(Link("x", "r", "t"),))),
        (Passage(LOUD, ((0, 1),)), Passage("x", ((0, 1),))),
        (Kind("error", LOUD), Kind("error", "x")),
        (Starter({}, (StarterGate(LOUD, np.float64(1), "m"),)), Starter({}, (StarterGate("x", 1.0, "m"),))),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_part_is_of_a_class_of_python_or_of_this_package(given: object, expected: object) -> None:
    made = plain(given)
    assert made == expected
    assert _classes(made) == _classes(expected)


def _classes(value: Any) -> Any:
    parts = value.items() if isinstance(value, dict) else value if isinstance(value, tuple | list) else ()
    return type(value), [_classes(part) for part in parts]


EVIDENCE = Evidence.of(["1", "2"], {"right": np.array([0, 1], np.int8)})
EXPLANATION = Explanation(
    "1", "missed", "m", 1, measures=("a",), passage=Passage("text", ((0, 1),)), chain=(Link("a", "b", "c"),)
)


@pytest.mark.parametrize("given", ["x", 1, 0.5, True, None, (), [], {}, EXPLANATION, EVIDENCE, np.zeros(3), end], ids=type)
def test_what_is_plain_is_returned_itself(given: object) -> None:
    assert plain(given) is given


def test_the_arrays_of_evidence_stay_the_same() -> None:
    units: Any = (LOUD, "2")
    made = plain(replace(EVIDENCE, units=units))
    assert [*map(type, made.units)] == [str, str]
    assert made.columns["right"] is EVIDENCE.columns["right"]

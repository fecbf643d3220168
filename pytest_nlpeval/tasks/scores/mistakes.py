"""What is wrong with the option `results` that its schema cannot tell."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pytest_nlpeval.wording import nearest, quoted

MOST_RESULTS = 50
MOST_OF_ANY = 100
"""The greatest k of `pass@k` where items may have any number of repeats."""

RESERVED = ("all", "group", "macro", "coverage", "errors")
PLAIN = ("mean", "sum", "pass_rate", "flaky", "within_sd")
OF_PASSES = ("pass_rate", "pass@", "pass^", "flaky")

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,49}")
_OF_K = re.compile(r"pass[@^]([1-9][0-9]{0,3})")
_PERCENTILE = re.compile(r"p[1-9][0-9]?")

Mistake = tuple[tuple[str | int, ...], str]
"""The keys and places in the options that lead to a mistake, and what is said of it."""


def mistakes_in(results: Mapping[str, Mapping[str, Any]], repeats: int | str, *, is_list: bool) -> Iterator[Mistake]:
    """Yield all mistakes in the settings of results by their names; `is_list` says that the option is a list of names."""
    if len(results) > MOST_RESULTS:
        yield ("results",), f"has {len(results)} results; at most {MOST_RESULTS} are allowed"
    for rank, (name, settings) in enumerate(results.items()):
        steps = ("results", rank if is_list else name)
        if not _NAME.fullmatch(name):
            expected = "a letter or _, then up to 49 letters, digits, _ or -"
            cure = f"name the field by `results: {{score: {name}}}`"
            yield steps, f"{quoted(name)} cannot be a result's name; expected {expected}; {cure}"
        elif name in RESERVED:
            yield steps, f"{quoted(name)} is part of the names of measures; call the result something else"
        for inner, message in _of_result(settings, repeats):
            yield (*steps, *inner), f"{name}: {message}"


def _of_result(settings: Mapping[str, Any], repeats: int | str) -> Iterator[Mistake]:
    low, high = settings.get("range", (None, None))
    if low is not None and high is not None and low >= high:
        yield ("range",), f"the range ends at {high}, which is not above {low}"
    numbers: list[tuple[tuple[str, ...], Any]] = [(("pass",), settings.get("pass")), (("missing",), settings.get("missing"))]
    numbers += [(("values", text), number) for text, number in settings.get("values", {}).items()]
    numbers += [(("range",), low), (("range",), high), (("skip",), settings.get("skip"))]
    for steps, number in numbers:
        if number is not None and not (math.isfinite(number) and abs(number) <= 1e100):
            yield steps, "expected a finite number of at most 1e100"
        elif number is not None and steps[0] != "skip" and not (_or(low, -math.inf) <= number <= _or(high, math.inf)):
            yield steps, f"{number} lies outside the range {_shown(low)} to {_shown(high)}"
    if "" in map(str, settings.get("values", {})):
        yield ("values",), "a text without characters is no value already; leave it out"
    if settings.get("missing") is not None and settings.get("skip"):
        yield ("skip",), "`missing` and `skip` do not go together: a missing value counts as a number, or its item is left out"
    yield from _of_measures(settings.get("measures", ()), repeats, has_pass=settings.get("pass") is not None)


def _of_measures(measures: Iterable[str], repeats: int | str, *, has_pass: bool) -> Iterator[Mistake]:
    most = MOST_OF_ANY if repeats == "any" else int(repeats)
    for rank, name in enumerate(measures):
        steps = ("measures", rank)
        of_k = _OF_K.fullmatch(name)
        if not (of_k or name in PLAIN or _PERCENTILE.fullmatch(name)):
            yield steps, f"there is no measure {quoted(name)}; {nearest(name, (*PLAIN, 'pass@2', 'pass^2', 'p50', 'p95'))}"
        elif name.startswith(OF_PASSES) and not has_pass:
            yield steps, f"`{name}` needs `pass`, the value from which a value passes"
        elif of_k and int(of_k[1]) > most:
            yield steps, f"`{name}` looks at {of_k[1]} repeats of an item; with `repeats: {repeats}` at most {most} are allowed"


def _or(end: float | None, otherwise: float) -> float:
    return otherwise if end is None else end


def _shown(end: float | None) -> str:
    return "-" if end is None else f"{end}"

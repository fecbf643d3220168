"""What a task of another package, its roles and its measures must be made of: whatever else they are would fail far from there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Measure, Range
from pytest_nlpeval.samples import ByDocument, Sample
from pytest_nlpeval.task import Role, Starter, Task

_Fits = Callable[[Any], bool]


def _is_tuple_of(kind: type) -> _Fits:
    return lambda value: isinstance(value, tuple) and all(isinstance(each, kind) for each in value)


def _is_optional(fits: _Fits) -> _Fits:
    return lambda value: value is None or fits(value)


def _is(*kinds: type) -> _Fits:
    return lambda value: isinstance(value, kinds)


_TASK: Mapping[str, tuple[_Fits, str]] = {
    **dict.fromkeys(("name", "summary", "version"), (_is(str), "text")),
    "roles": (lambda value: bool(value) and _is_tuple_of(Role)(value), "a tuple of Role, with one at least"),
    **dict.fromkeys(("options_schema", "problems"), (_is(Mapping), "a mapping")),
    **dict.fromkeys(("options", "count", "measures", "signature"), (callable, "a function")),
    **dict.fromkeys(
        ("count_together", "native", "notes", "graphs", "remedy", "of_then", "asks", "restate", "recognise"),
        (_is_optional(callable), "a function or None"),
    ),
    **dict.fromkeys(("reading", "falls"), (_is_tuple_of(str), "a tuple of names")),
    "starter": (_is(Starter), "a Starter"),
}
_ROLE: Mapping[str, tuple[_Fits, str]] = {
    "name": (_is(str), "text"),
    "read": (callable, "a function"),
}
_MEASURE: Mapping[str, tuple[_Fits, str]] = {
    **dict.fromkeys(("name", "definition", "formula", "group", "since", "asked"), (_is(str), "text")),
    "values": (callable, "a function"),
    "missing": (lambda value: isinstance(value, str) or callable(value), "text or a function"),
    "range": (_is(Range), "a Range"),
    "better": (lambda value: value in ("higher", "lower"), '"higher" or "lower"'),
    "was": (_is_tuple_of(str), "a tuple of names"),
    "right": (_is_optional(_is(int, float)), "a number or None"),
}


def check_task(task: Task) -> None:
    """Raise `TypeError`, with what was expected, for a field of a task or of one of its roles that is of another type."""
    _check(task, _TASK, "the task")
    for role in task.roles:
        _check(role, _ROLE, f"the role {role.name} of the task")


def check_measure(measure: Measure) -> Measure:
    """Return a measure; raise `TypeError`, with what was expected, for a field of it that is of another type."""
    _check(measure, _MEASURE, "the measure")
    return measure


def finite_values(values: Callable[[Sample], Any], sample: Sample) -> Any:
    """Return the values of a measure: one for each resample, NaN for none. Infinity would pass every minimum."""
    numbers = np.asarray(values(sample), np.float64)
    are_values = not isinstance(sample, ByDocument)
    if numbers.ndim != 1 or (are_values and len(numbers) != sample.size):
        raise TypeError(f"it gives numbers of shape {numbers.shape}, expected (R,)")
    if are_values and np.isinf(numbers).any():
        raise ValueError("it gives an infinite number; give NaN where there is no value")
    return numbers


def _check(thing: object, fields: Mapping[str, tuple[_Fits, str]], what: str) -> None:
    for name, (fits, expected) in fields.items():
        if not fits(value := getattr(thing, name)):
            raise TypeError(f"`{name}` of {what} is {type(value).__name__}, expected {expected}")

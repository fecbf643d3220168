"""Fields as Donut's scorer counts them, for the profile `donut`.

Source: Kim et al., OCR-free Document Understanding Transformer, 2022; the F1 of fields in the package donut-python 1.0.9. All
values at a path are one multiset of texts, wherever in the record they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from pytest_nlpeval.tasks.records.differences import Difference, in_order
from pytest_nlpeval.tasks.records.matching import Tally
from pytest_nlpeval.tasks.records.trees import Path


def donut_tally(gold: dict[str, Any], system: dict[str, Any], root: Path) -> Tally:
    """Return the numbers of two records by path: values of gold, of the system, and those that both have as often as both have them."""
    tally = Tally(1)
    sides = [Counter((value.path, value.text) for value in _values(record, root)) for record in (gold, system)]
    for numbers, values in zip((tally.gold, tally.system), sides, strict=True):
        for (path, _), number in values.items():
            numbers[path] += number
    for (path, _), number in (sides[0] & sides[1]).items():
        tally.credit[path] += number
    return tally


def donut_differences(gold: dict[str, Any], system: dict[str, Any], root: Path) -> list[Difference]:
    """Return at which values two records differ: of those at one path that have no equal, one of either side is together a wrong value."""
    mine, theirs = (list(_values(record, root)) for record in (gold, system))
    common = Counter((value.path, value.text) for value in mine) & Counter((value.path, value.text) for value in theirs)
    rest, spare = _without(mine, common), _without(theirs, common)
    found: list[Difference] = []
    for value in rest:
        partner = next((place for place, each in enumerate(spare) if each.path == value.path), None)
        if partner is None:
            found.append(Difference("missing", value.path, value.place, value.text, None))
        else:
            found.append(Difference("wrong", value.path, value.place, value.text, spare.pop(partner).text))
    found += [Difference("spurious", value.path, value.place, None, value.text) for value in spare]
    return in_order(found)


def _without(values: list[_Value], common: Counter[tuple[str, str]]) -> list[_Value]:
    """Return values without those that both sides have, the first of equal ones."""
    left = common.copy()
    kept: list[_Value] = []
    for value in values:
        if left[value.path, value.text]:
            left[value.path, value.text] -= 1
        else:
            kept.append(value)
    return kept


class _Value(NamedTuple):
    """A value: the name of its path, its text, and its place in the record."""

    path: str
    text: str
    place: str


def _values(value: Any, path: Path, place: str = "") -> Iterator[_Value]:
    """Yield a record's values; what Python calls false stands for nothing as the value of a key."""
    for key, held in value.items():
        child = path.child(key)
        if child.is_open and held:
            yield from _of_one(held, child, f"{place}.{key}" if place else key)


def _of_one(value: Any, path: Path, place: str) -> Iterator[_Value]:
    if isinstance(value, dict):
        yield from _values(value, path, place)
    elif isinstance(value, list):
        are_objects = all(isinstance(held, dict) for held in value)
        for rank, held in enumerate(value):
            is_value = isinstance(held, str | int | Decimal) and not isinstance(held, bool)
            if are_objects:
                yield from _values(held, path, f"{place}[{rank}]")
            elif is_value and path.counts and (text := _written(held)):
                yield _Value(path.name, text, f"{place}[{rank}]")
    elif path.counts:
        yield _Value(path.name, _written(value), place)


def _written(value: Any) -> str:
    """Return what Python writes for a value, without white space around it."""
    return str(float(value) if isinstance(value, Decimal) else value).strip()

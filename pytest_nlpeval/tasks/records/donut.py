"""Fields as Donut's scorer counts them, for the profile `donut`.

Source: Kim et al., OCR-free Document Understanding Transformer, 2022; the F1 of fields in the package donut-python 1.0.9. All
values at a path are one multiset of texts, wherever in the record they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from pytest_nlpeval.tasks.records.matching import Tally
from pytest_nlpeval.tasks.records.trees import Path


def donut_tally(gold: dict[str, Any], system: dict[str, Any], root: Path) -> Tally:
    """Return the numbers of two records by path: values of gold, of the system, and those that both have as often as both have them."""
    tally = Tally(1)
    sides = [Counter(_values(record, root)) for record in (gold, system)]
    for numbers, values in zip((tally.gold, tally.system), sides, strict=True):
        for (path, _), number in values.items():
            numbers[path] += number
    for (path, _), number in (sides[0] & sides[1]).items():
        tally.credit[path] += number
    return tally


def _values(value: Any, path: Path) -> Iterator[tuple[str, str]]:
    """Yield the paths and the texts of a record's values; what Python calls false stands for nothing as the value of a key."""
    for key, held in value.items():
        child = path.child(key)
        if child.is_open and held:
            yield from _of_one(held, child)


def _of_one(value: Any, path: Path) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        yield from _values(value, path)
    elif isinstance(value, list):
        if all(isinstance(held, dict) for held in value):
            for held in value:
                yield from _values(held, path)
            return
        for held in value:
            is_value = isinstance(held, str | int | Decimal) and not isinstance(held, bool)
            if is_value and path.counts and (text := _written(held)):
                yield path.name, text
    elif path.counts:
        yield path.name, _written(value)


def _written(value: Any) -> str:
    """Return what Python writes for a value, without white space around it."""
    return str(float(value) if isinstance(value, Decimal) else value).strip()

"""Flat records, column by column: of very many records most are objects of scalars, which meet by their keys alone.

Whatever else a record has (objects, lists, maps, alternatives) is compared by `matching`. Both give the same numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain, compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.tasks.records.bounds import OF_GOLD, fault_of_key
from pytest_nlpeval.tasks.records.forms import Form, Forms
from pytest_nlpeval.tasks.records.trees import Path

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]

_SCALARS = frozenset((str, int, Decimal, bool, type(None)))
_NUMBERS = frozenset((int, Decimal))

_AT_A_TIME = 2_000
"""How many records are looked at together: few enough that they stay near the processor while all is done with them."""


@dataclass(slots=True)
class Cells:
    """What flat records have at a key: the rows that have it, those of them in which that is nothing, and the types of the values."""

    rows: list[Rows] = field(default_factory=list)
    nothing: list[int] = field(default_factory=list)
    types: set[type] = field(default_factory=set)

    def note(self, rows: Rows, values: Sequence[Any], types: set[type], forms: Forms) -> None:
        """Note the values of some rows, and their types."""
        self.rows.append(rows)
        self.types |= types
        texts: Sequence[str] = values if types == {str} else [value for value in values if type(value) is str]
        empty: set[str | None] = {*forms.nothing_among(texts)}
        if type(None) in types and forms.is_nothing(None):
            empty.add(None)
        if empty:
            self.nothing += [row for row, value in zip(rows.tolist(), values, strict=True) if value in empty]

    def fields(self, rows: Flags) -> Flags:
        """Return which of the flagged rows have a field."""
        has_field = np.zeros(len(rows), np.bool_)
        for some in self.rows:
            has_field[some] = True
        has_field[self.nothing] = False
        return has_field & rows


@dataclass(slots=True)
class Flat:
    """The flat ones among some records: `is_flat` flags them, `columns` tell of their keys.

    Flat ones are within all bounds: a record with a key that may not be is none. `order` has all rows that have a
    record, as these follow one another in the file: then they are near each other in memory.
    """

    is_flat: Flags
    columns: dict[str, Cells]
    order: Sequence[int]

    @classmethod
    def of(cls, records: Sequence[Any], root: Path, forms: Forms, order: Sequence[int] | None = None) -> Flat:
        """Return the flat ones of records, whose order is that of the file unless told otherwise; what is no object is one without keys."""
        order = range(len(records)) if order is None else order
        flat = cls(np.ones(len(records), np.bool_), {}, order)
        are_plain: dict[tuple[str, ...], bool] = {}
        for start in range(0, len(order), _AT_A_TIME):
            for keys, rows in flat._shapes(records, order[start : start + _AT_A_TIME]).items():
                if keys not in are_plain:
                    are_plain[keys] = len(keys) <= OF_GOLD.scalars and all(_is_plain(key, root.child(key)) for key in keys)
                if are_plain[keys]:
                    flat._note(keys, rows, records, root, forms)
                else:
                    flat.is_flat[rows] = False
        return flat

    def _shapes(self, records: Sequence[Any], rows: Sequence[int]) -> Mapping[tuple[str, ...], list[int]]:
        """Return the rows of objects, by their keys."""
        shapes: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for row in rows:
            record = records[row]
            if type(record) is dict:
                shapes[tuple(record)].append(row)
            elif isinstance(record, dict | list):
                self.is_flat[row] = False
        return shapes

    def _note(self, keys: Sequence[str], rows: list[int], records: Sequence[Any], root: Path, forms: Forms) -> None:
        """Note those rows of objects with the same keys in which all values are scalars; the others are not flat."""
        columns, types = _columns_of(records, rows)
        if not _SCALARS.issuperset(chain.from_iterable(types)):
            self.is_flat[rows] = False
            rows = [row for row in rows if _SCALARS.issuperset(map(type, records[row].values()))]
            self.is_flat[rows] = True
            columns, types = _columns_of(records, rows)
        places = np.array(rows)
        for key, values, some in zip(keys, columns, types, strict=bool(rows)):
            if root.child(key).counts:
                if key not in self.columns:
                    self.columns[key] = Cells()
                self.columns[key].note(places, values, some, forms)


def _columns_of(records: Sequence[Any], rows: Sequence[int]) -> tuple[list[tuple[Any, ...]], list[set[type]]]:
    """Return the values of some objects with the same keys, a tuple for each key, and the types of these."""
    columns = list(zip(*(records[row].values() for row in rows), strict=True))
    return columns, [set(map(type, values)) for values in columns]


def _is_plain(key: str, path: Path) -> bool:
    """Whether a scalar at a key, which leads to a path, is one field there and nothing else."""
    return not path.rule.is_map and path.rule.list != "any" and path.counts == path.is_open and not fault_of_key(key)


@dataclass(frozen=True, slots=True)
class Met:
    """How a key of flat records meets: for each row whether gold has a field there, whether the system has, and the credit.

    `wrong` are the rows in which both have one and the credit is not whole, with the two values.
    """

    path: str
    gold: Flags
    system: Flags
    credit: Rows
    wrong: list[tuple[int, Any, Any]]


class Side(NamedTuple):
    """The records of a side, and the flat ones among them."""

    records: Sequence[Any]
    flat: Flat


def met(gold: Side, system: Side, rows: Flags, root: Path, forms: Forms) -> Iterator[Met]:
    """Yield how each key of the flagged rows, which are flat on both sides, meets; other rows have nothing there.

    Values that are equal as they stand in the files, as most are, need no normal forms.
    """
    unlike = _unlike(gold, system, rows)
    for key in {**gold.flat.columns, **system.flat.columns}:
        path = root.child(key)
        in_gold, in_system = (side.flat.columns.get(key, Cells()).fields(rows) for side in (gold, system))
        credit = np.where(in_gold & in_system, forms.unit, 0)
        table: dict[tuple[type, Any], Form] = {}
        wrong: list[tuple[int, Any, Any]] = []
        parts: list[int] = []
        for row in unlike.get(key, ()):
            if not credit[row]:
                continue
            one, two = gold.records[row][key], system.records[row][key]
            first, second = _form(one, path, forms, table), _form(two, path, forms, table)
            if first != second and (own := forms.credit(first, second, path.rule)) < forms.unit:
                wrong.append((row, one, two))
                parts.append(own)
        credit[[row for row, _, _ in wrong]] = parts
        yield Met(path.name, in_gold, in_system, credit, wrong)


def _unlike(gold: Side, system: Side, rows: Flags) -> Mapping[str, list[int]]:
    """Return, for each key, the flagged rows in which both sides have values that are not equal as they stand."""
    unlike: defaultdict[str, list[int]] = defaultdict(list)
    doubtful = _doubtful(gold.flat, system.flat)
    for row in compress(system.flat.order, rows[system.flat.order].tolist()):
        mine, theirs = gold.records[row], system.records[row]
        if type(theirs) is not dict or (mine == theirs and not doubtful):
            continue
        for key, value in mine.items():
            if key in theirs and (theirs[key] != value or (key in doubtful and type(value) is not type(theirs[key]))):
                unlike[key].append(row)
    return unlike


def _doubtful(gold: Flat, system: Flat) -> frozenset[str]:
    """Return the keys at which true and false stand beside numbers: true is 1 for Python, and for nobody else."""
    types = {
        key: set().union(*(flat.columns[key].types for flat in (gold, system) if key in flat.columns))
        for key in {**gold.columns, **system.columns}
    }
    return frozenset(key for key, some in types.items() if bool in some and not some.isdisjoint(_NUMBERS))


def _form(value: Any, path: Path, forms: Forms, table: dict[tuple[type, Any], Form]) -> Form:
    """Return the form of a scalar, which is worked out once for a column."""
    key = type(value), value
    if key not in table:
        table[key] = forms.of_scalar(value, path.rule)
    return table[key]

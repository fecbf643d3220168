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
from pytest_nlpeval.tasks.records.forms import READ, Form, Forms
from pytest_nlpeval.tasks.records.trees import Path

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]

_SCALARS = frozenset((str, int, Decimal, bool, type(None)))
_NUMBERS = frozenset((int, Decimal))

_AT_A_TIME = 2_000
"""How many records are looked at together: few enough that they stay near the processor while all is done with them."""

Shapes = Mapping[tuple[str, ...], list[int]]
"""The rows of objects, by their keys."""


class Held(NamedTuple):
    """What objects have at a key: the rows that have it, the values there, and the types of these."""

    rows: Rows
    values: Sequence[Any]
    types: set[type]


@dataclass(slots=True)
class Cells:
    """What flat records have at a key: the rows that have it, those of them in which that is nothing, and the types of the values.

    `texts` are the different texts among the values, if these are read as numbers or dates.
    """

    rows: list[Rows] = field(default_factory=list)
    nothing: list[int] = field(default_factory=list)
    types: set[type] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)

    def note(self, held: Held, forms: Forms, *, are_read: bool) -> None:
        """Note what some objects have at the key."""
        rows, values, types = held
        self.rows.append(rows)
        self.types |= types
        texts: Sequence[str] = values if types == {str} else [value for value in values if type(value) is str]
        if are_read:
            self.texts.update(texts)
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
    """The flat ones among some records: `is_flat` flags them, `is_object` those that are objects, `columns` tell of their keys.

    Flat ones are within all bounds: a record with a key that may not be is none. `order` has all rows that have a
    record, as these follow one another in the file: then they are near each other in memory.
    """

    is_flat: Flags
    is_object: Flags
    columns: dict[str, Cells]
    order: Sequence[int]

    @classmethod
    def of(cls, records: Sequence[Any], root: Path, forms: Forms, order: Sequence[int] | None = None) -> Flat:
        """Return the flat ones of records, whose order is that of the file unless told otherwise; what is no object is one without keys."""
        order = range(len(records)) if order is None else order
        number = len(records)
        flat = cls(np.ones(number, np.bool_), np.zeros(number, np.bool_), {}, order)
        are_plain: dict[str, bool] = {}
        for start in range(0, len(order), _AT_A_TIME):
            shapes = flat._shapes(records, order[start : start + _AT_A_TIME])
            held = _held(shapes, records)
            for key in held.keys() - are_plain.keys():
                are_plain[key] = _is_plain(key, root.child(key))
            if unfit := _unfit(shapes, held, are_plain):
                flat.is_flat[list(unfit)] = False
                held = _held({keys: [row for row in rows if row not in unfit] for keys, rows in shapes.items()}, records)
            for key, of_key in held.items():
                path = root.child(key)
                if path.counts:
                    if key not in flat.columns:
                        flat.columns[key] = Cells()
                    flat.columns[key].note(of_key, forms, are_read=path.rule.value in READ)
        return flat

    def _shapes(self, records: Sequence[Any], rows: Sequence[int]) -> Shapes:
        """Return the rows of objects, by their keys."""
        shapes: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        objects = [row for row in rows if type(records[row]) is dict]
        if len(objects) < len(rows):
            self.is_flat[[row for row in rows if isinstance(records[row], dict | list)]] = False
            self.is_flat[objects] = True
        self.is_object[objects] = True
        for row in objects:
            shapes[tuple(records[row])].append(row)
        return shapes


def _held(shapes: Shapes, records: Sequence[Any]) -> Mapping[str, Held]:
    """Return what some objects have at each of their keys."""
    parts: defaultdict[str, list[tuple[Rows, Sequence[Any]]]] = defaultdict(list)
    for keys, rows in shapes.items():
        places = np.array(rows, np.int64)
        columns = zip(*[records[row].values() for row in rows], strict=True)
        for key, values in zip(keys, columns, strict=bool(rows)):
            parts[key].append((places, values))
    held: dict[str, Held] = {}
    for key, of_shapes in parts.items():
        all_rows, all_values = of_shapes[0]
        if len(of_shapes) > 1:
            all_rows = np.concatenate([some for some, _ in of_shapes])
            all_values = list(chain.from_iterable(some for _, some in of_shapes))
        held[key] = Held(all_rows, all_values, set(map(type, all_values)))
    return held


def _unfit(shapes: Shapes, held: Mapping[str, Held], are_plain: Mapping[str, bool]) -> set[int]:
    """Return the rows of the objects that are not flat: with too many keys, one that is not plain, or a value that is no scalar."""
    unfit = set(chain.from_iterable(rows for keys, rows in shapes.items() if len(keys) > OF_GOLD.scalars))
    for key, (rows, values, types) in held.items():
        if not are_plain[key]:
            unfit.update(rows.tolist())
        elif not types <= _SCALARS:
            unfit.update(row for row, value in zip(rows.tolist(), values, strict=True) if type(value) not in _SCALARS)
    return unfit


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
    has_both = rows & system.flat.is_object
    for row in compress(system.flat.order, has_both[system.flat.order].tolist()):
        mine, theirs = gold.records[row], system.records[row]
        if not doubtful and mine == theirs:
            continue
        for key, value in mine.items():
            other = theirs.get(key, value)
            if other != value or (key in doubtful and type(other) is not type(value)):
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

"""Flat records, column by column: of very many records most are objects of scalars, which meet by their keys alone.

Whatever else a record has (objects, lists, maps, alternatives) is compared by `matching`. Both give the same numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.records.forms import Form, Forms
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.packed import Cells, Packed, Rows
from pytest_nlpeval.tasks.records.parsing import Fault
from pytest_nlpeval.tasks.records.trees import Path

Flags = NDArray[np.bool_]

_NUMBERS = frozenset((int, Decimal))


@light_dataclass(frozen=True, slots=True)
class Column:
    """What flat records have at a key: the rows that have it, and the rows in which that is nothing.

    `types` are the types of the values, and `texts` the different texts, if these are read as numbers or dates; there may be more.
    """

    rows: Rows = field(default_factory=lambda: np.zeros(0, np.int64))
    nothing: Rows = field(default_factory=lambda: np.zeros(0, np.int64))
    types: frozenset[type] = frozenset()
    texts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, cells: Cells, row_of: Rows) -> Column:
        """Return some cells, given the row of each record of their file, -1 for none."""
        rows, nothing = row_of[np.concatenate(cells.rows)], row_of[np.array(cells.nothing, np.int64)]
        return cls(rows[rows >= 0], nothing[nothing >= 0], frozenset(cells.types), frozenset(cells.texts))

    def fields(self, rows: Flags) -> Flags:
        """Return which of the flagged rows have a field."""
        has_field = np.zeros(len(rows), np.bool_)
        has_field[self.rows] = True
        has_field[self.nothing] = False
        return has_field & rows


@dataclass(slots=True, eq=False)
class Flat(Sequence[Any]):
    """The records of a side, of which `is_flat` flags the flat ones, `is_object` those of them that are objects; no record is flat.

    Flat ones are within all bounds: a record with a key that may not be is none. `columns` tell of the keys of flat records. `places` are
    those of the records in their file, -1 for none, and `order` has the rows that have a record, as these follow one another there.
    """

    is_flat: Flags
    is_object: Flags
    columns: dict[str, Column]
    packed: Packed
    places: Rows
    order: Rows

    @classmethod
    def of(cls, values: Sequence[Any], options: Options) -> Flat:
        """Return the records of a side; what is no object is one without keys."""
        return cls.arranged(Packed.of(values, options), np.arange(len(values)))

    @classmethod
    def arranged(cls, packed: Packed, places: Rows) -> Flat:
        """Return the values of a file in another order, given the place of each in the file, -1 for none."""
        has_record = places >= 0
        row_of = np.full(len(packed), -1)
        row_of[places[has_record]] = np.flatnonzero(has_record)
        is_object = has_record.copy()
        is_object[has_record] = packed.are_packed[places[has_record]]
        is_flat = np.ones(len(places), np.bool_)
        is_flat[
            [row_of[place] for place, value in packed.others.items() if isinstance(value, dict | list) and row_of[place] >= 0]
        ] = False
        keys = dict.fromkeys(packed.keys_of(np.flatnonzero(row_of >= 0)))
        columns = {key: Column.of(packed.cells[key], row_of) for key in keys if key in packed.cells}
        return cls(is_flat, is_object, columns, packed, places, row_of[row_of >= 0])

    def __len__(self) -> int:
        """How many records there are."""
        return len(self.places)

    @overload
    def __getitem__(self, row: int) -> Any: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Any]: ...
    def __getitem__(self, row: int | slice) -> Any:
        """Return the record of a row, None where there is none."""
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        place = int(self.places[row])
        return None if place < 0 else self.packed[place]

    def keys_of(self, row: int) -> tuple[str, ...]:
        """Return the keys of a flat record."""
        return self.packed.shapes[self.packed.shape_of[int(self.places[row])]]

    def refuse(self, row: int, fault: Fault) -> None:
        """Put a fault in the place of a record that is not flat."""
        self.packed.others[int(self.places[row])] = fault
        self.is_flat[row] = True


class FlatSides(NamedTuple):
    """The records of both sides, of which those of the flagged rows are flat on both."""

    gold: Flat
    system: Flat
    rows: Flags

    @property
    def keys(self) -> Iterable[str]:
        """The keys of either side, gold's first."""
        return {**self.gold.columns, **self.system.columns}


@light_dataclass(frozen=True, slots=True)
class Met:
    """How a key of flat records meets: for each row whether gold has a field there, whether the system has, and the credit.

    `wrong` are the rows in which both have one and the credit is not whole, with the two values.
    """

    path: str
    gold: Flags
    system: Flags
    credit: Rows
    wrong: list[tuple[int, Any, Any]]


def met(sides: FlatSides, root: Path, forms: Forms) -> Iterator[Met]:
    """Yield how each key of the flagged rows meets; other rows have nothing there.

    Values that are equal as they stand in the files, as most are, need no normal forms.
    """
    gold, system, rows = sides
    unlike = _unlike(gold, system, rows)
    for key in sides.keys:
        path = root.child(key)
        in_gold, in_system = (side.columns.get(key, Column()).fields(rows) for side in (gold, system))
        credit = np.where(in_gold & in_system, forms.unit, 0)
        table: dict[tuple[type, Any], Form] = {}
        wrong: list[tuple[int, Any, Any]] = []
        parts: list[int] = []
        for row, one, two in unlike.get(key, ()):
            if not credit[row]:
                continue
            first, second = _form(one, path, forms, table), _form(two, path, forms, table)
            if first != second and (own := forms.credit(first, second, path.rule)) < forms.unit:
                wrong.append((row, one, two))
                parts.append(own)
        credit[[row for row, _, _ in wrong]] = parts
        yield Met(path.name, in_gold, in_system, credit, wrong)


def _unlike(gold: Flat, system: Flat, rows: Flags) -> Mapping[str, list[tuple[int, Any, Any]]]:
    """Return, for each key, the flagged rows in which both sides have values that are not equal as they stand, with the two values."""
    unlike: defaultdict[str, list[tuple[int, Any, Any]]] = defaultdict(list)
    doubtful = _doubtful(gold, system)
    order = system.order[(rows & gold.is_object & system.is_object)[system.order]]
    for row, mine, theirs, (are_same, shared) in zip(
        order.tolist(), _scalars(gold, order), _scalars(system, order), _shared(gold, system, order), strict=True
    ):
        if are_same and mine == theirs and not doubtful:
            continue
        for key, place, other in shared:
            if mine[place] != theirs[other] or (key in doubtful and type(mine[place]) is not type(theirs[other])):
                unlike[key].append((row, mine[place], theirs[other]))
    return unlike


def _scalars(side: Flat, rows: Rows) -> Iterator[tuple[Any, ...]]:
    """Yield the values of flat records."""
    return map(side.packed.scalars.__getitem__, side.places[rows].tolist())


class _Shared(NamedTuple):
    """Whether two records have the same keys in the same order, and the keys of both with their places in either."""

    are_same: bool
    keys: Sequence[tuple[str, int, int]]


def _shared(gold: Flat, system: Flat, rows: Rows) -> Iterator[_Shared]:
    """Yield which keys the two records of some rows have in common."""
    mine, theirs = (np.array(side.packed.shape_of, np.int64)[side.places[rows]] for side in (gold, system))
    codes, numbers = np.unique(mine * len(system.packed.shapes) + theirs, return_inverse=True)
    shared: list[_Shared] = []
    for code in codes.tolist():
        one, other = divmod(code, len(system.packed.shapes))
        keys, others = gold.packed.shapes[one], system.packed.shapes[other]
        place_of = {key: place for place, key in enumerate(others)}
        both = [(key, place, place_of[key]) for place, key in enumerate(keys) if key in place_of]
        shared.append(_Shared(keys == others, both))
    return map(shared.__getitem__, numbers.tolist())


def _doubtful(gold: Flat, system: Flat) -> frozenset[str]:
    """Return the keys at which true and false stand beside numbers: true is 1 for Python, and for nobody else."""
    types = {
        key: frozenset[type]().union(*(side.columns[key].types for side in (gold, system) if key in side.columns))
        for key in {**gold.columns, **system.columns}
    }
    return frozenset(key for key, some in types.items() if bool in some and not some.isdisjoint(_NUMBERS))


def _form(value: Any, path: Path, forms: Forms, table: dict[tuple[type, Any], Form]) -> Form:
    """Return the form of a scalar, which is worked out once for a column."""
    key = type(value), value
    if key not in table:
        table[key] = forms.of_scalar(value, path.rule)
    return table[key]

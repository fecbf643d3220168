"""Flat records, column by column: of very many records most are objects of scalars, which meet by their keys alone.

Whatever else a record has (objects, lists, maps, alternatives) is compared by `matching`. Both give the same numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.tasks.records.forms import Form, Forms
from pytest_nlpeval.tasks.records.trees import Path

Rows = NDArray[np.int64]

_SCALARS = frozenset((str, int, Decimal, bool, type(None)))

NOTHING = -1
"""The code of a value that is nothing, or is not there."""


@dataclass(slots=True)
class Cells:
    """The values of a key in flat records, and the rows of these."""

    rows: list[int] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Flat:
    """The flat ones among some records: `is_flat` flags them, `columns` have the values of their keys."""

    is_flat: NDArray[np.bool_]
    columns: dict[str, Cells]

    @classmethod
    def of(cls, records: Sequence[Any], root: Path) -> Flat:
        """Return the flat ones of records; what is no object is one without keys."""
        shapes: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        is_flat = np.ones(len(records), np.bool_)
        for row, record in enumerate(records):
            if type(record) is dict and _SCALARS.issuperset(map(type, record.values())):
                shapes[tuple(record)].append(row)
            elif isinstance(record, dict | list):
                is_flat[row] = False
        columns: defaultdict[str, Cells] = defaultdict(Cells)
        for keys, rows in shapes.items():
            if not all(_is_plain(root.child(key)) for key in keys):
                is_flat[rows] = False
                continue
            for key, values in zip(keys, zip(*(records[row].values() for row in rows), strict=True), strict=True):
                cells = columns[key]
                cells.rows += rows
                cells.values += values
        return cls(is_flat, {key: cells for key, cells in columns.items() if root.child(key).counts})


def _is_plain(path: Path) -> bool:
    """Whether a scalar at a path is one field there and nothing else."""
    return not path.rule.is_map and path.rule.list != "any" and path.counts == path.is_open


@dataclass(slots=True)
class Codes:
    """Codes of the values of a key, the same for identical ones on both sides: `forms` has the form of each code."""

    forms: list[Form] = field(default_factory=list)
    _known: dict[Form, int] = field(default_factory=dict)

    def of(self, cells: Cells, path: Path, forms: Forms) -> Rows:
        """Return the code of each value, `NOTHING` for one that is nothing."""
        types = set(map(type, cells.values))
        if bool in types and types & {int, Decimal}:  # True is 1 for Python
            keys: Sequence[Any] = [(type(value), value) for value in cells.values]
            table = {key: self._code(key[1], path, forms) for key in set(keys)}
        else:
            keys = cells.values
            table = {value: self._code(value, path, forms) for value in set(keys)}
        return np.fromiter(map(table.__getitem__, keys), np.int64, len(keys))

    def _code(self, value: Any, path: Path, forms: Forms) -> int:
        if forms.is_nothing(value):
            return NOTHING
        form = forms.of_scalar(value, path.rule)
        code = self._known.setdefault(form, len(self._known))
        if code == len(self.forms):
            self.forms.append(form)
        return code


@dataclass(frozen=True, slots=True)
class Met:
    """How a key of flat records meets: for each row whether gold has a field there, whether the system has, and the credit."""

    path: str
    gold: NDArray[np.bool_]
    system: NDArray[np.bool_]
    credit: Rows


def met(gold: Flat, system: Flat, rows: NDArray[np.bool_], root: Path, forms: Forms) -> Iterator[Met]:
    """Yield how each key of the flagged rows meets; others have nothing there."""
    for key in {**gold.columns, **system.columns}:
        path, codes = root.child(key), Codes()
        sides = []
        for flat in (gold, system):
            side = np.full(len(rows), NOTHING)
            if key in flat.columns:
                cells = flat.columns[key]
                side[np.array(cells.rows, np.int64)] = codes.of(cells, path, forms)
            side[~rows] = NOTHING
            sides.append(side)
        mine, theirs = sides
        has_both = (mine >= 0) & (theirs >= 0)
        credit = np.where(has_both & (mine == theirs), forms.unit, 0)
        if path.rule.is_soft:
            for row in np.flatnonzero(has_both & (mine != theirs)).tolist():
                credit[row] = forms.credit(codes.forms[mine[row]], codes.forms[theirs[row]], path.rule)
        yield Met(path.name, mine >= 0, theirs >= 0, credit)

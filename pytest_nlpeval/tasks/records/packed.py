"""Records of a file, packed while they are read: of very many most are objects of scalars, which are kept column by column.

Of a packed record nothing remains but its values, which take a third of the room, and all that is asked of every value is asked while it is
near the processor. The object that it was is made again for whoever asks for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.kit.records import Field
from pytest_nlpeval.tasks.records.bounds import OF_GOLD, fault_of_key
from pytest_nlpeval.tasks.records.forms import READ, Forms
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.trees import Path

Rows = NDArray[np.int64]

_SCALARS = frozenset((str, int, Decimal, bool, type(None)))

_NO_SHAPE = -1

_AT_A_TIME = 500
"""How many records are packed together, at least: enough to be worth it, few enough to stay near the processor."""


@dataclass(slots=True)
class Cells:
    """What packed records have at a key: the rows that have it, those of them in which that is nothing, and the types of the values.

    `texts` are the different texts among the values, if these are read as numbers or dates.
    """

    rows: list[Rows] = field(default_factory=list)
    nothing: list[int] = field(default_factory=list)
    types: set[type] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)

    def note(self, rows: Rows, values: Sequence[Any], types: set[type], forms: Forms, *, are_read: bool) -> None:
        """Note what some records have at the key."""
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


@dataclass(slots=True, eq=False)
class Packed:
    """The values of a file, which are added some at a time: `others` has those that are not packed, by their rows.

    Packed are objects of scalars, each of which is one field at its key or none, within all bounds. Of each remain its values, and the
    place of its keys among `shapes`, -1 in `shape_of` for what is not packed. `cells` are those of keys that count. The fields that are
    `taken_out` are no part of the values.
    """

    root: Path
    forms: Forms
    taken_out: frozenset[Field] = frozenset()
    others: dict[int, Any] = field(default_factory=dict)
    cells: dict[str, Cells] = field(default_factory=dict)
    shapes: list[tuple[str, ...]] = field(default_factory=list)
    shape_of: list[int] = field(default_factory=list)
    scalars: list[tuple[Any, ...]] = field(default_factory=list)
    _waiting: list[Any] = field(default_factory=list)
    _shape_codes: dict[tuple[str, ...], int] = field(default_factory=dict)
    _are_plain: dict[str, bool] = field(default_factory=dict)

    @classmethod
    def by(cls, options: Options, taken_out: frozenset[Field] = frozenset()) -> Packed:
        """Return no values yet, which will be packed by some options."""
        return cls(Path.root(options), Forms.of(options), taken_out=taken_out)

    @classmethod
    def of(cls, values: Iterable[Any], options: Options) -> Packed:
        """Return some values."""
        packed = cls.by(options)
        for value in values:
            packed.extend((value,))
        packed.end()
        return packed

    def extend(self, values: Sequence[Any]) -> None:
        """Add values; `end` must follow the last ones."""
        self._waiting += without(values, self.taken_out) if self.taken_out else values
        if len(self._waiting) >= _AT_A_TIME:
            self.end()

    def end(self) -> None:
        """Pack what waits for others that it may be packed with."""
        values, self._waiting = self._waiting, []
        shapes, scalars = self._packed(range(len(self), len(self) + len(values)), values)
        self.shape_of += shapes
        self.scalars += scalars

    def replace(self, values: Mapping[int, Any]) -> None:
        """Put values in the place of those of some rows that are not packed."""
        for row in values:
            del self.others[row]
        packed = self._packed(list(values), list(values.values()))
        for row, shape, scalars in zip(values, *packed, strict=True):
            self.shape_of[row], self.scalars[row] = shape, scalars

    def __len__(self) -> int:
        """How many values there are."""
        return len(self.scalars)

    def __getitem__(self, row: int) -> Any:
        """Return the value of a row, an object of its own if that is packed."""
        shape = self.shape_of[row]
        return self.others[row] if shape == _NO_SHAPE else dict(zip(self.shapes[shape], self.scalars[row], strict=True))

    def __iter__(self) -> Iterator[Any]:
        """Yield all values in the order of their rows."""
        return map(self.__getitem__, range(len(self)))

    def keys_of(self, rows: Rows) -> Iterator[str]:
        """Yield the keys of the packed ones among rows that ascend, in the order in which they come first; keys may come again."""
        shapes = np.array(self.shape_of, np.int64)[rows]
        ranks = np.flatnonzero(shapes != _NO_SHAPE)[::-1]
        firsts = np.full(len(self.shapes), -1)
        firsts[shapes[ranks]] = ranks  # of several ranks the last one remains, which is the least
        order = np.argsort(firsts, kind="stable")
        return chain.from_iterable(self.shapes[shape] for shape in order[firsts[order] >= 0].tolist())

    @property
    def are_packed(self) -> NDArray[np.bool_]:
        """Which rows are packed."""
        are_packed: NDArray[np.bool_] = np.array(self.shape_of, np.int64) != _NO_SHAPE
        return are_packed

    def _packed(self, rows: Sequence[int], values: Sequence[Any]) -> tuple[list[int], list[tuple[Any, ...]]]:
        """Return the shapes and scalars of the values of rows, after noting them; those that cannot be packed are kept as they are."""
        shaped = self._shaped(values)
        scalars = [tuple(value.values()) if type(value) is dict else () for value in values]
        held = _held(shaped, scalars)
        if nested := _nested(held):
            shaped = {keys: [place for place in places if place not in nested] for keys, places in shaped.items()}
            held = _held(shaped, scalars)
        shapes = np.full(len(values), _NO_SHAPE)
        for keys, places in shaped.items():
            shapes[places] = shape = self._shape_codes.setdefault(keys, len(self.shapes))
            if shape == len(self.shapes):
                self.shapes.append(keys)
        for place in np.flatnonzero(shapes == _NO_SHAPE).tolist():
            self.others[rows[place]], scalars[place] = values[place], ()
        numbers = np.array(rows, np.int64)
        for key, (places_of_key, values_of_key, types) in held.items():
            path = self.root.child(key)
            if path.counts:
                if key not in self.cells:
                    self.cells[key] = Cells()
                are_read = path.rule.value in READ
                self.cells[key].note(numbers[places_of_key], values_of_key, types, self.forms, are_read=are_read)
        return shapes.tolist(), scalars

    def _shaped(self, values: Sequence[Any]) -> Mapping[tuple[str, ...], list[int]]:
        """Return the places of objects that may be packed by their keys: not too many, and a scalar at each is one field or nothing."""
        shaped: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, value in enumerate(values):
            if type(value) is dict:
                shaped[tuple(value)].append(place)
        for key in {key for keys in shaped for key in keys if key not in self._are_plain}:
            self._are_plain[key] = _is_plain(key, self.root.child(key))
        return {
            keys: places
            for keys, places in shaped.items()
            if len(keys) <= OF_GOLD.scalars and all(map(self._are_plain.__getitem__, keys))
        }


def _is_plain(key: str, path: Path) -> bool:
    """Whether a scalar at a key, which leads to a path, is one field there and nothing else."""
    return not path.rule.is_map and path.rule.list != "any" and path.counts == path.is_open and not fault_of_key(key)


class _Held(NamedTuple):
    """What objects have at a key: the places of those that have it, the values there, and the types of these."""

    places: Rows
    values: Sequence[Any]
    types: set[type]


def _held(shaped: Mapping[tuple[str, ...], list[int]], scalars: Sequence[tuple[Any, ...]]) -> Mapping[str, _Held]:
    """Return what objects have at each of their keys, given the places of those with the same keys."""
    parts: defaultdict[str, list[tuple[Rows, Sequence[Any]]]] = defaultdict(list)
    for keys, places in shaped.items():
        of_keys = np.array(places, np.int64)
        columns = zip(*map(scalars.__getitem__, places), strict=True)
        for key, column in zip(keys, columns, strict=bool(places)):
            parts[key].append((of_keys, column))
    held: dict[str, _Held] = {}
    for key, of_shapes in parts.items():
        all_places, all_values = of_shapes[0]
        if len(of_shapes) > 1:
            all_places = np.concatenate([some for some, _ in of_shapes])
            all_values = list(chain.from_iterable(some for _, some in of_shapes))
        held[key] = _Held(all_places, all_values, set(map(type, all_values)))
    return held


def _nested(held: Mapping[str, _Held]) -> set[int]:
    """Return the places of the objects that have a value that is no scalar."""
    return {
        place
        for places, values, types in held.values()
        if not types <= _SCALARS
        for place, value in zip(places.tolist(), values, strict=True)
        if type(value) not in _SCALARS
    }


def without(values: Sequence[Any], fields: frozenset[Field]) -> list[Any]:
    """Return items without some fields, which are taken out of them; the path of a field may lead into an object."""
    kept = list(values)
    for key in map(str, fields):
        for place, value in enumerate(kept):
            if key in value:
                del value[key]  # of an item that nobody else has
            elif "." in key:
                kept[place] = _without_inner(value, key)
    return kept


def _without_inner(value: Any, path: str) -> Any:
    """Return an object without what its path leads to."""
    key, _, rest = path.partition(".")
    if not isinstance(value, dict) or key not in value:
        return value
    inner = _without_inner(value[key], rest) if rest else None
    return {own: inner if own == key else held for own, held in value.items() if own != key or rest}

"""The columns of evidence: dense numbers, sparse numbers, and categories; how each is cut, joined and written as JSON.

All three have `shape`, `[rows]` (a slice or row numbers) and `tolist()`; two columns with the same content have the same form.
"""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from typing import Any, Self, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_nlpeval.light_dataclasses import frozen_dataclass

Numbers: TypeAlias = NDArray[np.signedinteger[Any]] | NDArray[np.float64]
"""One number per row, in one of the types `TYPES`."""

Rows: TypeAlias = slice | NDArray[np.signedinteger[Any]]

_INTEGERS = (np.int8, np.int16, np.int32, np.int64)

TYPES = {kind.__name__: np.dtype(kind) for kind in (*_INTEGERS, np.float64)}
"""The types of numbers, from the narrowest to the widest."""

_KINDS = frozenset(kind.type for kind in TYPES.values())  # `dtype.name` costs ten times as much as `dtype.type`

_LITTLE = {name: kind.newbyteorder("<") for name, kind in TYPES.items()}
"""The types as they are written."""


@frozen_dataclass(frozen=True, slots=True, eq=False)
class Sparse:
    """A column of `length` numbers that are nearly all 0: only `values`, those that are not 0, and their `rows` are kept.

    `rows` ascend. The type of `values` is the column's.

    Raises:
        ValueError: if the rows do not ascend or lie outside the column, if their number is not that of the values, or if a value is 0.

    >>> column = Sparse.of(rows=[4, 1], values=[7, 2], length=6)
    >>> column.tolist()
    [0, 2, 0, 0, 7, 0]
    >>> column[1:3].tolist()
    [2, 0]
    """

    rows: NDArray[np.signedinteger[Any]]
    values: Numbers
    length: int

    def __post_init__(self) -> None:
        """Check that this is the one form of its content."""
        rows = self.rows
        if rows.ndim != 1 or rows.dtype.kind != "i" or self.values.shape != rows.shape or self.values.dtype.type not in _KINDS:
            raise ValueError(
                f"{rows.shape} rows of type {rows.dtype} do not fit {self.values.shape} values of {self.values.dtype}"
            )
        if len(rows) and not (rows[0] >= 0 and rows[-1] < self.length and (rows[1:] > rows[:-1]).all()):
            raise ValueError(f"the rows of a sparse column do not ascend, or lie outside its {self.length} rows")
        if np.count_nonzero(self.values) != len(rows):
            raise ValueError("a sparse column keeps a 0")

    @classmethod
    def of(cls, rows: ArrayLike, values: ArrayLike, length: int) -> Self:
        """Return the column with `values` in `rows`, which may come in any order, and 0 elsewhere."""
        places, numbers = np.asarray(rows, np.int64), np.asarray(values)
        if places.shape != numbers.shape:
            raise ValueError(f"{places.shape} rows do not fit {numbers.shape} values")
        order = np.argsort(places, kind="stable")
        order = order[numbers[order] != 0]
        return cls(narrow(places[order], length), numbers[order], length)

    @classmethod
    def from_dense(cls, numbers: ArrayLike) -> Self:
        """Return the sparse form of a dense column."""
        dense = np.asarray(numbers)
        rows = np.flatnonzero(dense)
        return cls(narrow(rows, len(dense)), dense[rows], len(dense))

    def dense(self) -> Numbers:
        """Return all numbers, shape `(length,)`."""
        numbers = np.zeros_like(self.values, shape=self.length)
        numbers[self.rows] = self.values
        return cast("Numbers", numbers)

    @property
    def shape(self) -> tuple[int]:
        """The shape of the column as if it were dense."""
        return (self.length,)

    def __getitem__(self, rows: Rows) -> Sparse:
        """Return the column of some rows: a slice without step, or row numbers, which may repeat."""
        if not isinstance(rows, slice):
            return Sparse.from_dense(self.dense()[rows])
        start, stop, _ = rows.indices(self.length)
        first, last = np.searchsorted(self.rows, (start, stop))
        length = max(0, stop - start)
        return Sparse(narrow(self.rows[first:last].astype(np.int64) - start, length), self.values[first:last], length)

    def tolist(self) -> list[Any]:
        """Return all numbers."""
        return list(self.dense().tolist())

    def __eq__(self, other: object) -> bool:
        """Whether the other is a sparse column of the same numbers, whatever their types."""
        if not isinstance(other, Sparse):
            return NotImplemented
        same_rows = self.length == other.length and np.array_equal(self.rows, other.rows)
        return same_rows and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        """Columns are compared, never looked up."""
        raise TypeError("a column is not hashable")


@frozen_dataclass(frozen=True, slots=True, eq=False)
class Categorical:
    """A column of strings out of a small vocabulary, the label of each item, say.

    `categories` is the sorted vocabulary of exactly the strings that occur; `codes` gives, for each row, the place of its string there,
    or -1 for a row without one.

    Raises:
        ValueError: if the categories are not sorted, if one does not occur, or if a code is none of theirs.

    >>> column = Categorical.of(["neg", None, "pos", "neg"])
    >>> column.categories, column.codes.tolist()
    (('neg', 'pos'), [0, -1, 1, 0])
    >>> column[1:3].categories
    ('pos',)
    """

    codes: NDArray[np.signedinteger[Any]]
    categories: tuple[str, ...]

    def __post_init__(self) -> None:
        """Check that this is the one form of its content."""
        if self.codes.ndim != 1 or self.codes.dtype.kind != "i":
            raise ValueError(f"codes have shape {self.codes.shape} and type {self.codes.dtype}, expected a list of integers")
        categories = self.categories
        if any(first >= second for first, second in pairwise(categories)):
            raise ValueError("the categories are not sorted, or one appears twice")
        if self.codes.size and not (self.codes.min() >= -1 and self.codes.max() < len(categories)):
            raise ValueError(f"a code is not one of the {len(categories)} categories")
        if categories and not np.bincount(self.codes.astype(np.int64) + 1, minlength=len(categories) + 1)[1:].all():
            raise ValueError("a category does not occur")

    @classmethod
    def of(cls, values: Iterable[str | None]) -> Self:
        """Return the column of some strings; None is a row without one."""
        strings = list(values)
        categories = sorted({string for string in strings if string is not None})
        code_of: dict[str | None, int] = {string: code for code, string in enumerate(categories)} | {None: -1}
        codes = np.fromiter((code_of[string] for string in strings), np.int64, len(strings))
        return cls(narrow(codes, len(categories)), tuple(categories))

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of rows, as of an array."""
        return self.codes.shape

    def __getitem__(self, rows: Rows) -> Categorical:
        """Return the column of some rows, with the categories that occur there."""
        return _recoded(self.codes[rows], self.categories)

    def tolist(self) -> list[str | None]:
        """Return the string of each row."""
        strings = (*self.categories, None)  # None is last, where -1 finds it
        return [strings[code] for code in self.codes.tolist()]

    def __eq__(self, other: object) -> bool:
        """Whether the other has the same strings."""
        if not isinstance(other, Categorical):
            return NotImplemented
        return self.categories == other.categories and np.array_equal(self.codes, other.codes)

    def __hash__(self) -> int:
        """Columns are compared, never looked up."""
        raise TypeError("a column is not hashable")


Column: TypeAlias = Numbers | Sparse | Categorical

CLUSTER = "@cluster"
"""The name of the categorical column that says which rows of a document belong together; no measure reads it."""

GROUP = "@group"
"""The name of the categorical column that says which group a row is in; a task counts it, and measures of groups alone read it."""


def check_columns(columns: Mapping[str, Column], length: int) -> None:
    """Raise `ValueError` unless each column has `length` rows and a known type."""
    shape = (length,)
    for name, column in columns.items():
        if column.shape != shape:
            raise ValueError(f"column {name} has shape {column.shape}, not {shape}")
        if type(column) is np.ndarray and column.dtype.type not in _KINDS:
            raise ValueError(f"column {name} has type {column.dtype}; expected {', '.join(TYPES)}")


def is_same(first: Column, second: Column) -> bool:
    """Whether two columns are of one kind and have the same content; the types of their numbers may differ."""
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return np.array_equal(first, second)
    return type(first) is type(second) and bool(first == second)


def joined(columns: Sequence[Column | None], lengths: Sequence[int]) -> Column:
    """Return the columns below each other; for None, as many rows as `lengths` says, which are 0 or have no category.

    The type of the numbers is the widest of the parts'. Sparse parts beside dense ones become dense.

    >>> joined([np.array([1, 2], np.int8), None, np.array([300], np.int16)], [2, 2, 1])
    array([  1,   2,   0,   0, 300], dtype=int16)
    >>> joined([Categorical.of("b"), Categorical.of("ab")], [1, 2]).tolist()
    ['b', 'a', 'b']
    """
    if len(columns) == 1 and columns[0] is not None:
        return columns[0]
    kinds = set(map(type, columns)) - {type(None)}
    if kinds == {Sparse}:
        return _joined_sparse(columns, lengths)
    if kinds == {Categorical}:
        return _joined_categories(columns, lengths)
    if Categorical in kinds:
        raise ValueError("a column holds numbers in one document and categories in another")
    numbers: Numbers = np.concatenate(_all_dense(columns, lengths))
    return numbers


def _all_dense(columns: Sequence[Any], lengths: Sequence[int]) -> Sequence[Any]:
    if set(map(type, columns)) == {np.ndarray}:
        return columns
    nothing = np.zeros(max(lengths), np.int8)
    return [
        column.dense() if isinstance(column, Sparse) else nothing[:length] if column is None else column
        for column, length in zip(columns, lengths, strict=True)
    ]


def _joined_sparse(columns: Sequence[Any], lengths: Sequence[int]) -> Sparse:
    starts = accumulate(lengths, initial=0)
    parts = [(start, column) for start, column in zip(starts, columns, strict=False) if column is not None]
    rows = np.concatenate([column.rows for _, column in parts], dtype=np.int64)
    rows += np.repeat([start for start, _ in parts], [len(column.rows) for _, column in parts])
    return Sparse(narrow(rows, sum(lengths)), np.concatenate([column.values for _, column in parts]), sum(lengths))


def _joined_categories(columns: Sequence[Any], lengths: Sequence[int]) -> Categorical:
    """Unite the vocabularies; all codes then go through one table, in which those of each part have a section that starts at `base`."""
    parts = [
        Categorical(np.full(length, -1), ()) if column is None else column
        for column, length in zip(columns, lengths, strict=True)
    ]
    categories = tuple(sorted(set().union(*(part.categories for part in parts))))
    place = {category: code for code, category in enumerate(categories)}
    table = np.array([*(place[category] for part in parts for category in part.categories), -1], np.int64)
    bases = np.repeat(list(accumulate((len(part.categories) for part in parts), initial=0))[:-1], lengths)
    codes = np.concatenate([part.codes for part in parts], dtype=np.int64)
    return Categorical(narrow(table[np.where(codes < 0, -1, codes + bases)], len(categories)), categories)


def _recoded(codes: NDArray[np.signedinteger[Any]], categories: tuple[str, ...]) -> Categorical:
    """Return the column of these codes without the categories that do not occur."""
    used = np.flatnonzero(np.bincount(codes.astype(np.int64) + 1, minlength=len(categories) + 1)[1:])
    table = np.full(len(categories) + 1, -1, np.int64)
    table[used] = np.arange(len(used))
    return Categorical(narrow(table[codes], len(used)), tuple(categories[code] for code in used.tolist()))


def narrow(integers: NDArray[np.integer[Any]], most: int | None = None) -> NDArray[np.signedinteger[Any]]:
    """Return integers in the narrowest type of a column that has room for all from `-most` to `most`, unless said otherwise the greatest.

    >>> narrow(np.array([1, 127])).dtype.name, narrow(np.array([1, 2]), 300).dtype.name
    ('int8', 'int16')
    """
    bound = int(integers.max(initial=0)) if most is None else most
    return integers.astype(next(kind for kind in _INTEGERS if bound <= np.iinfo(kind).max), copy=False)


def encoded(columns: Mapping[str, Column]) -> list[Any]:
    """Return columns as JSON, in their order: names, type and content, where neighbours of one type of numbers are one block.

    Numbers are little-endian bytes in base 64, so that every one survives.

    >>> encoded({"a": np.array([1, -1], np.int8), "b": np.array([2, 3], np.int8), "c": Categorical.of("yx")})
    [[('a', 'b'), 'int8', 'Af8CAw=='], [['c'], 'categorical', ['int8', 'AQA='], ('x', 'y')]]
    """
    blocks: list[Any] = []
    for kind, run in groupby(columns.items(), key=lambda item: _kind(item[1])):
        names, parts = zip(*run, strict=True)
        if kind in _LITTLE:
            blocks.append([names, *_encoded_numbers(np.stack(parts))])
        else:
            blocks += ([[name], *_encoded_special(part)] for name, part in zip(names, parts, strict=True))
    return blocks


def _kind(column: Column) -> str:
    return column.dtype.type.__name__ if isinstance(column, np.ndarray) else ""


def _encoded_special(column: Sparse | Categorical) -> list[Any]:
    if isinstance(column, Sparse):
        return ["sparse", _encoded_numbers(column.rows), _encoded_numbers(column.values)]
    return ["categorical", _encoded_numbers(column.codes), column.categories]


def _encoded_numbers(numbers: Numbers) -> list[Any]:
    name = numbers.dtype.type.__name__
    return [name, b2a_base64(numbers.astype(_LITTLE[name], copy=False).tobytes(), newline=False).decode("ascii")]


def decoded(data: Iterable[Sequence[Any]], length: int) -> dict[str, Column]:
    """Read back what `encoded` wrote of `length` rows; `KeyError`, `TypeError` or `ValueError` if it is something else."""
    columns: dict[str, Column] = {}
    for names, kind, *parts in data:
        if kind in _LITTLE:
            columns |= zip(map(str, names), _decoded_numbers(kind, *parts).reshape(len(names), length), strict=True)
        else:
            (name,) = names
            columns[str(name)] = _decoded_special(kind, parts, length)
    return columns


def _decoded_special(kind: str, parts: Sequence[Any], length: int) -> Sparse | Categorical:
    numbers, content = parts
    if kind == "sparse":
        return Sparse(_decoded_numbers(*numbers), _decoded_numbers(*content), length)
    if kind == "categorical":
        return Categorical(_decoded_numbers(*numbers), tuple(map(str, content)))
    raise ValueError(f"{kind} is no kind of column")


def _decoded_numbers(name: str, text: str) -> Any:
    return np.frombuffer(a2b_base64(text, strict_mode=True), _LITTLE[name]).astype(TYPES[name], copy=False)

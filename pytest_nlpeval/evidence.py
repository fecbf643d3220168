"""Evidence: a table with one row per unit and one column per count, from which every score is derived."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.int64] | NDArray[np.int8] | NDArray[np.float64]
"""Numbers, one per row."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What was counted: the only thing that is merged, stored, sent between processes and resampled.

    `documents` names the cases, in the order of their rows; `sizes` gives the number of rows of each. `units` names the rows, and
    each column has one number per row: integers, or floats where a task's credit is no multiple of a fraction. Row and document
    order carry no meaning, except where a measure says so.

    Raises `ValueError` if the lengths do not fit, or a document stands twice.
    """

    documents: tuple[str, ...]
    sizes: tuple[int, ...]
    units: tuple[str, ...]
    columns: Mapping[str, Column]

    def __post_init__(self) -> None:
        """Check that the lengths agree."""
        rows = len(self.units)
        if sum(self.sizes) != rows or len(self.sizes) != len(self.documents):
            raise ValueError(f"sizes {self.sizes} do not fit {len(self.documents)} documents and {rows} units")
        if len(set(self.documents)) != len(self.documents):
            raise ValueError("a document stands twice in the evidence")
        if {column.shape for column in self.columns.values()} - {(rows,)}:
            name, column = next((name, column) for name, column in self.columns.items() if column.shape != (rows,))
            raise ValueError(f"column {name} has shape {column.shape}, not ({rows},)")

    @classmethod
    def of(cls, units: Sequence[str], columns: Mapping[str, Column], document: str = "") -> Self:
        """Return the evidence of a single document; a task leaves it without name."""
        return cls((document,), (len(units),), tuple(units), dict(columns))

    def named(self, document: str) -> Self:
        """Return the evidence of a single document under another name."""
        return replace(self, documents=(document,))

    @classmethod
    def merge(cls, parts: Iterable[Evidence]) -> Self:
        """Return all rows of `parts`, documents in the order of their names; a column a part lacks is 0 there.

        Columns stand in the order in which the documents have them. Associative and independent of the order of `parts`; the merge
        of none is empty.
        """
        pieces = [piece for part in parts for piece in part.split()]
        pieces.sort(key=lambda piece: piece.documents)
        names = dict.fromkeys(chain.from_iterable(piece.columns for piece in pieces))
        return cls(
            tuple(document for piece in pieces for document in piece.documents),
            tuple(size for piece in pieces for size in piece.sizes),
            tuple(unit for piece in pieces for unit in piece.units) if len(pieces) != 1 else pieces[0].units,
            {
                name: _joined([piece.columns[name] if name in piece.columns else piece.column(name) for piece in pieces])
                for name in names
            },
        )

    def split(self) -> list[Evidence]:
        """Return the evidence of each document on its own."""
        if len(self.documents) == 1:
            return [self]
        ends = np.cumsum(self.sizes, dtype=np.int64).tolist()
        return [
            Evidence.of(self.units[end - size : end], {k: v[end - size : end] for k, v in self.columns.items()}, document)
            for document, size, end in zip(self.documents, self.sizes, ends, strict=True)
        ]

    def column(self, name: str) -> Column:
        """Return the numbers of a column, shape `(rows,)`; zeros if there is none of that name."""
        found = self.columns.get(name)
        return np.zeros(len(self.units), np.int8) if found is None else found

    def document_ranks(self) -> NDArray[np.int64]:
        """Return, for each row, the rank of its document in `documents`, from 0."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON document; a column is its type and its little-endian bytes in base 64, so that every number survives."""
        columns = {name: _encoded(column) for name, column in self.columns.items()}
        return {"documents": self.documents, "sizes": self.sizes, "units": self.units, "columns": columns}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read back what `to_json` wrote; `KeyError`, `TypeError` or `ValueError` if it is something else."""
        columns = {str(name): _decoded(column) for name, column in data["columns"].items()}
        sizes = tuple(int(size) for size in data["sizes"])
        return cls(tuple(map(str, data["documents"])), sizes, tuple(map(str, data["units"])), columns)

    def __hash__(self) -> int:
        """Evidence is compared, never looked up."""
        raise TypeError("evidence is not hashable")

    def __eq__(self, other: object) -> bool:
        """Whether documents, units and all numbers are the same."""
        if not isinstance(other, Evidence):
            return NotImplemented
        return (self.documents, self.sizes, self.units, self.columns.keys()) == (
            other.documents,
            other.sizes,
            other.units,
            other.columns.keys(),
        ) and all(np.array_equal(column, other.columns[name]) for name, column in self.columns.items())


def _joined(columns: list[Column]) -> Column:
    if len(columns) == 1:
        return columns[0]
    if "f" in {column.dtype.kind for column in columns}:
        return np.concatenate(columns, dtype=np.float64)
    return np.concatenate(columns, dtype=np.int64)


_TYPES = {"int8": np.int8, "int64": np.int64, "float64": np.float64}


def _encoded(column: Column) -> list[str]:
    little = column.astype(column.dtype.newbyteorder("<"))
    return [column.dtype.name, b64encode(little.tobytes()).decode("ascii")]


def _decoded(data: Sequence[str]) -> Column:
    name, text = data
    kind = np.dtype(_TYPES[name])
    column: Column = np.frombuffer(b64decode(text, validate=True), kind.newbyteorder("<")).astype(kind)
    return column

"""Evidence: a table with one row per unit and one column per count, from which every score is derived."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress, pairwise
from operator import index
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import (
    Categorical,
    Column,
    Numbers,
    Sparse,
    check_columns,
    decoded,
    encoded,
    is_same,
    joined,
)
from pytest_nlpeval.light_dataclasses import frozen_dataclass

__all__ = ["Categorical", "Column", "Evidence", "Numbers", "Sparse"]


@frozen_dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What was counted: the only thing that is merged, stored, sent between processes and resampled.

    `documents` names the cases, in the order of their rows; `sizes` gives the number of rows of each. `units` names the rows, and
    each column has one entry per row. A column is an array of integers (int8, int16, int32, int64) or, where a credit is not a
    multiple of a fraction, of float64; or `Sparse`, for numbers that are nearly all 0; or `Categorical`, for strings such as labels. It
    keeps its type when it is merged, stored and sent, so the narrowest type that holds the numbers is the best. Row and
    document order carry no meaning, except where a measure says so.

    Raises:
        ValueError: if the lengths do not fit, if a document appears twice, or if a column has another type.

    >>> columns = {"right": np.array([1, 0, 1], np.int8), "gold": Categorical.of(["pos", "neg", "pos"])}
    >>> evidence = Evidence.of(["1", "2", "3"], columns)
    >>> evidence.column("right").tolist(), evidence.column("gold").tolist(), evidence.categories("gold")
    ([1, 0, 1], [1, 0, 1], ('neg', 'pos'))
    """

    documents: tuple[str, ...]
    sizes: tuple[int, ...]
    units: tuple[str, ...]
    columns: Mapping[str, Column]

    def __post_init__(self) -> None:
        """Check that the lengths agree, and the types of the columns."""
        rows = len(self.units)
        if sum(self.sizes) != rows or len(self.sizes) != len(self.documents) or min(self.sizes, default=0) < 0:
            raise ValueError(f"sizes {self.sizes} do not fit {len(self.documents)} documents and {rows} units")
        if len(set(self.documents)) != len(self.documents):
            raise ValueError("a document appears twice in the evidence")
        check_columns(self.columns, rows)

    @classmethod
    def of(cls, units: Sequence[str], columns: Mapping[str, Column], document: str = "") -> Self:
        """Return the evidence of a single document; a task leaves it without name."""
        return cls((document,), (len(units),), tuple(units), dict(columns))

    def named(self, document: str) -> Self:
        """Return the evidence of a single document under another name."""
        return replace(self, documents=(document,))

    @classmethod
    def merge(cls, parts: Iterable[Evidence]) -> Self:
        """Return all rows of `parts`, documents in the order of their names.

        A column that a part lacks is 0 there, or without category. Numbers get the widest type of the parts'. A column that is sparse in
        some parts and dense in others becomes dense. Vocabularies are united. Associative and independent of the order of `parts`; the
        merge of none is empty.

        Raises:
            ValueError: if a document is in two parts, or a column holds numbers in one and categories in another.
        """
        pieces = sorted(parts, key=lambda part: part.documents)
        documents = list(chain.from_iterable(piece.documents for piece in pieces))
        if any(first > second for first, second in pairwise(documents)):  # two parts interleave
            pieces = sorted((piece for part in pieces for piece in part.split()), key=lambda piece: piece.documents)
            documents.sort()
        lengths = [len(piece.units) for piece in pieces]
        names = dict.fromkeys(chain.from_iterable(piece.columns for piece in pieces))
        return cls(
            tuple(documents),
            tuple(chain.from_iterable(piece.sizes for piece in pieces)),
            tuple(chain.from_iterable(piece.units for piece in pieces)),
            {name: joined([piece.columns.get(name) for piece in pieces], lengths) for name in names},
        )

    def split(self, ranks: Iterable[int] | None = None) -> list[Evidence]:
        """Return the evidence of each document on its own, or that of the documents of these ranks."""
        if len(self.documents) == 1 and ranks is None:
            return [self]
        starts = [0, *np.cumsum(self.sizes, dtype=np.int64).tolist()]
        cuts = ((rank, slice(*starts[rank : rank + 2])) for rank in (range(len(self.sizes)) if ranks is None else ranks))
        return [
            Evidence.of(self.units[rows], {name: column[rows] for name, column in self.columns.items()}, self.documents[rank])
            for rank, rows in cuts
        ]

    def where(self, rows: NDArray[np.bool_], documents: NDArray[np.bool_]) -> Self:
        """Return the evidence of the flagged rows in the flagged documents; a row whose document is not flagged is left out, too."""
        if rows.all() and documents.all():
            return self
        ranks = self.document_ranks()
        kept = rows & documents[ranks]
        sizes = np.bincount(ranks[kept], minlength=len(self.documents))[documents]
        places = np.flatnonzero(kept)
        return type(self)(
            tuple(compress(self.documents, documents)),
            tuple(sizes.tolist()),
            tuple(compress(self.units, kept)),
            {name: column[places] for name, column in self.columns.items()},
        )

    def column(self, name: str) -> Numbers:
        """Return the numbers of a column, shape `(rows,)`, zeros if there is none of that name; the codes of a categorical one.

        Their type may be narrow. numpy adds and multiplies two int8 columns in int8: widen them first (`astype(np.int64)`) if the result
        may exceed 127. `Sample.total` always sums in int64.
        """
        column = self.columns.get(name)
        if column is None:
            return np.zeros(len(self.units), np.int8)
        if isinstance(column, Sparse):
            return column.dense()
        return column.codes if isinstance(column, Categorical) else column

    def categories(self, name: str) -> tuple[str, ...]:
        """Return the vocabulary of a categorical column, sorted: all strings that occur, which its codes count from 0.

        Empty if there is no categorical column of that name.
        """
        column = self.columns.get(name)
        return column.categories if isinstance(column, Categorical) else ()

    def document_ranks(self) -> NDArray[np.int64]:
        """Return, for each row, the rank of its document in `documents`, from 0."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON document, with the columns as `columns.encoded` writes them."""
        return {"documents": self.documents, "sizes": self.sizes, "units": self.units, "columns": encoded(self.columns)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read back what `to_json` wrote; `KeyError`, `TypeError` or `ValueError` if it is something else."""
        units = tuple(map(str, data["units"]))
        columns = decoded(data["columns"], len(units))
        return cls(tuple(map(str, data["documents"])), tuple(map(index, data["sizes"])), units, columns)

    def __hash__(self) -> int:
        """Evidence is compared, never looked up."""
        raise TypeError("evidence is not hashable")

    def __eq__(self, other: object) -> bool:
        """Whether documents, units and the content of all columns are the same."""
        if not isinstance(other, Evidence):
            return NotImplemented
        return (self.documents, self.sizes, self.units, self.columns.keys()) == (
            other.documents,
            other.sizes,
            other.units,
            other.columns.keys(),
        ) and all(is_same(column, other.columns[name]) for name, column in self.columns.items())

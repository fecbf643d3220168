"""Samples: evidence with weights, which measures read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self, TypeAlias, cast

from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.sums import Weights, exact, exact_parts, exact_sums, running_sums, weighted_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.columns import Numbers, Sparse
    from pytest_nlpeval.evidence import Evidence

Values: TypeAlias = "NDArray[np.float64]"


class Blocks(NamedTuple):
    """Rows with equal keys (confidences, say) as blocks, in the ascending order of the keys.

    `ranks` gives the block of each row, from 0, or -1 for a row that is in none; `keys` the key of each block.

    >>> blocks = Blocks.of(np.array([0.5, 0.1, 0.5]))
    >>> blocks.keys.tolist(), blocks.ranks.tolist()
    ([0.1, 0.5], [1, 0, 1])
    """

    ranks: NDArray[np.int64]
    keys: NDArray[Any]

    @classmethod
    def of(cls, keys: NDArray[Any], where: NDArray[Any] | None = None) -> Self:
        """Return the blocks of the rows that `where` flags (bool or 0 and 1; all rows if None) by their `keys`."""
        chosen = np.ones(len(keys), np.bool_) if where is None else where.astype(np.bool_)
        distinct, ranks = np.unique(keys[chosen], return_inverse=True)
        blocks = np.full(len(keys), -1, np.int64)
        blocks[chosen] = ranks
        return cls(blocks, distinct)


class NotAdditiveError(Exception):
    """A measure asked for more than totals, from a sample that has nothing else."""


@frozen_dataclass(frozen=True, slots=True)
class Sample:
    """Evidence with `weights`: how often each row counts in each of R resamples.

    `weights` has shape `(R, rows)` and holds non-negative integers, of whatever type; None means once each, R = 1. A measure that is
    additive reads `total`. One that is not reads `running_sums` (rankings: AUC, average precision, CWS), `block_sums` (bins: calibration),
    `document_sums` and `document_mean` (macro averages over documents) or, if all else fails, `counts`. Measures read weights in
    these ways only, and `size` where they need R.

    `copies` has shape `(R, documents)` and says how often each document counts, where whole documents are drawn; None means once
    each. `totals` stands for the weights of a measure that reads nothing but `total`: it gives the weighted sums.

    A sum of integers is exact below 2**53, whatever the type of the column. Without weights a sum of floats is exact and rounded
    once (`math.fsum`), so that the order of rows does not matter. With weights a total of floats is that of their `exact_parts`,
    which no order of additions changes; the sums of blocks and documents are rounded at each step, in the order of the rows.
    """

    evidence: Evidence
    weights: Weights | None = None
    copies: Weights | None = None
    totals: Callable[[Any], Values] | None = None
    _kept: dict[str, Any] = field(default_factory=dict)
    _weighted: dict[str, Values] = field(default_factory=dict)
    _parts: dict[str, Sample] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number R of resamples."""
        self.require_rows()
        return 1 if self.weights is None else len(self.weights)

    def drawn(self, weights: Weights | None, copies: Weights | None = None) -> Sample:
        """Return the same evidence with other weights; what `once` keeps of the evidence serves both."""
        return Sample(self.evidence, weights, copies, _kept=self._kept)

    def adding(self, totals: Callable[[Any], Values]) -> Sample:
        """Return the same evidence for measures that read nothing but totals, which a function gives."""
        return Sample(self.evidence, totals=totals, _kept=self._kept)

    def within(self, category: str, column: str) -> Sample:
        """Return the part of the sample whose rows are in a category of a categorical column, as if there were no others.

        Its evidence has the rows of the category alone, and the documents that have such rows.

        >>> from pytest_nlpeval.evidence import Categorical, Evidence
        >>> evidence = Evidence.of("123", {"right": np.array([1, 0, 1]), "of": Categorical.of(["news", "web", "web"])})
        >>> Sample(evidence, np.array([[1, 1, 1], [1, 0, 2]])).within("web", "of").total("right").tolist()
        [1.0, 2.0]
        """
        if (key := f"{column} {category}") not in self._parts:
            self._parts[key] = self._part(self.once(f"sample: {key}", lambda evidence: _Part.of(evidence, category, column)))
        return self._parts[key]

    def _part(self, part: _Part) -> Sample:
        if self.totals:
            return part.plain.adding(lambda column: self.total(part.spread(column, len(self.evidence.units))))
        weights = self.weights if self.weights is None else self.weights[:, part.rows]
        copies = self.copies if self.copies is None else self.copies[:, part.documents]
        return part.plain.drawn(weights, copies)

    def total(self, column: str | Sparse | Numbers) -> Values:
        """Return the weighted sum of a column (by name, or computed from columns), shape `(R,)`.

        >>> from pytest_nlpeval.evidence import Evidence
        >>> evidence = Evidence.of(["1", "2"], {"right": np.array([1, 0], np.int8)})
        >>> Sample(evidence, np.array([[1, 1], [2, 0], [0, 2]])).total("right").tolist()
        [1.0, 2.0, 0.0]
        """
        if self.totals:
            return self.totals(column)
        if not isinstance(column, str):
            return self._total(column)
        if column not in self._weighted:
            self._weighted[column] = self._total(_stored(self.evidence, column))
        return self._weighted[column].copy()

    def _total(self, column: Sparse | Numbers) -> Values:
        numbers, rows = _entries(column)
        if self.weights is None:
            return np.array([exact(numbers)], np.float64)
        weights = self._float_weights()[:, rows]
        entries = weights.sum(axis=1).max(initial=0)
        return sum((weights @ part for part in exact_parts(numbers, entries)), np.zeros(len(weights)))

    def _float_weights(self) -> Values:
        """Return the weights as floats, converted once: numpy multiplies matrices of floats many times faster."""
        if "" not in self._weighted:
            self._weighted[""] = np.asarray(self.weights, np.float64)
        return self._weighted[""]

    def require_rows(self) -> None:
        """Raise `NotAdditiveError` if there is nothing but totals: a measure may ask before it works out what it would not need."""
        if self.totals:
            raise NotAdditiveError

    def block_sums(self, column: str | Numbers, blocks: Blocks) -> Values:
        """Return the weighted sums of a column in each block, shape `(R, blocks)`; a row of weight w counts as w equal rows.

        How many answers are right for each probability, and how many there are:

        >>> from pytest_nlpeval.evidence import Evidence
        >>> evidence = Evidence.of("abcd", {"p": np.array([0.9, 0.4, 0.4, 0.1]), "right": np.array([1, 1, 0, 0], np.int8)})
        >>> sample, blocks = Sample(evidence), Blocks.of(evidence.column("p"))
        >>> sample.block_sums("right", blocks).tolist(), sample.block_sums(np.ones(4, np.int8), blocks).tolist()
        ([[0.0, 1.0, 1.0]], [[1.0, 2.0, 1.0]])
        """
        self.require_rows()
        return self._sums(column, blocks.ranks, len(blocks.keys))

    def running_sums(self, order: NDArray[np.int64], places: NDArray[np.int64]) -> Weights:
        """Return how often the first p rows of `order` (row numbers) count together, for each p of `places`; shape `(R, places)`.

        >>> from pytest_nlpeval.evidence import Evidence
        >>> sample = Sample(Evidence.of("abc", {}), np.array([[1, 1, 1], [2, 0, 1]]))
        >>> sample.running_sums(np.array([2, 0]), np.array([0, 1, 2])).tolist()
        [[0, 1, 2], [0, 1, 3]]
        """
        self.require_rows()
        if self.weights is None:
            return places[None, :]
        return running_sums(self.weights, order, places)

    def document_sums(self, column: str | Numbers) -> Values:
        """Return the weighted sums of a column in each document, shape `(R, documents)`; a document without rows has 0.

        Those of a document that is drawn several times are of one copy: `document_mean` counts the copies.
        """
        self.require_rows()
        ranks = self.once("sample: documents", lambda evidence: evidence.document_ranks())
        sums = self._sums(column, ranks, len(self.evidence.documents))
        return sums if self.copies is None else sums / np.maximum(self.copies, 1)

    def document_mean(self, values: Values) -> Values:
        """Return the mean of the documents' values, shape `(R,)`; a document drawn twice counts as two.

        `values` has shape `(R, documents)`, and NaN for a document that has no value and does not count. NaN if none has one.

        >>> from pytest_nlpeval.evidence import Evidence
        >>> evidence = Evidence(("a", "b"), (1, 1), ("", ""), {"right": np.array([1, 0]), "all": np.array([2, 1])})
        >>> sample = Sample(evidence, np.array([[1, 1], [2, 0], [2, 1]]), copies=np.array([[1, 1], [2, 0], [2, 1]]))
        >>> sums = sample.document_sums("right"), sample.document_sums("all")
        >>> sample.document_mean(np.divide(*sums, out=np.full((3, 2), np.nan), where=sums[1] > 0)).tolist()
        [0.25, 0.5, 0.3333333333333333]
        """
        self.require_rows()
        counts = ~np.isnan(values) * (1.0 if self.copies is None else self.copies)
        numbers = counts.sum(axis=1)
        if not numbers.any():
            return np.full(self.size, np.nan)
        sums = np.cumsum(counts * np.nan_to_num(values), axis=1)[:, -1]  # in the order of the documents
        means: Values = np.divide(sums, numbers, out=np.full(numbers.shape, np.nan), where=numbers > 0)
        return means

    def _sums(self, column: str | Sparse | Numbers, ranks: NDArray[np.int64], number: int) -> Values:
        numbers, rows = _entries(_stored(self.evidence, column) if isinstance(column, str) else column)
        places = ranks[rows] + 1  # place 0 is for the rows that are in no block
        if self.weights is None and numbers.dtype.kind == "f":
            return exact_sums(numbers, places, number + 1)[:, 1:]
        weights = np.ones((1, 1)) if self.weights is None else self._float_weights()[:, rows]
        return weighted_sums(weights, numbers.astype(np.float64), places, number + 1)[:, 1:]

    def counts(self, order: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how often each row of `order` (row numbers) counts, shape `(R, len(order))`."""
        self.require_rows()
        if self.weights is None:
            return np.ones((1, len(order)), np.int64)
        return self.weights.take(order, axis=1).astype(np.int64, copy=False)

    def once(self, name: str, compute: Callable[[Evidence], Any]) -> Any:
        """Return `compute(evidence)`, computed once: several measures, and samples of the same evidence, may need the same order."""
        if name not in self._kept:
            self._kept[name] = compute(self.evidence)
        return self._kept[name]

    def shared(self, name: str, compute: Callable[[], Values]) -> Values:
        """Return `compute()`, computed once for these weights: what several measures need. Nobody may change it."""
        if (key := f"shared: {name}") not in self._weighted:
            self._weighted[key] = compute()
        return self._weighted[key]


class ByDocument(Sample):
    """Every document as a sample of its own, all at once: R is the number of documents, and resample r is document r alone.

    `total` gives the sums of each document, so that an additive measure gives its figures of all documents by the same code. Whatever
    else a measure asks for raises `NotAdditiveError`.

    >>> from pytest_nlpeval.evidence import Evidence
    >>> evidence = Evidence.merge([Evidence.of("12", {"right": np.array([1, 1])}, "a"), Evidence.of("1", {"right": np.array([0])}, "b")])
    >>> ByDocument(evidence).total("right").tolist()
    [2.0, 0.0]
    """

    __slots__ = ()

    def _total(self, column: Sparse | Numbers) -> Values:
        ranks = self.once("sample: documents", lambda evidence: evidence.document_ranks())
        sums: Values = self._sums(column, ranks, len(self.evidence.documents))[0]
        return sums

    def _refuse(self, *_asked: Any, **_named: Any) -> NoReturn:
        """Raise `NotAdditiveError`."""
        raise NotAdditiveError

    block_sums = document_sums = document_mean = running_sums = counts = require_rows = _refuse
    size = property(_refuse)

    def _part(self, part: _Part) -> Sample:
        return part.plain.adding(lambda column: self.total(part.spread(column, len(self.evidence.units))))


class _Part(NamedTuple):
    """The rows of a category, and the documents that have such rows, by their places; `plain` is the sample of their evidence alone."""

    rows: NDArray[np.int64]
    documents: NDArray[np.int64]
    plain: Sample

    @classmethod
    def of(cls, evidence: Evidence, category: str, column: str) -> _Part:
        categories = evidence.categories(column)
        flags = evidence.column(column) == (categories.index(category) if category in categories else len(categories))
        documents = np.zeros(len(evidence.documents), np.bool_)
        documents[evidence.document_ranks()[flags]] = True
        return cls(np.flatnonzero(flags), np.flatnonzero(documents), Sample(evidence.where(flags, documents)))

    def spread(self, column: str | Sparse | Numbers, number: int) -> Numbers:
        """Return a column of these rows as one of so many rows, with 0 in all others."""
        own, rows = _entries(_stored(self.plain.evidence, column) if isinstance(column, str) else column)
        spread: Any = np.zeros_like(own, shape=number)
        spread[self.rows[rows]] = own
        return cast("Numbers", spread)


def _stored(evidence: Evidence, name: str) -> Sparse | Numbers:
    from pytest_nlpeval.columns import Sparse

    column = evidence.columns.get(name)
    return column if isinstance(column, Sparse) else evidence.column(name)


def _entries(column: Sparse | Numbers) -> tuple[Numbers, Any]:
    """Return the numbers of a column and the rows they are in: those that are not 0 if it is sparse."""
    from pytest_nlpeval.columns import Sparse

    return (column.values, column.rows) if isinstance(column, Sparse) else (column, slice(None))

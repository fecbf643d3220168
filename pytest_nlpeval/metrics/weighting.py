"""Measures of many weighted samples at once: totals by one matrix product, everything else a few samples at a time.

A measure that reads nothing but totals of columns is linear in the weights up to its last step. So all its samples follow from
`weights @ columns`, and ten thousand resamples take hardly longer than one.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import narrow
from pytest_nlpeval.evidence import Evidence, Numbers
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, NotAdditiveError, Sample, Values
from pytest_nlpeval.sums import exact_parts

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Integers = NDArray[np.int64]
Weights = NDArray[np.integer[Any]]

_AT_ONCE = 1 << 18  # how many weights of rows are held at once: they stay in the cache of a core
_TOGETHER = 16  # how many samples are multiplied at once, at least: of two at once each takes four times as long
_MOST_TOGETHER = 1 << 22  # but no more weights than these
_MOST_KEPT = 1 << 21  # how many totals are held at once: 16 MiB, of which two copies are there for a moment


@light_dataclass(frozen=True, slots=True)
class Affine:
    """How often each row counts, as a linear function of its unit's weight w: `constant + slope * w`. The same for documents."""

    constant: Integers
    slope: Integers

    def of(self, weights: Weights, ranks: Integers) -> Weights:
        """Return how often each row counts, shape `(R, rows)`, given the weights of units and the unit of each row.

        The numbers have the narrowest type that holds them. Steps that change nothing are left out: rows are many, and each step is a copy.
        """
        steepest, offset = (int(np.abs(numbers).max(initial=0)) for numbers in (self.slope, self.constant))
        if not steepest:  # no weight matters
            return np.broadcast_to(narrow(self.constant, offset), (len(weights), len(ranks)))
        greatest = steepest * int(weights.max(initial=0)) + offset
        numbers = narrow(weights, greatest)
        if not np.array_equal(ranks, np.arange(numbers.shape[1])):
            numbers = numbers.take(ranks, axis=1)
        if not (self.slope == 1).all():
            numbers = narrow(self.slope, greatest) * numbers
        return narrow(self.constant, greatest) + numbers if offset else numbers


@light_dataclass(frozen=True, slots=True, eq=False)
class View:
    """A run whose rows count by the weights of units.

    `ranks` gives the unit of each row; there are `size` units. `rows` says how often each row counts, `documents` how often each document
    does. If whole documents are units, a document is the unit of its rank.
    """

    evidence: Evidence
    ranks: Integers
    size: int
    rows: Affine
    documents: Affine

    def sample(self, plain: Sample, weights: Weights) -> Sample:
        """Return the sample in which units have these weights, shape `(R, size)`; `plain` is the sample without weights."""
        documents = np.arange(len(self.evidence.documents))
        return plain.drawn(self.rows.of(weights, self.ranks), self.documents.of(weights, documents))

    def sums(self, numbers: Numbers) -> tuple[float, Values]:
        """Return the total of a column as a function of the weights: its constant part and, shape `(size,)`, the factor of each unit."""
        constant, slope = self.rows.constant * numbers, self.rows.slope * numbers
        units: Values = np.bincount(self.ranks, slope, self.size).astype(np.float64)  # in the order of the rows
        return math.fsum(constant[constant != 0].tolist()), units


class Plan(NamedTuple):
    """What measures read of an evidence.

    `columns` are those whose totals any measure reads. `additive` gives, for each measure that reads totals alone, the keys of its columns.
    `others` are the measures that need rows.
    """

    measures: Sequence[Measure]
    columns: Mapping[Any, Numbers]
    additive: Mapping[str, frozenset[Any]]
    others: tuple[Measure, ...]

    @classmethod
    def of(cls, measures: Sequence[Measure], evidence: Evidence) -> Self:
        """Ask each measure once for its value, and note which totals it reads; one that reads more is refused, and needs rows."""
        columns: dict[Any, Numbers] = {}
        additive: dict[str, frozenset[Any]] = {}
        plain = Sample(evidence)
        for measure in measures:
            asked = _Asked(evidence)
            try:
                measure.values(plain.adding(asked.total))
            except NotAdditiveError:
                continue
            columns |= asked.columns
            additive[measure.name] = frozenset(asked.columns)
        return cls(measures, columns, additive, tuple(measure for measure in measures if measure.name not in additive))


def _key(column: str | Numbers) -> Any:
    return column if isinstance(column, str) else (column.dtype.str, column.tobytes())


@light_dataclass(frozen=True, slots=True)
class _Asked:
    """The columns whose totals a measure asks for."""

    evidence: Evidence
    columns: dict[Any, Numbers] = field(default_factory=dict)

    def total(self, column: str | Numbers) -> Values:
        numbers = self.evidence.column(column) if isinstance(column, str) else column
        self.columns[_key(column)] = numbers
        return np.array([numbers.sum(dtype=np.float64)])


class _Totals:
    """The totals of some columns in a view, for any weights: `constant + weights @ matrix`, exact for integers.

    Columns whose totals are small whole numbers are multiplied in single precision, which is as exact and takes half the time. A column of
    floats is a sum of parts (`sums.exact_parts`), each with a row of the matrix, so that no order of additions changes a total.
    """

    def __init__(self, columns: Mapping[Any, Numbers], view: View) -> None:
        sums = {key: view.sums(numbers) for key, numbers in columns.items()}
        parts = {key: exact_parts(units, view.size) for key, (_, units) in sums.items()}
        self._constants = {key: constant for key, (constant, _) in sums.items()}
        self._numbers_of_parts = {key: len(own) for key, own in parts.items()}
        rows = [part for own in parts.values() for part in own]
        is_small = np.array([_is_small(row, view.size) for row in rows], np.bool_)
        # The rank of each row in the products: small ones come first.
        self._order = np.argsort(np.argsort(~is_small, kind="stable"))
        matrix = np.array(rows).reshape(len(rows), view.size)
        self.most_samples = max(1, _MOST_KEPT // max(1, len(rows)))
        """For how many samples the totals are as many as are held at once."""
        both = (matrix[is_small].T.astype(np.float32), matrix[~is_small].T)
        self._matrices: list[Any] = [part for part in both if part.shape[1]]
        self._products: list[Values] = []
        self.kept = 0
        """How many totals are kept, of the samples since the last one that was made of them; a sample without columns counts, too."""

    def add(self, weights: Weights) -> None:
        """Multiply the weights of the next samples."""
        products = [np.zeros((len(weights), 0)), *(weights.astype(matrix.dtype) @ matrix for matrix in self._matrices)]
        self._products.append(np.concatenate(products, axis=1, dtype=np.float64))
        self.kept += max(self._products[-1].size, len(weights))

    def sample(self, plain: Sample) -> Sample:
        """Return the sample of all weights since the last one; `plain` is that without weights."""
        size = sum(map(len, self._products))
        joined = np.concatenate(self._products)
        self._products.clear()
        ordered = joined.T[self._order]
        del joined
        products = iter(ordered)
        self.kept = 0
        totals: dict[Any, Values] = {}
        for key, number in self._numbers_of_parts.items():
            totals[key] = sum((next(products) for _ in range(number)), np.zeros(size))
            totals[key] += self._constants[key]
        return plain.adding(lambda column: totals[_key(column)].copy())


def _is_small(units: Values, number: int) -> bool:
    """Whether sums of up to `number` units are whole numbers that single precision holds exactly: its mantissa has 24 bits."""
    return bool((units == np.rint(units)).all()) and float(np.abs(units).max(initial=0)) * number < 1 << 24


@cache
def _threads() -> ThreadpoolController:
    """Return what sets the number of threads in which numpy multiplies matrices."""
    from threadpoolctl import ThreadpoolController

    # threadpoolctl warns of libraries that somebody else has loaded into the process.
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
        return ThreadpoolController()


def evaluate(plan: Plan, views: Sequence[View], weights: Iterable[Weights]) -> list[dict[str, Values]]:
    """Return, for each view, each measure's values for all weights, which come in pieces of shape `(R, size)`.

    Matrices are multiplied in one thread. They are so narrow that a second thread wins nothing. Where another process needs the second
    processor, the first thread even waits for it most of the time.
    """
    with _threads().limit(limits=1, user_api="blas"):
        return _evaluated(plan, views, weights)


def _evaluated(plan: Plan, views: Sequence[View], weights: Iterable[Weights]) -> list[dict[str, Values]]:
    totals = [_Totals(plan.columns, view) for view in views]
    plain = Sample(views[0].evidence)
    parts: list[dict[str, list[Values]]] = [{measure.name: [] for measure in plan.measures} for _ in views]
    additive = [measure for measure in plan.measures if measure.name in plan.additive]
    # Of few units a piece may have all samples; of many labels a sample has many totals.
    most = min(of_view.most_samples for of_view in totals)
    for piece in (whole[start : start + most] for whole in _together(weights) for start in range(0, len(whole), most)):
        for of_view, view, part in zip(totals, views, parts, strict=True):
            if additive:
                of_view.add(piece)
                if of_view.kept > _MOST_KEPT:
                    _add_additive(part, additive, of_view, plain)
            if plan.others:
                _add_values(part, plan.others, view, plain, piece)
    for of_view, part in zip(totals, parts, strict=True):
        if of_view.kept:
            _add_additive(part, additive, of_view, plain)
    return [{name: np.concatenate(pieces) for name, pieces in part.items()} for part in parts]


def _together(weights: Iterable[Weights]) -> Iterator[Weights]:
    """Yield the weights of all samples in larger pieces, unless units are too many."""
    waiting: list[Weights] = []
    for piece in weights:
        waiting.append(narrow(piece))
        if sum(map(len, waiting)) >= _TOGETHER or _TOGETHER * piece.shape[1] > _MOST_TOGETHER:
            yield np.concatenate(waiting)
            waiting.clear()
    if waiting:
        yield np.concatenate(waiting)


def _add_additive(values: Mapping[str, list[Values]], measures: Sequence[Measure], totals: _Totals, plain: Sample) -> None:
    """Add the values of additive measures for all weights whose totals are kept, and drop these."""
    sample = totals.sample(plain)
    for measure in measures:
        values[measure.name].append(measure.values(sample))


def _add_values(
    values: Mapping[str, list[Values]], measures: Sequence[Measure], view: View, plain: Sample, weights: Weights
) -> None:
    size = max(1, _AT_ONCE // max(1, len(view.ranks)))
    for start in range(0, len(weights), size):
        sample = view.sample(plain, weights[start : start + size])
        for measure in measures:
            values[measure.name].append(measure.values(sample))

"""Measures of many weighted samples at once: totals by one matrix product, everything else a few samples at a time."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import narrow
from pytest_nlpeval.evidence import Evidence, Numbers
from pytest_nlpeval.measures import Measure, NotAdditiveError, Sample, Values
from pytest_nlpeval.sums import exact_parts

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Integers = NDArray[np.int64]
Weights = NDArray[np.integer[Any]]

_AT_ONCE = 1 << 18  # how many weights of rows are held at once: they stay in the cache of a core


@dataclass(frozen=True, slots=True)
class Affine:
    """How often each row, or each document, counts: `constant + slope * w`, where w is the weight of its unit."""

    constant: Integers
    slope: Integers

    def of(self, weights: Weights, ranks: Integers) -> Weights:
        """Return how often each counts, shape `(R, entries)`, given the units' weights and the unit of each entry.

        The numbers have the narrowest type that holds them.
        """
        greatest, least = (int(np.abs(numbers).max(initial=0)) for numbers in (self.slope, self.constant))
        if not greatest:  # whatever the weights are
            return np.broadcast_to(narrow(self.constant, least), (len(weights), len(ranks)))
        most = greatest * int(weights.max(initial=0)) + least
        found = narrow(weights, most)
        if not np.array_equal(ranks, np.arange(found.shape[1])):
            found = found.take(ranks, axis=1)
        if not (self.slope == 1).all():
            found = narrow(self.slope, most) * found
        return narrow(self.constant, most) + found if least else found


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A run whose rows count by the weights of units.

    `ranks` gives the unit of each row, out of `size`. `rows` says how often each row counts, and `documents` how often each document does,
    which has the unit of the same rank if whole documents are units.
    """

    evidence: Evidence
    ranks: Integers
    size: int
    rows: Affine
    documents: Affine

    def sample(self, plain: Sample, weights: Weights) -> Sample:
        """Return the sample of the units' weights, shape `(R, size)`; `plain` is one of the same evidence."""
        documents = len(self.evidence.documents)
        units = np.arange(documents) if self.documents.slope.any() else np.zeros(documents, np.int64)
        padded = weights if self.size else np.zeros((len(weights), 1), np.int64)
        return plain.drawn(self.rows.of(padded, self.ranks), self.documents.of(padded, units))

    def sums(self, numbers: Numbers) -> tuple[float, Values]:
        """Return the constant part of a column's total, and what it has for each unit and weight, shape `(size,)`."""
        constant, slope = self.rows.constant * numbers, self.rows.slope * numbers
        units: Values = np.bincount(self.ranks, slope, self.size).astype(np.float64)  # in the order of the rows
        return math.fsum(constant[constant != 0].tolist()), units


@dataclass(frozen=True, slots=True)
class Plan:
    """What measures read of an evidence: the totals of `columns`, for each of `additive` the keys of its own; `others` need rows."""

    measures: Sequence[Measure]
    columns: Mapping[Any, Numbers]
    additive: Mapping[str, frozenset[Any]]
    others: tuple[Measure, ...]

    @classmethod
    def of(cls, measures: Sequence[Measure], evidence: Evidence) -> Self:
        """Ask each measure once for its value, and note what it reads."""
        columns: dict[Any, Numbers] = {}
        additive: dict[str, frozenset[Any]] = {}
        for measure in measures:
            asked = _Asked(evidence)
            try:
                measure.values(Sample(evidence, totals=asked.total))
            except NotAdditiveError:
                continue
            columns |= asked.columns
            additive[measure.name] = frozenset(asked.columns)
        return cls(measures, columns, additive, tuple(found for found in measures if found.name not in additive))

    def only(self, names: Iterable[str]) -> Plan:
        """Return the plan of some of the measures."""
        wanted = set(names)
        additive = {name: keys for name, keys in self.additive.items() if name in wanted}
        columns = {key: self.columns[key] for key in frozenset().union(*additive.values())}
        measures = [measure for measure in self.measures if measure.name in wanted]
        return replace(
            self,
            measures=measures,
            columns=columns,
            additive=additive,
            others=tuple(measure for measure in self.others if measure.name in wanted),
        )


def _key(column: str | Numbers) -> Any:
    return column if isinstance(column, str) else (column.dtype.str, column.tobytes())


@dataclass(frozen=True, slots=True)
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

    Columns whose totals are small whole numbers are multiplied in single precision, which is as exact and takes half the time.
    """

    def __init__(self, columns: Mapping[Any, Numbers], view: View) -> None:
        sums = {key: view.sums(numbers) for key, numbers in columns.items()}
        parts = {key: exact_parts(units, view.size) for key, (_, units) in sums.items()}
        self._constants = {key: constant for key, (constant, _) in sums.items()}
        self._places = {key: len(found) for key, found in parts.items()}
        rows = [part for found in parts.values() for part in found]
        is_small = np.array([_is_small(row, view.size) for row in rows], np.bool_)
        self._order = np.argsort(np.argsort(~is_small, kind="stable"))  # where each row is: small ones come first
        matrix = np.array(rows).reshape(len(rows), view.size)
        self._parts: list[Any] = [part for part in (matrix[is_small].T.astype(np.float32), matrix[~is_small].T) if part.shape[1]]
        self._found: list[Values] = []

    def add(self, weights: Weights) -> None:
        """Take up the next samples' weights."""
        products = [np.zeros((len(weights), 0)), *(weights.astype(part.dtype) @ part for part in self._parts)]
        self._found.append(np.concatenate(products, axis=1, dtype=np.float64))

    def sample(self, evidence: Evidence) -> Sample:
        """Return the sample of all weights so far."""
        products = iter(np.concatenate(self._found).T[self._order])
        totals: dict[Any, Values] = {}
        for key, number in self._places.items():
            totals[key] = sum((next(products) for _ in range(number)), np.zeros(sum(map(len, self._found))))
            totals[key] += self._constants[key]
        return Sample(evidence, totals=lambda column: totals[_key(column)].copy())


def _is_small(units: Values, most: int) -> bool:
    """Whether sums of up to so many of the units are whole numbers that single precision holds exactly."""
    return bool((units == np.rint(units)).all()) and float(np.abs(units).max(initial=0)) * most < 1 << 24


@cache
def _threads() -> ThreadpoolController:
    """Return what sets the number of threads in which numpy multiplies matrices."""
    from threadpoolctl import ThreadpoolController

    with warnings.catch_warnings(
        action="ignore", category=RuntimeWarning
    ):  # of other libraries in the process, which are not ours
        return ThreadpoolController()


def evaluate(plan: Plan, views: Sequence[View], weights: Iterable[Weights]) -> list[dict[str, Values]]:
    """Return, for each view, each measure's values for all weights, which come in pieces of shape `(R, size)`.

    Matrices are multiplied in one thread. They are so narrow that a second one wins nothing; and where another process needs its processor,
    the first one waits for it most of the time.
    """
    with _threads().limit(limits=1, user_api="blas"):
        return _evaluated(plan, views, weights)


def _evaluated(plan: Plan, views: Sequence[View], weights: Iterable[Weights]) -> list[dict[str, Values]]:
    totals = [_Totals(plan.columns, view) for view in views]
    plain = Sample(views[0].evidence)
    parts: list[dict[str, list[Values]]] = [{measure.name: [] for measure in plan.others} for _ in views]
    for piece in weights:
        if plan.additive:
            for one in totals:
                one.add(piece)
        if plan.others:
            for view, part in zip(views, parts, strict=True):
                _add_values(part, plan.others, view, plain, piece)
    found = [{name: np.concatenate(pieces) for name, pieces in part.items()} for part in parts]
    additive = [measure for measure in plan.measures if measure.name in plan.additive]
    for one, values, view in zip(totals, found, views, strict=True):
        if additive:
            sample = one.sample(view.evidence)
            values |= {measure.name: measure.values(sample) for measure in additive}
    return found


def _add_values(
    values: Mapping[str, list[Values]], measures: Sequence[Measure], view: View, plain: Sample, weights: Weights
) -> None:
    size = max(1, _AT_ONCE // max(1, len(view.ranks)))
    for start in range(0, len(weights), size):
        sample = view.sample(plain, weights[start : start + size])
        for measure in measures:
            values[measure.name].append(measure.values(sample))

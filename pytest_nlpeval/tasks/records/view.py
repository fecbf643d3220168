"""The records that a measure is of: all, or those of a group; and the sums of their columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pytest_nlpeval.kit.prf import Figure, figure_of
from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.records.columns import ALL, CREDIT, FIELD, GOLD, GROUP, PARSED, SYSTEM, column_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.columns import Sparse
    from pytest_nlpeval.evidence import Evidence

Column: TypeAlias = "NDArray[Any] | Sparse"


class View(NamedTuple):
    """A sample, or the records of a group in it; `unit` is the credit of a field that is right."""

    sample: Sample
    group: str | None = None
    unit: int = 1

    def total(self, name: str) -> Values:
        """Return the weighted sum of a column, shape `(R,)`."""
        return self.sample.total(name) if self.group is None else self.sample.total(self._inside(name, _column(name)))

    def records(self) -> Values:
        """Return the weighted number of records, shape `(R,)`."""
        if self.group is not None:
            return self.sample.total(f"{GROUP}{self.group}")
        return self.sample.total(self.sample.once("records: ones", _ones))

    def share(self, name: str) -> Values:
        """Return the share of the records that a column flags."""
        return ratio(self.total(name), self.records())

    def counts(self, kind: str, name: str) -> tuple[Values, Values, Values]:
        """Return what is right, what the system has and what gold has of something; the first in units of whole fields."""
        right = self.total(column_of(kind, CREDIT, name))
        if kind == FIELD:
            right = right / self.unit
        return right, self.total(column_of(kind, SYSTEM, name)), self.total(column_of(kind, GOLD, name))

    def mean(self, figure: Figure) -> Values:
        """Return the weighted mean of a figure of single records."""
        key = f"records: {figure} of each record"
        numbers = self.sample.once(key, lambda evidence: _of_records(evidence, figure, self.unit))
        if self.group is not None:
            numbers = self._inside(key, lambda _: numbers)
        return ratio(self.sample.total(numbers), self.records())

    def _inside(self, name: str, numbers: Callable[[Evidence], NDArray[Any]]) -> NDArray[Any]:
        """Return numbers of records, 0 for those outside the group."""
        flags = f"{GROUP}{self.group}"
        kept: NDArray[Any] = self.sample.once(
            f"records: {name} in {self.group}", lambda evidence: numbers(evidence) * evidence.column(flags)
        )
        return kept


def _column(name: str) -> Callable[[Evidence], NDArray[Any]]:
    return lambda evidence: evidence.column(name)


def _ones(evidence: Evidence) -> NDArray[Any]:
    return np.ones(len(evidence.units), np.int8)


def _of_records(evidence: Evidence, figure: Figure, unit: int) -> Values:
    """Return a figure of each record: 0 without denominator; where neither side has a field, 1 if the record is parsed."""
    right, system, gold = (evidence.column(column_of(FIELD, side, ALL)) for side in (CREDIT, SYSTEM, GOLD))
    values = np.nan_to_num(figure_of(figure, right / unit, system, gold), nan=0.0)
    is_empty = (system == 0) & (gold == 0)
    return np.where(is_empty, evidence.column(PARSED).astype(np.float64), values)


def macro(views: list[tuple[Values, Values, Values]], figure: Figure) -> Values:
    """Return the mean of a figure over all counts of which gold or the system has any; a missing precision or recall counts 0.

    NaN where there are none.
    """
    if not views:
        return np.array([np.nan])
    right, system, gold = (np.stack(part) for part in zip(*views, strict=True))
    values = np.nan_to_num(figure_of(figure, right, system, gold), nan=0.0)
    number = (system + gold > 0).sum(axis=0)
    return ratio(values.sum(axis=0), number)

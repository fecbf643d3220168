"""The segments that a measure is of: all, or those of a group."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.text.columns import ANSWERED, GROUP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.evidence import Evidence

Rates: TypeAlias = "NDArray[np.float64]"
Columns: TypeAlias = "NDArray[Any]"


class View(NamedTuple):
    """A sample, or the segments of a group in it."""

    sample: Sample
    group: str | None = None

    def total(self, column: str) -> Values:
        """Return the weighted sum of a column, shape `(R,)`."""
        if self.group is None:
            return self.sample.total(column)
        return self.sample.total(self._inside(column, lambda evidence: evidence.column(column)))

    def mean(self, name: str, rates: Callable[[Evidence], Rates]) -> Values:
        """Return the weighted mean of what each segment has, NaN for no segment; `rates` is asked once for its name."""
        numbers = self.sample.once(f"text: {name}", rates)
        if self.group is not None:
            numbers = self._inside(name, lambda _: numbers)
        return ratio(self.sample.total(numbers), self.segments())

    def segments(self) -> Values:
        """Return the weighted number of segments, shape `(R,)`."""
        if self.group is not None:
            return self.sample.total(self._flags(self.sample.evidence))
        return self.sample.total(self.sample.once("text: ones", lambda evidence: np.ones_like(evidence.column(ANSWERED))))

    def _inside(self, name: str, numbers: Callable[[Evidence], Columns]) -> Columns:
        """Return numbers of segments, 0 for those outside the group."""
        key = f"text: {name} in {self.group}"
        kept: Columns = self.sample.once(key, lambda evidence: numbers(evidence) * self._flags(evidence))
        return kept

    def _flags(self, evidence: Evidence) -> Columns:
        flags: Columns = evidence.column(f"{GROUP}{self.group}")
        return flags

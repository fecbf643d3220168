"""Measures: named functions of evidence, vectorised over weights, and the scores they give."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Column, Evidence

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """Evidence with `weights`: how often each row counts in each of R resamples.

    `weights` has shape `(R, rows)` and holds non-negative integers; None means once each, R = 1. A measure that is additive reads
    `total`; one that is not (CWS, macro averages) reads `rows`.
    """

    evidence: Evidence
    weights: NDArray[np.int64] | None = None
    _kept: dict[str, Any] = field(default_factory=dict)

    def total(self, column: str | Column) -> Values:
        """Return the weighted sum of a column (by name, or computed from columns), shape `(R,)`.

        Exact for integers below 2**53; without weights a float column is summed exactly and rounded once (`math.fsum`), so
        that the order of rows does not matter.
        """
        if isinstance(column, str):
            totals: Values = self.once(f"total:{column}", lambda evidence: self.total(evidence.column(column)))
            return totals.copy()
        numbers = column
        if self.weights is not None:
            return self.weights.astype(np.float64) @ numbers.astype(np.float64)
        if numbers.dtype.kind == "f":
            return np.array([math.fsum(numbers.tolist())])
        return np.array([numbers.sum(dtype=np.int64)], np.float64)

    def rows(self, order: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """For each resample, yield the row numbers of `order`, each repeated as often as it counts."""
        if self.weights is None:
            yield order
        else:
            for weights in self.weights:
                yield np.repeat(order, weights[order])

    def once(self, name: str, compute: Callable[[Evidence], Any]) -> Any:
        """Return `compute(evidence)`, computed once per sample: several measures may need the same sorted order."""
        if name not in self._kept:
            self._kept[name] = compute(self.evidence)
        return self._kept[name]


class Range(NamedTuple):
    """Where the values of a measure lie: in [low, high]; `is_whole` says that they are whole numbers."""

    low: float
    high: float
    is_whole: bool = False


SHARE = Range(0.0, 1.0)
COUNT = Range(0.0, math.inf, is_whole=True)


@dataclass(frozen=True, slots=True)
class Measure:
    """A named function of evidence.

    `name` is what gates, reports and the command call it. `definition` is one sentence, `formula` the value in terms of counts.
    `values` maps a `Sample` to shape `(R,)`, NaN meaning no value; `missing` then says why, or computes the reason from the
    evidence. Values lie in `range`; `better` says whether a higher or a lower one is better. Measures of one `group` (an annotation, a
    label, an application setting) are shown together; "" is the suite as a whole.
    """

    name: str
    definition: str
    formula: str
    values: Callable[[Sample], Values]
    missing: str | Callable[[Evidence], str] = ""
    range: Range = SHARE
    better: Literal["higher", "lower"] = "higher"
    group: str = ""

    def score(self, sample: Sample) -> Score:
        """Return the score of a sample without weights: a value, or the reason why there is none."""
        value = float(self.values(sample)[0])
        if not math.isnan(value):
            return Score(int(value) if self.range.is_whole and value.is_integer() else value)
        return Score(None, self.missing if isinstance(self.missing, str) else self.missing(sample.evidence))


@dataclass(frozen=True, slots=True)
class Score:
    """A measure's value, unrounded, or None with the `reason`; a number of things is an integer."""

    value: float | None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form."""
        return {"value": self.value} if self.value is not None else {"value": None, "reason": self.reason}

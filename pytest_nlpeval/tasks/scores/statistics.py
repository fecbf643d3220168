"""What measures are made of: sums over the items of a suite, or of one of its groups, in every resample; percentiles of values.

Sources: Chen et al., Evaluating Large Language Models Trained on Code, 2021 (pass@k); Yao et al., τ-bench, 2024 (pass^k); Hyndman and
Fan, Sample Quantiles in Statistical Packages, The American Statistician 50, 1996 (percentiles, type 7).
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.scores.columns import (
    ERROR,
    GROUP,
    LACKS,
    MEAN,
    PASSES,
    SIZE,
    SUM,
    VARIANCE,
    WHOLE,
    WHOLE_OF,
    of_result,
    value_column,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.evidence import Evidence

Statistic: TypeAlias = "Callable[[Scope], Values]"
"""Gives the values of a measure over the items of a scope, shape `(R,)`, NaN for none."""


@light_dataclass(frozen=True, slots=True)
class Scope:
    """A sample, and the group whose items count; None for all."""

    sample: Sample
    group: str | None = None

    def kept(self, name: str, compute: Callable[[Evidence], NDArray[Any]]) -> NDArray[np.float64]:
        """Return a number for each item, computed from columns once; shape `(items,)`."""
        numbers: NDArray[np.float64] = self.sample.once(f"scores: {name}", lambda evidence: compute(evidence).astype(np.float64))
        return numbers

    def total(self, name: str, compute: Callable[[Evidence], NDArray[Any]]) -> Values:
        """Return the sum of a number of each item, added once for all measures of the sample."""
        return self.sample.shared(f"scores: {name} in {self.group}", lambda: self._total(name, compute))

    def _total(self, name: str, compute: Callable[[Evidence], NDArray[Any]]) -> Values:
        from pytest_nlpeval.columns import Sparse

        numbers = self.kept(name, compute)
        if self.group is None:
            return self.sample.total(numbers)
        inside = numbers * self.sample.evidence.column(f"{GROUP}{self.group}")
        return self.sample.total(inside if self.sample.totals else Sparse.from_dense(inside))  # few rows are of a group

    def column(self, result: str, column: str) -> Values:
        """Return the sum of a column of a result."""
        name = of_result(result, column)
        return self.total(name, lambda evidence: evidence.column(name))

    def items(self) -> Values:
        """Return the number of items."""
        return self.total("items", lambda evidence: np.ones(len(evidence.units)))

    def counted(self, result: str) -> Values:
        """Return the number of items that are not left out of a result, n."""
        return self.total(f"{result} counted", lambda evidence: evidence.column(of_result(result, SIZE)) > 0)


@light_dataclass(frozen=True, slots=True)
class Mean:
    """The mean of the items' means, Σ m_i / n."""

    result: str

    def __call__(self, scope: Scope) -> Values:
        """Return the values."""
        return ratio(scope.column(self.result, MEAN), scope.counted(self.result))


@light_dataclass(frozen=True, slots=True)
class Sum:
    """The sum of all values; none if the evidence has an item that is left out, whatever the weights."""

    result: str

    def __call__(self, scope: Scope) -> Values:
        """Return the values."""
        sums: Values = scope.column(self.result, SUM).copy()
        sample = scope.sample
        whole = Scope(Sample(sample.evidence), scope.group) if sample.weights is not None else scope
        sums[np.broadcast_to(whole.counted(self.result) < whole.items(), sums.shape)] = np.nan
        return sums


@light_dataclass(frozen=True, slots=True)
class OfPasses:
    """The mean over items of a function of how many values an item has, and how many of these pass."""

    name: str
    result: str
    function: Callable[[int, int], float]

    def __call__(self, scope: Scope) -> Values:
        """Return the values."""
        return ratio(scope.total(f"{self.result} {self.name}", self._of_items), scope.counted(self.result))

    def _of_items(self, evidence: Evidence) -> NDArray[np.float64]:
        sizes, passes = (evidence.column(of_result(self.result, column)).astype(np.int64) for column in (SIZE, PASSES))
        return by_pair(sizes, passes, self.function)


def by_pair(sizes: NDArray[np.int64], passes: NDArray[np.int64], function: Callable[[int, int], float]) -> NDArray[np.float64]:
    """Return a function of each pair of a size and a number of passes, worked out once for equal pairs; 0 where the size is 0."""
    width = int(sizes.max(initial=0)) + 1
    codes, places = np.unique(sizes * width + passes, return_inverse=True)
    values = [function(*divmod(code, width)) if code >= width else 0.0 for code in codes.tolist()]
    numbers: NDArray[np.float64] = np.array(values, np.float64)[places]
    return numbers


def share_of_passes(size: int, passes: int) -> float:
    """Return c / n."""
    return passes / size


def is_flaky(size: int, passes: int) -> float:
    """Return 1 if some values pass and some do not, else 0."""
    return float(0 < passes < size)


@light_dataclass(frozen=True, slots=True)
class AnyOf:
    """The chance that one of k values passes, drawn from those of an item: 1 - C(n - c, k) / C(n, k) (Chen et al. 2021).

    >>> AnyOf(2)(3, 1)
    0.6666666666666666
    """

    k: int

    def __call__(self, size: int, passes: int) -> float:
        """Return the chance."""
        every = comb(size, self.k)
        return (every - comb(size - passes, self.k)) / every if every else 0.0


@light_dataclass(frozen=True, slots=True)
class AllOf:
    """The chance that k values all pass, drawn from those of an item: C(c, k) / C(n, k) (Yao et al. 2024).

    >>> AllOf(2)(3, 2)
    0.3333333333333333
    """

    k: int

    def __call__(self, size: int, passes: int) -> float:
        """Return the chance."""
        every = comb(size, self.k)
        return comb(passes, self.k) / every if every else 0.0


@light_dataclass(frozen=True, slots=True)
class Within:
    """The standard deviation within items: the root of the mean variance of the values of an item, over items with two or more."""

    result: str

    def __call__(self, scope: Scope) -> Values:
        """Return the values."""
        several = scope.total(f"{self.result} several", lambda evidence: evidence.column(of_result(self.result, SIZE)) > 1)
        variances: Values = np.sqrt(ratio(scope.column(self.result, VARIANCE), several))
        return variances


@light_dataclass(frozen=True, slots=True)
class Complete:
    """The share of items that lack none of some results."""

    results: tuple[str, ...]

    def __call__(self, scope: Scope) -> Values:
        """Return the values."""
        return ratio(scope.total(f"complete {' '.join(self.results)}", self._of_items), scope.items())

    def _of_items(self, evidence: Evidence) -> NDArray[np.float64]:
        lacks = [evidence.column(of_result(result, LACKS)) != 0 for result in self.results]
        complete: NDArray[np.float64] = ~np.logical_or.reduce(lacks)
        return complete


def whole_passes(scope: Scope) -> Values:
    """Return the mean share of an item's repeats in which every result passes."""
    return ratio(scope.total(WHOLE, _whole), scope.total(WHOLE_OF, lambda evidence: evidence.column(WHOLE_OF) > 0))


def _whole(evidence: Evidence) -> NDArray[np.float64]:
    return by_pair(evidence.column(WHOLE_OF).astype(np.int64), evidence.column(WHOLE).astype(np.int64), share_of_passes)


def errors(scope: Scope) -> Values:
    """Return the share of items with a record that failed."""
    return ratio(scope.total(ERROR, lambda evidence: evidence.column(ERROR)), scope.items())


@light_dataclass(frozen=True, slots=True)
class Percentile:
    """The N-th percentile of all values, between neighbours as far as the place (M - 1) · N / 100 says (type 7)."""

    result: str
    percent: int

    def __call__(self, scope: Scope) -> Values:
        """Return the values."""
        scope.sample.require_rows()
        entries: tuple[NDArray[np.float64], NDArray[np.int64]] = scope.sample.once(
            f"scores: values of {self.result} in {scope.group}",
            lambda evidence: sorted_values(evidence, self.result, scope.group),
        )
        numbers, rows = entries
        if not len(numbers):
            return np.full(scope.sample.size, np.nan)
        running = scope.sample.running_sums(rows, np.arange(1, len(rows) + 1))
        places, hundredths = np.divmod((running[:, -1].astype(np.int64) - 1) * self.percent, 100)
        low, high = (numbers[(running > place[:, None]).argmax(axis=1)] for place in (places, places + 1))
        values: Values = np.where(hundredths > 0, low + hundredths / 100 * (high - low), low)
        values[running[:, -1] == 0] = np.nan
        return values


def sorted_values(evidence: Evidence, result: str, group: str | None = None) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return all values of a result in ascending order, and the row of each."""
    sizes = evidence.column(of_result(result, SIZE)).astype(np.int64)
    if group is not None:
        sizes = np.where(evidence.column(f"{GROUP}{group}") == 1, sizes, 0)
    rows = [np.flatnonzero(sizes > rank) for rank in range(int(sizes.max(initial=0)))]
    values = [evidence.column(value_column(result, rank))[own] for rank, own in enumerate(rows, 1)]
    numbers = np.concatenate([np.zeros(0), *values])
    order = np.argsort(numbers, kind="stable")
    return numbers[order], np.concatenate([np.zeros(0, np.int64), *rows])[order]

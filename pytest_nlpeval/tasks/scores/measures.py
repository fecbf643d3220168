"""The measures of the task: which there are, and what each is called."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import SHARE, Measure, OfGroup, Range, Sample, Values
from pytest_nlpeval.tasks.scores import statistics
from pytest_nlpeval.tasks.scores.columns import GROUP, LACKS, WHOLE, groups_in, of_result
from pytest_nlpeval.tasks.scores.options import Options, Result
from pytest_nlpeval.tasks.scores.statistics import (
    AllOf,
    AnyOf,
    Complete,
    Mean,
    OfPasses,
    Percentile,
    Scope,
    Statistic,
    Sum,
    Within,
)

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

_ANY = Range(-math.inf, math.inf)
_FROM_0 = Range(0.0, math.inf)


@light_dataclass(frozen=True, slots=True)
class _Figure:
    """A measure without its group: of the suite as it stands, of a group with the words that say so."""

    name: str
    definition: str
    formula: str
    statistic: Statistic
    missing: str
    range: Range = SHARE
    better: Literal["higher", "lower"] = "higher"
    group: str = ""
    perfect: float | Literal["end"] | None = "end"
    empty: float = 0.0
    needs: Literal["totals", "rows"] = "totals"
    right: float | None = None
    has_macro: bool = False
    since: str = ""

    def measure(self) -> Measure:
        """Return the measure of the suite."""
        return self._made(self.name, self.definition, partial(_of_all, self.statistic), self.missing)

    def of_group(self, group: str) -> Measure:
        """Return the measure of the items of a group."""
        prefix = f"{GROUP}{group}"
        made = self._made(
            f"{prefix}.{self.name}",
            f"{self.definition} Items of group {group} alone.",
            partial(_of_group, self.statistic, group),
            f"{self.missing} in group {group}",
        )
        return replace(made, group=f"{prefix}.{self.group}".rstrip("."), of_group=OfGroup(group, self.name, prefix))

    def macro(self, groups: tuple[str, ...]) -> Measure:
        """Return the mean of the groups' values that there are."""
        made = self._made(
            f"macro.{self.name}",
            f"Mean of the groups' `{self.name}`.",
            partial(_of_groups, self.statistic, groups),
            "no group has a value",
        )
        return replace(made, formula=f"mean of group.<v>.{self.name} over the groups that have a value", group="macro")

    def _made(self, name: str, definition: str, values: Callable[[Sample], Values], missing: str) -> Measure:
        return Measure(
            name,
            definition,
            self.formula,
            values,
            missing,
            self.range,
            self.better,
            self.group,
            perfect=self.perfect,
            empty=self.empty,
            needs=self.needs,
            right=self.right,
            since=self.since,
        )


def _of_all(statistic: Statistic, sample: Sample) -> Values:
    return statistic(Scope(sample)).copy()


def _of_group(statistic: Statistic, group: str, sample: Sample) -> Values:
    return statistic(Scope(sample, group)).copy()


def _of_groups(statistic: Statistic, groups: tuple[str, ...], sample: Sample) -> Values:
    values = np.stack([statistic(Scope(sample, group)) for group in groups])
    has_value = ~np.isnan(values)
    sums, numbers = np.where(has_value, values, 0.0).sum(axis=0), has_value.sum(axis=0)
    means: Values = np.divide(sums, numbers, out=np.full(sums.shape, np.nan), where=numbers > 0)
    return means


def measures(options: Options, columns: Collection[str] | None) -> tuple[Measure, ...] | None:
    """Return the measures for evidence with these columns; with None all that can exist, which only files tell if there are groups."""
    if columns is None and options.group is not None:
        return None
    figures = [*(figure for result in options.results for figure in _of_result(result)), *_of_the_suite(options)]
    groups = groups_in(columns or ())
    every = [figure.measure() for figure in figures]
    if groups:
        every += (figure.macro(groups) for figure in figures if figure.has_macro)
        every += (figure.of_group(group) for group in groups for figure in figures)
    return tuple(every)


def _of_result(result: Result) -> Iterator[_Figure]:
    name, missing = result.name, f"no item has a value of {result.name}"
    for measure in dict.fromkeys(result.measures):
        figure = _OF_NAME[measure](result) if measure in _OF_NAME else _of_number(result, measure)
        yield replace(
            figure, name=f"{name}.{measure}", group=name, missing=figure.missing or missing, since=of_result(name, LACKS)
        )
    yield _Figure(
        f"{name}.coverage",
        f"Share of the items that do not lack {name}.",
        "items that do not lack the result / items",
        Complete((name,)),
        "there is no item",
        group=name,
        since=of_result(name, LACKS),
    )


def _own_range(result: Result) -> Range:
    return Range(-math.inf if result.low is None else result.low, math.inf if result.high is None else result.high)


def _mean(result: Result) -> _Figure:
    definition = f"Mean of the items' means of {result.name}."
    empty = result.missing or 0.0
    return _Figure(
        "", definition, "Σ_i m_i / n", Mean(result.name), "", _own_range(result), result.better, empty=empty, has_macro=True
    )


def _sum(result: Result) -> _Figure:
    is_from_0 = result.low is not None and result.low >= 0
    return _Figure(
        "",
        f"Sum of all values of {result.name}.",
        "Σ_i Σ_j v_ij",
        Sum(result.name),
        f"items are left out of {result.name}, of which there is no sum",
        _FROM_0 if is_from_0 else _ANY,
        result.better,
        perfect=None,
    )


def _of_passes(result: Result, definition: str, formula: str, function: Callable[[int, int], float], name: str) -> _Figure:
    return _Figure(
        "",
        definition.format(result.name),
        formula,
        OfPasses(name, result.name, function),
        "",
        empty=float(_missing_passes(result)),
        has_macro=True,
    )


def _missing_passes(result: Result) -> bool:
    if result.missing is None or result.passes is None:
        return False
    return result.missing >= result.passes if result.better == "higher" else result.missing <= result.passes


def _pass_rate(result: Result) -> _Figure:
    text = "Mean share of an item's values of {} that pass."
    return replace(_of_passes(result, text, "Σ_i (c_i / n_i) / n", statistics.share_of_passes, "pass_rate"), right=0.5)


def _flaky(result: Result) -> _Figure:
    text = "Share of the items of which some values of {} pass and some do not."
    figure = _of_passes(result, text, "items with 0 < c_i < n_i / n", statistics.is_flaky, "flaky")
    return replace(figure, better="lower", empty=0.0)


def _within(result: Result) -> _Figure:
    return _Figure(
        "",
        f"Standard deviation of {result.name} within items.",
        "√(mean of s_i²), s_i² = Σ_j (v_ij - m_i)² / (n_i - 1), over the items with n_i ≥ 2",
        Within(result.name),
        f"no item has two values of {result.name}",
        _FROM_0,
        "lower",
    )


_OF_NAME: dict[str, Callable[[Result], _Figure]] = {
    "mean": _mean,
    "sum": _sum,
    "pass_rate": _pass_rate,
    "flaky": _flaky,
    "within_sd": _within,
}


def _of_number(result: Result, measure: str) -> _Figure:
    """Return the figure of a measure whose name ends in a number: `pass@3`, `pass^3` or `p95`."""
    if measure.startswith("pass@"):
        text = f"Chance that one of {measure[5:]} repeats of an item passes in {{}} (Chen et al. 2021)."
        return _of_passes(result, text, "Σ_i (1 - C(n_i - c_i, k) / C(n_i, k)) / n", AnyOf(int(measure[5:])), measure)
    if measure.startswith("pass^"):
        text = f"Chance that {measure[5:]} repeats of an item all pass in {{}} (Yao et al. 2024)."
        return _of_passes(result, text, "Σ_i (C(c_i, k) / C(n_i, k)) / n", AllOf(int(measure[5:])), measure)
    return _Figure(
        "",
        f"Percentile {measure[1:]} of all values of {result.name} (type 7 of Hyndman and Fan 1996).",
        "x_⌊h⌋ + (h - ⌊h⌋)(x_⌊h⌋₊₁ - x_⌊h⌋), h = (M - 1) · N / 100",
        Percentile(result.name, int(measure[1:])),
        "",
        _own_range(result),
        result.better,
        empty=result.missing or 0.0,
        needs="rows",
    )


def _of_the_suite(options: Options) -> Iterator[_Figure]:
    if len(options.passing) > 1:
        names = ", ".join(result.name for result in options.passing)
        yield _Figure(
            "all.pass_rate",
            f"Mean share of an item's repeats in which all of {names} pass.",
            "Σ_i (repeats of i in which all pass / n_i) / n",
            statistics.whole_passes,
            f"every item is left out of one of {names}",
            group="all",
            empty=float(all(map(_missing_passes, options.passing))),
            right=0.5,
            has_macro=True,
            since=WHOLE,
        )
    yield _Figure(
        "coverage",
        "Share of the items that lack nothing.",
        "items that lack nothing / items",
        Complete(tuple(result.name for result in options.results)),
        "there is no item",
    )
    if options.error:
        yield _Figure(
            "errors",
            "Share of the items with a record that has an error.",
            "items with a record that has an error / items",
            statistics.errors,
            "there is no item",
            better="lower",
        )


def notes(evidence: Evidence, options: Options, _roles: Collection[str]) -> Iterator[str]:
    """Yield what must be known besides the scores: what nobody checked, what is left out, and how much there is."""
    from pytest_nlpeval.tasks.scores.remarks import remarks

    yield from remarks(evidence, options)

"""Intervals and significance of any measure: bootstrap, paired bootstrap, and paired approximate randomisation.

The bootstrap (Efron: Bootstrap methods, another look at the jackknife, 1979) draws as many units as there are, with replacement.
Approximate randomisation (Noreen: Computer-intensive methods for testing hypotheses, 1989) tosses a coin for each unit and swaps what the
two runs have for it, as if it did not matter which run it is from. A unit is a document or a row.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.group_measures import rows_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, Values
from pytest_nlpeval.metrics.draws import Draws, all_swaps, bootstrap_counts, swaps, unseen_counts
from pytest_nlpeval.metrics.intervals import NO_INTERVAL, Interval
from pytest_nlpeval.metrics.pairing import By, Pairs, ranks_of
from pytest_nlpeval.metrics.weighting import Affine, Integers, Plan, View, Weights, evaluate

TOLERANCE = 1e-12
"""Two statistics this close are equal: the noise of floats."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """The bootstrap distribution of a statistic.

    `observed` is the statistic of the evidence itself, NaN if it has none. `values` are the statistics of the resamples that have one,
    ascending; `resamples` is how many resamples there are in all.
    """

    observed: float
    values: Values
    resamples: int

    @classmethod
    def of(cls, observed: float, values: Values) -> Distribution:
        """Return the distribution of the values of all resamples; a resample without value has NaN."""
        return cls(observed, np.sort(values[~np.isnan(values)]), len(values))

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return the percentile interval: (1 - confidence) / 2 of the values are cut off at each end.

        Resamples without value are left out. There is no interval if more than 1 - confidence of all resamples have none, or if nothing
        was observed.
        """
        number = len(self.values)
        if math.isnan(self.observed) or not number or self.resamples - number > (1 - confidence) * self.resamples:
            return NO_INTERVAL
        cut = _cut(number, (1 - confidence) / 2)
        return Interval(float(self.values[cut - 1]), float(self.values[number - cut]))

    def upper(self, alpha: float) -> float:
        """Return the upper end of the one-sided percentile interval of confidence 1 - alpha; NaN if nothing was observed.

        A resample without value counts as infinitely great, so that what is not known never speaks for the system.
        """
        if math.isnan(self.observed):
            return math.nan
        rank = self.resamples - _cut(self.resamples, alpha)
        return float(self.values[rank]) if rank < len(self.values) else math.inf

    def share_up_to(self, limit: float) -> float:
        """Return the share of resamples, and of the evidence itself, that are at most `limit`: a p-value of the claim that it is greater.

        A resample without value counts as one, so that what is not known makes nothing significant. NaN if nothing was observed.
        """
        if math.isnan(self.observed):
            return math.nan
        greater = len(self.values) - int(np.searchsorted(self.values, limit + TOLERANCE, side="right"))
        return (1 + self.resamples - greater) / (1 + self.resamples)

    def with_unseen(self, loss: float, seed: int) -> Distribution:
        """Return the distribution if one more unit, which the sample does not show, is drawn along: each time it adds `loss`.

        How often it is drawn does not depend on the others, so that the order of the values does not matter. Where all values are the
        same, the upper end at 95 % is three losses above them: the rule of three (Hanley, Lippman-Hand: If nothing goes wrong, is
        everything all right?, 1983).
        """
        times = unseen_counts(Draws(len(self.values), seed))
        return replace(self, values=np.sort(self.values + loss * times))

    @property
    def error(self) -> float:
        """The standard error: the standard deviation of the values; NaN if there are less than two."""
        number = len(self.values)
        if number < 2:
            return math.nan
        mean = math.fsum(self.values.tolist()) / number
        return math.sqrt(math.fsum(((self.values - mean) ** 2).tolist()) / (number - 1))


def _cut(number: int, share: float) -> int:
    """Return how many values a share of them is, at least 1: the percentile's rank in `number + 1` parts.

    Rounded first, because `10_000 * 0.025` may be a float just below 250.

    >>> _cut(9_999, 0.025)
    250
    """
    return max(1, math.floor(round((number + 1) * share, 9)))


@light_dataclass(frozen=True, slots=True)
class Significance:
    """The randomisation test of a drop: how much worse the run of now is than the baseline.

    `p` is the probability of a drop at least as great as the observed one if it does not matter which run a unit is from; it is 1 for runs
    that do not differ. `p_two_sided` is the same for a difference in either direction. `differing` is the number of units that differ in
    what the measure reads. `is_exact` says that all ways to swap them were counted. If either run has no value, `drop` and both p are NaN.
    `critical` lies midway between the smallest drop among the ways to swap whose p is at most the level that was asked for, and the
    next smaller drop, whose p is above: drops that come in steps are taken for nearly normal ones. NaN if no level was asked for, or no
    such drop came up. `resamples` is how many were drawn, where these are fewer than the statistics say.
    """

    drop: float
    p: float
    p_two_sided: float
    differing: int
    is_exact: bool
    critical: float = math.nan
    resamples: int | None = None


def bootstrap(evidence: Evidence, measures: Sequence[Measure], draws: Draws, by: By) -> dict[str, Distribution]:
    """Return the bootstrap distribution of each measure's value, by name.

    All measures see the same resamples, and one call for all is as fast as one for a few.
    """
    rows, documents = (np.ones(len(names), np.bool_) for names in (evidence.units, evidence.documents))
    ranks = ranks_of(evidence, by)
    size = len(documents) if by == "documents" else int(ranks.max(initial=-1)) + 1
    view = View(evidence, ranks, size, *_drawn(rows, documents, by))
    plan = Plan.of(measures, evidence)
    (observed,) = evaluate(plan, [view], _once(size))
    (values,) = evaluate(plan, [view], bootstrap_counts(draws, size))
    return {measure.name: _distribution(observed[measure.name], values[measure.name], is_known=size > 1) for measure in measures}


def bootstrap_drops(pairs: Pairs, measures: Sequence[Measure], draws: Draws) -> dict[str, Distribution]:
    """Return the bootstrap distribution of the drop in each measure, by name.

    The drop is `baseline - value`, or `value - baseline` where less is better. Both runs see the same resamples of units.
    """
    documents = np.ones(len(pairs.evidence.documents), np.bool_)
    views = [
        View(pairs.evidence, pairs.ranks, pairs.size, *_drawn(rows, documents, pairs.by))
        for rows in (pairs.is_now, ~pairs.is_now)
    ]
    plan = Plan.of(measures, pairs.evidence)
    observed = _drops(plan, evaluate(plan, views, _once(pairs.size)))
    drops = _drops(plan, evaluate(plan, views, bootstrap_counts(draws, pairs.size)))
    is_known = pairs.size > 1 or not pairs.differs.any()
    return {name: _distribution(observed[name], values, is_known=is_known) for name, values in drops.items()}


def _distribution(observed: Values, values: Values, *, is_known: bool) -> Distribution:
    """Return the distribution of resamples. Unless it `is_known` no resample has a value: a single unit tells nothing of others."""
    return Distribution.of(float(observed[0]), values if is_known else np.full(values.shape, np.nan))


def randomise(
    pairs: Pairs, measures: Sequence[Measure], draws: Draws, levels: Mapping[str, float] | None = None
) -> dict[str, Significance]:
    """Return the randomisation test of the drop in each measure, by name; `levels` asks for the critical drops of some at these levels.

    Only the k units that differ in what a measure reads are swapped; to swap equal ones changes nothing. For a measure that reads more than
    totals these are the units that differ at all. If 2**k is at most the number of resamples, all ways to swap are counted, and p is the
    share of the ways with as great a drop. Otherwise p = (1 + resamples with as great a drop) / (1 + resamples). A resample without value
    counts as one with as great a drop: what is not known makes nothing significant.
    """
    views = _swapped(pairs)
    plan = Plan.of(measures, pairs.evidence)
    observed = _drops(plan, evaluate(plan, views, [np.zeros((1, pairs.size), np.int64)]))
    masks = _differing(plan, views, pairs)
    tests: dict[str, Significance] = {}
    for names, mask, pieces in _randomisations(masks, draws):
        own = Plan.of([measure for measure in measures if measure.name in names], pairs.evidence)
        drops = _drops(own, evaluate(own, [_only(view, mask) for view in views], pieces))
        for name in names:
            number = int(np.count_nonzero(masks[name]))
            test = _test(float(observed[name][0]), drops[name], number, is_exact=_is_few(number, draws))
            level = (levels or {}).get(name)
            tests[name] = test if level is None else replace(test, critical=_critical(drops[name], level, test))
    return {measure.name: tests[measure.name] for measure in measures}


_Randomisation = tuple[list[str], NDArray[np.bool_], Iterable[Weights]]
"""The names of measures, the units that are swapped for them, and the ways to swap these."""


def _randomisations(masks: Mapping[str, NDArray[np.bool_]], draws: Draws) -> Iterator[_Randomisation]:
    """Yield one that counts all ways for each small set of units, and one that draws ways for all other measures."""
    groups: defaultdict[bytes, list[str]] = defaultdict(list)
    for name, mask in masks.items():
        groups[mask.tobytes() if _is_few(int(np.count_nonzero(mask)), draws) else b""].append(name)
    drawn = groups.pop(b"", [])
    for names in groups.values():
        mask = masks[names[0]]
        yield names, mask, all_swaps(int(np.count_nonzero(mask)))
    if drawn:
        mask = np.logical_or.reduce([masks[name] for name in drawn])
        swapped = np.flatnonzero(mask)
        yield drawn, mask, (piece.take(swapped, axis=1) for piece in swaps(draws, len(mask)))


def _is_few(number: int, draws: Draws) -> bool:
    """Whether there are no more ways to swap this many units than resamples."""
    return number < draws.resamples.bit_length()


def _test(observed: float, drops: Values, differing: int, *, is_exact: bool) -> Significance:
    if math.isnan(observed):
        return Significance(observed, math.nan, math.nan, differing, is_exact)
    limit = TOLERANCE * max(1.0, abs(observed))
    extra = 0 if is_exact else 1
    p, p_two_sided = (
        (extra + int(np.count_nonzero(~(differences < least - limit)))) / (extra + len(drops))  # NaN is not less
        for differences, least in ((drops, observed), (np.abs(drops), abs(observed)))
    )
    return Significance(observed, p, p_two_sided, differing, is_exact)


def _critical(drops: Values, level: float, test: Significance) -> float:
    """Return the middle between the smallest drop that at most a share `level` of them reach, counted as `_test` counts, and the next.

    >>> _critical(np.array([0.0, 0.1, 0.1, 0.25]), 0.25, Significance(0.1, 0.75, 1, 2, is_exact=True))
    0.175
    """
    extra = 0 if test.is_exact else 1
    descending = -np.sort(-np.where(np.isnan(drops), np.inf, drops))
    reached = math.floor(round(level * (extra + len(drops)) - extra, 6))  # so many drops may be at least the critical one
    if not 0 < reached < len(descending):
        return math.nan
    too_often = descending[reached]
    greater = descending[descending > too_often + TOLERANCE * max(1.0, abs(too_often))]
    return float(greater[-1] + too_often) / 2 if len(greater) and math.isfinite(greater[-1]) else math.nan


def _drops(plan: Plan, values: Sequence[Mapping[str, Values]]) -> dict[str, Values]:
    """Return how much worse the first run is than the second."""
    now, baseline = values
    signs = {measure.name: 1 if measure.better == "higher" else -1 for measure in plan.measures}
    return {name: sign * (baseline[name] - now[name]) for name, sign in signs.items()}


def _once(size: int) -> list[Integers]:
    return [np.ones((1, size), np.int64)]


def _drawn(rows: NDArray[Any], documents: NDArray[Any], by: By) -> tuple[Affine, Affine]:
    """Return how often the rows and documents of a run count: as often as their unit is drawn. Rows that are not the run's are False.

    Where rows are drawn, every document of the run counts once.
    """
    own_rows, own_documents = rows.astype(np.int64), documents.astype(np.int64)
    none = 0 * own_documents
    return Affine(0 * own_rows, own_rows), Affine(none, own_documents) if by == "documents" else Affine(own_documents, none)


def _swapped(pairs: Pairs) -> list[View]:
    """Return the two runs as functions of which units are swapped: those of weight 1 are, those of weight 0 are not.

    A row of the run counts `1 - w` times and one of the other run w times, which is `own + (1 - 2 * own) * w`.
    """
    once = np.ones(len(pairs.evidence.documents), np.int64)
    runs = (rows.astype(np.int64) for rows in (pairs.is_now, ~pairs.is_now))
    return [View(pairs.evidence, pairs.ranks, pairs.size, Affine(own, 1 - 2 * own), Affine(once, 0 * once)) for own in runs]


def _only(view: View, mask: NDArray[np.bool_]) -> View:
    """Return the view in which only the units of a mask have weights, and ranks among each other; the weight of all others is 0."""
    new_ranks = np.cumsum(mask) - 1
    has_weight = mask[view.ranks]
    rows = replace(view.rows, slope=view.rows.slope * has_weight)
    return replace(view, ranks=np.where(has_weight, new_ranks[view.ranks], 0), size=int(np.count_nonzero(mask)), rows=rows)


def _differing(plan: Plan, views: Sequence[View], pairs: Pairs) -> dict[str, NDArray[np.bool_]]:
    """Return, for each measure, which units differ in what it reads: units all of whose rows are the same do not, whatever floats say."""
    differs = {key: pairs.differs & (views[0].sums(column)[1] != 0) for key, column in plan.columns.items()}
    none = np.zeros(pairs.size, np.bool_)
    return {
        measure.name: np.logical_or.reduce([none, *(differs[key] for key in plan.additive[measure.name])])
        if measure.name in plan.additive
        else pairs.differs & _has_rows(measure, pairs)
        for measure in plan.measures
    }


def _has_rows(measure: Measure, pairs: Pairs) -> NDArray[np.bool_]:
    """Return which units have rows that a measure is of: those of its group, if it has one."""
    return np.bincount(pairs.ranks[rows_of(pairs.evidence, measure)], minlength=pairs.size) > 0

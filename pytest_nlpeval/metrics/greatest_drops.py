"""How great the drop between two runs may be, including what the sample does not show."""

from __future__ import annotations

import math

import numpy as np

from pytest_nlpeval.measures import Measure, Sample
from pytest_nlpeval.metrics.own_values import own_values, shares_of_units
from pytest_nlpeval.metrics.pairing import Pairs
from pytest_nlpeval.metrics.resampling import Distribution
from pytest_nlpeval.metrics.shares import greatest_drop

ENOUGH_UNITS = 30
"""Of fewer units nothing is said of how great a drop may be."""


def upper_end(pairs: Pairs, measure: Measure, drops: Distribution, alpha: float, seed: int) -> float:
    """Return the upper end of the one-sided interval of confidence 1 - alpha of the drop; infinite where there are too few units.

    `drops` is the bootstrap distribution of the drop. Of a share of single units the end is that of `shares.greatest_drop`. Of any other
    measure it is the bootstrap's, where one more unit that the sample does not show, and that is lost entirely, is drawn along: so a
    change that was not seen counts at least by the rule of three. NaN if nothing was observed.
    """
    if math.isnan(drops.observed):
        return math.nan
    if pairs.size < ENOUGH_UNITS:
        return math.inf
    if changed := _changed_units(pairs, measure):
        newly_wrong, newly_right, units = changed
        return greatest_drop(newly_wrong, newly_right, units, alpha) if units >= ENOUGH_UNITS else math.inf
    loss = _loss(pairs, measure)
    return drops.with_unseen(loss, seed).upper(alpha) if math.isfinite(loss) else math.inf


def _changed_units(pairs: Pairs, measure: Measure) -> tuple[int, int, int] | None:
    """Return how many units turned wrong, how many right, and how many have a value, of a share of units that were drawn; else None.

    Both runs must have a value of the same units.
    """
    if pairs.by != "units":
        return None
    values = []
    for rows in (pairs.is_now, ~pairs.is_now):
        share = next(shares_of_units([measure], pairs.evidence, rows.astype(np.int8)), None)
        if share is None:
            return None
        _, own = share
        of_units = np.full(pairs.size, np.nan)
        of_units[pairs.ranks[rows]] = own[rows]
        values.append(of_units)
    now, baseline = values
    if not np.array_equal(np.isnan(now), np.isnan(baseline)):
        return None
    higher, lower = (int(np.count_nonzero(first > second)) for first, second in ((now, baseline), (baseline, now)))
    units = int(np.count_nonzero(~np.isnan(now)))
    return (lower, higher, units) if measure.better == "higher" else (higher, lower, units)


def _loss(pairs: Pairs, measure: Measure) -> float:
    """Return by how much the value gets worse if a unit is lost entirely: an n-th of the value's distance from the worst value.

    The worst value is the worst end of the measure's range; where that is infinite, the worst that a row has alone.
    """
    value = float(measure.values(Sample(pairs.now))[0])
    worst = measure.range.low if measure.better == "higher" else measure.range.high
    if math.isinf(worst):
        own = own_values(measure, pairs.evidence)
        finite = np.zeros(0) if own is None else own[~np.isnan(own)]
        if not finite.size:
            return math.inf
        worst = float(finite.min() if measure.better == "higher" else finite.max())
    return max(0.0, value - worst if measure.better == "higher" else worst - value) / pairs.size

"""Exact and score intervals of shares of units, of one run and of the difference between two runs on the same units.

A share is a number of units that are right, out of all units, each of which is right or wrong. The bootstrap says too little of such
measures where nearly all units are alike: of 100 units that are all right, every resample is right, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

from pytest_nlpeval.metrics.intervals import Interval


def wilson_interval(right: int, units: int, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval of the share `right / units`, within 0 and 1.

    It holds all shares p with `abs(right / units - p) <= z * sqrt(p * (1 - p) / units)`, z being the quantile (1 + confidence) / 2 of the
    normal distribution (Wilson: Probable inference, the law of succession, and statistical inference, 1927).

    >>> wilson_interval(100, 100)
    Interval(low=0.9630065017930143, high=1.0, resamples=None)

    Raises:
        ValueError: unless 0 <= right <= units and units > 0.
    """
    if not 0 <= right <= units or not units:
        raise ValueError(f"{right} of {units} units cannot be right")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = right / units, z * z / units
    middle = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / units + weight / (4 * units)) / (1 + weight)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Interval(0.0 if right == 0 else low, 1.0 if right == units else high)  # exact ends, without the noise of floats


def greatest_drop(newly_wrong: int, newly_right: int, units: int, alpha: float = 0.05) -> float:
    """Return the upper end of the one-sided interval of confidence 1 - alpha for the drop of a share between two runs, from -1 to 1.

    The drop is the probability that a unit turns wrong less the probability that it turns right. The end is the greatest drop that the
    score test does not reject (Tango: Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design, 1998). Where no unit turned right, the end is at least that of the exact interval of the share of units that turned wrong
    (Clopper and Pearson, 1934): the score test alone passes too often there. Of 44 to 2,000 units, a run that is worse by exactly
    .005 to .1 has an end below its true drop with a probability of at most 6.2 % (at `alpha=0.05`).

    What the sample does not show counts: of 100 units of which none changed, up to 3 % may turn wrong.

    >>> round(greatest_drop(0, 0, 100), 4), round(1 - 0.05 ** (1 / 100), 4)
    (0.0295, 0.0295)

    Raises:
        ValueError: unless both numbers are at least 0 and together at most `units`, and units > 0.
    """
    if min(newly_wrong, newly_right) < 0 or newly_wrong + newly_right > units or not units:
        raise ValueError(f"{newly_wrong} newly wrong and {newly_right} newly right do not fit {units} units")
    z = NormalDist().inv_cdf(1 - alpha)
    observed = (newly_wrong - newly_right) / units
    end = _bisected(lambda drop: _score(newly_wrong, newly_right, units, drop) > -z, observed, 1.0)
    return end if newly_right else max(end, _clopper_pearson_end(newly_wrong, units, alpha))


def _score(newly_wrong: int, newly_right: int, units: int, drop: float) -> float:
    """Return Tango's statistic: how far the observed drop is above a true one, in standard errors under that drop.

    The standard error needs the probability q that a unit turns right; q is the most likely one if the drop is the true one, the greater
    root of `2 n q^2 + (drop (2n - b + c) - b - c) q - c drop (1 - drop) = 0` with b newly wrong and c newly right of n units.
    """
    linear = drop * (2 * units - newly_wrong + newly_right) - newly_wrong - newly_right
    root = math.sqrt(max(0.0, linear * linear + 8 * units * newly_right * drop * (1 - drop)))
    turned_right = (root - linear) / (4 * units)
    variance = units * (2 * turned_right + drop * (1 - drop))
    distance = newly_wrong - newly_right - units * drop
    if variance <= 0:
        return 0.0 if not distance else math.copysign(math.inf, distance)
    return distance / math.sqrt(variance)


def _clopper_pearson_end(number: int, units: int, alpha: float) -> float:
    """Return the share at which `number` of the units, or fewer, have the probability alpha; 1 if all units have it."""
    if number == units:
        return 1.0
    return _bisected(lambda share: _at_most(number, units, share) > alpha, number / units, 1.0)


def _at_most(number: int, units: int, share: float) -> float:
    """Return the probability that at most `number` units out of all have what each has with the probability `share`."""
    if share >= 1:
        return 0.0
    terms = [
        math.lgamma(units + 1)
        - math.lgamma(rank + 1)
        - math.lgamma(units - rank + 1)
        + (rank * math.log(share) if rank else 0.0)
        + (units - rank) * math.log1p(-share)
        for rank in range(number + 1)
    ]
    return math.fsum(map(math.exp, terms))


def _bisected(is_below: Callable[[float], bool], low: float, high: float) -> float:
    """Return where a condition that holds at `low` turns, to 2**-52 of the distance; `high` if it holds everywhere."""
    for _ in range(52):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return high

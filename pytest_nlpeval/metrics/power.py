"""The power of a comparison: which drop a suite could detect."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

from pytest_nlpeval.metrics.resampling import Distribution, Significance

POWER = 0.8
"""The probability with which a drop that is called detectable would be found."""


class Detectable(NamedTuple):
    """The smallest `drop` that a test would find significant with the wanted probability; NaN if nothing says how values vary.

    `is_estimate` marks an upper estimate from one run alone, made where the two runs differ in too few units.
    """

    drop: float
    is_estimate: bool


def detectable(drops: Distribution, alone: Distribution, test: Significance, alpha: float) -> Detectable:
    """Return the drop that a one-sided test at `alpha` finds significant with probability `POWER`.

    The test finds drops from its critical value c on. Drops vary around the true one with a standard error e, nearly normally. So the test
    finds a true drop of `c + z(POWER) * e` with that probability; z are the quantiles of the normal distribution (Cohen: Statistical power
    analysis for the behavioral sciences, 1988). e is the bootstrap's, for the drop between the two runs: systems that differ in few units
    make small drops visible. c is the randomisation's own: it knows in which steps a share falls, and how widely drops vary if nothing
    changed. Where the test has no critical value, c is `z(1 - alpha) * e`.

    If k units differ, no p is below 2**-k. Where that is above alpha, runs that differ in so few units say nothing of how much others
    would; e is then that of two runs that have nothing to do with each other, sqrt(2) times the error of the value `alone`.
    """
    is_estimate = is_estimated(test, alpha)
    error = math.sqrt(2) * alone.error if is_estimate else drops.error
    normal = NormalDist()
    has_critical = not is_estimate and not math.isnan(test.critical)
    critical = test.critical if has_critical else normal.inv_cdf(1 - alpha) * error
    return Detectable(critical + normal.inv_cdf(POWER) * error, is_estimate)


def is_estimated(test: Significance, alpha: float) -> bool:
    """Whether so few units differ that no p-value of a test could be at most alpha."""
    return 2.0**-test.differing > alpha

from __future__ import annotations

import math

import numpy as np
import pytest

from pytest_nlpeval.metrics.power import detectable
from pytest_nlpeval.metrics.resampling import Distribution, Significance


def around_zero(error: float) -> Distribution:
    """Two values with this standard deviation."""
    return Distribution.of(0.0, np.array([-error, error]) / math.sqrt(2))


def test_a_drop_is_detectable_by_its_standard_error() -> None:
    """The quantiles of the normal distribution at 0.95 and 0.8 are 1.645 and 0.842."""
    found = detectable(around_zero(0.01), around_zero(0.5), Significance(0, 0.5, 1, 5, is_exact=True), 0.05)
    assert found.drop == pytest.approx((1.6448536 + 0.8416212) * 0.01, rel=1e-6)
    assert not found.is_estimate


def test_a_drop_is_detectable_beyond_the_critical_one() -> None:
    """The test finds drops from 0.03 on; a drop that is greater by 0.842 standard errors reaches it with a probability of 80 %."""
    test = Significance(0, 0.5, 1, 9, is_exact=True, critical=0.03)
    assert detectable(around_zero(0.01), around_zero(0.5), test, 0.05).drop == pytest.approx(0.03 + 0.8416212 * 0.01, rel=1e-6)


def test_runs_that_hardly_differ_are_judged_by_the_system_alone() -> None:
    """Four units that differ give no p below 1/16."""
    found = detectable(around_zero(0.01), around_zero(0.5), Significance(0, 0.5, 1, 4, is_exact=True), 0.05)
    assert found.drop == pytest.approx((1.6448536 + 0.8416212) * math.sqrt(2) * 0.5, rel=1e-6)
    assert found.is_estimate


def test_a_p_value_of_alpha_itself_is_enough() -> None:
    """Four units that differ give a p of 1/16 at best."""
    test = Significance(0, 0.5, 1, 4, is_exact=True)
    assert not detectable(around_zero(0.01), around_zero(0.5), test, 1 / 16).is_estimate
    assert detectable(around_zero(0.01), around_zero(0.5), test, 0.999 / 16).is_estimate


def test_without_error_nothing_is_known() -> None:
    nothing = Distribution.of(math.nan, np.array([math.nan]))
    assert math.isnan(detectable(nothing, nothing, Significance(math.nan, math.nan, math.nan, 0, is_exact=True), 0.05).drop)

"""Intervals of statistics."""

from __future__ import annotations

import math
from typing import NamedTuple


class Interval(NamedTuple):
    """Both ends; NaN if there is none."""

    low: float
    high: float


NO_INTERVAL = Interval(math.nan, math.nan)

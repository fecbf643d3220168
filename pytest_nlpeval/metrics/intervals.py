"""Intervals of statistics."""

from __future__ import annotations

import math
from typing import NamedTuple


class Interval(NamedTuple):
    """Both ends, NaN if there is none, and of how many `resamples` they are, where these are fewer than the statistics say."""

    low: float
    high: float
    resamples: int | None = None

    def to_json(self) -> dict[str, float]:
        """Return the JSON form, which lacks `resamples` where they are as many as the statistics say."""
        return {name: fact for name, fact in self._asdict().items() if fact is not None}


NO_INTERVAL = Interval(math.nan, math.nan)

"""Measures how long calls take this process: other work on the machine disturbs that less than the clock on the wall."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def seconds(function: Callable[[], object]) -> float:
    """Return how long a call takes."""
    start = time.process_time()
    function()
    return time.process_time() - start


def median_seconds(function: Callable[[], object]) -> float:
    """Return the median of how long three calls take."""
    return statistics.median(seconds(function) for _ in range(3))

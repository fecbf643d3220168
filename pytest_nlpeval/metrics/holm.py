"""Holm's adjustment of p-values for the number of tests (Holm: A simple sequentially rejective multiple test procedure, 1979)."""

from __future__ import annotations

import math
from collections.abc import Sequence


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Return the adjusted p-values, in the order of the given ones.

    The i-th smallest of m is multiplied by `m - i + 1`; each is at least the one before it, and at most 1. To reject where the adjusted p
    is at most alpha keeps the probability of any false rejection at alpha, whatever the tests have to do with each other. NaN means
    that there is no test: it stays, and does not count.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    order = sorted((rank for rank, p in enumerate(ps) if not math.isnan(p)), key=lambda rank: ps[rank])
    adjusted, previous = list(ps), 0.0
    for rejected, rank in enumerate(order):
        # Only when all smaller p are rejected is this one tested, against the hypotheses that are left.
        previous = adjusted[rank] = max(previous, min(1.0, (len(order) - rejected) * ps[rank]))
    return tuple(adjusted)

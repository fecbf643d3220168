"""Advice on the thresholds of gates: which ones so few units cannot judge, and which ones could be raised."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from pytest_nlpeval.conditions import MaxDrop, Min
from pytest_nlpeval.gates import Verdict
from pytest_nlpeval.metrics.resampling import Interval

COMFORT = 0.02
"""How far a value's interval must lie above a minimum before a greater one is proposed."""

ENOUGH_UNITS = 100
"""A suite of fewer units has intervals too wide to propose anything."""


def weak_gates(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield a warning for each bound on a drop that is smaller than the smallest drop that the suite can show."""
    for verdict in verdicts:
        condition, standing = verdict.condition, verdict.standing
        if not isinstance(condition, MaxDrop) or standing.detectable is None or standing.is_estimate:
            continue
        allowed = condition.allowed(standing)
        if allowed is not None and allowed < standing.detectable:
            reacts = "to noise" if condition.alpha is None else "rarely to such a drop"
            yield (
                f"{condition.name} {condition.threshold:g} of {verdict.measure}: this suite shows a drop of {standing.detectable:.2g} "
                f"or more (with a power of 80 %); the gate reacts {reacts}"
            )


def raised_thresholds(verdicts: Iterable[Verdict], intervals: Mapping[str, Interval], units: int) -> Iterator[str]:
    """Yield a sentence that names the minima that could be raised, if any: in enough units, the interval of the score lies well above."""
    raised = []
    for verdict in verdicts:
        interval, threshold = intervals.get(verdict.measure), verdict.condition.threshold
        if isinstance(verdict.condition, Min) and interval is not None and 0 <= threshold <= interval.low - COMFORT <= 1:
            raised.append(f"{verdict.measure} {threshold:g} -> {math.floor(interval.low * 100) / 100:g}")
    if raised and units >= ENOUGH_UNITS:
        yield f"minima below the intervals of their values, which could be raised: {', '.join(raised)}"

"""What a measure says of each unit alone, and which measures are shares of units."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pytest_nlpeval.evidence import Evidence, Numbers
from pytest_nlpeval.measures import Measure, NotAdditiveError, Sample, Values
from pytest_nlpeval.metrics.resampling import TOLERANCE


def own_values(measure: Measure, evidence: Evidence | Sample) -> Values | None:
    """Return the value that each row has alone, shape `(rows,)`, NaN for none; None if the measure is not additive.

    A sample without weights may stand for its evidence: whoever asks for several measures gives the same one.

    >>> from pytest_nlpeval.evidence import Evidence
    >>> accuracy = Measure("accuracy", "", "", lambda sample: sample.total("right") / sample.total("judged"))
    >>> own_values(accuracy, Evidence.of("ab", {"right": np.array([1, 0]), "judged": np.array([1, 1])})).tolist()
    [1.0, 0.0]
    """
    plain = evidence if isinstance(evidence, Sample) else Sample(evidence)
    return _values(measure, plain, lambda numbers: numbers.astype(np.float64))


def share_of_units(measure: Measure, evidence: Evidence | Sample, rows: Numbers | None = None) -> Values | None:
    """Return the own value of each row, 0, 1 or NaN, if a measure is the mean of them; else None.

    `rows` says how often each row counts, None once each. Whether the value is a mean is tried with all rows, and with a part of them.
    """
    plain = evidence if isinstance(evidence, Sample) else Sample(evidence)
    own = own_values(measure, plain)
    counts = np.ones(len(plain.evidence.units)) if rows is None else rows.astype(np.float64)
    if own is None or own.shape != counts.shape or not np.isin(own[~np.isnan(own)], (0.0, 1.0)).all():
        return None
    part = counts * (np.arange(len(counts)) % 3)
    return own if _is_mean(measure, plain, own, counts) and _is_mean(measure, plain, own, part) else None


def _is_mean(measure: Measure, plain: Sample, own: Values, counts: Values) -> bool:
    """Whether the value, if rows count so often, is the mean of the own values; both may be missing."""
    value = _values(measure, plain, lambda numbers: np.array([counts @ numbers]))
    has_value = ~np.isnan(own)
    number = counts[has_value].sum()
    mean = counts[has_value] @ own[has_value] / number if number else np.nan
    return value is not None and bool(np.isclose(value[0], mean, rtol=0, atol=TOLERANCE, equal_nan=True))


def _values(measure: Measure, plain: Sample, total: Callable[[Numbers], Values]) -> Values | None:
    def totals(column: str | Numbers) -> Values:
        return total(plain.evidence.column(column) if isinstance(column, str) else column)

    try:
        return measure.values(plain.adding(totals))
    except NotAdditiveError:
        return None

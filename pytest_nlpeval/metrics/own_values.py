"""What a measure says of each unit alone, and which measures are shares of units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from pytest_nlpeval.evidence import Evidence, Numbers
from pytest_nlpeval.measures import Measure, NotAdditiveError, Sample, Values
from pytest_nlpeval.metrics.resampling import TOLERANCE


def own_values(measure: Measure, evidence: Evidence) -> Values | None:
    """Return the value that each row has alone, shape `(rows,)`, NaN for none; None for a measure of rankings or of documents.

    A measure that follows from totals may still read rows where these or the labels are many: then each row is weighted alone.

    >>> from pytest_nlpeval.evidence import Evidence
    >>> accuracy = Measure("accuracy", "", "", lambda sample: sample.total("right") / sample.total("judged"))
    >>> own_values(accuracy, Evidence.of("ab", {"right": np.array([1, 0]), "judged": np.array([1, 1])})).tolist()
    [1.0, 0.0]
    """
    return own_values_of([measure], evidence)[measure.name]


def own_values_of(measures: Sequence[Measure], evidence: Evidence) -> dict[str, Values | None]:
    """Return the own values of several measures by name: what they share is worked out once for all of them."""
    plain = Sample(evidence)
    values = {measure.name: _values(measure, rows_alone(plain)) for measure in measures}
    by_rows = [measure for measure in measures if values[measure.name] is None and measure.needs == "totals"]
    return values | _weighted_alone(by_rows, evidence)


_AT_ONCE = 512
"""Of how many rows the value of each alone is worked out at once."""


def _weighted_alone(measures: Sequence[Measure], evidence: Evidence) -> dict[str, Values]:
    """Return the values of each row by measure, from weights that are 1 for this row and 0 for all others of its part."""
    values = {measure.name: [np.zeros(0)] for measure in measures}
    for start in range(0, len(evidence.units) if measures else 0, _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        part = Evidence.of(evidence.units[rows], {name: column[rows] for name, column in evidence.columns.items()})
        sample = Sample(part, np.eye(len(part.units), dtype=np.int8))
        for measure in measures:
            values[measure.name].append(measure.values(sample))
    return {name: np.concatenate(own) for name, own in values.items()}


_SEED = 12_345


def shares_of_units(
    measures: Iterable[Measure], evidence: Evidence | Sample, rows: Numbers | None = None
) -> Iterator[tuple[Measure, Values]]:
    """Yield each measure that is the mean of its own values of rows, and these values: 0, 1 or NaN.

    `rows` says how often each row counts, None once each. Whether a measure is a mean is tried with all rows, and with random weights: a
    quotient of other sums is no mean by chance under these, wherever its rows stand.
    What measures share is counted once for all of them. A sample without weights may stand for its evidence.
    """
    plain = evidence if isinstance(evidence, Sample) else Sample(evidence)
    counts = np.ones(len(plain.evidence.units)) if rows is None else rows.astype(np.float64)
    weights = (counts, counts * np.random.PCG64(_SEED).random_raw(len(counts)) / 2.0**64)
    weighted = [(each, _weighted(plain, each)) for each in weights]
    for measure in measures:
        own = _values(measure, rows_alone(plain))  # a sample of its own: what it shares is as long as the evidence
        if own is None or own.shape != counts.shape or not np.isin(own[~np.isnan(own)], (0.0, 1.0)).all():
            continue
        if all(_is_mean(measure, own, each, sample) for each, sample in weighted):
            yield measure, own


def _is_mean(measure: Measure, own: Values, counts: Values, sample: Sample) -> bool:
    """Whether the value of the sample, in which rows count so often, is the mean of the own values; both may be missing."""
    value = _values(measure, sample)
    has_value = ~np.isnan(own)
    number = counts[has_value].sum()
    mean = _product(counts[has_value], own[has_value]) / number if number else np.nan
    return value is not None and bool(np.isclose(value[0], mean, rtol=0, atol=TOLERANCE, equal_nan=True))


def rows_alone(plain: Sample) -> Sample:
    """Return the sample whose totals are the columns themselves: as if each row were a run of its own."""
    return _with_totals(plain, lambda numbers: numbers.astype(np.float64))


def _weighted(plain: Sample, counts: Values) -> Sample:
    """Return the sample in which each row counts so often."""
    return _with_totals(plain, lambda numbers: np.array([_product(counts, numbers)]))


def _product(counts: Values, numbers: Numbers) -> float:
    """Return how much the numbers sum up to if each counts so often; not `@`, whose threads wait for each other on a busy machine."""
    return float((counts * numbers).sum())


def _with_totals(plain: Sample, total: Callable[[Numbers], Values]) -> Sample:
    column_of = plain.evidence.column
    return plain.adding(lambda column: total(column_of(column) if isinstance(column, str) else column))


def _values(measure: Measure, sample: Sample) -> Values | None:
    try:
        return measure.values(sample)
    except NotAdditiveError:
        return None

"""Whether counts that somebody stored can be counts at all: no measure leaves its range, of no row, no document, and not as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from secrets import randbits

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import Categorical, Column, Sparse
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import ByDocument, Measure, NotAdditiveError, Sample, Values
from pytest_nlpeval.metrics.own_values import rows_alone
from pytest_nlpeval.metrics.resampling import TOLERANCE


def check_counts(evidence: Evidence) -> None:
    """Raise `ValueError` if a column of integers holds a negative one: so many things there cannot be."""
    for name, column in evidence.columns.items():
        numbers = column.values if isinstance(column, Sparse) else column
        if not isinstance(numbers, Categorical) and numbers.dtype.kind == "i" and (least := int(numbers.min(initial=0))) < 0:
            raise ValueError(f"{name} is {least}, and counts something")


def check_values(measures: Iterable[Measure], evidence: Evidence) -> None:
    """Raise `ValueError` if a measure has a value that it cannot have: beyond its range, infinite, or half a thing.

    A row alone and a document alone could be all of a run, so that the measures which follow from totals must be in range there, too:
    -1 right unit in one row and 2 in another are no 1 of 2. NaN stands for no value. Whatever else a measure raises is passed on.

    >>> accuracy = Measure("accuracy", "", "", lambda sample: sample.total("right") / sample.total("judged"))
    >>> check_values([accuracy], Evidence.of("ab", {"right": np.array([-1, 2]), "judged": np.array([1, 1])}))
    Traceback (most recent call last):
    ...
    ValueError: accuracy of one unit is -1; it lies between 0 and 1
    """
    samples = (
        ("", Sample(evidence)),
        (" of one document", ByDocument(evidence)),
        (" of one unit", rows_alone(Sample(_distinct(evidence)))),
    )
    with np.errstate(all="ignore"):
        for measure in measures:
            for of_what, sample in samples:
                try:
                    values = measure.values(sample)
                except NotAdditiveError:
                    continue
                impossible = values[_are_impossible(measure, values)].tolist()
                if impossible:
                    low, high, is_whole, _ = measure.range
                    kind = "is a whole number and " if is_whole else ""
                    raise ValueError(f"{measure.name}{of_what} is {impossible[0]:g}; it {kind}lies between {low:g} and {high:g}")


def _are_impossible(measure: Measure, values: Values) -> NDArray[np.bool_]:
    low, high, is_whole, _ = measure.range
    beyond = (values < low - TOLERANCE) | (values > high + TOLERANCE) | np.isinf(values)
    return beyond | (np.abs(values - np.round(values)) > TOLERANCE) if is_whole else beyond


def _distinct(evidence: Evidence) -> Evidence:
    """Return the evidence of the first row of each content: of 100,000 rows most are alike.

    Rows are told apart by a sum of their numbers times random ones, modulo 2**64, which nobody can foresee. The bits of 1.0 are zeros
    but for the upper twelve, and so are those of its products: the upper half is mixed into the lower, and multiplied again.
    """
    keys = np.zeros(len(evidence.units), np.uint64)
    for column in evidence.columns.values():
        rows = column.rows if isinstance(column, Sparse) else slice(None)
        products = _bits(column) * np.uint64(randbits(64) | 1)
        keys[rows] += (products ^ products >> np.uint64(32)) * np.uint64(randbits(64) | 1)
    is_first = np.zeros(len(keys), np.bool_)
    is_first[np.unique(keys, return_index=True)[1]] = True
    return evidence.where(is_first, np.ones(len(evidence.documents), np.bool_))


def _bits(column: Column) -> NDArray[np.uint64]:
    """Return 64 bits for each entry that a column keeps, the same for equal numbers or categories alone."""
    numbers = column.codes if isinstance(column, Categorical) else column.values if isinstance(column, Sparse) else column
    return numbers.astype(np.float64 if numbers.dtype.kind == "f" else np.int64).view(np.uint64)

"""Precision, recall, F and accuracy from counts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pytest_nlpeval.libraries import np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def ratio(numerator: ArrayLike, denominator: ArrayLike, empty: float = math.nan) -> NDArray[np.float64]:
    """Return `numerator / denominator`, and `empty` where the denominator is 0.

    Both broadcast to one shape; NaN means that there is no value. Scores that are a ratio of two totals are computed here, so that they
    treat a denominator of 0 alike; the means over rankings, chains or documents divide in their own modules.

    >>> ratio([1, 0], [4, 0])
    array([0.25,  nan])
    """
    above, below = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    if above.shape != below.shape:
        above, below = np.broadcast_arrays(above, below)
    shares = np.empty(below.shape)
    shares.fill(empty)
    np.divide(above, below, out=shares, where=below != 0)
    return shares


def f1(correct: ArrayLike, system: ArrayLike, gold: ArrayLike) -> NDArray[np.float64]:
    """Return the balanced F of counts, `2 * correct / (system + gold)`; NaN where both totals are 0.

    Equals `2PR / (P + R)` with `P = correct / system` and `R = correct / gold` where P + R > 0, and is 0 where nothing is
    correct (van Rijsbergen, Information Retrieval, 1979, chapter 7).
    """
    return ratio(2 * np.asarray(correct, np.float64), np.asarray(system, np.float64) + np.asarray(gold, np.float64))


def f_of(precision: ArrayLike, recall: ArrayLike) -> NDArray[np.float64]:
    """Return the balanced F of precision and recall, `2PR / (P + R)`; 0 where both are 0, NaN where one is missing."""
    first, second = np.asarray(precision, np.float64), np.asarray(recall, np.float64)
    return ratio(2 * first * second, first + second, empty=0.0)

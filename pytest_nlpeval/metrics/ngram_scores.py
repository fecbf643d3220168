"""BLEU and chrF from numbers of n-grams; vectorised over segments, or over resamples of their sums.

Sources: K. Papineni, S. Roukos, T. Ward, W.-J. Zhu, BLEU, ACL 2002; B. Chen, C. Cherry, A Systematic Comparison of Smoothing Techniques for
Sentence-Level BLEU, WMT 2014 (exponential smoothing, as in mteval-v13a.pl); M. Popović, chrF, WMT 2015, and chrF++, WMT 2017.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_nlpeval.libraries import np
from pytest_nlpeval.metrics.prf import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]
    Numbers = NDArray[Any]


def brevity_penalty(h: Numbers, r: Numbers) -> Values:
    """Return 1 where the h tokens of hypotheses are at least the r tokens of references, else e^(1 - r / h), 0 if h is 0.

    >>> brevity_penalty(np.array([3.0, 0.0, 0.0]), np.array([2.0, 2.0, 0.0])).tolist()
    [1.0, 0.0, 1.0]
    """
    penalties: Values = np.where(h >= r, 1.0, np.exp(1 - ratio(r, h, np.inf)))
    return penalties


def smoothed_precisions(m: Numbers, t: Numbers) -> Values:
    """Return m_n / t_n for n = 1, 2, …, or for the k-th n with m_n = 0: 1 / (2^k t_n); 1 where t_n is 0. Shape `(orders, …)`.

    No t_n is greater than the one before it.

    >>> smoothed_precisions(np.array([2.0, 0.0, 0.0]), np.array([4.0, 3.0, 2.0])).tolist() == [1 / 2, 1 / 6, 1 / 8]
    True
    """
    misses = np.cumsum(m == 0, axis=0)
    shares: Values = np.where(t > 0, np.where(m > 0, m, 0.5**misses), 1.0) / np.where(t > 0, t, 1.0)
    return shares


def bleu(m: Numbers, t: Numbers, h: Numbers, r: Numbers, *, is_effective: bool = False) -> Values:
    """Return BLEU: the brevity penalty times the geometric mean of the smoothed precisions.

    `m` and `t` have shape `(orders, …)`. The mean is over all n, and 0 if some t_n is 0; or with `is_effective` over the n with t_n > 0
    alone. It is 0 if no n-gram matches.
    """
    used = (t > 0).sum(axis=0)
    logarithms = np.add.accumulate(np.log(smoothed_precisions(m, t)))[-1]
    is_zero = m.sum(axis=0) == 0
    if not is_effective:
        is_zero |= used < len(t)
    values: Values = np.where(is_zero, 0.0, brevity_penalty(h, r) * np.exp(logarithms / np.maximum(used, 1)))
    return values


def chrf(h: Numbers, r: Numbers, m: Numbers) -> Values:
    """Return 5PR / (4P + R), P and R being the means of m_n / h_n and m_n / r_n over the n with h_n, r_n > 0; else 0.

    The numbers have shape `(orders, …)`. Shares are added up from the first order on: which of several references is best may depend on
    the last digit of a sum.

    >>> chrf(np.array([2, 1]), np.array([4, 3]), np.array([2, 1])).item() == 5 * (1 / 2 + 1 / 3) / 2 / (4 + (1 / 2 + 1 / 3) / 2)
    True
    """
    both = (h > 0) & (r > 0)
    orders = np.maximum(both.sum(axis=0), 1)
    precision, recall = (np.add.accumulate(np.where(both, m / np.where(both, number, 1), 0.0))[-1] / orders for number in (h, r))
    return ratio(5 * precision * recall, 4 * precision + recall, 0.0)

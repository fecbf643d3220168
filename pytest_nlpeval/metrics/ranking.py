"""Confidence-weighted score and average precision of ranked lists, with exact forms for ties.

The confidence-weighted score (CWS) of n judgments, sorted by decreasing confidence, is `1/n * sum_i (correct among the first i) / i`
(Dagan, Glickman, Magnini: The PASCAL Recognising Textual Entailment Challenge, 2005). Tied judgments have no order of their own: closed
forms give the expectation and both extremes over all their orders.

Rows count as often as `sums` says, which is `Sample.running_sums` or the like: a row of weight w is w equal rows next to each other. All
results have shape `(R, rankings)`, or `(R,)` for a single ranking.

The score of many samples takes no sum over places. With `H(p) = 1 + 1/2 + ... + 1/p`, a correct judgment at place p adds
`H(n) - H(p - 1)` to n times the CWS, and the places up to m together `m H(n) - G(m)`, where
`G(m) = H(0) + ... + H(m - 1)`. So only the first and last place of each run of correct judgments matter. Sums of G are
those of whole numbers, G times a power of 2: no order of additions changes them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Self, TypeAlias

from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.metrics.ranked_blocks import RankedBlocks
from pytest_nlpeval.metrics.stretches import Flags, Rows, RunningSums, Stretches, once, runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

Confidences: TypeAlias = "NDArray[np.int64] | NDArray[np.float64]"
Values: TypeAlias = "NDArray[np.float64]"


def confidence_weighted_scores(correct: Stretches, sums: RunningSums = once) -> Values:
    """Return the CWS of rankings whose runs of correct judgments are given, in [0, 1]; NaN for an empty ranking.

    >>> from pytest_nlpeval.metrics.stretches import runs
    >>> confidence_weighted_scores(runs(np.array([1, 0, 1]), [np.array([0, 1]), np.array([1, 0, 2])])).round(4).tolist()
    [[0.75, 0.3889]]
    """
    places = correct.within(sums)
    harmonic, area, bits = _tables(int(places.numbers.max(initial=0)).bit_length())
    number = correct.totals(places.last - places.before)
    lost = correct.totals(area.take(places.last) - area.take(places.before))
    points = number * harmonic.take(places.numbers) - np.ldexp(lost.astype(np.float64), -bits)
    return ratio(np.where(number == places.numbers, number, points), places.numbers)  # all correct: exactly 1


@lru_cache(maxsize=2)
def _tables(bits: int) -> tuple[Values, NDArray[np.int64], int]:
    """Return H(p) for all p below 2**bits, G(p) times a power of 2 in whole numbers, and the exponent of that power.

    Both are added up in whole numbers, so that their errors do not grow with p. H is below 64: H(p) times 2**56, and G(p) times
    2**(56 - bits), are below 2**62.
    """
    reciprocals = np.append(0.0, 1 / np.arange(1, 1 << bits))
    harmonic = np.ldexp(np.cumsum(_times(reciprocals, 56)).astype(np.float64), -56)
    area = np.cumsum(np.append(0, _times(harmonic, 56 - bits)[:-1]))
    return harmonic, area, 56 - bits


def _times(numbers: Values, power: int) -> NDArray[np.int64]:
    """Return numbers times 2**power, rounded."""
    return np.rint(np.ldexp(numbers, power)).astype(np.int64)


def average_precisions(relevant: Stretches, sums: RunningSums = once) -> Values:
    """Return `1/R * sum_i relevant_i * (relevant among the first i) / i`, in (0, 1]; NaN if R = 0, the number of relevant ones.

    `relevant` are the runs of relevant rows. In a run at the places b + 1 to e, behind c rows that are not relevant, place i has the
    precision `(i - c) / i`. Over the run that adds up to `(e - b) - c (H(e) - H(b))`.

    >>> from pytest_nlpeval.metrics.stretches import runs
    >>> average_precisions(runs(np.array([1, 0, 1, 0]), [np.arange(4)])).round(4).tolist()
    [[0.8333]]
    """
    places = relevant.within(sums)
    harmonic, _, _ = _tables(int(places.numbers.max(initial=0)).bit_length())
    lengths = (places.last - places.before).astype(np.int64)
    first_runs = np.repeat(relevant.parts[:-1], np.diff(relevant.parts))
    so_far = np.cumsum(lengths, axis=1) - lengths  # over all rankings: what stands at a ranking's first run is taken off again
    not_relevant = places.before - (so_far - so_far[:, first_runs])
    numbers = relevant.totals(lengths)
    lost = relevant.totals(not_relevant * (harmonic.take(places.last) - harmonic.take(places.before)))
    return ratio(numbers - lost, numbers)


@light_dataclass(frozen=True, slots=True)
class Tied:
    """A ranking with tied judgments.

    `number` is how many rows share their confidence with another row. `best` are the runs of correct judgments if those of each tied
    block come first, `worst` if they come last. `mixed` are the blocks of which some judgments are correct and some are not.
    """

    number: int
    best: Stretches
    worst: Stretches
    mixed: RankedBlocks

    @classmethod
    def of(cls, correct: Flags, confidence: Confidences, rows: Rows) -> Self:
        """Return the ranking of some rows; `correct` and `confidence` have an entry for each row that there is.

        >>> tied = Tied.of(np.array([1, 0, 1]), np.array([0.5, 0.5, 0.9]), np.arange(3))
        >>> tied.number, tied.best.order.tolist(), tied.worst.order.tolist(), tied.mixed.every.begins.tolist()
        (2, [2, 0, 1], [2, 1, 0], [1])
        """
        keys, flags = -confidence[rows], correct[rows] == 1
        best, worst = (runs(correct, [rows[np.lexsort((second, keys))]]) for second in (~flags, flags))
        blocks = RankedBlocks.of(-confidence, correct, [rows])
        sizes = np.unique(keys, return_counts=True)[1]
        return cls(int(sizes[sizes > 1].sum()), best, worst, blocks.mixed())


def best_cws(tied: Tied, sums: RunningSums = once) -> Values:
    """Return the greatest CWS over all orders of tied judgments: the correct ones of each block first."""
    return confidence_weighted_scores(tied.best, sums)[:, 0]


def worst_cws(tied: Tied, sums: RunningSums = once) -> Values:
    """Return the least CWS over all orders of tied judgments: the wrong ones of each block first."""
    return confidence_weighted_scores(tied.worst, sums)[:, 0]


def expected_cws(tied: Tied, sums: RunningSums = once) -> Values:
    """Return the expectation of the CWS over all orders of tied judgments, in [0, 1]; NaN for an empty ranking.

    A block has m tied judgments, k of them correct, behind b places with c correct judgments. At its place j the expected number of
    correct judgments so far is `c + k * j / m`. Divided by the places b + j and added up over the block, that is
    `c * D + k - b * k / m * D`, where `D = H(b + m) - H(b)`. The best order has `c * D + k - b (H(b + k) - H(b)) + k (H(b + m) - H(b + k))`
    instead. So the expectation is the greatest CWS without the difference of both for each mixed block, in which c does not occur.
    """
    rows = tied.mixed.within(sums)
    harmonic, _, _ = _tables(int(rows.whole.both.max()).bit_length())
    before, right, sizes = rows.below.both, rows.block.positive, rows.block.both
    start, middle, end = (harmonic.take(places) for places in (before, before + right, before + sizes))
    lost = right * (end - middle) - before * (middle - start) + before * (right / np.maximum(sizes, 1)) * (end - start)
    return best_cws(tied, sums) - ratio(_sum(lost), rows.whole.both[:, 0])


def _sum(terms: Values) -> Values:
    """Return the sum of each row, added from left to right: numpy's `sum` chooses an order by the shape."""
    return np.cumsum(terms, axis=1)[:, -1] if terms.shape[1] else np.zeros(len(terms))

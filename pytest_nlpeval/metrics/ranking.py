"""Confidence-weighted score and average precision of ranked lists, with exact forms for ties.

The confidence-weighted score (CWS) of n judgments, sorted by decreasing confidence, is `1/n * sum_i (correct among the first i) / i`
(Dagan, Glickman, Magnini: The PASCAL Recognising Textual Entailment Challenge, 2005). Tied judgments have no order of their own;
there are functions for the expectation and the extremes over all orders of the tied ones, in closed form.

Rows count as often as `sums` says, which is `Sample.running_sums` or the like: a row of weight w is w equal rows next to each other. All
results have shape `(R, rankings)`, or `(R,)` for a single ranking.

The score of many samples costs no sum over places. With `H(p) = 1 + 1/2 + ... + 1/p`, a correct judgment at place p adds
`H(n) - H(p - 1)` to n times the CWS, and the places up to m together `m H(n) - G(m)`, where
`G(m) = H(0) + ... + H(m - 1)`. So only the first and last place of each run of correct judgments matter. Sums of G are
those of whole numbers, G times a power of 2: no order of additions changes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Self, TypeAlias

from pytest_nlpeval.libraries import np
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
    found = correct.within(sums)
    harmonic, area, bits = _tables(int(found.numbers.max(initial=0)).bit_length())
    number = correct.totals(found.last - found.before)
    taken = correct.totals(area.take(found.last) - area.take(found.before))
    points = number * harmonic.take(found.numbers) - np.ldexp(taken.astype(np.float64), -bits)
    return ratio(np.where(number == found.numbers, number, points), found.numbers)  # all correct: exactly 1


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

    The runs of relevant rows are given. After c others, the places up to b and up to e before and at the end of a run add up to
    `(e - b) - c (H(e) - H(b))`.

    >>> from pytest_nlpeval.metrics.stretches import runs
    >>> average_precisions(runs(np.array([1, 0, 1, 0]), [np.arange(4)])).round(4).tolist()
    [[0.8333]]
    """
    found = relevant.within(sums)
    harmonic, _, _ = _tables(int(found.numbers.max(initial=0)).bit_length())
    lengths = (found.last - found.before).astype(np.int64)
    firsts = np.repeat(relevant.parts[:-1], np.diff(relevant.parts))
    so_far = np.cumsum(lengths, axis=1) - lengths
    others = found.before - (so_far - so_far[:, firsts])
    numbers = relevant.totals(lengths)
    return ratio(numbers - relevant.totals(others * (harmonic.take(found.last) - harmonic.take(found.before))), numbers)


@dataclass(frozen=True, slots=True)
class Tied:
    """A ranking with tied judgments.

    `number` says how many rows share their confidence with another one. `best` and `worst` are the runs of correct judgments in the
    orders in which the correct ones of each tied block come first, or last; `mixed` are the blocks in which some are correct and some not.
    """

    number: int
    best: Stretches
    worst: Stretches
    mixed: RankedBlocks

    @classmethod
    def of(cls, correct: Flags, confidence: Confidences, rows: Rows) -> Self:
        """Return the ranking of some rows; `correct` and `confidence` have an entry for each row that there is.

        >>> found = Tied.of(np.array([1, 0, 1]), np.array([0.5, 0.5, 0.9]), np.arange(3))
        >>> found.number, found.best.order.tolist(), found.worst.order.tolist(), found.mixed.every.begins.tolist()
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

    After place j of a block of m tied judgments of which k are correct, after c correct ones at b places, the expected number of
    correct ones is `c + k * j / m`. Over the block, divided by the places, that adds up to `c * D + k - b * k / m * D`, where
    `D = H(b + m) - H(b)`. In the best order it is `c * D + k - b (H(b + k) - H(b)) + k (H(b + m) - H(b + k))`. So the greatest CWS and
    what mixed blocks take from it are all that is needed.
    """
    found = tied.mixed.within(sums)
    harmonic, _, _ = _tables(int(found.whole.both.max(initial=0)).bit_length())
    before, right, sizes = found.below.both, found.block.positive, found.block.both
    start, middle, end = (harmonic.take(places) for places in (before, before + right, before + sizes))
    lost = right * (end - middle) - before * (middle - start) + before * (right / np.maximum(sizes, 1)) * (end - start)
    return best_cws(tied, sums) - ratio(_sum(lost), found.whole.both[:, 0])


def _sum(terms: Values) -> Values:
    """Return the sum of each row, added from left to right: `sum` chooses an order of its own."""
    return np.cumsum(terms, axis=1)[:, -1] if terms.shape[1] else np.zeros(len(terms))

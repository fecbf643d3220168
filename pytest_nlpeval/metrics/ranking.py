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
from pytest_nlpeval.metrics.stretches import Counts, Flags, Rows, RunningSums, Stretches, Within, once

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
    return _scores(correct, correct.within(sums))


def _scores(correct: Stretches, found: Within) -> Values:
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
    """The blocks of tied judgments of one ranking: all its rows, and the correct ones, each with the places where blocks end.

    >>> found = Tied.of(np.array([1, 0, 1]), np.array([0.5, 0.5, 0.9]), np.array([2, 0, 1]))
    >>> found.ends.tolist(), found.correct.tolist(), found.correct_ends.tolist()
    ([1, 3], [2, 0], [1, 2])
    """

    order: Rows
    ends: Rows
    correct: Rows
    correct_ends: Rows

    @classmethod
    def of(cls, correct: Flags, confidence: Confidences, order: Rows) -> Self:
        """Return the blocks; `correct` and `confidence` have an entry for each row, `order` has the rows by decreasing confidence."""
        ranked = confidence[order]
        ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)[: order.size]) + 1
        places = np.flatnonzero(correct[order])
        return cls(order, ends, order[places], np.searchsorted(places, ends))

    @property
    def number(self) -> int:
        """How many rows share their confidence with another one."""
        sizes = np.diff(self.ends, prepend=0)
        return int(sizes[sizes > 1].sum())

    def within(self, sums: RunningSums) -> tuple[Counts, Counts, Counts, Counts]:
        """Return how many rows, and how many correct ones, stand before each block, and up to its end; shape `(R, blocks)` each."""
        after, right_after = sums(self.order, self.ends).astype(np.int64), sums(self.correct, self.correct_ends).astype(np.int64)
        return _before(after), after, _before(right_after), right_after


def _before(ends: Counts) -> Counts:
    """Return what stands before each block, of what stands before its end."""
    return np.concatenate([np.zeros((len(ends), 1), np.int64), ends], axis=1)[:, :-1]


def expected_cws(tied: Tied, sums: RunningSums = once) -> Values:
    """Return the expectation of the CWS over all orders of tied judgments, in [0, 1]; NaN for an empty ranking.

    After place j of a block of m tied judgments of which k are correct, after c correct ones at b places, the expected number of
    correct ones is `c + k * j / m`. Over the block, divided by the places, that adds up to `c * D + k - b * k / m * D`, where
    `D = H(b + m) - H(b)`.
    """
    before, after, right_before, right_after = tied.within(sums)
    harmonic, _, _ = _tables(int(after.max(initial=0)).bit_length())
    growth = harmonic.take(after) - harmonic.take(before)
    right = right_after - right_before
    terms = right_before * growth + right - before * (right / np.maximum(after - before, 1)) * growth
    return ratio(_sum(terms), after[:, -1] if tied.order.size else np.zeros(len(after)))


def best_cws(tied: Tied, sums: RunningSums = once) -> Values:
    """Return the greatest CWS over all orders of tied judgments: the correct ones of each block first."""
    before, after, right_before, right_after = tied.within(sums)
    return _of_runs(before, before + right_after - right_before, after)


def worst_cws(tied: Tied, sums: RunningSums = once) -> Values:
    """Return the least CWS over all orders of tied judgments: the wrong ones of each block first."""
    _, after, right_before, right_after = tied.within(sums)
    return _of_runs(after - (right_after - right_before), after, after)


def _of_runs(before: Counts, last: Counts, after: Counts) -> Values:
    """Return the CWS of a ranking with one run of correct judgments in each block."""
    bounds, blocks = np.array([0, after.shape[1]]), np.arange(after.shape[1])
    numbers = after[:, -1:] if blocks.size else np.zeros((len(after), 1), np.int64)
    return _scores(Stretches(blocks, bounds, blocks, blocks, bounds), Within(before, last, numbers))[:, 0]


def _sum(terms: Values) -> Values:
    """Return the sum of each row, added from left to right: `sum` chooses an order of its own."""
    return np.cumsum(terms, axis=1)[:, -1] if terms.shape[1] else np.zeros(len(terms))

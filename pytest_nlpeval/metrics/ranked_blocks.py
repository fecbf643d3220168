"""Area under the ROC curve, and average precision, of items in blocks of equal scores: no order of tied items counts.

Rows count as often as `sums` says, which is `Sample.running_sums` or the like. The results have shape `(R, rankings)`. With P_b and N_b for
the positive and negative items of block b, only blocks with a positive item add anything to either figure.

Sources: Hanley, McNeil, The Meaning and Use of the Area under a ROC Curve, Radiology 1982; Manning, Raghavan, Schütze, Introduction to
Information Retrieval, 2008, chapter 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

from pytest_nlpeval.libraries import np
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.metrics.stretches import Flags, Rows, RunningSums, Stretches, once, one_after_another

if TYPE_CHECKING:
    from numpy.typing import NDArray

Values: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True, slots=True)
class RankedBlocks:
    """The blocks of rows with equal scores that have a positive one: as stretches of all rows, and of the positive ones alone."""

    every: Stretches
    positive: Stretches

    @classmethod
    def of(cls, scores: NDArray[Any], flags: Flags, rankings: Sequence[Rows]) -> Self:
        """Return the blocks by ascending score; `scores` and `flags` have an entry for each row, and rankings their rows in any order.

        >>> found = RankedBlocks.of(np.array([0.5, 0.1, 0.5, 0.7]), np.array([1, 0, 0, 1]), [np.arange(4)])
        >>> found.every.begins.tolist(), found.every.ends.tolist(), found.positive.begins.tolist(), found.positive.ends.tolist()
        ([1, 3], [3, 4], [0, 1], [1, 2])
        """
        order, bounds = one_after_another([rows[np.argsort(scores[rows], kind="stable")] for rows in rankings])
        ordered = scores[order]
        is_first = np.append(True, ordered[1:] != ordered[:-1])[: len(order)]
        is_first[bounds[bounds < len(order)]] = True
        begins, block = np.flatnonzero(is_first), np.cumsum(is_first) - 1
        places = np.flatnonzero(flags[order])
        chosen, starts = np.unique(block[places], return_index=True)
        parts = np.searchsorted(begins[chosen], bounds)
        every = Stretches(order, bounds, begins[chosen], np.append(begins, len(order))[chosen + 1], parts)
        ends = np.append(starts, len(places))[1:]
        return cls(every, Stretches(order[places], np.searchsorted(places, bounds), starts, ends, parts))

    def mixed(self) -> RankedBlocks:
        """Return the blocks that have a negative row, too."""
        sizes, positive = (side.ends - side.begins for side in (self.every, self.positive))
        chosen = np.flatnonzero(positive < sizes)
        return RankedBlocks(self.every.only(chosen), self.positive.only(chosen))

    def within(self, sums: RunningSums = once) -> Counted:
        """Return the numbers of positive and negative rows if rows count as `sums` says."""
        every, positive = (side.within(sums) for side in (self.every, self.positive))
        below, block, whole = (
            (of_every.astype(np.int64), of_positive.astype(np.int64))
            for of_every, of_positive in (
                (every.before, positive.before),
                (every.last - every.before, positive.last - positive.before),
                (every.numbers, positive.numbers),
            )
        )
        return Counted(self.every, *(Sides(found[1], found[0] - found[1]) for found in (below, block, whole)))


class Sides(NamedTuple):
    """Numbers of positive and of negative rows."""

    positive: NDArray[np.int64]
    negative: NDArray[np.int64]

    @property
    def both(self) -> NDArray[np.int64]:
        """The numbers of all rows."""
        return self.positive + self.negative


class Counted(NamedTuple):
    """How many rows are `below` each block in its ranking, and in the block, shape `(R, blocks)`; and in each ranking, `whole`."""

    blocks: Stretches
    below: Sides
    block: Sides
    whole: Sides


def roc_auc(found: Counted) -> Values:
    """Return the share of pairs of a positive and a negative item in which the positive one has the higher score, equal ones half.

    `sum_b P_b (2 N_below + N_b) / (2 P N)`, in [0, 1]; NaN without a positive or without a negative item.

    >>> roc_auc(RankedBlocks.of(np.array([0.9, 0.4, 0.4, 0.1]), np.array([1, 1, 0, 0]), [np.arange(4)]).within()).tolist()
    [[0.875]]
    """
    won = found.blocks.totals(found.block.positive * (2 * found.below.negative + found.block.negative))
    return ratio(won, 2 * found.whole.positive * found.whole.negative)


def average_precision(found: Counted) -> Values:
    """Return the mean over positive items of the precision among all items whose score is as high or higher.

    `1/P sum_b P_b P_from_b / (P_from_b + N_from_b)`, in (0, 1]; NaN without a positive item.

    >>> blocks = RankedBlocks.of(np.array([0.9, 0.4, 0.4, 0.1]), np.array([1, 1, 0, 0]), [np.arange(4)])
    >>> average_precision(blocks.within()).round(4).tolist()
    [[0.8333]]
    """
    sizes = np.diff(found.blocks.parts)
    right, wrong = (np.repeat(whole, sizes, axis=1) - below for whole, below in zip(found.whole, found.below, strict=True))
    precisions = ratio(right, right + wrong, empty=0.0)
    return ratio(found.blocks.totals(found.block.positive * precisions), found.whole.positive)

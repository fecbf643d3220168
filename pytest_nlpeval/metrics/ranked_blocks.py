"""Area under the ROC curve, and average precision, of items in blocks of equal scores: no order of tied items counts.

Rows count as often as `sums` says, which is `Sample.running_sums` or the like. The results have shape `(R, rankings)`. P_b and N_b are the
numbers of positive and negative items of block b. Both figures are sums over blocks of P_b times something: blocks without positive item
are left out.

Sources: Hanley, McNeil, The Meaning and Use of the Area under a ROC Curve, Radiology 1982; Manning, Raghavan, Schütze, Introduction to
Information Retrieval, 2008, chapter 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

from pytest_nlpeval.libraries import np
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.metrics.stretches import Flags, Rows, RunningSums, Stretches, once, one_after_another

if TYPE_CHECKING:
    from numpy.typing import NDArray

Values: TypeAlias = "NDArray[np.float64]"


class RankedBlocks(NamedTuple):
    """The blocks of rows with equal scores that have a positive one: as stretches of all rows, and of the positive ones alone."""

    every: Stretches
    positive: Stretches

    @classmethod
    def of(cls, scores: NDArray[Any], flags: Flags, rankings: Sequence[Rows]) -> Self:
        """Return the blocks by ascending score; `scores` and `flags` have an entry for each row, and rankings their rows in any order.

        >>> blocks = RankedBlocks.of(np.array([0.5, 0.1, 0.5, 0.7]), np.array([1, 0, 0, 1]), [np.arange(4)])
        >>> blocks.every.begins.tolist(), blocks.every.ends.tolist(), blocks.positive.begins.tolist(), blocks.positive.ends.tolist()
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
        every, positive = (
            [numbers.astype(np.int64) for numbers in (rows.before, rows.last - rows.before, rows.numbers)]
            for rows in (self.every.within(sums), self.positive.within(sums))
        )
        return Counted(self.every, *(Sides(right, both - right) for both, right in zip(every, positive, strict=True)))


class Sides(NamedTuple):
    """Numbers of positive and of negative rows."""

    positive: NDArray[np.int64]
    negative: NDArray[np.int64]

    @property
    def both(self) -> NDArray[np.int64]:
        """The numbers of all rows."""
        return self.positive + self.negative


class Counted(NamedTuple):
    """How many rows are `below` each block in its ranking and in the `block`, shape `(R, blocks)`, and in the `whole` ranking."""

    blocks: Stretches
    below: Sides
    block: Sides
    whole: Sides


def roc_auc(rows: Counted) -> Values:
    """Return the share of pairs of a positive and a negative item in which the positive one has the higher score, equal ones half.

    `sum_b P_b (2 N_below + N_b) / (2 P N)`, in [0, 1]; NaN without a positive or without a negative item.

    >>> roc_auc(RankedBlocks.of(np.array([0.9, 0.4, 0.4, 0.1]), np.array([1, 1, 0, 0]), [np.arange(4)]).within()).tolist()
    [[0.875]]
    """
    won = rows.blocks.totals(rows.block.positive * (2 * rows.below.negative + rows.block.negative))
    return ratio(won, 2 * rows.whole.positive * rows.whole.negative)


def average_precision(rows: Counted) -> Values:
    """Return the mean over positive items of the precision among all items whose score is as high or higher.

    `1/P sum_b P_b P_from_b / (P_from_b + N_from_b)`, in (0, 1]; NaN without a positive item.

    >>> blocks = RankedBlocks.of(np.array([0.9, 0.4, 0.4, 0.1]), np.array([1, 1, 0, 0]), [np.arange(4)])
    >>> average_precision(blocks.within()).round(4).tolist()
    [[0.8333]]
    """
    sizes = np.diff(rows.blocks.parts)
    right, wrong = (np.repeat(whole, sizes, axis=1) - below for whole, below in zip(rows.whole, rows.below, strict=True))
    precisions = ratio(right, right + wrong, empty=0.0)
    return ratio(rows.blocks.totals(rows.block.positive * precisions), rows.whole.positive)

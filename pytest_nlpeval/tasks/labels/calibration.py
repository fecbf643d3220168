"""What probabilities are measured by: rankings, and how far they are from what is true."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Blocks, Values
from pytest_nlpeval.metrics import ranked_blocks
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.metrics.ranked_blocks import RankedBlocks
from pytest_nlpeval.tasks.labels.classes import Statistic, mean, right
from pytest_nlpeval.tasks.labels.columns import GOLD, LONE, PROBABILITY, SYSTEM
from pytest_nlpeval.tasks.labels.tally import Tally, probability_of, stacked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.evidence import Numbers

LEAST = 2.0**-52
"""The probability that `log_loss` takes instead of a smaller one."""

BINS = 15

MOST_KEPT = 200_000
"""Of more items the order by each label's probability is not kept: it serves resamples, and of so many items none are drawn."""

ROC_AUC, AVERAGE_PRECISION = 0, 1


def roc_auc(label: str) -> Statistic:
    """Return the area under the ROC curve of one label."""
    return lambda tally: _ranked(tally, label)[:, :, ROC_AUC]


def average_precision(label: str) -> Statistic:
    """Return the average precision of one label."""

    def values(tally: Tally) -> Values:
        precisions = _ranked(tally, label)[:, :, AVERAGE_PRECISION]
        if tally.options.is_sklearn:
            return np.where(np.isnan(precisions) & (tally.number() > 0), 0.0, precisions)
        return precisions

    return values


def macro(of_label: Callable[[str], Statistic]) -> Statistic:
    """Return the mean of the averaged labels that have a value."""

    def values(tally: Tally) -> Values:
        figures = stacked([of_label(label)(tally) for label in tally.names.averaged], tally.number())
        return mean(np.nan_to_num(figures), ~np.isnan(figures))

    return values


def _ranked(tally: Tally, label: str) -> Values:
    """Return both figures of the ranking by the probability of a label, shape `(R, groups, 2)`."""
    return tally.shared(f"ranking {label}", lambda: _figures(tally, label))


def _figures(tally: Tally, label: str) -> Values:
    tally.sample.require_rows()
    name = f"ranking by {label} in {tally.scope}"
    is_kept = len(tally.judged) <= MOST_KEPT
    blocks = tally.column(name, lambda: _blocks_by(tally, label)) if is_kept else _blocks_by(tally, label)
    sums = blocks.within(tally.sample.running_sums)
    return np.stack([ranking(sums) for ranking in (ranked_blocks.roc_auc, ranked_blocks.average_precision)], axis=2)


def _blocks_by(tally: Tally, label: str) -> RankedBlocks:
    """Return the blocks of judged items of one probability, in each group."""
    return RankedBlocks.of(scores_by(tally, label), tally.flags(GOLD, label), tally.members())


def scores_by(tally: Tally, label: str) -> Numbers:
    """Return numbers by which items are ranked as by the probability of a label; 1 - p would make equal what is not."""
    is_reversed = LONE in tally.sample.evidence.columns and label != tally.options.positive
    return -tally.sample.evidence.column(LONE) if is_reversed else probability_of(tally, label)


def label_brier(label: str) -> Statistic:
    """Return the mean square of the distance of a label's probability from 0 or 1, whichever is true."""

    def values(tally: Tally) -> Values:
        return ratio(tally.sums(_squares(tally, label)), tally.number())

    return values


def _squares(tally: Tally, label: str) -> Numbers:
    squares: Numbers = (probability_of(tally, label) - tally.flags(GOLD, label)) ** 2 * tally.judged
    return squares


def brier(tally: Tally) -> Values:
    """Return the mean over items of the squares of all labels that gold or the probabilities name."""

    def squares() -> Numbers:
        columns = tally.sample.evidence.columns
        if LONE in columns:
            return 2 * _squares(tally, tally.options.positive)
        named = [column.removeprefix(PROBABILITY) for column in columns if column.startswith(PROBABILITY)]
        labels = sorted({*tally.names.every, *named})
        return sum((_squares(tally, label) for label in labels), np.zeros(len(tally.judged)))

    return ratio(tally.sums(tally.column("brier", squares)), tally.number())


def probability_in(tally: Tally, side: str) -> Numbers:
    """Return the probability of each judged item's label in gold or system."""

    def of_answers() -> Numbers:
        own = np.zeros(len(tally.judged))
        for label in tally.names.every:
            rows = tally.rows(side, label)
            own[rows] = probability_of(tally, label)[rows]
        return own

    probabilities: Numbers = tally.column(f"probability in {side}", of_answers)
    return probabilities


def log_loss(tally: Tally) -> Values:
    """Return the mean of -ln of the probability of the gold label, which counts as 2^-52 at least."""

    def losses() -> Numbers:
        of_items: Numbers = np.abs(np.log(np.maximum(probability_in(tally, GOLD), LEAST))) * tally.judged
        return of_items

    return ratio(tally.sums(tally.column("losses", losses)), tally.number())


def bins_of(probabilities: Numbers) -> NDArray[np.int64]:
    """Return the bin of each probability, from 0: bin b is above b/15, up to (b + 1)/15; 0 is in the first, too."""
    bounds = np.arange(1, BINS) / BINS
    return np.searchsorted(bounds, probabilities, side="left").astype(np.int64)


def ece(tally: Tally) -> Values:
    """Return the expected calibration error of the probability of the system's own label, in 15 bins of equal width."""
    tally.sample.require_rows()
    own = probability_in(tally, SYSTEM)
    is_in = (tally.judged == 1) & (tally.blocks.ranks >= 0)
    ranks = np.where(is_in, tally.blocks.ranks * BINS + bins_of(own), -1)
    blocks = Blocks(ranks, np.arange(len(tally.groups) * BINS))
    gaps = tally.sample.block_sums((right(tally) - own) * tally.judged, blocks)
    return ratio(np.abs(gaps).reshape(len(gaps), -1, BINS).sum(axis=2), tally.number())

"""What scores are measured by: correlations, and differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Values
from pytest_nlpeval.metrics import correlation
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.labels.columns import GOLD, SYSTEM
from pytest_nlpeval.tasks.labels.tally import Tally

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Numbers


def correlated(statistic: Callable[[Any, Any, Any], Values]) -> Callable[[Tally], Values]:
    """Return what gives a correlation of `metrics.correlation` in each group."""

    def values(tally: Tally) -> Values:
        gold, system = (tally.sample.evidence.column(side).astype(np.float64) for side in (GOLD, SYSTEM))
        by_group = [statistic(gold[rows], system[rows], tally.sample.counts(rows)) for rows in tally.members()]
        return np.stack(by_group, axis=1)

    return values


pearson, spearman, kendall = map(correlated, (correlation.pearson, correlation.spearman, correlation.kendall))


def _differences(tally: Tally) -> Numbers:
    gold, system = (tally.sample.evidence.column(side).astype(np.float64) for side in (GOLD, SYSTEM))
    differences: Numbers = np.abs(gold - system) * tally.judged
    return differences


def mae(tally: Tally) -> Values:
    """Return the mean absolute difference."""
    return ratio(tally.sums(tally.column("differences", lambda: _differences(tally))), tally.number())


def rmse(tally: Tally) -> Values:
    """Return the root of the mean square of the differences."""
    squares = tally.column("squares", lambda: _differences(tally) ** 2)
    return np.sqrt(ratio(tally.sums(squares), tally.number()))

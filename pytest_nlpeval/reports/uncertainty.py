"""How reports tell of chance: statistics, intervals and p-values, in words and as JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from pytest_nlpeval import numbers
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.reports.table import cell
from pytest_nlpeval.wording import plural, whole

if TYPE_CHECKING:  # a history that is remembered needs no NumPy
    from pytest_nlpeval.metrics.pairing import By
    from pytest_nlpeval.reports.model import ScoreReport


def chance_sentence(statistics: Statistics, resampled: By, fewer: str) -> str:
    """Return in short how chance was judged; `fewer` is what `fewer_words` says."""
    interval = f"{100 * statistics.confidence:g} % intervals, " if statistics.confidence else ""
    return f"{interval}{statistics.resamples:,} resamples of {resampled}{fewer}, seed {statistics.seed}"


def fewer_words(intervals: Iterable[int | None], tests: Iterable[int | None]) -> str:
    """Return how many intervals and p-values are of fewer resamples than the statistics say, "" if none is; None stands for as many.

    >>> fewer_words([None, 750, 93], [93])
    ' (as few as 93 for 2 intervals and 1 p-value)'
    """
    words = {"interval": list(filter(None, intervals)), "p-value": list(filter(None, tests))}
    told = [plural(len(resamples), word) for word, resamples in words.items() if resamples]
    return f" (as few as {min(chain(*words.values())):,} for {' and '.join(told)})" if told else ""


def fewer_of_scores(scores: Collection[ScoreReport]) -> str:
    """Return how many intervals and p-values of scores of a run are of fewer resamples than the statistics say; "" if none is."""
    intervals = (resamples for score in scores for resamples in (score.resamples, score.drop_resamples))
    return fewer_words(intervals, (score.p_resamples for score in scores))


def statistics_json(statistics: Statistics, resampled: By, alpha: float) -> dict[str, Any]:
    """Return how chance was judged, as JSON."""
    confidence = {} if statistics.confidence is None else {"confidence": statistics.confidence}
    return {
        **confidence,
        "resamples": statistics.resamples,
        "seed": statistics.seed,
        "resampled": resampled,
        "alpha": alpha,
    }


def interval_json(interval: Interval | None) -> dict[str, float]:
    """Return the ends of an interval as JSON; nothing if there is no interval."""
    return interval.to_json() if interval else {}


def shown_ends(interval: Interval | None, value: float | None) -> tuple[float | None, float | None]:
    """Return the ends of a value's interval as shown: of a count, whole numbers; None if there is no interval."""
    return (whole(interval.low, value), whole(interval.high, value)) if interval else (None, None)


def end_cells(interval: Interval | None) -> tuple[str, str]:
    """Return the ends of an interval as CSV has them; "" if there is no interval."""
    return (cell(interval.low), cell(interval.high)) if interval else ("", "")


def fewer_cells(interval: Interval | None, p_resamples: int | None) -> tuple[str, str]:
    """Return of how many resamples an interval and a p-value are, as CSV has them; "" where they are as many as the statistics say."""
    return cell(interval.resamples if interval else None), cell(p_resamples)


def p_value(p: float | None) -> str:
    """Return a p-value as tables show it: three decimals, `-` for none."""
    return numbers.p_value(p) or "-"

"""The pictures of question answering: scores by threshold, whether no-answer numbers are probabilities, scores by kind of question."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.graphs import Axis, Bars, Drawing, Graph, Point, Series
from pytest_nlpeval.tasks.qa.measures import HAS_ANSWER, NO_ANSWER, SCORES, scores_of, steps_of
from pytest_nlpeval.tasks.qa.options import Options

THRESHOLDS, RUN = "by threshold", "this run"
"""The series of scores by threshold."""

CALIBRATED = "said and true"
"""The series of the calibration."""

BINS = 10
"""Of no-answer probabilities, of equal width."""

_MARGIN = 0.05

_NAMES = dict(zip(SCORES, ("exact match", "F1"), strict=True))


def graphs(evidence: Evidence, options: Options) -> Iterator[Drawing]:
    """Yield what a suite's result looks like.

    Scores by threshold are drawn if every prediction has a no-answer number, the calibration if these are all in [0, 1], and scores
    by kind of question if there are both kinds.
    """
    predicted = evidence.column("predicted") == 1
    if predicted.any() and evidence.column("numbered")[predicted].all():
        numbers = evidence.column("number")[predicted].astype(np.float64)
        is_probability = bool(numbers.min() >= 0 and numbers.max() <= 1)
        axis = _axis(numbers, is_probability=is_probability)
        yield from (_by_threshold(evidence, score, options, axis) for score in SCORES)
        if is_probability:
            yield _calibration(numbers, 1 - evidence.column("answerable")[predicted])
    answerable = evidence.column("answerable") == 1
    if 0 < answerable.sum() < answerable.size:
        f1 = scores_of(evidence, "f1")
        means = [(kind, float(f1[where].mean())) for kind, where in ((HAS_ANSWER, answerable), (NO_ANSWER, ~answerable))]
        yield Bars(
            "f1_by_kind",
            "F1 by kind of question",
            "A bar is the mean F1 of the questions that have an answer, or of those that have none.",
            Axis("F1"),
            tuple(means),
        )


def _axis(numbers: NDArray[np.float64], *, is_probability: bool) -> Axis:
    if is_probability:
        return Axis("threshold of the no-answer number")
    low, high = float(numbers.min()), float(numbers.max())
    margin = _MARGIN * (high - low) or 1.0
    return Axis("threshold of the no-answer number", low - margin, high + margin)


def _by_threshold(evidence: Evidence, score: str, options: Options, axis: Axis) -> Graph:
    name = _NAMES[score]
    position = (options.threshold, float(scores_of(evidence, score).mean()))
    points = (Series(RUN, (position,), "points"),) if axis.low <= options.threshold <= axis.high else ()
    return Graph(
        f"{score}_by_threshold",
        f"{name[0].upper()}{name[1:]} by threshold",
        f"The line shows what {name} would be if predictions with a greater no-answer number than x counted as no answer; the point is the "
        "run with the threshold of the options.",
        axis,
        Axis(name),
        (Series(THRESHOLDS, tuple(_line(evidence, score, axis))), *points),
    )


def _line(evidence: Evidence, score: str, axis: Axis) -> Iterator[Point]:
    """Yield the corners of a score's steps, from no question answered to all."""
    steps = steps_of(evidence, score, squad2=False)
    nothing = float(((1 - evidence.column("answerable")) * evidence.column("predicted")).sum(dtype=np.int64))
    sums = np.cumsum(steps.gains)[steps.cuts] + nothing if steps else ()
    share = nothing / len(evidence.units)
    yield axis.low, share
    for key, next_share in zip(steps.keys.tolist() if steps else (), np.divide(sums, len(evidence.units)).tolist(), strict=True):
        yield key, share
        share = next_share
        yield key, share
    yield axis.high, share


def _calibration(numbers: NDArray[np.float64], unanswerable: NDArray[np.signedinteger]) -> Graph:
    bins = np.minimum((numbers * BINS).astype(np.int64), BINS - 1)
    sizes = np.bincount(bins, minlength=BINS)
    filled = sizes > 0
    said, true = (np.bincount(bins, column, BINS)[filled] / sizes[filled] for column in (numbers, unanswerable))
    return Graph(
        "no_answer_calibration",
        "Calibration of no-answer probabilities",
        "A point stands for the predictions with about the same no-answer number: their mean number, and the share of their questions "
        "that have no answer; on the dashed line both are the same.",
        Axis("mean no-answer number"),
        Axis("share without answer"),
        (
            Series("perfectly calibrated", ((0.0, 0.0), (1.0, 1.0)), "reference"),
            Series(CALIBRATED, tuple(zip(said.tolist(), true.tolist(), strict=True)), sizes=tuple(sizes[filled].tolist())),
        ),
    )

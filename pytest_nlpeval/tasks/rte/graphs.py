"""The graphs of textual entailment: where runs lie, and how they get there as they judge more and more pairs.

Source: Recognising Textual Entailment Challenge Instructions (2005), Partial Coverage Submission Evaluation: "To visualize the relative
performance of different systems we will plot the position of the various runs on accuracy/coverage and average precision/coverage graphs."
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.graphs import Axis, Graph, Point, Series
from pytest_nlpeval.tasks.rte.measures import by_confidence, by_rank
from pytest_nlpeval.tasks.rte.options import LATER, Options

Rows = NDArray[np.int64]

RUN = "the run"
SURER = "its surest pairs alone"

_COVERAGE = Axis("coverage")


def graphs(evidence: Evidence, _options: Options) -> Iterator[Graph]:
    """Yield accuracy by coverage and, of a run with confidences or a ranking, average precision by coverage.

    The point of a run is its coverage and its accuracy or average precision; that of edition 1 is `cws`. The line leads there: place k of
    it is what the run would get if it judged its first k pairs alone, over the same gold pairs. The pairs are in the measure's own order,
    ties included, so that `cws` is the mean of the line of accuracy. The rankings of editions 2 and 3 are by confidence that entailment
    holds, not that the judgment is right: accuracy has no line there. Nothing is drawn of a run that judges no pair, or
    without gold.
    """
    pairs, judged = len(evidence.units), int(evidence.column("judged").sum(dtype=np.int64))
    if not judged or "correct" not in evidence.columns:
        return
    surest = by_confidence(evidence)
    accuracies = _shares(evidence, "correct", surest)
    position = (judged / pairs, float(evidence.column("correct").sum(dtype=np.int64) / judged))
    yield Graph(
        "accuracy_by_coverage",
        "Accuracy by coverage",
        "A point is a run: the share of gold pairs that it judges, and of these the share that it judges right; a line shows what it would "
        "get with its surest pairs alone.",
        _COVERAGE,
        Axis("accuracy"),
        _series([(place / pairs, share) for place, share in enumerate(accuracies, 1)], position),
    )
    line = _mean_so_far(accuracies, pairs) if surest.size else _average_precisions(evidence)
    if line:
        yield Graph(
            "average_precision_by_coverage",
            "Average precision by coverage",
            "A point is a run: the share of gold pairs that it judges, and its average precision (cws in edition 1); a line shows what it "
            "would get with its surest pairs alone.",
            _COVERAGE,
            Axis("average precision"),
            _series(line, (judged / pairs, line[-1][1])),
        )


def _series(line: list[Point], position: Point) -> tuple[Series, ...]:
    return (*((Series(SURER, tuple(line)),) if line else ()), Series(RUN, (position,), "points"))


def _shares(evidence: Evidence, column: str, order: Rows) -> list[float]:
    """Return, after each place of the order, the share of ones in a column so far."""
    shares: list[float] = (np.cumsum(evidence.column(column)[order], dtype=np.int64) / np.arange(1, order.size + 1)).tolist()
    return shares


def _mean_so_far(shares: list[float], pairs: int) -> list[Point]:
    means = np.cumsum(shares) / np.arange(1, len(shares) + 1)
    return [(place / pairs, mean) for place, mean in enumerate(means.tolist(), 1)]


def _average_precisions(evidence: Evidence) -> list[Point]:
    """Return the average precision after each place of the ranking, from the first pair that entails on."""
    order = by_rank(evidence)
    column = f"gold.{LATER.positive}"
    entails = evidence.column(column)[order] == 1
    above = np.cumsum(np.where(entails, _shares(evidence, column, order), 0.0))
    entailing = np.cumsum(entails)
    places = np.flatnonzero(entailing)
    return list(zip(((places + 1) / len(evidence.units)).tolist(), (above[places] / entailing[places]).tolist(), strict=True))

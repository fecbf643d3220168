"""The graphs of labels and scores: what is taken for what, how well probabilities rank and how far they can be believed, and slices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.graphs import Axis, Bars, Drawing, Graph, Matrix, Point, Series
from pytest_nlpeval.measures import Blocks, Sample, Values
from pytest_nlpeval.tasks.labels.calibration import BINS, bins_of, probability_in, scores_by
from pytest_nlpeval.tasks.labels.classes import Statistic, accuracy, micro, places_of, right
from pytest_nlpeval.tasks.labels.columns import GOLD, SYSTEM
from pytest_nlpeval.tasks.labels.native import SUPPORT
from pytest_nlpeval.tasks.labels.options import Options
from pytest_nlpeval.tasks.labels.scores import mae
from pytest_nlpeval.tasks.labels.tally import Tally

MOST_CURVES = 8
"""Of labels: those that gold has most often."""

MOST_DOTS = 500
"""Of items of the kind score, evenly spaced over gold."""

_DIAGONAL = ((0.0, 0.0), (1.0, 1.0))


def graphs(evidence: Evidence, options: Options) -> Iterator[Drawing]:
    """Yield what can be drawn of judged items: nothing if there are none.

    Labels have a matrix of gold and system, labels and sets the numbers of items; with probabilities there are ROC curves and, but for
    sets, a calibration curve; scores are points; groups are bars.
    """
    tally = Tally(Sample(evidence), options, "suite")
    if not tally.judged.any():
        return
    if options.is_score:
        yield _scores(tally)
    else:
        if not options.is_set:
            yield _confusion(tally)
        yield from _support(tally)
    if options.has_probabilities:
        yield from _curves(tally)
        if not options.is_set:
            yield _calibration(tally)
    if tally.names.groups:
        yield from _slices(Tally(tally.sample, options, "groups"))


def _confusion(tally: Tally) -> Matrix:
    every = tally.names.every
    gold, system = (places_of(tally, side)[tally.judged == 1] for side in (GOLD, SYSTEM))
    cells, numbers = np.unique(gold * len(every) + system, return_counts=True)
    counts = {
        (every[cell // len(every)], every[cell % len(every)]): number
        for cell, number in zip(cells.tolist(), numbers.tolist(), strict=True)
    }
    return Matrix.of(
        "confusion",
        "Confusion matrix",
        "How many judged items with each label in gold have each label in the system's output.",
        "gold",
        "system",
        counts,
    )


def _support(tally: Tally) -> Iterator[Bars]:
    labels = tally.names.averaged
    if tally.options.is_sklearn and not tally.options.averages_all:  # those that scikit-learn finds, in its order
        labels = tuple(sorted(label for label in labels if any(len(tally.rows(side, label)) for side in (GOLD, SYSTEM))))
    numbers = {label: len(tally.rows(GOLD, label)) for label in labels}
    if numbers:
        yield Bars(
            SUPPORT,
            "Items of each label",
            "How many judged items have each of the averaged labels in gold.",
            Axis("items", 0.0, max(numbers.values())),
            tuple(numbers.items()),
        )


def _curves(tally: Tally) -> Iterator[Graph]:
    """Yield the ROC curves of the labels that gold has most often, where some items have the label and some do not."""
    numbers = {label: len(tally.rows(GOLD, label)) for label in tally.names.labels}
    judged = int(tally.judged.sum(dtype=np.int64))
    possible = [label for label, number in numbers.items() if 0 < number < judged]
    chosen = sorted(possible, key=lambda label: (-numbers[label], label))[:MOST_CURVES]
    if chosen:
        yield Graph(
            "roc",
            "ROC curves",
            "How many of the items with a label (true positives) and of those without it (false positives) have at least a probability, "
            "for each probability; a good ranking goes along the upper left corner.",
            Axis("false positives"),
            Axis("true positives"),
            (*(_roc(tally, label) for label in sorted(chosen)), Series("chance", _DIAGONAL, "reference")),
        )


def _roc(tally: Tally, label: str) -> Series:
    """Return the ROC curve of a label, with the area under it: equal probabilities are one straight piece."""
    blocks, flags = Blocks.of(scores_by(tally, label), tally.judged), tally.flags(GOLD, label)
    sides = (tally.sample.block_sums(numbers, blocks)[0] for numbers in (flags, tally.judged - flags))
    right_ones, wrong_ones = (np.cumsum(side[::-1]) / side.sum() for side in sides)
    points: tuple[Point, ...] = ((0.0, 0.0), *zip(wrong_ones.tolist(), right_ones.tolist(), strict=True))
    area = sum((second[0] - first[0]) * (first[1] + second[1]) / 2 for first, second in pairwise(points))
    return Series(label, points, area=area)


def _calibration(tally: Tally) -> Graph:
    judged = np.flatnonzero(tally.judged)
    own, is_right = probability_in(tally, SYSTEM)[judged], right(tally)[judged]
    bins = bins_of(own)
    sizes = np.bincount(bins, minlength=BINS)
    sums = (np.bincount(bins, numbers, BINS)[sizes > 0] / sizes[sizes > 0] for numbers in (own, is_right))
    points = tuple(zip(*(means.tolist() for means in sums), strict=True))
    return Graph(
        "calibration",
        "Calibration",
        "How many answers are right among those with about the same probability, in 15 bins; on the diagonal, probabilities are true.",
        Axis("mean probability of the system's label"),
        Axis("share of right answers"),
        (Series("bins", points, sizes=tuple(sizes[sizes > 0].tolist())), Series("calibrated", _DIAGONAL, "reference")),
    )


def _scores(tally: Tally) -> Graph:
    judged = np.flatnonzero(tally.judged)
    judged = judged[:: -(-len(judged) // MOST_DOTS)]
    gold, system = (tally.sample.evidence.column(side)[judged].tolist() for side in (GOLD, SYSTEM))
    low, high = min(gold + system), max(gold + system)
    high = high if high > low else low + 1.0
    return Graph(
        "scores",
        "Scores of gold and system",
        f"A point is an item, at most {MOST_DOTS} of them; on the diagonal, both scores are the same.",
        Axis("gold", low, high),
        Axis("system", low, high),
        (
            Series("items", tuple(zip(gold, system, strict=True)), "points"),
            Series("equal", ((low, low), (high, high)), "reference"),
        ),
    )


def _slices(tally: Tally) -> Iterator[Bars]:
    """Yield the leading measure of each group that has a value."""
    name, statistic = _leading(tally.options)
    values: Values = statistic(tally)[0]
    bars = tuple((group, value) for group, value in zip(tally.groups, values.tolist(), strict=True) if not np.isnan(value))
    if bars:
        high = max(value for _, value in bars) if tally.options.is_score else 1.0
        yield Bars(
            "groups", f"{name} by group", f"The {name} of the items of each group alone.", Axis(name, 0.0, high or 1.0), bars
        )


def _leading(options: Options) -> tuple[str, Statistic]:
    if options.is_score:
        return "mae", mae
    return ("micro.f1", micro("f1")) if options.is_set else ("accuracy", accuracy)

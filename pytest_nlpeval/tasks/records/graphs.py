"""What is drawn of records: precision, recall and F1 by path, and the most frequent wrong values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.graphs import MOST_NAMES, Axis, Bars
from pytest_nlpeval.kit.prf import FIGURES, figure_of
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.tasks.records.columns import CONFUSED, FIELD, Names
from pytest_nlpeval.tasks.records.confused import Wrong, most_frequent, wrong_values
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.view import View

_MOST = 20
_LONGEST = 60
"""How many code points of a value are drawn."""

_TITLES = {"precision": "Precision by path", "recall": "Recall by path", "f1": "F1 by path"}


def graphs(evidence: Evidence, options: Options) -> Iterator[Bars]:
    """Yield precision, recall and F1 of the paths with most fields, and the most frequent wrong values; nothing of what there is none."""
    view = View(Sample(evidence), unit=options.unit)
    counts = {path: view.counts(FIELD, path) for path in Names.of(options, evidence.columns).paths}
    sizes = {path: float((gold + system).item()) for path, (_, system, gold) in counts.items()}
    shown = sorted(sorted(sizes, key=lambda path: (-sizes[path], path))[:MOST_NAMES])
    left = len(sizes) - len(shown)
    which = f"the {len(shown)} paths with most fields; {left:,} others are left out" if left else "each path"
    for figure in FIGURES:
        values = {path: figure_of(figure, *counts[path]).item() for path in shown}
        bars = tuple((path, value) for path, value in values.items() if not np.isnan(value))
        if bars:
            yield Bars(f"fields.{figure}", _TITLES[figure], f"The measure of the fields at {which}.", Axis(figure), bars)
    yield from _confusions(evidence)


def _confusions(evidence: Evidence) -> Iterator[Bars]:
    categories = evidence.categories(CONFUSED)
    if not categories:
        return
    codes = evidence.column(CONFUSED)
    numbers: Counter[Wrong] = Counter()
    times = np.bincount(codes[codes >= 0], minlength=len(categories)).tolist()
    for text, number in zip(categories, times, strict=True):
        for wrong in wrong_values(text):
            numbers[wrong] += number
    bars: Counter[str] = Counter()
    for wrong in most_frequent(numbers, _MOST):
        bars[_name(wrong)] += numbers[wrong]  # values that are shortened may have one name
    meaning = "How often the system has the second value at a path where gold has the first one, of the most frequent such pairs."
    yield Bars("wrong.values", "Wrong values", meaning, Axis("number", 0.0, float(max(bars.values()))), tuple(bars.items()))


def _name(wrong: Wrong) -> str:
    """Return what a wrong value is called: `total: 3.25 → 3.52`."""
    gold, system = (value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…" for value in (wrong.gold, wrong.system))
    return f"{wrong.path}: {gold} → {system}"

"""What is drawn of texts: the most frequent errors, errors by kind, n-grams, numbers of references, and values by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.graphs import Axis, Bars
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.metrics.ngram_scores import smoothed_precisions
from pytest_nlpeval.tasks.text.columns import BLEU_ORDER, CONFUSED, GROUP, KINDS, REFERENCES
from pytest_nlpeval.tasks.text.counts.errors import most_frequent
from pytest_nlpeval.tasks.text.measures import measures
from pytest_nlpeval.tasks.text.options import RATES, Options

_MOST = 20


def graphs(evidence: Evidence, options: Options) -> Iterator[Bars]:
    """Yield what can be drawn of segments: nothing if there are none."""
    if not len(evidence.units):
        return
    for family in filter(options.has, RATES):
        unit = "words" if family == "wer" else "characters"
        numbers = {kind: _sum(evidence, f"{family}.{kind}") for kind in KINDS[1:]}
        yield _bars(f"{family}.errors", f"Errors of {unit}", f"How many {unit} are wrong, by kind.", numbers)
    yield from _confusions(evidence)
    if options.has("bleu"):
        yield from _of_bleu(evidence)
    counts = Counter(evidence.column(REFERENCES).tolist())
    by_number = {f"{number:,}": counts[number] for number in sorted(counts)[:_MOST]}
    if left := sum(counts[number] for number in sorted(counts)[_MOST:]):
        by_number["more"] = left
    yield _bars("references", "References", "How many segments have how many references.", by_number)
    yield from _groups(evidence, options)


def _sum(evidence: Evidence, column: str) -> int:
    return int(evidence.column(column).sum(dtype=np.int64))


def _bars(name: str, title: str, meaning: str, numbers: Mapping[str, float], label: str = "number") -> Bars:
    return Bars(name, title, meaning, Axis(label, 0.0, max([1.0, *numbers.values()])), tuple(numbers.items()))


_TITLES = ("Words taken for others", "Words left out", "Words too many")
_NAMES = ("substitutions", "deletions", "insertions")
_MEANINGS = (
    "The most frequent substitutions: the word of the reference, and the one that the system has.",
    "The most frequent words of references that the system does not have.",
    "The most frequent words of the system that references do not have.",
)


def _confusions(evidence: Evidence) -> Iterator[Bars]:
    """Yield the most frequent errors of each kind, of those that the evidence of the documents names."""
    categories = evidence.categories(CONFUSED)
    if not categories:
        return
    codes = evidence.column(CONFUSED)
    times = np.bincount(codes[codes >= 0], minlength=len(categories)).tolist()
    numbers: Counter[tuple[str, str]] = Counter()
    for errors, number in zip(categories, times, strict=True):
        for error in errors.split("\n"):
            old, _, new = error.partition(" ")
            numbers[old, new] += number
    for kind, name in enumerate(_NAMES):
        if shown := most_frequent(numbers, kind, _MOST):
            bars = {" → ".join(filter(None, error)): float(numbers[error]) for error in shown}
            yield _bars(f"confused.{name}", _TITLES[kind], _MEANINGS[kind], bars)


def _of_bleu(evidence: Evidence) -> Iterator[Bars]:
    m, t = (np.array([_sum(evidence, f"bleu.{name}{size}") for size in range(1, BLEU_ORDER + 1)]) for name in "mt")
    precisions = np.where(t > 0, smoothed_precisions(m, t), 0.0)
    by_size = {f"{size}-grams": precision for size, precision in enumerate(precisions.tolist(), 1)}
    yield _bars(
        "bleu.precisions", "N-grams of BLEU", "How many n-grams of the hypotheses references have, smoothed.", by_size, "share"
    )
    lengths = {"hypotheses": _sum(evidence, "bleu.h"), "nearest references": _sum(evidence, "bleu.r")}
    yield _bars("bleu.lengths", "Lengths", "How many tokens both sides have.", lengths, "tokens")


def _groups(evidence: Evidence, options: Options) -> Iterator[Bars]:
    """Yield the values of the first family by group."""
    family = options.measures[0]
    sample = Sample(evidence)
    values = {
        measure.name.removeprefix(GROUP).removesuffix(f".{family}"): measure.score(sample).value
        for measure in measures(options, evidence.columns) or ()
        if measure.name.startswith(GROUP) and measure.name == f"{measure.group}.{family}"
    }
    if known := {group: value for group, value in values.items() if value is not None}:
        yield _bars("groups", f"{family} by group", f"The {family} of the segments of each group.", known, family)

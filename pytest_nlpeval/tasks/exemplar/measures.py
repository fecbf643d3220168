"""The measures of binary relation extraction, as functions of the counts."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pytest_nlpeval.measures import COUNT, Measure
from pytest_nlpeval.metrics.prf import f1, ratio
from pytest_nlpeval.tasks.exemplar.options import Options

_MEASURES = (
    Measure(
        "precision",
        "Share of the extractions that are correct, those where gold has no relation included.",
        "correct / extractions",
        lambda sample: ratio(sample.total("correct"), sample.total("extractions")),
        "no extraction",
    ),
    Measure(
        "recall",
        "Share of the gold relations that are extracted correctly.",
        "correct / relations",
        lambda sample: ratio(sample.total("correct"), sample.total("relations")),
        "no gold relation",
    ),
    Measure(
        "f1",
        "Balanced F: the harmonic mean of precision and recall.",
        "2 · correct / (extractions + relations)",
        lambda sample: f1(sample.total("correct"), sample.total("extractions"), sample.total("relations")),
        "no extraction and no gold relation",
    ),
    Measure(
        "correct",
        "Extractions that hold every token of the trigger and, beyond them, tokens of windows only.",
        "correct",
        lambda sample: sample.total("correct"),
        range=COUNT,
    ),
    Measure(
        "extractions",
        "Sentences for which the system gives a relation, whatever gold says.",
        "extractions",
        lambda sample: sample.total("extractions"),
        range=COUNT,
    ),
    Measure(
        "relations",
        "Sentences that have a relation in gold.",
        "relations",
        lambda sample: sample.total("relations"),
        range=COUNT,
    ),
)


def measures(_options: Options, _columns: Collection[str] | None) -> tuple[Measure, ...]:
    """Return the measures; they are the same for all options and files."""
    return _MEASURES


def signature(options: Options, _columns: Collection[str]) -> Mapping[str, str]:
    """Return what changes a score: whether case counts."""
    return {"ignore_case": "true" if options.ignore_case else "false"}

"""The measures of binary relation extraction, as functions of the counts."""

from __future__ import annotations

from collections.abc import Collection

from pytest_nlpeval.kit.prf import Texts, prf, ratios_of
from pytest_nlpeval.kit.signatures import signature_of
from pytest_nlpeval.measures import COUNT, Measure
from pytest_nlpeval.tasks.exemplar.options import Options

_TEXTS: Texts = {
    "precision": (
        "Share of the extractions that are correct, those where gold has no relation included.",
        "correct / extractions",
        "no extraction",
    ),
    "recall": ("Share of the gold relations that are extracted correctly.", "correct / relations", "no gold relation"),
    "f1": (
        "Balanced F: the harmonic mean of precision and recall.",
        "2 · correct / (extractions + relations)",
        "no extraction and no gold relation",
    ),
}

_MEASURES = (
    *prf("", ratios_of("correct", "extractions", "relations"), _TEXTS),
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


signature = signature_of()

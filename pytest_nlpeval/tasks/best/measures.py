"""The 36 measures of BeSt, as functions of one row per document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import product

from pytest_nlpeval.kit.prf import Figure, Texts, prf
from pytest_nlpeval.kit.signatures import signature_of
from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Measure, Sample, Values
from pytest_nlpeval.metrics.prf import f_of, ratio
from pytest_nlpeval.tasks.best.annotations import ATTITUDES
from pytest_nlpeval.tasks.best.options import Options

Shares = tuple[Values, Values]

POOLS: dict[str, tuple[str, ...]] = {"all": tuple(ATTITUDES), "belief": ("belief",), "sentiment": ("sentiment",)}
PROVENANCES = {
    "full": "every match counts credit · provenance F",
    "single": "a match counts its credit if the provenance sets share a mention, otherwise it is a false positive",
}
FORMULAS: dict[Figure, str] = {"precision": "P = tp / (tp + fp)", "recall": "R = tp / (tp + fn)", "f1": "2PR / (P + R)"}
AVERAGES = {"micro": "counts summed over documents", "macro": "mean of the documents' P and of their R; F from the two means"}
COLUMNS = ("gold", "system", "matched", "unsupported", "thirds", "credit")


def measures(_options: Options, _columns: Collection[str] | None) -> tuple[Measure, ...]:
    """Return all measures: attitude, provenance condition, average, and precision, recall or F."""
    return tuple(_all())


signature = signature_of()


def _all() -> Iterator[Measure]:
    for pool, provenance, average in product(POOLS, PROVENANCES, AVERAGES):
        of = f"of {pool} tuples, {provenance} provenance, {average} average: {PROVENANCES[provenance]}."
        texts: Texts = {
            figure: (f"{figure.capitalize()} {of}", f"{formula}; {AVERAGES[average]}", "no documents")
            for figure, formula in FORMULAS.items()
        }
        values = partial(partial, _values, pool, provenance, average)
        yield from prf(f"{pool}.{provenance}.{average}", values, texts, group=pool, precision_of_nothing=1.0)


def _values(pool: str, provenance: str, average: str, figure: Figure, sample: Sample) -> Values:
    shares = _micro if average == "micro" else _macro
    precision, recall = shares(sample, pool, provenance)
    return {"precision": precision, "recall": recall, "f1": f_of(precision, recall)}[figure]


def _micro(sample: Sample, pool: str, provenance: str) -> Shares:
    return _shares(
        lambda column: sum((sample.total(f"{attitude}.{column}") for attitude in POOLS[pool]), np.zeros(1)), provenance
    )


def _macro(sample: Sample, pool: str, provenance: str) -> Shares:
    def column(name: str) -> Values:
        return sum((sample.evidence.column(f"{attitude}.{name}").astype(np.float64) for attitude in POOLS[pool]), np.zeros(1))

    precision, recall = _shares(column, provenance)
    documents = sample.total(np.ones(len(sample.evidence.units), np.int64))
    return ratio(sample.total(precision), documents), ratio(sample.total(recall), documents)


def _shares(of: Callable[[str], Values], provenance: str) -> Shares:
    """Return precision and recall of counts.

    tp is the credit; fp the system tuples without match, with single provenance also those matched without a shared mention;
    fn the gold tuples without match. Where the denominator is 0, the share is 1 if that side has no tuples at all, otherwise 0.
    """
    gold, system, matched, unsupported, thirds, credit = (of(name) for name in COLUMNS)
    true = credit if provenance == "full" else thirds / 3
    false = system - matched + (unsupported if provenance == "single" else 0)
    missed = gold - matched
    precision = np.where(system == 0, 1.0, ratio(true, true + false, empty=0.0))
    recall = np.where(gold == 0, 1.0, ratio(true, true + missed, empty=0.0))
    return precision, recall

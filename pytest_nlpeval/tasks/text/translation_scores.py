"""BLEU, chrF, chrF++ and TER: functions of numbers of n-grams, of edits and of lengths.

Sources: those of `metrics.ngram_scores` and `metrics.translation_edits`; sacrebleu 2.6 for the profile `published`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Values
from pytest_nlpeval.metrics.ngram_scores import bleu, brevity_penalty, chrf
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.text.columns import ANSWERED, BLEU_ORDER, CHRF_ORDERS
from pytest_nlpeval.tasks.text.figures import RATE, TextFigure
from pytest_nlpeval.tasks.text.options import Options
from pytest_nlpeval.tasks.text.view import Rates, View

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

_ORDERS = range(1, BLEU_ORDER + 1)


def bleu_figures() -> Iterator[TextFigure]:
    """Yield the measures of BLEU."""
    nothing = "no reference has four tokens"
    yield TextFigure("bleu", "BLEU of all segments, exponentially smoothed.", "bleu.bp · (p1 p2 p3 p4)^(1/4)", _bleu, nothing)
    yield TextFigure(
        "bleu.bp",
        "Brevity penalty: 1 if the hypotheses have at least as many tokens as the nearest references.",
        "1 if h ≥ r else e^(1 - r / h)",
        _brevity,
    )
    yield TextFigure(
        "bleu.mean",
        "Mean of the segments' BLEU, each over the sizes of n-grams that its hypothesis has.",
        "Σ BLEU of a segment / segments",
        _mean_bleu,
    )


def _brevity(view: View, _options: Options) -> Values:
    h, r = view.total("bleu.h"), view.total("bleu.r")
    return np.where(view.segments() > 0, brevity_penalty(h, r), np.nan)


def _bleu(view: View, options: Options) -> Values:
    m, t = (np.stack([view.total(f"bleu.{name}{size}") for size in _ORDERS]) for name in "mt")
    values = bleu(m, t, view.total("bleu.h"), view.total("bleu.r"))
    if options.is_published:
        return np.where(view.segments() > 0, values, np.nan)
    return np.where(view.total("bleu.four") > 0, values, np.nan)


def _mean_bleu(view: View, options: Options) -> Values:
    return view.mean("bleu of segments", partial(_bleu_of_segments, options))


def _bleu_of_segments(options: Options, evidence: Evidence) -> Rates:
    m, t = (np.stack([evidence.column(f"bleu.{name}{size}").astype(np.float64) for size in _ORDERS]) for name in "mt")
    h, r = (evidence.column(f"bleu.{name}").astype(np.float64) for name in "hr")
    values = bleu(m, t, h, r, is_effective=True)
    return values if options.is_published else np.where((h == 0) & (r == 0), evidence.column(ANSWERED), values)


def chrf_figures(family: str) -> Iterator[TextFigure]:
    """Yield the measures of chrF or chrF++."""
    of_what = "characters" if family == "chrf" else "characters and words"
    yield TextFigure(
        family,
        f"F2 of n-grams of {of_what} of all segments.",
        "5PR / (4P + R), P and R being means over n of m / h and m / r",
        partial(_chrf, family),
        "no text has a character",
    )
    yield TextFigure(
        f"{family}.mean",
        f"Mean of the segments' F2 of n-grams of {of_what}.",
        f"Σ {family} of a segment / segments",
        partial(_mean_chrf, family),
    )


def _columns_of(family: str, name: str) -> list[str]:
    return [f"{family}.{name}{place}" for place in range(1, sum(CHRF_ORDERS[family]) + 1)]


def _chrf(family: str, view: View, options: Options) -> Values:
    h, r, m = (np.stack([view.total(column) for column in _columns_of(family, name)]) for name in "hrm")
    is_there = view.segments() if options.is_published else view.total(f"{family}.any")
    return np.where(is_there > 0, chrf(h, r, m), np.nan)


def _mean_chrf(family: str, view: View, options: Options) -> Values:
    return view.mean(f"{family} of segments", partial(_chrf_of_segments, family, options))


def _chrf_of_segments(family: str, options: Options, evidence: Evidence) -> Rates:
    h, r, m = (np.stack([evidence.column(column).astype(np.float64) for column in _columns_of(family, name)]) for name in "hrm")
    values = chrf(h, r, m)
    is_empty = evidence.column(f"{family}.any") == 0
    return values if options.is_published else np.where(is_empty, evidence.column(ANSWERED), values)


def ter_figures() -> Iterator[TextFigure]:
    """Yield the measures of TER."""
    yield TextFigure(
        "ter",
        "Translation edit rate: edits, shifts of stretches being one each, per word of the references.",
        "Σ edits / Σ mean length of the references",
        _ter,
        "no reference has a word",
        RATE,
        "lower",
    )
    yield TextFigure(
        "ter.mean",
        "Mean of the segments' translation edit rates.",
        "Σ edits / length of a segment / segments",
        _mean_ter,
        range=RATE,
        better="lower",
    )


def _ter(view: View, options: Options) -> Values:
    edits, length = view.total("ter.edits"), view.total("ter.length")
    rate = ratio(edits, length)
    if options.is_published:
        return np.where(length > 0, rate, np.where(view.segments() > 0, edits > 0, np.nan))
    return rate


def _mean_ter(view: View, _options: Options) -> Values:
    return view.mean("ter of segments", _ter_of_segments)


def _ter_of_segments(evidence: Evidence) -> Rates:
    edits, length = (evidence.column(f"ter.{name}").astype(np.float64) for name in ("edits", "length"))
    is_right = (edits == 0) & (evidence.column(ANSWERED) == 1)
    return np.where(length > 0, ratio(edits, length), 1.0 - is_right)

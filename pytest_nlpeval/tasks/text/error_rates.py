"""Error rates of words and characters: functions of hits, substitutions, deletions and insertions.

Sources: A. C. Morris, V. Maier, P. Green, From WER and RIL to MER and WIL, Interspeech 2004; jiwer 4.0 for the profile `published`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.text.columns import ANSWERED, KINDS
from pytest_nlpeval.tasks.text.figures import RATE, TextFigure, number_of
from pytest_nlpeval.tasks.text.options import Options
from pytest_nlpeval.tasks.text.view import Rates, View

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

_UNITS = {"wer": "word", "cer": "character"}


def rate_figures(family: str) -> Iterator[TextFigure]:
    """Yield the measures of `wer` or `cer`."""
    unit = _UNITS[family]
    nothing = f"no reference has a {unit}; gate {family}.insertions"
    yield TextFigure(
        family,
        f"Errors of {unit}s, of all segments, per {unit} of the references.",
        "(S + D + I) / (H + S + D)",
        partial(_rate, family),
        nothing,
        RATE,
        "lower",
    )
    yield TextFigure(
        f"{family}.mean",
        f"Mean of the error rates of {unit}s of the segments.",
        "Σ (S + D + I) / (H + S + D) of a segment / segments",
        partial(_mean, family),
        range=RATE,
        better="lower",
    )
    if family == "wer":
        yield from _WORDS
    for kind in KINDS:
        what = f"{unit.capitalize()}s that are {_BECOME[kind]}."
        yield number_of(f"{family}.{kind}", f"{family}.{kind}", what, "higher" if kind == "hits" else "lower")


_BECOME = {
    "hits": "right",
    "substitutions": "another in the hypothesis",
    "deletions": "not in the hypothesis",
    "insertions": "in the hypothesis alone",
}


class _Sums(NamedTuple):
    hits: Values
    substitutions: Values
    deletions: Values
    insertions: Values

    @classmethod
    def of(cls, view: View, family: str) -> _Sums:
        return cls(*(view.total(f"{family}.{kind}") for kind in KINDS))

    @classmethod
    def of_segments(cls, evidence: Evidence, family: str) -> _Sums:
        return cls(*(evidence.column(f"{family}.{kind}").astype(np.float64) for kind in KINDS))

    @property
    def errors(self) -> Values:
        return self.substitutions + self.deletions + self.insertions

    @property
    def in_references(self) -> Values:
        return self.hits + self.substitutions + self.deletions


def _rate(family: str, view: View, options: Options) -> Values:
    sums = _Sums.of(view, family)
    rate = ratio(sums.errors, sums.in_references)
    return np.where(sums.in_references > 0, rate, sums.insertions) if options.is_published else rate


def _mean(family: str, view: View, options: Options) -> Values:
    return view.mean(f"{family} of segments", partial(_rates, family, options.is_published))


def _rates(family: str, is_published: bool, evidence: Evidence) -> Rates:  # noqa: FBT001 - a part of what is partially applied
    """Return the rate of each segment; without anything in the reference 0 if the hypothesis has nothing either, else 1."""
    counts = _Sums.of_segments(evidence, family)
    is_silent = (counts.insertions == 0) & (evidence.column(ANSWERED) == 1)
    otherwise = np.where(is_silent, 0.0, np.maximum(counts.insertions, 1.0) if is_published else 1.0)
    return np.where(counts.in_references > 0, ratio(counts.errors, counts.in_references), otherwise)


def _wrong(view: View, _options: Options) -> Values:
    return view.mean("wrong segments", _wrong_segments)


def _wrong_segments(evidence: Evidence) -> Rates:
    wrong: Rates = ((_Sums.of_segments(evidence, "wer").errors > 0) | (evidence.column(ANSWERED) == 0)).astype(np.float64)
    return wrong


def _match_error_rate(view: View, options: Options) -> Values:
    sums = _Sums.of(view, "wer")
    return ratio(sums.errors, sums.in_references + sums.insertions, 0.0 if options.is_published else np.nan)


def _information_lost(view: View, options: Options) -> Values:
    sums = _Sums.of(view, "wer")
    in_hypotheses = sums.hits + sums.substitutions + sums.insertions
    preserved = ratio(sums.hits, sums.in_references) * ratio(sums.hits, in_hypotheses, 0.0)
    if options.is_published:
        return 1 - np.where(sums.in_references > 0, preserved, in_hypotheses == 0)
    return 1 - preserved


_WORDS = (
    TextFigure(
        "ser",
        "Share of the segments with an error in a word, or without hypothesis.",
        "segments with S + D + I > 0 / segments",
        _wrong,
        better="lower",
    ),
    TextFigure(
        "mer",
        "Match error rate: share of the pairs of words in the alignments that are wrong.",
        "(S + D + I) / (H + S + D + I)",
        _match_error_rate,
        "there is no word on either side",
        better="lower",
    ),
    TextFigure(
        "wil",
        "Word information lost.",
        "1 - H / (H + S + D) · H / (H + S + I)",
        _information_lost,
        "no reference has a word",
        better="lower",
    ),
)

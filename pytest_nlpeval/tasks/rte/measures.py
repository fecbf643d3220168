"""The measures of textual entailment, as functions of one row per pair."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_nlpeval.kit.prf import Texts, prf, ratios_of
from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Measure, OfGroup, Sample, Values
from pytest_nlpeval.metrics import ranking
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.metrics.stretches import RunningSums, Stretches, runs
from pytest_nlpeval.tasks.rte.confidence import NONE
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition, Options, edition_of
from pytest_nlpeval.wording import plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.evidence import Evidence

_EDITIONS = (FIRST, LATER)


def measures(_options: Options, columns: Collection[str] | None) -> tuple[Measure, ...]:
    """Return the measures for evidence with these columns; with None all that can exist.

    With a task file instead of gold, only coverage can be told.
    """
    editions = [edition for edition in _EDITIONS if columns is None or f"gold.{edition.positive}" in columns]
    settings = sorted({setting for edition in editions or _EDITIONS for setting in edition.settings})
    here = [setting for setting in settings if columns is None or f"task.{setting}" in columns]
    ranked = [_AVERAGE_PRECISION] if LATER in editions else []
    measures = (
        *_whole(),
        *ranked,
        *chain.from_iterable(map(_of_classes, editions)),
        *chain.from_iterable(map(_of_setting, here)),
    )
    return measures if editions or not columns else tuple(measure for measure in measures if measure.name.endswith("coverage"))


def signature(options: Options, columns: Collection[str]) -> Mapping[str, str]:
    """Return the edition that the files are of (2 and 3 are scored alike)."""
    editions = [edition.name for edition in _EDITIONS if f"system.{edition.positive}" in columns]
    wanted = edition_of(options)
    return {"edition": ",".join(editions) or (wanted.name if wanted else "?")}


def notes(evidence: Evidence, _options: Options, _roles: Collection[str]) -> Iterator[str]:
    """Yield that the runs are a partial submission, with their coverage, if they do not judge all pairs."""
    judged, pairs = int(evidence.column("judged").sum(dtype=np.int64)), len(evidence.units)
    if judged < pairs:
        yield f"partial submission: {judged:,} of {plural(pairs, 'pair')} answered (coverage {judged / pairs:.6g})"


def _whole() -> Iterator[Measure]:
    yield Measure("accuracy", "Share of the judged pairs that are judged right.", "correct / judged", _accuracy(""), _NOTHING)
    yield Measure("coverage", "Share of the gold pairs that the run judges.", "judged / pairs", _coverage(""), "no pair in gold")
    formula = "1/n · Σ_{i=1..n} (correct among the first i) / i"
    yield Measure(
        "cws",
        "Confidence-weighted score: judged pairs by decreasing confidence, ties in the order of the run file; n = judged pairs.",
        formula,
        _cws,
        _without_cws,
        needs="documents",
    )
    yield Measure(
        "cws.expected",
        "Expectation of cws over all orders of tied pairs; does not depend on the order of the run file.",
        f"E[{formula}]; at place j of a tied block of m pairs, k of them correct, after c correct ones: c + k·j/m",
        _among_ties(ranking.expected_cws),
        _without_cws,
        needs="rows",
    )
    yield Measure(
        "cws.worst",
        "Least cws over all orders of tied pairs.",
        f"min {formula}: the wrong ones of each tied block first",
        _among_ties(ranking.worst_cws),
        _without_cws,
        needs="rows",
    )
    yield Measure(
        "cws.best",
        "Greatest cws over all orders of tied pairs.",
        f"max {formula}: the correct ones of each tied block first",
        _among_ties(ranking.best_cws),
        _without_cws,
        needs="rows",
    )


def _of_classes(edition: Edition) -> Iterator[Measure]:
    return (measure for word in (edition.positive, edition.negative) for measure in _of_class(word))


def _of_class(word: str) -> Iterator[Measure]:
    def hits(sample: Sample) -> Values:
        return sample.total(sample.evidence.column(f"gold.{word}") * sample.evidence.column(f"system.{word}"))

    def in_gold(sample: Sample) -> Values:
        return sample.total(sample.evidence.column(f"gold.{word}") * sample.evidence.column("judged"))

    in_both, neither = f"correct as {word}", f"no pair is judged {word} and no judged pair is {word} in gold"
    texts: Texts = {
        "precision": (
            f"Share of the pairs judged {word} that are {word} in gold.",
            f"{in_both} / judged {word}",
            f"no pair is judged {word}",
        ),
        "recall": (
            f"Share of the judged pairs that are {word} in gold which are judged {word}.",
            f"{in_both} / (judged pairs that are {word} in gold)",
            f"no judged pair is {word} in gold",
        ),
        "f1": (
            f"Balanced F of {word}, over the judged pairs.",
            f"2 · {in_both} / (judged {word} + judged pairs that are {word} in gold)",
            neither,
        ),
    }
    return prf(word, ratios_of(hits, f"system.{word}", in_gold), texts)


def _of_setting(setting: str) -> Iterator[Measure]:
    column = f"task.{setting}"
    of = f"of the application setting {setting}"
    nothing = f"no pair of task {setting} is judged"
    yield Measure(
        f"{column}.accuracy",
        f"Share of the judged pairs {of} that are judged right.",
        f"correct {setting} / judged {setting}",
        _accuracy(column),
        nothing,
        group=column,
        of_group=OfGroup(setting, "accuracy", column),
    )
    yield Measure(
        f"{column}.cws",
        f"Confidence-weighted score over the judged pairs {of} alone.",
        "as cws, n = judged pairs of the setting",
        _cws_of(column),
        lambda evidence: _without_cws(evidence, column) or nothing,
        group=column,
        of_group=OfGroup(setting, "cws", column),
        needs="documents",
    )
    yield Measure(
        f"{column}.coverage",
        f"Share of the gold pairs {of} that the run judges.",
        f"judged {setting} / pairs {setting}",
        _coverage(column),
        f"no pair of task {setting} in gold",
        group=column,
        of_group=OfGroup(setting, "coverage", column),
    )


_NOTHING = "no pair is judged"


def _mask(evidence: Evidence, column: str) -> NDArray[Any]:
    return evidence.column(column) if column else np.ones(len(evidence.units), np.int8)


def _accuracy(column: str) -> Callable[[Sample], Values]:
    def values(sample: Sample) -> Values:
        mask = _mask(sample.evidence, column)
        return ratio(
            sample.total(sample.evidence.column("correct") * mask),
            sample.total(sample.evidence.column("judged") * mask),
        )

    return values


def _coverage(column: str) -> Callable[[Sample], Values]:
    def values(sample: Sample) -> Values:
        mask = _mask(sample.evidence, column)
        return ratio(sample.total(sample.evidence.column("judged") * mask), sample.total(mask))

    return values


def by_confidence(evidence: Evidence) -> NDArray[np.int64]:
    """Return the judged rows by decreasing confidence; ties by document and line. Empty if any judged pair has none."""
    judged = np.flatnonzero(evidence.column("judged"))
    confidence = evidence.column("confidence")[judged]
    if (confidence == NONE).any():
        return judged[:0]
    keys = (evidence.column("line")[judged], evidence.document_ranks()[judged], -confidence)
    return judged[np.lexsort(keys)]


def _order(sample: Sample) -> NDArray[np.int64]:
    sample.require_rows()
    order: NDArray[np.int64] = sample.once("rte: by confidence", by_confidence)
    return order


def _cws(sample: Sample) -> Values:
    order = _order(sample)
    correct = sample.once("rte: correct by confidence", lambda evidence: runs(evidence.column("correct"), [order]))
    return sample.shared("rte: cws", lambda: ranking.confidence_weighted_scores(correct, sample.running_sums)[:, 0])


_Statistic: TypeAlias = "Callable[[ranking.Tied, RunningSums], Values]"


def _among_ties(statistic: _Statistic) -> Callable[[Sample], Values]:
    """Return the values of a statistic of tied judgments; where none are tied, it is cws."""

    def values(sample: Sample) -> Values:
        order = _order(sample)

        def tied_of(evidence: Evidence) -> ranking.Tied:
            return ranking.Tied.of(evidence.column("correct"), evidence.column("confidence"), order)

        tied = sample.once("rte: tied", tied_of)
        return statistic(tied, sample.running_sums) if tied.number else _cws(sample)

    return values


def _cws_of(column: str) -> Callable[[Sample], Values]:
    """Return the values of cws in one application setting; those of all settings are worked out together."""

    def values(sample: Sample) -> Values:
        order = _order(sample)
        columns = sorted(name for name in sample.evidence.columns if name.startswith("task."))
        if column not in columns:  # a baseline may lack it
            return np.full(sample.size, np.nan)

        def correct(evidence: Evidence) -> Stretches:
            return runs(evidence.column("correct"), [order[evidence.column(name)[order] == 1] for name in columns])

        stretches = sample.once("rte: correct in settings", correct)
        every = sample.shared("rte: cws of settings", lambda: ranking.confidence_weighted_scores(stretches, sample.running_sums))
        return every[:, columns.index(column)].copy()  # a view would keep those of all

    return values


def _without_cws(evidence: Evidence, column: str = "") -> str:
    judged = evidence.column("judged") * _mask(evidence, column) == 1
    if f"gold.{LATER.positive}" in evidence.columns:
        return f"runs of edition {LATER.name} have no confidence scores"
    if not judged.any():
        return f"no pair of {column.replace('.', ' ')} is judged" if column else _NOTHING
    return "no confidence scores in the run" if (evidence.column("confidence")[judged] == NONE).all() else _SOME_WITHOUT


_SOME_WITHOUT = "some judged pairs have no confidence score"


def by_rank(evidence: Evidence) -> NDArray[np.int64]:
    """Return the judged rows in the order of the run's ranking; empty if there is none, or several."""
    judged = np.flatnonzero(evidence.column("judged"))
    if len(evidence.documents) != 1 or not evidence.column("ranked").any():
        return judged[:0]
    return judged[np.argsort(evidence.column("line")[judged], kind="stable")]


def _average_precision(sample: Sample) -> Values:
    sample.require_rows()
    entailing = sample.once("rte: entailing by rank", _runs_of_entailing)
    return ranking.average_precisions(entailing, sample.running_sums)[:, 0]


def _runs_of_entailing(evidence: Evidence) -> Stretches:
    return runs(evidence.column(f"gold.{LATER.positive}"), [by_rank(evidence)])


def _without_average_precision(evidence: Evidence) -> str:
    if len(evidence.documents) != 1:
        return "several rankings"
    return "no judged pair entails" if evidence.column("ranked").any() else "the run is not ranked (`ranked: no`)"


_AVERAGE_PRECISION = Measure(
    "average_precision",
    "Average precision of the run's ranking: how early the pairs that entail appear in it. One ranked run only.",
    "1/R · Σ_i E(i) · (entailing pairs up to i) / i; R = judged pairs that entail, E(i) = 1 if pair i entails",
    _average_precision,
    _without_average_precision,
    needs="documents",
)

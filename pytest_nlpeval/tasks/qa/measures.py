"""The measures of question answering, as functions of one row per question."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from pytest_nlpeval.kit.records import left_out_notes
from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import COUNT, Measure, Range, Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.qa.options import Options
from pytest_nlpeval.wording import plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.columns import Numbers
    from pytest_nlpeval.evidence import Evidence

HAS_ANSWER, NO_ANSWER = "HasAns", "NoAns"
SCORES = ("exact", "f1")

_KINDS = {"": "questions", HAS_ANSWER: "answerable questions", NO_ANSWER: "questions without answer"}

_ANY = Range(-math.inf, math.inf)

_NOISE = 1e-9
"""Two sums of scores this close are equal: the noise of floats."""


def measures(options: Options, _columns: Collection[str] | None) -> tuple[Measure, ...]:
    """Return the measures, which exist for all evidence; only some have a value without no-answer numbers."""
    return (*(measure for kind in _KINDS for measure in _of_kind(kind)), *_COVERAGE, *_best(options))


def signature(options: Options, _columns: Collection[str]) -> Mapping[str, str]:
    """Return the options, all of which change scores."""
    return {"profile": options.profile, "language": options.language or "none", "threshold": repr(float(options.threshold))}


def notes(evidence: Evidence, _options: Options, _roles: Collection[str]) -> Iterator[str]:
    """Yield how many records are left out, and how many questions have no prediction, if there are any."""
    yield from left_out_notes(evidence)
    questions, predicted = len(evidence.units), int(evidence.column("predicted").sum(dtype=np.int64))
    if predicted < questions:
        yield f"{questions - predicted:,} of {plural(questions, 'question')} have no prediction and score 0"


def scores_of(evidence: Evidence, score: str) -> Numbers:
    """Return the `exact` or `f1` of each question under the threshold."""
    over = evidence.column("over")
    scores: Numbers = evidence.column("predicted") * np.where(over, 1 - evidence.column("answerable"), evidence.column(score))
    return scores


def _of_which(evidence: Evidence, kind: str) -> Numbers:
    """Return 1 for each question of a kind, else 0."""
    answerable = evidence.column("answerable")
    return np.ones_like(answerable) if not kind else answerable if kind == HAS_ANSWER else 1 - answerable


def _of_kind(kind: str) -> Iterator[Measure]:
    which, start = _KINDS[kind], f"{kind}." if kind else ""
    what = {"exact": "1 where it is an answer, both in normal form", "f1": "its greatest token F1 with an answer"}
    for score in SCORES:
        yield Measure(
            f"{start}{score}",
            f"Mean over all {which}; a prediction has {what[score]}.",
            f"Σ {score} / {which}",
            _mean(kind, score),
            f"there are no {which}",
            group=kind,
        )
    yield Measure(
        f"{start}total",
        f"Number of {which}.",
        which,
        lambda sample: sample.total(_of_which(sample.evidence, kind)),
        range=COUNT,
        group=kind,
    )


def _mean(kind: str, score: str) -> Callable[[Sample], Values]:
    def values(sample: Sample) -> Values:
        which = _of_which(sample.evidence, kind)
        return ratio(sample.total(scores_of(sample.evidence, score) * which), sample.total(which))

    return values


_COVERAGE = (
    Measure(
        "coverage",
        "Share of the questions that have a prediction, be it the empty text.",
        "predicted / questions",
        lambda sample: ratio(sample.total("predicted"), sample.total(_of_which(sample.evidence, ""))),
        "there are no questions",
        empty=1.0,
    ),
)


class Steps(NamedTuple):
    """What answering one more question after the other, by ascending no-answer number, changes in a sum of scores.

    `rows` are the questions, `gains` what each adds to the sum, `cuts` the places in `rows` behind which a threshold may lie, and
    `keys` these thresholds. Questions that add nothing are left out: no sum is greater, or reached earlier, with them.
    """

    rows: NDArray[np.int64]
    gains: NDArray[np.float64]
    cuts: NDArray[np.int64]
    keys: NDArray[np.float64]


def steps_of(evidence: Evidence, score: str, *, squad2: bool) -> Steps | None:
    """Return the steps of a score; None if a prediction has no number, or none has.

    In `squad2` a sum is looked at after each single question, also between equal numbers, and a prediction that is not the empty text
    costs a question without answer 1, though its normal form may be empty and right.
    """
    predicted = evidence.column("predicted") == 1
    if not predicted.any() or not evidence.column("numbered")[predicted].all():
        return None
    number, unanswerable = evidence.column("number").astype(np.float64), 1 - evidence.column("answerable")
    gains = evidence.column(score).astype(np.float64) - unanswerable
    if squad2:
        gains = gains - unanswerable * evidence.column("wordless")
    rows = np.flatnonzero(predicted & (gains != 0))
    rows = rows[np.lexsort((evidence.column("rank")[rows], evidence.document_ranks()[rows], number[rows]))]
    keys = number[rows]
    cuts = np.arange(len(rows)) if squad2 else np.flatnonzero(np.append(keys[1:] != keys[:-1], np.ones(len(keys[:1]), bool)))
    return Steps(rows, gains[rows], cuts, keys[cuts])


_SHARE, _THRESHOLD = 0, 1


def _best_of(sample: Sample, score: str, *, squad2: bool) -> Values:
    """Return the greatest share that a threshold reaches, and the least such threshold, shape `(2, R)`, NaN for none."""
    steps: Steps | None = sample.once(f"qa: {score} {squad2}", lambda evidence: steps_of(evidence, score, squad2=squad2))
    if steps is None:
        return np.full((2, sample.size), np.nan)
    unanswerable = (1 - sample.evidence.column("answerable")) * sample.evidence.column("predicted")
    nothing = sample.total(unanswerable)
    gains = sample.counts(steps.rows) * steps.gains
    sums = np.cumsum(np.column_stack((nothing, gains)), axis=1)[:, np.append(0, steps.cuts + 1)]
    greatest = sums.max(axis=1)
    first = (sums >= greatest[:, None] - (0 if squad2 else _NOISE)).argmax(axis=1)
    total = sample.total(_of_which(sample.evidence, ""))
    threshold = np.append(0.0 if squad2 else np.nan, steps.keys)[first]
    return np.stack([ratio(greatest, total), np.where(total > 0, threshold, np.nan)])


def _best(options: Options) -> Iterator[Measure]:
    squad2 = options.profile == "squad2"
    for score in SCORES:
        yield Measure(
            f"best.{score}",
            f"The greatest `{score}` that some threshold of the no-answer number gives; it is optimistic, as it knows gold.",
            "max over none answered, and number ≤ v answered: "
            f"(Σ {score} of the answered + the others without answer) / questions",
            _part(score, _SHARE, squad2=squad2),
            _without_numbers,
            group="best",
            needs="rows",
        )
        yield Measure(
            f"best.{score}.threshold",
            f"The least threshold that gives the best `{score}`, for the option `threshold` on other data; it is no score.",
            f"least v with (Σ {score} at threshold v) / questions = best.{score}",
            _part(score, _THRESHOLD, squad2=squad2),
            lambda evidence: _without_numbers(evidence) or "it is best to answer nothing",
            range=_ANY,
            group="best",
            needs="rows",
        )


def _part(score: str, part: int, *, squad2: bool) -> Callable[[Sample], Values]:
    def part_of(sample: Sample) -> Values:
        best = sample.shared(f"qa: best {score} {squad2}", lambda: _best_of(sample, score, squad2=squad2))
        values: Values = best[part]
        return values

    return part_of


def _without_numbers(evidence: Evidence) -> str:
    predicted = evidence.column("predicted") == 1
    if not evidence.column("numbered")[predicted].any():
        return "there are no no-answer numbers"
    return "" if evidence.column("numbered")[predicted].all() else "some documents have no no-answer numbers"

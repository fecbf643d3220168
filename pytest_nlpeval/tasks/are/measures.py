"""The measures of the four subtasks, as functions of their counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Measure, Sample, Values
from pytest_nlpeval.metrics.prf import f1, ratio
from pytest_nlpeval.tasks.are.options import Options


def measures(options: Options, _columns: Collection[str] | None) -> tuple[Measure, ...]:
    """Return the measures of the options' subtask."""
    return _MEASURES[options.subtask]


def signature(options: Options, _columns: Collection[str]) -> Mapping[str, str]:
    """Return the subtask, and the words that count as pronouns in addition to those of the files."""
    words = ",".join(sorted(options.words))
    return {"subtask": str(options.subtask)} | ({"pronouns": words} if words else {})


def _of_pronouns() -> Iterator[Measure]:
    nothing = "the input lists no pronoun"
    yield Measure(
        "success_rate",
        "Mean score of the pronouns to be resolved: 1, 0.5 or 0.",
        "(resolved + half_resolved / 2) / pronouns",
        lambda sample: ratio(sample.total("resolved") + sample.total("half") / 2, _rows(sample)),
        nothing,
    )
    yield Measure(
        "resolved",
        "Share of the pronouns whose answers lead to a mention of their chain that is not a pronoun.",
        "pronouns of score 1 / pronouns",
        _share("resolved"),
        nothing,
    )
    yield Measure(
        "half_resolved",
        "Share of the pronouns with a pronoun of their chain as antecedent whose answers lead no further; no goal in itself.",
        "pronouns of score 0.5 / pronouns",
        _share("half"),
        nothing,
    )
    yield Measure(
        "answered", "Share of the pronouns that have an answer.", "answered pronouns / pronouns", _share("answered"), nothing
    )


def _rows(sample: Sample) -> Values:
    return sample.total(np.ones(len(sample.evidence.units), np.int64))


def _share(column: str) -> Callable[[Sample], Values]:
    return lambda sample: ratio(sample.total(column), _rows(sample))


def _prf(prefix: str, correct: str, system: str, gold: str, what: str, words: tuple[str, str, str]) -> Iterator[Measure]:
    """Yield precision, recall and F of columns; `what` the measures are of, `words` for the columns in formulas."""
    right, ours, theirs = words
    group = prefix.rstrip(".")
    yield Measure(
        f"{prefix}precision",
        f"Precision of {what}.",
        f"{right} / {ours}",
        lambda sample: ratio(sample.total(correct), sample.total(system)),
        f"no {ours}",
        group=group,
    )
    yield Measure(
        f"{prefix}recall",
        f"Recall of {what}.",
        f"{right} / {theirs}",
        lambda sample: ratio(sample.total(correct), sample.total(gold)),
        f"no {theirs}",
        group=group,
    )
    yield Measure(
        f"{prefix}f1",
        f"Balanced F of {what}.",
        f"2PR / (P + R) = 2 · {right} / ({ours} + {theirs}); 0 if only one side has any",
        lambda sample: f1(sample.total(correct), sample.total(system), sample.total(gold)),
        f"no {ours} and no {theirs}",
        group=group,
    )


_LINKS = ("Σ_C (|C| - |p(C)|)", "system links", "gold links")
_WEIGHTS = ("Σ_C correct(C)", "system links", "gold links")
_CREDITS = ("Σ score", "system pairs", "gold pronouns")
_FOUND = ("pairs of a gold pronoun", "system pairs", "gold pronouns")

_MEASURES: dict[int, tuple[Measure, ...]] = {
    1: tuple(_of_pronouns()),
    2: tuple(_prf("muc.", "correct", "system", "gold", "the links of coreference chains (MUC)", _LINKS)),
    3: (
        *_prf("", "credit", "pairs", "pronouns", "resolved pronouns, antecedents weighted by overlap", _CREDITS),
        *_prf("identification.", "identified", "pairs", "pronouns", "finding the pronouns to be resolved", _FOUND),
    ),
    4: tuple(_prf("muc_overlap.", "correct", "system", "gold", "the links of coreference chains, weighted by overlap", _WEIGHTS)),
}

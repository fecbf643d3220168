"""The measures of the four subtasks, as functions of their counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from pytest_nlpeval.kit.prf import Texts, prf, ratios_of
from pytest_nlpeval.kit.signatures import signature_of
from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Measure, Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.are.options import Options


def measures(options: Options, _columns: Collection[str] | None) -> tuple[Measure, ...]:
    """Return the measures of the options' subtask."""
    return _MEASURES[options.subtask]


def _pronouns(options: Options) -> str | None:
    """Return the words that count as pronouns in addition to those of the files."""
    return ",".join(sorted(options.words)) or None


signature = signature_of(pronouns=_pronouns)


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
        perfect=None,
    )
    yield Measure(
        "answered", "Share of the pronouns that have an answer.", "answered pronouns / pronouns", _share("answered"), nothing
    )


def _rows(sample: Sample) -> Values:
    return sample.total(np.ones(len(sample.evidence.units), np.int64))


def _share(column: str) -> Callable[[Sample], Values]:
    return lambda sample: ratio(sample.total(column), _rows(sample))


def _texts(what: str, right: str, ours: str, theirs: str) -> Texts:
    """Return the texts of precision, recall and F: `what` they are of, and the words for what they are made of."""
    formula = f"2PR / (P + R) = 2 · {right} / ({ours} + {theirs}); 0 if only one side has any"
    return {
        "precision": (f"Precision of {what}.", f"{right} / {ours}", f"no {ours}"),
        "recall": (f"Recall of {what}.", f"{right} / {theirs}", f"no {theirs}"),
        "f1": (f"Balanced F of {what}.", formula, f"no {ours} and no {theirs}"),
    }


_LINKS = ratios_of("correct", "system", "gold")
_OF_MUC = _texts("the links of coreference chains (MUC)", "Σ_C (|C| - |p(C)|)", "system links", "gold links")
_OF_OVERLAP = _texts("the links of coreference chains, weighted by overlap", "Σ_C correct(C)", "system links", "gold links")
_OF_CREDIT = _texts("resolved pronouns, antecedents weighted by overlap", "Σ score", "system pairs", "gold pronouns")
_OF_FINDING = _texts("finding the pronouns to be resolved", "pairs of a gold pronoun", "system pairs", "gold pronouns")

_MEASURES: dict[int, tuple[Measure, ...]] = {
    1: tuple(_of_pronouns()),
    2: tuple(prf("muc", _LINKS, _OF_MUC)),
    3: (
        *prf("", ratios_of("credit", "pairs", "pronouns"), _OF_CREDIT),
        *prf("identification", ratios_of("identified", "pairs", "pronouns"), _OF_FINDING),
    ),
    4: tuple(prf("muc_overlap", _LINKS, _OF_OVERLAP)),
}

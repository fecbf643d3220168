"""The measures of labelled spans, as functions of one row per unit.

Sources: conlleval.pl (Tjong Kim Sang, 2004); seqeval 1.2.2; Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 Task 9 (the four schemas,
after Chinchor, Sundheim, MUC-5 Evaluation Metrics, 1993).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from pytest_nlpeval.kit.prf import Figure, Texts, figure_of, prf, ratios_of, texts_of
from pytest_nlpeval.kit.records import left_out_notes
from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import COUNT, Measure, Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.spans.labels import MOST_LABELS
from pytest_nlpeval.tasks.spans.options import LAST, Options
from pytest_nlpeval.wording import plural

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

Count: TypeAlias = Callable[[Sample], Values]
"""A number of things, or a sum of credits, shape `(R,)`."""


@light_dataclass(frozen=True, slots=True)
class Basis:
    """What precision, recall and F of a `name` are made of: the spans of gold and system, and the credit for those that are `right`.

    `spans` and `are_right` are how a sentence names the spans and says when one is right; `formula` is the credit.
    """

    name: str
    spans: str
    are_right: str
    formula: str
    right: Count
    gold: Count
    system: Count
    group: str


def measures(options: Options, columns: Collection[str] | None) -> tuple[Measure, ...] | None:
    """Return the measures for evidence with these columns; with None all that can exist, or None if only the files can tell the labels."""
    if columns is None and options.labels is None:
        return None
    labels = options.labels or labels_of(columns or ())
    shown = labels if options.labels or len(labels) <= MOST_LABELS else ()
    right, overlap, gold, system = (_all_of(count, labels) for count in ("correct", "overlap", "gold", "system"))
    micro = Basis("micro", "spans", _IN_BOTH, "c", right, gold, system, "micro")
    return (
        *_ratios(micro),
        *_counts(micro),
        *_ratios(replace(micro, name="micro.relaxed", are_right=_OVERLAP, formula="r", right=overlap)),
        *_averages(labels),
        *_of_extents(replace(micro, name="unlabelled", group="unlabelled", right=_total("extents"))),
        *_of_schemas(micro, right, overlap),
        *(_TOKENS if options.format == "conll" else ()),
        *(measure for label in shown for measure in _of_label(label)),
    )


def labels_of(columns: Collection[str]) -> tuple[str, ...]:
    """Return the labels that evidence with these columns has spans of, sorted."""
    parts = (name.partition(".") for name in columns)
    return tuple(sorted({label for side, _, label in parts if side in {"gold", "system"}}))


def signature(options: Options, _columns: Collection[str]) -> Mapping[str, str]:
    """Return what changes a score: the format, the labels that are scored, and how tags are read."""
    texts = {"format": options.format, "labels": "all" if options.labels is None else ",".join(options.labels)}
    if options.format == "conll":
        places = (options.columns.token, options.columns.gold, options.columns.system)
        columns = ",".join("last" if place == LAST else str(place) for place in places)
        texts |= {"reading": options.reading, "scheme": options.scheme or "found", "columns": columns}
    return texts


def total(evidence: Evidence, column: str) -> int:
    """Return the sum of a column of evidence."""
    return int(Sample(evidence).total(column)[0])


def notes(evidence: Evidence, options: Options, _roles: Collection[str]) -> Iterator[str]:
    """Yield how many records are left out, how many spans have labels that are not scored, and that labels are too many to measure each."""
    yield from left_out_notes(evidence)
    if not options.labels and (number := len(labels_of(evidence.columns))) > MOST_LABELS:
        yield f"{number:,} labels in all documents, more than {MOST_LABELS:,}: no label has measures of its own"
    gold, system = (total(evidence, f"left_out.{side}") for side in ("gold", "system"))
    if gold or system:
        labels = ", ".join(options.labels or ())
        yield f"only {labels} are scored: {plural(gold, 'span')} of gold and {system:,} of the system with other labels left out"


_IN_BOTH = "in both files with the same extent and label"
_OVERLAP = "paired with one of the same label that overlaps"


def _all_of(count: str, labels: Collection[str]) -> Count:
    """Return the number of things of all labels; that of no label is 0, as is any column that does not exist."""
    return partial(_sum, [f"{count}.{label}" for label in labels] or [count])


def _sum(columns: Sequence[str], sample: Sample) -> Values:
    first, *others = columns
    return sum(map(sample.total, others), sample.total(first))


def _total(column: str) -> Count:
    return lambda sample: sample.total(column)


def _of_label(label: str) -> Iterator[Measure]:
    right, overlap, gold, system = (_total(f"{count}.{label}") for count in ("correct", "overlap", "gold", "system"))
    basis = Basis(label, f"{label} spans", _IN_BOTH, "c", right, gold, system, label)
    yield from _ratios(basis)
    yield from _counts(basis)
    yield from _ratios(replace(basis, name=f"{label}.relaxed", are_right=_OVERLAP, formula="r", right=overlap))
    half = f"{_IN_BOTH}; one that only overlaps counts a half"
    halves = replace(
        basis,
        name=f"{label}.partial",
        are_right=half,
        formula="(c + r) / 2",
        right=lambda sample: (right(sample) + overlap(sample)) / 2,
    )
    yield from _ratios(halves)


def _ratios(basis: Basis) -> Iterator[Measure]:
    """Return F, precision and recall."""
    spans, are_right, credit = basis.spans, basis.are_right, basis.formula
    texts: Texts = {
        "f1": (
            f"Balanced F of the {spans}; right are those {are_right}.",
            f"2 · {credit} / (g + s)",
            f"neither side has {spans}",
        ),
        "precision": (
            f"Share of the system's {spans} that are right: {are_right}.",
            f"{credit} / s",
            f"the system has no {spans}",
        ),
        "recall": (f"Share of gold's {spans} that are found: {are_right}.", f"{credit} / g", f"gold has no {spans}"),
    }
    return prf(basis.name, ratios_of(basis.right, basis.system, basis.gold), texts, group=basis.group)


def _counts(basis: Basis) -> Iterator[Measure]:
    """Yield the numbers of right, spurious and missed spans."""
    letter, right = basis.formula, basis.right
    yield _count(f"{basis.name}.tp", f"Right {basis.spans}: {basis.are_right}.", letter, right, basis.group)
    wrong = f"The system's {basis.spans} that are not right."
    yield _errors(f"{basis.name}.fp", wrong, f"s - {letter}", _less(basis.system, right), basis.group)
    missed = f"Gold's {basis.spans} that are not found."
    yield _errors(f"{basis.name}.fn", missed, f"g - {letter}", _less(basis.gold, right), basis.group)


def _count(name: str, definition: str, formula: str, count: Count, group: str) -> Measure:
    return Measure(name, definition, formula, count, range=COUNT, group=group)


def _errors(name: str, definition: str, formula: str, count: Count, group: str) -> Measure:
    return replace(_count(name, definition, formula, count, group), better="lower")


def _less(whole: Count, part: Count) -> Count:
    return lambda sample: whole(sample) - part(sample)


def _of_extents(basis: Basis) -> Iterator[Measure]:
    whatever = replace(basis, are_right="in both files with the same extent, whatever the labels", formula="x")
    yield from _ratios(whatever)
    yield from _counts(whatever)


_NOUNS: dict[Figure, str] = {"f1": "F", "precision": "precision", "recall": "recall"}


def _averages(labels: Collection[str]) -> Iterator[Measure]:
    """Yield the means over labels: of equal weight, and of the weight of gold's spans."""
    macro = (
        "Mean {name} of the labels that either side has; one without value counts as 0.",
        "Σ_L {figure}_L / (labels with g_L + s_L > 0)",
        "neither side has spans",
    )
    weighted = (
        "Mean {name} of the labels, each counting as often as gold has spans of it; one without value counts as 0.",
        "Σ_L g_L · {figure}_L / g",
        "gold has no spans",
    )
    yield from prf("macro", partial(partial, _mean, labels, _presence), texts_of(_NOUNS, *macro))
    yield from prf("weighted", partial(partial, _mean, labels, lambda _, gold: gold), texts_of(_NOUNS, *weighted))


def _presence(system: Values, gold: Values) -> Values:
    """Return 1 where either side has a span of a label, otherwise 0."""
    return (system + gold > 0).astype(np.float64)


def _mean(labels: Collection[str], weigh: Callable[[Values, Values], Values], figure: Figure, sample: Sample) -> Values:
    """Return the mean of a figure over labels, with weights that depend on the spans of system and gold."""
    sums = weights = _all_of("gold", ())(sample)
    for label in labels:
        right, system, gold = (sample.total(f"{count}.{label}") for count in ("correct", "system", "gold"))
        weight = weigh(system, gold)
        sums, weights = sums + weight * np.nan_to_num(figure_of(figure, right, system, gold)), weights + weight
    return ratio(sums, weights)


def _of_schemas(basis: Basis, right: Count, overlap: Count) -> Iterator[Measure]:
    """Yield the four schemas of SemEval-2013: what is correct, what is paired with it, and what the rest is."""
    extents, pairs, typed = (_total(column) for column in ("extents", "pairs", "typed"))
    schemas = {
        "strict": ("with the same extent and label", "c", right, "b", pairs),
        "exact": ("with the same extent", "x", extents, "b", pairs),
        "partial": ("with the same extent; one that only overlaps counts a half", "x", extents, "b", pairs),
        "type": ("with the same label", "r", overlap, "t", typed),
    }
    for schema, (what, letter, correct, paired, number) in schemas.items():
        yield from _of_schema(
            replace(basis, name=f"semeval.{schema}", group=f"semeval.{schema}"), what, letter, correct, paired, number
        )


def _of_schema(basis: Basis, what: str, letter: str, correct: Count, paired: str, number: Count) -> Iterator[Measure]:
    name, group = basis.name, basis.group
    has_halves = name == "semeval.partial"

    def credit(sample: Sample) -> Values:
        return (correct(sample) + number(sample)) / 2

    formula = f"({letter} + {paired}) / 2" if has_halves else letter
    yield from _ratios(replace(basis, are_right=f"in a pair {what}", formula=formula, right=credit if has_halves else correct))
    yield _count(f"{name}.correct", f"Pairs {what.partition(';')[0]}.", letter, correct, group)
    if has_halves:
        yield _count(f"{name}.partial", "Pairs that only overlap.", f"{paired} - {letter}", _less(number, correct), group)
    else:
        wrong = "Pairs of overlapping spans that are not correct."
        yield _errors(f"{name}.incorrect", wrong, f"{paired} - {letter}", _less(number, correct), group)
    yield _errors(f"{name}.missing", "Gold's spans in no pair.", f"g - {paired}", _less(basis.gold, number), group)
    yield _errors(f"{name}.spurious", "The system's spans in no pair.", f"s - {paired}", _less(basis.system, number), group)


_TOKENS = (
    Measure(
        "token.accuracy",
        "Share of the tokens whose tags are the same in both files, as they are written.",
        "same tags / tokens",
        lambda sample: ratio(sample.total("same"), sample.total("tokens")),
        "there are no tokens",
        group="token",
    ),
    _count("token.number", "Tokens of gold.", "tokens", _total("tokens"), "token"),
)

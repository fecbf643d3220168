"""The measures of the task: which there are, and what each is called."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from pytest_nlpeval.kit.prf import Figure, Texts, texts_of
from pytest_nlpeval.kit.records import left_out_notes
from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import SHARE, Measure, OfGroup, Range, Sample, Triple, Values
from pytest_nlpeval.tasks.labels import calibration, classes, scores
from pytest_nlpeval.tasks.labels.classes import Statistic
from pytest_nlpeval.tasks.labels.columns import GOLD, GROUP, JUDGED, Names
from pytest_nlpeval.tasks.labels.options import Options
from pytest_nlpeval.tasks.labels.tally import Tally
from pytest_nlpeval.wording import plural

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

_SIGNED = Range(-1.0, 1.0)
_ANY = Range(0.0, math.inf)

_NOTHING = "no item is judged"


@light_dataclass(frozen=True, slots=True)
class _Figure:
    """A measure without its group: of the suite as it stands, of a group with the words that say so.

    `label` is "" for what is not of one label; `missing` says why there may be no value. `figure` is for a precision, a recall or an F.
    """

    name: str
    definition: str
    formula: str
    statistic: Statistic
    missing: str = _NOTHING
    range: Range = SHARE
    is_loss: bool = False
    label: str = ""
    figure: Figure | None = None
    empty: float = 0.0
    needs: Literal["totals", "rows"] = "totals"

    def measure(self, options: Options, group: str | None) -> Measure:
        """Return the measure, of a group if there is one."""
        prefix, words, inside = (
            ("", "", "") if group is None else (f"{GROUP}{group}.", f" Items of group {group} alone.", f" in group {group}")
        )
        of_label = f"{prefix}{self.label}".rstrip(".")
        return Measure(
            f"{prefix}{self.name}",
            f"{self.definition}{words}",
            self.formula,
            partial(_values, self, options, group),
            f"{self.missing}{inside}",
            self.range,
            "lower" if self.is_loss else "higher",
            of_label,
            empty=self.empty,
            needs=self.needs if group is None else "rows",
            triple=Triple(of_label, self.figure) if self.figure else None,
            of_group=None if group is None else OfGroup(group, self.name, f"{GROUP}{group}"),
            asked=f"{GOLD}.{self.label}" if self.label and group is None else "",
        )


def _values(figure: _Figure, options: Options, group: str | None, sample: Sample) -> Values:
    """Return the values of a figure, which is worked out once for all groups."""
    tally = Tally(sample, options, "suite" if group is None else "groups")
    place = 0
    if group is not None:
        tally.sample.require_rows()
        place = tally.names.group_places.get(group, -1)
        if place < 0:  # a baseline may lack it
            return np.full(sample.size, np.nan)
    every = tally.shared(f"figure {figure.name}", lambda: figure.statistic(tally))
    return every[:, place].copy()  # a view would keep the figures of all groups


def measures(options: Options, columns: Collection[str] | None) -> tuple[Measure, ...] | None:
    """Return the measures for evidence with these columns; with None all that can exist, which files tell unless `labels` does."""
    if columns is None and (options.group is not None or not (options.is_score or options.all_labels)):
        return None
    names = Names.of(options, columns or ())
    coverage = replace(_COVERAGE, empty=1.0) if options.is_set else _COVERAGE  # an empty set is an answer
    figures = [coverage, *(_SCORES if options.is_score else _of_labels(options))]
    by_label = {label: list(_of_label(options, label)) for label in names.labels}
    all_measures = [figure.measure(options, None) for figure in (*figures, *(one for own in by_label.values() for one in own))]
    for group, labels in names.groups.items():
        all_measures += (figure.measure(options, group) for figure in figures)
        all_measures += (figure.measure(options, group) for label in labels for figure in by_label[label])
    return tuple(all_measures)


def signature(options: Options, _columns: Collection[str]) -> Mapping[str, str]:
    """Return all options that change a score."""
    return {"kind": options.kind, "profile": "standard", **dict(options.signature)}


def notes(evidence: Evidence, _options: Options, _roles: Collection[str]) -> Iterator[str]:
    """Yield how many records are left out, and that items have no answer, with their number."""
    yield from left_out_notes(evidence)
    judged, items = int(evidence.column(JUDGED).sum(dtype=np.int64)), len(evidence.units)
    if judged < items:
        yield f"{judged:,} of {plural(items, 'item')} answered (coverage {judged / items:.6g}); the other measures are over these alone"


_COVERAGE = _Figure(
    "coverage", "Share of gold's items that the system answers.", "judged / items", classes.coverage, "there is no item"
)

_ALIKE = "there are fewer than two judged items, or all have the same score"

_correlation = partial(_Figure, missing=_ALIKE, range=_SIGNED, needs="rows")

_SCORES = (
    _correlation("pearson", "Correlation of the scores.", "Σ (x - x̄)(y - ȳ) / √(Σ (x - x̄)² · Σ (y - ȳ)²)", scores.pearson),
    _correlation("spearman", "Correlation of the ranks, tied scores having their average.", "pearson of ranks", scores.spearman),
    _correlation(
        "kendall",
        "Kendall's tau-b: how much more pairs of items have the same order than the other one.",
        "(concordant - discordant) / √((n0 - n1)(n0 - n2))",
        scores.kendall,
    ),
    _Figure("mae", "Mean absolute difference.", "Σ |x - y| / n", scores.mae, range=_ANY, is_loss=True),
    _Figure("rmse", "Root of the mean square of the differences.", "√(Σ (x - y)² / n)", scores.rmse, range=_ANY, is_loss=True),
)

_COUNTED: Mapping[Figure, tuple[str, str, str]] = {
    "precision": ("t / s", "that the system gives which gold has, too", "the system does not give {}"),
    "recall": ("t / g", "in gold which the system gives, too", "gold does not have {}"),
    "f1": ("2 t / (s + g)", "", "neither side has {}"),
}
"""The formula, what is counted and why there is no value, of each figure of a label."""

_NAMES: Mapping[Figure, str] = {"precision": "precision", "recall": "recall", "f1": "F1"}


def _triple(name: str, statistic: Callable[[Figure], Statistic], texts: Texts) -> Iterator[_Figure]:
    """Yield precision, recall and F of a label, or of an average of labels."""
    for figure, (definition, formula, missing) in texts.items():
        yield _Figure(f"{name}.{figure}", definition, formula, statistic(figure), missing, label=name, figure=figure)


def _of_labels(options: Options) -> Iterator[_Figure]:
    yield from _sets() if options.is_set else _single(options)
    micro: Texts = {
        figure: (
            f"The {_NAMES[figure]} of all labels together.",
            formula.replace("t", "Σt").replace("s", "Σs").replace("g", "Σg"),
            missing.format("any of the labels"),
        )
        for figure, (formula, _, missing) in _COUNTED.items()
    }
    macro = "Mean {name} of the labels that occur.", "mean of <label>.{figure} over labels with g + s > 0", "no label occurs"
    weighted = (
        "Mean {name} of the labels, each counting as often as gold has it.",
        "Σ g · <label>.{figure} / Σ g",
        "gold does not have any of the labels",
    )
    yield from _triple("micro", classes.micro, micro)
    yield from _triple("macro", classes.macro, texts_of(_NAMES, *macro))
    yield from _triple("weighted", classes.weighted, texts_of(_NAMES, *weighted))
    if options.has_probabilities:
        yield from _calibrated(options)


def _single(options: Options) -> Iterator[_Figure]:
    yield _Figure("accuracy", "Share of the judged items whose label is right.", "c / n", classes.accuracy)
    yield _Figure(
        "balanced_accuracy",
        "Mean recall of the labels that gold has.",
        "mean of t / g over labels with g > 0",
        classes.balanced_accuracy,
    )
    yield _Figure(
        "mcc",
        "Correlation of gold's and the system's labels (Matthews; Gorodkin 2004).",
        "(c·n - Σ g s) / √((n² - Σ s²)(n² - Σ g²))",
        classes.mcc,
        "gold or system has one label only",
        _SIGNED,
    )
    yield _Figure(
        "kappa",
        "Agreement beyond chance (Cohen 1960).",
        "(c·n - Σ g s) / (n² - Σ g s)",
        classes.kappa,
        "both sides have the same one label only",
        _SIGNED,
    )
    if options.ordinal:
        yield _Figure(
            "quadratic_kappa",
            "Agreement beyond chance, a difference counting by its square.",
            "1 - n · Σ (x - y)² / Σ g_a s_b (a - b)²",
            classes.quadratic_kappa,
            "both sides have the same one label only, or an item has a label that is not in the option labels",
            _SIGNED,
        )


def _sets() -> Iterator[_Figure]:
    yield _Figure("subset_accuracy", "Share of the judged items whose sets are equal.", "equal / n", classes.accuracy)
    yield _Figure(
        "hamming_loss",
        "Share of wrong decisions, one for each item and label.",
        "Σ wrong / (n · labels)",
        classes.hamming_loss,
        "no item is judged, or there are no labels",
        is_loss=True,
    )
    shares: Mapping[Figure, str] = {"precision": "both / system", "recall": "both / gold", "f1": "2 both / (gold + system)"}
    texts: Texts = {
        figure: (f"Mean {_NAMES[figure]} of an item's two sets.", f"Σ ({formula}) / n", _NOTHING)
        for figure, formula in shares.items()
    }
    yield from _triple("samples", classes.samples, texts)
    yield _Figure(
        "samples.jaccard",
        "Mean Jaccard index of an item's two sets.",
        "Σ (both / either) / n",
        classes.samples("jaccard"),
        label="samples",
    )


def _calibrated(options: Options) -> Iterator[_Figure]:
    nothing = "no label has a value"
    yield _Figure(
        "macro.roc_auc",
        "Mean area under the ROC curves of the labels.",
        "mean of <label>.roc_auc",
        calibration.macro(calibration.roc_auc),
        nothing,
        label="macro",
        needs="rows",
    )
    yield _Figure(
        "macro.average_precision",
        "Mean average precision of the labels.",
        "mean of <label>.average_precision",
        calibration.macro(calibration.average_precision),
        nothing,
        label="macro",
        needs="rows",
    )
    if options.is_set:
        return
    yield _Figure(
        "brier",
        "Mean square of the distances of all probabilities from what is true.",
        "Σ_i Σ_k (p - [gold is k])² / n",
        calibration.brier,
        range=Range(0.0, 2.0),
        is_loss=True,
    )
    yield _Figure(
        "log_loss",
        "Mean logarithm of the gold label's probability, negated.",
        "Σ -ln max(p(gold), 2^-52) / n",
        calibration.log_loss,
        range=_ANY,
        is_loss=True,
    )
    yield _Figure(
        "ece",
        "How far the probability of the system's label is from the share that is right, over 15 bins (Guo et al. 2017).",
        "Σ_b |Σ_{i in b} ([right] - p)| / n",
        calibration.ece,
        is_loss=True,
        needs="rows",
    )


def _of_label(options: Options, label: str) -> Iterator[_Figure]:
    texts: Texts = {
        figure: (
            f"Share of the items {label} {counted}." if counted else f"Balanced F of {label}.",
            formula,
            missing.format(label),
        )
        for figure, (formula, counted, missing) in _COUNTED.items()
    }
    yield from _triple(label, partial(classes.label_figure, label), texts)
    if not options.has_probabilities:
        return
    one_sided = f"every or no judged item has {label} in gold"
    yield _Figure(
        f"{label}.roc_auc",
        f"Share of the pairs of an item with {label} and one without in which the first has the higher probability, equal ones half.",
        "Σ_b P_b (2 N_below + N_b) / (2 P N)",
        calibration.roc_auc(label),
        one_sided,
        label=label,
        needs="rows",
    )
    yield _Figure(
        f"{label}.average_precision",
        f"Mean precision at the items with {label}, by falling probability.",
        "Σ_b P_b · P_≥b / (P_≥b + N_≥b) / P",
        calibration.average_precision(label),
        f"no judged item has {label} in gold",
        label=label,
        needs="rows",
    )
    if not options.is_set:
        yield _Figure(
            f"{label}.brier",
            f"Mean square of the distance of the probability of {label} from 0 or 1, whichever is true.",
            "Σ_i (p - [gold is k])² / n",
            calibration.label_brier(label),
            is_loss=True,
            label=label,
        )

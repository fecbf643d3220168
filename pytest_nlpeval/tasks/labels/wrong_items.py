"""Why items are not right: another label, set or score, or no answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pytest_nlpeval.explanations import Difference, Explanation, Omitted, Passage, explain_together
from pytest_nlpeval.tasks.labels.answers import Flags, Labels, Rows
from pytest_nlpeval.tasks.labels.gold import Gold
from pytest_nlpeval.tasks.labels.options import Options
from pytest_nlpeval.tasks.labels.system import System

WRONG_LABEL = "wrong-label"
MISSED, SPURIOUS, WRONG_SET = "missed-labels", "spurious-labels", "wrong-labels"
DIFFERS = "differs"
UNJUDGED = "unjudged"

_KINDS: dict[str, Difference] = {WRONG_LABEL: "wrong-value", WRONG_SET: "wrong-value", MISSED: "missed", SPURIOUS: "spurious"}


def explain(gold: Gold, system: System, options: Options) -> Iterator[Explanation | Omitted]:
    """Yield why items are not right, reason by reason, in the order of gold; scores that differ most come first.

    A file may be sorted, and its last label should be shown, too: the sort of an item is its first label in gold.
    """
    writer = _Writer(gold, system, options, {})
    for reason, items in _wrong(gold, system, options):
        sorts = np.zeros(len(items)) if options.is_score else _first_labels(gold)[items]
        yield from explain_together(reason, items.tolist(), sorts.tolist(), writer.written, writer.measures)


_QUOTED = 200


def _wrong(gold: Gold, system: System, options: Options) -> Iterator[tuple[str, Rows]]:
    """Yield each reason with its items."""
    judged = system.answers.given
    if options.is_score:
        differences = np.where(judged, np.abs(gold.answers.numbers - system.answers.numbers), 0.0)
        items = np.flatnonzero(differences).tolist()
        items.sort(key=lambda item: (-differences[item], gold.units[item]))
        yield DIFFERS, np.array(items, np.int64)
    else:
        lacks, beyond = _differing(gold, system)
        lacks, beyond = lacks & judged, beyond & judged
        if options.is_set:
            yield MISSED, np.flatnonzero(lacks & ~beyond)
            yield SPURIOUS, np.flatnonzero(beyond & ~lacks)
        yield WRONG_SET if options.is_set else WRONG_LABEL, np.flatnonzero(lacks & beyond)
    yield UNJUDGED, np.flatnonzero(~judged)


def _differing(gold: Gold, system: System) -> tuple[Flags, Flags]:
    """Return, for each item, whether the system lacks a label of gold, and whether it has one beyond gold's."""
    names = sorted({*gold.answers.names, *system.answers.names})
    places = {name: place for place, name in enumerate(names)}
    cells = []
    for answers in (gold.answers, system.answers):
        of_names = np.array([places[name] for name in answers.names], np.int64)
        cells.append(answers.rows * len(names) + (of_names[answers.codes] if names else answers.codes))
    both = np.intersect1d(cells[0], cells[1], assume_unique=True)
    sides_alone = []
    for own in cells:
        alone = np.zeros(len(gold.units), np.bool_)
        alone[np.setdiff1d(own, both, assume_unique=True) // max(1, len(names))] = True
        sides_alone.append(alone)
    return sides_alone[0], sides_alone[1]


def _first_labels(gold: Gold) -> Rows:
    """Return the code of each item's first label in gold, 0 for an empty set."""
    first = np.zeros(len(gold.units), np.int64)
    first[gold.answers.rows[::-1]] = gold.answers.codes[::-1]
    return first


class _Writer(NamedTuple):
    """Writes the explanations of items; `named` keeps the names of measures of what is wrong in the same way."""

    gold: Gold
    system: System
    options: Options
    named: dict[tuple[str, int, Labels, Labels], tuple[str, ...]]

    def written(self, reason: str, items: Sequence[int]) -> Iterator[Explanation]:
        """Yield the explanations of items; of the files' texts only theirs are read."""
        texts = self.gold.texts(list(items), self.options)
        for item in items:
            passage = Passage.cut(texts[item][:_QUOTED]) if item in texts else None
            yield self._explanation(reason, item)._replace(passage=passage)

    def measures(self, reason: str, item: int) -> tuple[str, ...]:
        """Return the measures that would be better if an item were right."""
        return self._measures(reason, item, *self._sets(item))

    def _explanation(self, reason: str, item: int) -> Explanation:
        """Say why an item is not right."""
        unit, line = self.gold.units[item], int(self.system.lines[item]) or None
        of_gold, of_system = self._sets(item)
        measures = self._measures(reason, item, of_gold, of_system)
        if self.options.is_score:
            gold, system = (repr(float(side.numbers[item])) for side in (self.gold.answers, self.system.answers))
        else:
            gold, system = ", ".join(of_gold), ", ".join(of_system)
        if reason == UNJUDGED:
            return self._unjudged(item, gold, measures)
        if self.options.is_score:
            difference = abs(float(self.gold.answers.numbers[item]) - float(self.system.answers.numbers[item]))
            message = f"gold {gold}, system {system}: they differ by {difference:.6g}"
            return Explanation(unit, reason, message, line, "wrong-value", unit, gold, system, measures)
        message = f"gold {self._said(of_gold, item)}, system {self._said(of_system, item)}"
        explanation = Explanation(unit, reason, message, line, _KINDS[reason], unit, gold, system, measures)
        return explanation._replace(pair=_apart(of_gold, of_system))

    def _unjudged(self, item: int, gold: str, measures: tuple[str, ...]) -> Explanation:
        unit = self.gold.units[item]
        message, pair = f"has no answer; gold {gold or 'no label'}", None if self.options.is_score else (gold, "")
        explanation = Explanation(unit, UNJUDGED, message, None, "missed", unit, gold, "", measures)
        gold_line = self.gold.ids.first_lines.get(unit) if self.gold.ids else None
        return explanation._replace(pair=pair, gold_line=gold_line)

    def _sets(self, item: int) -> tuple[Labels, Labels]:
        """Return the labels of an item in gold and in the system's answer; none of the kind score."""
        (of_gold,), (of_system,) = self.gold.answers.sets([item]), self.system.answers.sets([item])
        return of_gold, of_system

    def _measures(self, reason: str, item: int, of_gold: Labels, of_system: Labels) -> tuple[str, ...]:
        group = int(self.gold.group[item])
        kind = reason, group, of_gold, of_system
        if kind not in self.named:
            names = ["coverage"] if reason == UNJUDGED else self._names(of_gold, of_system)
            prefixes = ("",) if group < 0 else ("", f"group.{self.gold.groups[group]}.")
            self.named[kind] = tuple(f"{prefix}{name}" for prefix in prefixes for name in names)
        return self.named[kind]

    def _said(self, labels: Labels, item: int) -> str:
        if self.options.is_set:
            return f"{{{', '.join(labels)}}}"
        (label,) = labels
        if not self.options.has_probabilities:
            return label
        numbers = self.system.probabilities.of(label, self.options)
        return f"{label} (p {numbers if isinstance(numbers, float) else numbers[item]:.4g})"

    def _names(self, gold: Labels, system: Labels) -> list[str]:
        """Return the measures of all items that would be better if the system had gold's labels, or gold's score."""
        if self.options.is_score:
            return ["pearson", "spearman", "kendall", "mae", "rmse"]
        missed, spurious = set(gold) - set(system), set(system) - set(gold)
        averages = {*(["recall"] if missed else []), *(["precision"] if spurious else []), "f1"}
        names = [f"{average}.{figure}" for average in ("micro", "macro", "weighted") for figure in sorted(averages)]
        if self.options.is_set:
            names += ["subset_accuracy", "hamming_loss", "samples.*"]
        else:
            names += ["accuracy", "balanced_accuracy", "mcc", "kappa", "quadratic_kappa"]
        if self.options.has_probabilities:
            names += ["macro.roc_auc", "macro.average_precision", "brier", "log_loss", "ece"]
        names += [f"{label}.{figure}" for label in sorted(missed) for figure in ("recall", "f1")]
        names += [f"{label}.{figure}" for label in sorted(spurious) for figure in ("precision", "f1")]
        return names


def _apart(gold: Labels, system: Labels) -> tuple[str, str]:
    """Return the labels that only gold has, and those that only the system has."""
    return ", ".join(label for label in gold if label not in system), ", ".join(label for label in system if label not in gold)

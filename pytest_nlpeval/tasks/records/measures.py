"""The measures of the task: which there are, its signature and its notes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal

from pytest_nlpeval.kit.prf import FIGURES, Figure, figure_of
from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import COUNT, SHARE, Measure, OfGroup, Range, Sample, Triple, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.tasks.records.columns import (
    ALL,
    DIFFERS,
    EXACT,
    FIELD,
    GROUP,
    LIST,
    PARSED,
    PRESENT,
    VALID,
    VALUE,
    VIEW,
    Names,
    column_of,
    value_name,
)
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.view import View, macro

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

Statistic = Callable[[View], Values]
"""The values of a measure, shape `(R,)`; NaN for none."""

_WORDS: Mapping[Figure, str] = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
_FORMULAS: Mapping[Figure, str] = {"precision": "c / s", "recall": "c / g", "f1": "2 c / (g + s)"}
_NOTHING: Mapping[Figure, str] = {
    "precision": "the system has no {}",
    "recall": "gold has no {}",
    "f1": "neither gold nor the system has a {}",
}
_COUNTS: Mapping[str, tuple[str, str]] = {
    "tp": ("Credit of the {}", "c"),
    "fp": ("{} of the system without credit", "s - c"),
    "fn": ("{} of gold without credit", "g - c"),
}


@light_dataclass(frozen=True, slots=True)
class _Figure:
    """A measure without its group."""

    name: str
    definition: str
    formula: str
    statistic: Statistic
    missing: str
    group: str = ""
    range: Range = SHARE
    better: Literal["higher", "lower"] = "higher"
    triple: tuple[str, Figure] | None = None
    perfect: float | Literal["end"] | None = "end"
    empty: float = 0.0

    def measure(self, unit: int, group: str | None) -> Measure:
        """Return the measure, of a group if there is one."""
        prefix, words, inside = (
            ("", "", "") if group is None else (f"{GROUP}{group}.", f" Records of group {group} alone.", f" in group {group}")
        )
        return Measure(
            f"{prefix}{self.name}",
            f"{self.definition}{words}",
            self.formula,
            partial(_values, self.statistic, unit, group),
            f"{self.missing}{inside}" if self.missing else "",
            self.range,
            self.better,
            f"{prefix}{self.group}".rstrip("."),
            perfect=self.perfect,
            empty=self.empty,
            triple=Triple(f"{prefix}{self.triple[0]}", self.triple[1]) if self.triple else None,
            of_group=None if group is None else OfGroup(group, self.name, f"{GROUP}{group}"),
        )


def _values(statistic: Statistic, unit: int, group: str | None, sample: Sample) -> Values:
    return statistic(View(sample, group, unit))


def measures(options: Options, columns: Collection[str] | None) -> tuple[Measure, ...] | None:
    """Return the measures for evidence with these columns; None before anything is read: only the files tell the paths."""
    if columns is None:
        return None
    names = Names.of(options, columns)
    figures = [*_of_the_suite(names, options), *_of_paths(names), *_of_wholes(names, options)]
    unit = options.unit
    return tuple(figure.measure(unit, group) for group in (None, *names.groups) for figure in figures)


_NO_RECORD = "there is no record"


def _of_the_suite(names: Names, options: Options) -> Iterator[_Figure]:
    exact = "Share of the records that are parsed, and in which gold and system agree at each path."
    yield _Figure(EXACT, exact, "exact records / n", partial(_share, EXACT), _NO_RECORD)
    yield _Figure(
        "coverage",
        "Share of the records that the system has.",
        "present records / n",
        _no_value if options.has_rows else partial(_share, PRESENT),
        "of items that are elements of lists, an id without any is an empty record" if options.has_rows else _NO_RECORD,
        empty=1.0,
    )
    yield _Figure(
        PARSED,
        "Share of the records that the system has, and that can be used.",
        "parsed records / n",
        partial(_share, PARSED),
        _NO_RECORD,
        empty=1.0,
    )
    if names.has_valid:
        yield _Figure(
            VALID,
            "Share of the records that are parsed and satisfy the schema.",
            "valid records / n",
            partial(_share, VALID),
            _NO_RECORD,
            perfect=None,
        )


def _no_value(view: View) -> Values:
    return np.full_like(view.records(), np.nan)


def _share(column: str, view: View) -> Values:
    return view.share(column)


def _of_paths(names: Names) -> Iterator[_Figure]:
    yield from _of_counts("micro", FIELD, ALL, "fields at all paths", "field")
    for figure in FIGURES:
        yield _Figure(
            f"macro.{figure}",
            f"Mean {_WORDS[figure]} of the paths.",
            f"Σ field.<path>.{figure} / paths with g + s > 0",
            partial(_macro, FIELD, names.paths, figure),
            "neither gold nor the system has a field at a path that has measures",
            "macro",
            triple=("macro", figure),
        )
    yield _Figure(
        "macro.accuracy",
        "Mean accuracy of the paths.",
        "Σ field.<path>.accuracy / paths",
        partial(_macro_accuracy, names.paths),
        "there is no path, or no record",
        "macro",
    )
    for figure in FIGURES:
        yield _Figure(
            f"samples.{figure}",
            f"Mean {_WORDS[figure]} of single records; of one without fields on either side 1 if it is parsed.",
            f"Σ ({_FORMULAS[figure]} of the record) / n",
            partial(_samples, figure),
            _NO_RECORD,
            "samples",
            triple=("samples", figure),
        )
    for path in names.paths:
        name = f"field.{path}"
        yield from _of_counts(name, FIELD, path, f"fields at {path}", f"field at {path}")
        yield _Figure(
            f"{name}.accuracy",
            f"Share of the records that are parsed, and in which gold and system agree at {path}.",
            "parsed records with g = s = c / n",
            partial(_accuracy, path),
            _NO_RECORD,
            name,
        )


def _of_wholes(names: Names, options: Options) -> Iterator[_Figure]:
    for path in names.lists:
        yield from _of_counts(f"list.{path}", LIST, path, f"whole objects at {path}", f"object at {path}")
    values = dict(names.values)
    for view in options.views:
        yield from _of_counts(view.name, VIEW, view.name, f"whole tuples of {view.name}", f"tuple of {view.name}")
        own = values.get(view.name, ())
        for value in own:
            what = f"of {view.name} with {view.by} {value}"
            yield from _of_counts(
                f"{view.name}.by.{value}", VALUE, value_name(view.name, value), f"tuples {what}", f"tuple {what}"
            )
        if not view.by:
            continue
        for figure in FIGURES:
            yield _Figure(
                f"{view.name}.macro.{figure}",
                f"Mean {_WORDS[figure]} of the values of {view.by} in tuples of {view.name}.",
                f"Σ {view.name}.by.<v>.{figure} / values with g + s > 0",
                partial(_macro, VALUE, tuple(value_name(view.name, value) for value in own), figure),
                f"there is no tuple of {view.name}",
                f"{view.name}.macro",
                triple=(f"{view.name}.macro", figure),
            )


def _of_counts(name: str, kind: str, column: str, things: str, thing: str) -> Iterator[_Figure]:
    """Yield the six measures of three counts: c, s - c, g - c, and precision, recall and F of them."""
    for count, (definition, formula) in _COUNTS.items():
        sentence = f"{definition.format(things)}."
        yield _Figure(
            f"{name}.{count}",
            sentence[0].upper() + sentence[1:],
            formula,
            partial(_count, kind, column, count),
            "",
            name,
            Range(COUNT.low, COUNT.high, is_whole=False) if kind == FIELD else COUNT,
            "higher" if count == "tp" else "lower",
            perfect=None if count == "tp" else 0.0,
            empty=0.0,
        )
    for figure in FIGURES:
        yield _Figure(
            f"{name}.{figure}",
            f"{_WORDS[figure]} of the {things}.",
            _FORMULAS[figure],
            partial(_figure, kind, column, figure),
            _NOTHING[figure].format(thing),
            name,
            triple=(name, figure),
        )


def _count(kind: str, column: str, count: str, view: View) -> Values:
    right, system, gold = view.counts(kind, column)
    return right if count == "tp" else system - right if count == "fp" else gold - right


def _figure(kind: str, column: str, figure: Figure, view: View) -> Values:
    return figure_of(figure, *view.counts(kind, column))


def _macro(kind: str, columns: tuple[str, ...], figure: Figure, view: View) -> Values:
    if not columns:
        return np.full_like(view.records(), np.nan)
    return macro([view.counts(kind, column) for column in columns], figure)


def _samples(figure: Figure, view: View) -> Values:
    return view.mean(figure)


def _accuracy(path: str, view: View) -> Values:
    return ratio(view.total(PARSED) - view.total(column_of(FIELD, DIFFERS, path)), view.records())


def _macro_accuracy(paths: tuple[str, ...], view: View) -> Values:
    if not paths:
        return np.full_like(view.records(), np.nan)
    means: Values = np.stack([_accuracy(path, view) for path in paths]).mean(axis=0)
    return means


def signature(options: Options, _columns: Collection[str]) -> Mapping[str, str]:
    """Return all options that change a score."""
    return dict(options.signature)


def notes(evidence: Evidence, options: Options, _roles: Collection[str]) -> Iterator[str]:
    """Yield what must be known besides the scores: what is left out or cannot be used, and paths of options that no record has."""
    from pytest_nlpeval.tasks.records.remarks import remarks

    yield from remarks(evidence, options)

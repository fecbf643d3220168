"""Measures of the rows: precision, recall, F, counts and the F of attributes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from pytest_nlpeval.kit.prf import Figure, Texts, prf
from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import COUNT, SHARE, Measure, Range, Sample, Values
from pytest_nlpeval.metrics.prf import f1, f_of, ratio
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.options import Options, Profile
from pytest_nlpeval.tasks.cat.rows import CONFIG, TEMPEVAL, Row, attribute_name, rows_in, rows_of

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

_WHATS = {
    "strict": "strictly matching",
    "relaxed": "matching (relaxed)",
    "tempeval": "reduced and entailed by the other side's graph (UzZaman and Allen, 2011); where TLINKs of a file follow from each "
    "other, their order in it can change the figure",
}


def measures(options: Options, columns: Collection[str] | None) -> tuple[Measure, ...] | None:
    """Return all measures of the rows that the evidence has; before there is any, those of `options.annotations`, or None."""
    if columns is not None:
        rows = rows_in(columns)
    elif options.annotations is not None:
        rows = rows_of(Configuration(options.annotations), options)
    else:
        return None
    return tuple(measure for row in rows for measure in _measures(row, options.profile))


def signature(options: Options, columns: Collection[str]) -> Mapping[str, str]:
    """Return profile and sentences, a digest of the configuration, which may lie in a file of its own, and the names in it."""
    facts = {"profile": options.profile, "sentences": str(options.limit or "all")}
    facts["config"] = ",".join(sorted(column.removeprefix(CONFIG) for column in columns if column.startswith(CONFIG)))
    for part in ("markable", "relation"):
        rows = [row for row in rows_in(columns) if row.part == part]
        names = {row.name.rpartition(".")[0]: row.attributes for row in rows}
        facts[f"{part}s"] = ",".join("+".join((name, *attributes)) for name, attributes in names.items())
    return facts


def notes(evidence: Evidence, options: Options, _roles: Collection[str]) -> Iterator[str]:
    """Yield that the order of TLINKs can change the tempeval row, if there are any in it; not in the original's own words, `nwr2014`."""
    columns = [f"{row.column}.{side}" for row in rows_in(evidence.columns) if row.name == TEMPEVAL for side in ("gold", "system")]
    if options.profile == "standard" and any(evidence.column(column).any() for column in columns):
        yield f"where TLINKs of a file follow from each other, their order in it can change {TEMPEVAL}"


_ANYTHING = Range(-math.inf, math.inf)
"""What is not one-to-one can exceed 1, and the tempeval row of `nwr2014` can have fewer relations than none."""

_RANGES = {"standard": (SHARE, COUNT), "nwr2014": (_ANYTHING, _ANYTHING._replace(is_whole=True))}


def _measures(row: Row, profile: Profile) -> Iterator[Measure]:
    yield from _shares(row, profile)
    yield from _counts(row, profile)
    name, _, kind = row.name.rpartition(".")
    for attribute in row.attributes:
        yield Measure(
            attribute_name(row.name, attribute),
            f"F of {name}, {_WHATS[kind]}, times the share of these whose {attribute} agrees.",
            "agreeing / tp * F",
            partial(_attribute, row, attribute, profile),
            f"no {name} matches",
            _RANGES[profile][0],
            group=name,
            perfect=1.0,
        )


def _shares(row: Row, profile: Profile) -> Iterator[Measure]:
    name, _, kind = row.name.rpartition(".")
    texts: Texts = {
        "precision": (f"Share of the system's {name}: {_WHATS[kind]}.", "system_matched / system", f"the system has no {name}"),
        "recall": (f"Share of gold's {name}: {_WHATS[kind]}.", "gold_matched / gold", f"gold has no {name}"),
        "f1": (f"F of {name}: {_WHATS[kind]}.", "2PR / (P + R)", f"neither side has any {name}"),
    }
    values = partial(partial, _figure, row, profile)
    measures = prf(row.name, values, texts, group=name, range=_RANGES[profile][0])
    yield from (replace(measure, perfect=1.0, missing="" if profile == "nwr2014" else measure.missing) for measure in measures)


def _counts(row: Row, profile: Profile) -> Iterator[Measure]:
    name, _, kind = row.name.rpartition(".")
    counts: tuple[tuple[str, str, tuple[str, ...], Literal["higher", "lower"]], ...] = (
        ("tp", f"Number of gold's {name}: {_WHATS[kind]}.", ("tp",), "higher"),
        ("fp", f"Number of the system's other {name}.", ("system", "system_matched"), "lower"),
        ("fn", f"Number of gold's other {name}.", ("gold", "gold_matched"), "lower"),
    )
    for short, definition, columns, better in counts:
        values = partial(_difference, row, columns)
        formula = " - ".join(columns)
        yield Measure(f"{row.name}.{short}", definition, formula, values, range=_RANGES[profile][1], better=better, group=name)


def _figure(row: Row, profile: Profile, figure: Figure, sample: Sample) -> Values:
    """Return P, R or F.

    F is that of the counts, or of P and R where their numerators differ; a missing one of two is 0. By the profile `nwr2014`, P and R of
    nothing are 0.
    """
    if figure == "f1" and profile == "standard" and row.name != TEMPEVAL:
        return f1(*(sample.total(f"{row.column}.{column}") for column in ("tp", "system", "gold")))
    empty = 0.0 if profile == "nwr2014" else np.nan
    precision, recall = (
        ratio(sample.total(f"{row.column}.{side}_matched"), sample.total(f"{row.column}.{side}"), empty)
        for side in ("system", "gold")
    )
    if figure != "f1":
        return precision if figure == "precision" else recall
    f = f_of(*map(np.nan_to_num, (precision, recall)))
    both_missing = np.isnan(precision) & np.isnan(recall)
    return np.where(both_missing, np.nan, f)


def _difference(row: Row, columns: tuple[str, ...], sample: Sample) -> Values:
    first, *others = (sample.total(f"{row.column}.{column}") for column in columns)
    return first - sum(others, np.zeros(1))


def _attribute(row: Row, attribute: str, profile: Profile, sample: Sample) -> Values:
    agreeing = sample.total(row.attribute_column(attribute))
    return ratio(agreeing, sample.total(f"{row.column}.tp")) * _figure(row, profile, "f1", sample)

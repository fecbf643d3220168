"""Measures of the rows: precision, recall, F, counts and the F of attributes."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal

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

_Function = Callable[[Row, Profile, Sample], Values]


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
        )


def _shares(row: Row, profile: Profile) -> Iterator[Measure]:
    name, _, kind = row.name.rpartition(".")
    what = _WHATS[kind]
    shares: tuple[tuple[str, str, str, _Function, str], ...] = (
        (
            "precision",
            f"Share of the system's {name}: {what}.",
            "system_matched / system",
            _precision,
            f"the system has no {name}",
        ),
        ("recall", f"Share of gold's {name}: {what}.", "gold_matched / gold", _recall, f"gold has no {name}"),
        ("f1", f"F of {name}: {what}.", "2PR / (P + R)", _f1, f"neither side has any {name}"),
    )
    for short, definition, formula, function, missing in shares:
        values = partial(function, row, profile)
        reason = "" if profile == "nwr2014" else missing
        yield Measure(f"{row.name}.{short}", definition, formula, values, reason, _RANGES[profile][0], group=name)


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


def _precision(row: Row, profile: Profile, sample: Sample) -> Values:
    return ratio(sample.total(f"{row.column}.system_matched"), sample.total(f"{row.column}.system"), _empty(profile))


def _recall(row: Row, profile: Profile, sample: Sample) -> Values:
    return ratio(sample.total(f"{row.column}.gold_matched"), sample.total(f"{row.column}.gold"), _empty(profile))


def _empty(profile: Profile) -> float:
    """Return what a share of nothing is."""
    return 0.0 if profile == "nwr2014" else np.nan


def _f1(row: Row, profile: Profile, sample: Sample) -> Values:
    """Return F from the counts, or from P and R where their numerators differ; a missing one of two is 0."""
    if profile == "standard" and row.name != TEMPEVAL:
        return f1(*(sample.total(f"{row.column}.{column}") for column in ("tp", "system", "gold")))
    shares = _precision(row, profile, sample), _recall(row, profile, sample)
    f = f_of(*map(np.nan_to_num, shares))
    return np.where(np.isnan(shares[0]) & np.isnan(shares[1]), np.nan, f)


def _difference(row: Row, columns: tuple[str, ...], sample: Sample) -> Values:
    first, *others = (sample.total(f"{row.column}.{column}") for column in columns)
    return first - sum(others, np.zeros(1))


def _attribute(row: Row, attribute: str, profile: Profile, sample: Sample) -> Values:
    agreeing = sample.total(row.attribute_column(attribute))
    return ratio(agreeing, sample.total(f"{row.column}.tp")) * _f1(row, profile, sample)

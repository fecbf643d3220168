"""Comparisons and histories to report: a suite without files, and measures that nobody computes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

import jsonschema

from pytest_nlpeval.config.suite import Recipe, Statistics, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.measures import Measure, Score
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.reports.compare.document import comparison_json
from pytest_nlpeval.run.item_changes import Change, Changes, Sort
from pytest_nlpeval.run.side_by_side import Difference, Pairing, Placing, Row, SideBySide
from pytest_nlpeval.runs import Run
from pytest_nlpeval.tasks import load_task

MISSED = Explanation("1", "missed", "no answer", kind="missed")
SPURIOUS = Explanation("2", "spurious", "has \x1b[31m", 3, kind="spurious")


def suite(name: str = "dev") -> Suite:
    return Suite(name, "", Recipe(load_task("rte"), None), (), Path(), statistics=Statistics(None, resamples=10, seed=1))


def measure(name: str, better: Literal["higher", "lower"] = "higher") -> Measure:
    return Measure(name, "A measure.", "1", lambda _: NotImplemented, better=better)


def score(value: float | None) -> Score:
    return Score(value, "nothing to score" if value is None else "")


def placing(value: float | None, *groups: str, ends: tuple[float, float] | None = None, is_best: bool = False) -> Placing:
    return Placing(score(value), Interval(*ends) if ends else None, is_best, groups)


def row(
    name: str, *entries: Placing, differences: Sequence[Difference] = (), better: Literal["higher", "lower"] = "higher"
) -> Row:
    return Row(measure(name, better), entries, tuple(differences))


def change(sort: Sort, unit: str, before: Explanation | None, now: Explanation | None) -> Change:
    sides = (side and side._replace(unit=unit, item=unit) for side in (before, now))
    return Change("d", sort, *sides)


def pairing(first: str, second: str, *found: Change, more: int = 0, uncertain: int = 0) -> Pairing:
    """Two systems with these changes, and so many more newly wrong ones that are only counted."""
    sorts = Counter(entry.sort for entry in found) + Counter[Sort](newly_wrong=more)
    counts = {sort: sorts[sort] for sort in get_args(Sort)}
    units = {"paired": 9, "added": 1, "removed": 0, "differing": 3}
    return Pairing(first, second, units, Changes(counts, found, uncertain))


def comparison(
    *rows: Row, systems: Sequence[str] = ("a", "b"), pairs: Sequence[Pairing] = (), name: str = "dev", **broken: tuple[str, ...]
) -> SideBySide:
    """The comparison of some systems; `broken` says of a system which of its documents are."""
    evidence = Evidence.of("123456789", {})
    outputs = [Run(system, evidence=evidence, broken=broken.get(system, ())) for system in systems]
    pairs = pairs or [pairing(systems[0], systems[1])]
    found = SideBySide(suite(name), tuple(outputs), rows, tuple(pairs), "units")
    jsonschema.Draft202012Validator(json_schema("comparison.schema.json")).validate(comparison_json(found))
    return found

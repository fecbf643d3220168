"""Notes to the scores of a suite."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.kit.records import left_out_notes
from pytest_nlpeval.tasks.records.columns import FIELD, GOLD, PARSED, PRESENT, SYSTEM, column_of
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.rules import Chosen, all_upwards
from pytest_nlpeval.wording import nearest, plural


def remarks(evidence: Evidence, options: Options) -> Iterator[str]:
    """Yield how many records are left out, lacking and unparsed, and which paths of the options no record has."""
    yield from left_out_notes(evidence)
    records = len(evidence.units)
    present, parsed = (int(evidence.column(name).sum(dtype=np.int64)) for name in (PRESENT, PARSED))
    if present < records:
        yield f"the system lacks {records - present:,} of {plural(records, 'record')}; all their fields are missing"
    if parsed < present:
        yield f"{plural(present - parsed, 'record')} of the system cannot be used; all their fields are missing"
    paths = sorted(_paths_of(evidence))
    there = all_upwards(paths)
    for option, path in _named(options):
        if path not in there:
            yield f"no record has the path {path} of the option {option}; {nearest(path, paths)}"


def _paths_of(evidence: Evidence) -> set[str]:
    starts = [column_of(FIELD, side, "") for side in (GOLD, SYSTEM)]
    return {column.removeprefix(start) for column in evidence.columns for start in starts if column.startswith(start)} - {""}


def _named(options: Options) -> Iterator[tuple[str, str]]:
    """Yield the options that name paths that must be somewhere, and the paths; what is ignored is nowhere."""
    yield from (("fields", path) for path in options.fields)
    yield from (("compare", path) for path in options.rules.paths)
    keys = (f"{path}.{key}" for path in options.rules.paths if (key := options.rules.at(path).key))
    chosen = Chosen.of(options.fields, options.ignore)
    yield from (("compare", path) for path in keys if chosen.has(path))
    for view in options.views:
        yield from ((f"views.{view.name}", path) for path in view.fields)

"""Reads gold: the records there must be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.groups import GroupCodes, Groups, groups_of
from pytest_nlpeval.kit.records import FAULT, File, Ids, text_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.records.bounds import MOST_PATHS, OF_GOLD, Bounds
from pytest_nlpeval.tasks.records.flat import Flat
from pytest_nlpeval.tasks.records.forms import written
from pytest_nlpeval.tasks.records.options import DOCUMENT, GOLD, Options
from pytest_nlpeval.tasks.records.packed import Packed
from pytest_nlpeval.tasks.records.parsing import Fault, parsed
from pytest_nlpeval.tasks.records.reading import ITEM, Raw, as_record, file_of, read_raw, said
from pytest_nlpeval.tasks.records.survey import Survey, survey_of
from pytest_nlpeval.tasks.records.trees import Path
from pytest_nlpeval.wording import quoted

Rows = NDArray[np.int64]

_MOST_PAIRS = 10_000


@light_dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The records of a gold file, in its order.

    `units` are their names, `lines` those on which they begin. `ids` are those of the file's items, None if these pair by line, and `rows`
    has the record of each item, -1 for none. `group` has the place of each record's group in `groups`, -1 for none; `quotes` has the texts
    that explanations quote. `survey` tells the paths.
    """

    units: tuple[str, ...]
    ids: Ids | None
    rows: Rows
    records: Flat
    lines: Sequence[int]
    groups: tuple[str, ...]
    group: Rows
    quotes: Sequence[str]
    survey: Survey
    by_place: bool
    left_out: int


def read_gold(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the records of a gold file, or None with all problems in the log."""
    file = file_of(source, options, GOLD, log)
    is_document = file.layout.format == DOCUMENT
    others = () if is_document else tuple(f for f in (options.group, *options.texts) if f is not None)
    raw = read_raw(file, options, GOLD, others)
    if raw is None:
        return None
    if not len(raw.values) and not log.has_errors:
        file.add("no-items", "has no record; expected at least one")
    _make_records(raw, options, file)
    groups = _groups(raw, options, log)
    if log.has_errors:
        return None
    own, rows = _of_items(raw, options)
    kept = rows.tolist()
    lines = [raw.lines[row] for row in kept]
    _check_bounds(own, lines, options, file)
    survey = survey_of(own, options)
    _check_paths(survey, groups, log)
    _tell_unread(survey, kept, raw, file)
    if file.log.has_errors:
        return None
    names = [""] if is_document else list(map(str, raw.ids.names if raw.ids else range(1, len(raw.values) + 1)))
    item_of = np.full(len(raw.values), -1)
    item_of[rows] = np.arange(len(rows))
    return Gold(
        tuple(names[row] for row in kept),
        raw.ids,
        item_of,
        own,
        lines,
        groups.names,
        groups.of_rows[rows],
        _quotes(raw, options, kept) if not is_document else [],
        survey,
        by_place=raw.ids is None or file.layout.first_place is not None,
        left_out=raw.left_out,
    )


def _of_items(raw: Raw, options: Options) -> tuple[Flat, Rows]:
    """Return the record of each item, and the row where the item begins; with `rows` the record is the list of all rows of an id."""
    if isinstance(raw.values, Packed):
        rows = np.flatnonzero(raw.ids.is_first) if raw.ids else np.arange(len(raw.values))
        return Flat.arranged(raw.values, rows), rows
    lists, first = raw.collected()
    return Flat.of([{ITEM: held} for held in lists.values()], options), np.array(list(first.values()), np.int64)


def _make_records(raw: Raw, options: Options, file: File) -> None:
    """Make a record of each item; what is none goes to the log. With `rows` an item is an element of any form."""
    made: dict[int, Any] = {}
    for row, value in raw.others:
        record = value if options.has_rows and value is not None else as_record(value)
        if record is None and isinstance(value, str):
            inner = parsed(value)
            record = None if isinstance(inner, Fault) else as_record(inner)
        if record is None:
            message = f"the record is {said(value)}; expected an object or a list, or a text that is JSON for one"
            file.log.add("records.record", message, raw.lines[row], where=raw.place(row), fixed=True)
            record = {}
        if record is not value:
            made[row] = record
    raw.replace(made)


def _groups(raw: Raw, options: Options, log: ProblemLog) -> Groups:
    if options.group is None or raw.records is None:
        return Groups((), np.full(len(raw.values), -1))
    cells = raw.cells(options.group)
    texts = [FAULT if isinstance(cell, list | dict) else text_of(cell) for cell in cells]
    for text, line in zip(texts, raw.lines, strict=True):
        if text == FAULT:
            log.add("records.reserved", "the group is a list or an object; expected a text", line)
    return groups_of(texts, raw.lines, GroupCodes.of("records", unfit="records.reserved"), log)


def _quotes(raw: Raw, options: Options, kept: Sequence[int]) -> list[str]:
    columns = [raw.cells(field) for field in options.texts]
    return [" | ".join(text_of(cells[row]) for cells in columns) for row in kept] if columns else []


def _check_bounds(records: Flat, lines: Sequence[int], options: Options, file: File) -> None:
    """Log which records are beyond the bounds; flat ones are not."""
    bounds, root = Bounds(OF_GOLD), Path.root(options)
    for place in np.flatnonzero(~records.is_flat).tolist():
        for problem, message in bounds.excess(records[place], root):
            file.add(problem, message, lines[place])


def _check_paths(survey: Survey, groups: Groups, log: ProblemLog) -> None:
    number = len(survey.paths)
    if number > MOST_PATHS:
        cure = "are keys data? say `map` in the option compare, or name the paths that count in `fields`"
        log.add("records.too-many", f"has {number:,} paths, at most {MOST_PATHS:,} are allowed; {cure}")
    elif number * len(groups.names) > _MOST_PAIRS:
        pairs = f"{len(groups.names):,} groups and {number:,} paths"
        log.add("records.too-many", f"has {pairs}, at most {_MOST_PAIRS:,} pairs are allowed; name fewer paths in `fields`")


def _tell_unread(survey: Survey, kept: Sequence[int], raw: Raw, file: File) -> None:
    """Log the paths at which values are no numbers, or no dates."""
    for path, (kind, number, place, value) in survey.unread.items():
        row = kept[place]
        record = f"the record {quoted(raw.ids.names[row] or '')}" if raw.ids else f"line {raw.lines[row]:,}"
        shown = quoted(written(value), 40)
        what = f"{shown} is no {kind}" if number == 1 else f"{number:,} values are no {kind}s, the first is {shown}"
        message = f"{path}: {what}, in {record}; compared as text"
        file.log.add(f"records.{kind}", message, raw.lines[row], where=raw.place(row))

"""Reads references: the segments with their texts, and further files with further texts of the same segments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.records import FAULT, Field, File, Ids, Records, kind_of, pair_by_line, read_ids, rows_in_gold, text_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.text.options import GOLD, Options
from pytest_nlpeval.tasks.text.reading import check_lengths, file_of, has_columns, read_segments, texts_of
from pytest_nlpeval.wording import plural, quoted

MOST_GROUPS, MOST_LENGTH = 200, 200

Rows = NDArray[np.int64]

References = Sequence[tuple[str, ...]]
"""The references of each segment."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The segments of a gold file, in its order.

    `units` are their names. `ids` are those of the file's rows, None if these pair by line, and `rows` has the segment of each row, -1 for
    none. `groups` are the values of the groups, and `group` has the place of each segment's there, -1 for none. `clusters` and `quotes`
    have, if an option asks for them, what each segment belongs to, and what explanations quote.
    `left_out` is how many records `where` left out.
    """

    units: tuple[str, ...]
    ids: Ids | None
    rows: Rows
    references: References
    groups: tuple[str, ...]
    group: Rows
    clusters: Sequence[str | None] | None
    quotes: Sequence[str]
    by_place: bool
    left_out: int


def read_gold(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the segments of a gold file, or None with all problems in the log."""
    file = file_of(source, options, GOLD, log)
    others = [field for field in (options.group, options.cluster, *options.quote) if field is not None]
    if others and not has_columns(file):
        name = "group" if options.group is not None else "cluster" if options.cluster is not None else "quote"
        file.add(
            "format", f"is read as {file.format}, which has no columns for the option {name}; name the format, or leave it out"
        )
        return None
    file, records = read_segments(file, others, options.texts[GOLD])
    if records is None:
        return None
    references = _references(records, options, file, is_first=True)
    ids = read_ids(records, file) if file.has_ids else None
    is_segment = ids.is_first if ids else np.ones(len(records), np.bool_)
    if not is_segment.any() and not log.has_errors:
        log.add("text.no-segments", "has no segment; expected at least one")
    groups, group = _groups(records, options.group, file)
    if log.has_errors:
        return None
    names = list(map(str, ids.names if ids else range(1, len(records) + 1)))
    kept = is_segment.tolist()
    return Gold(
        tuple(compress(names, kept)),
        ids,
        np.where(is_segment, np.cumsum(is_segment) - 1, -1),
        list(compress(references, kept)),
        groups,
        group[is_segment],
        _clusters(records, options.cluster, kept),
        _quotes(records, options.quote, kept),
        by_place=ids is None or file.layout.first_place is not None,
        left_out=records.left_out,
    )


def read_further(source: Source, documents: Documents, options: Options, log: ProblemLog) -> References | None:
    """Return further references of gold's segments, none for one that the file lacks; None with all problems in the log.

    Without gold among the documents they are those of the file's rows.
    """
    gold: Gold | None = documents.get("gold")
    file = file_of(source, options, GOLD, log)
    if gold:
        file = file.paired_like(gold_has_ids=gold.ids is not None)
    if log.has_errors:
        return None
    file, records = read_segments(file, (), options.texts[GOLD])
    if records is None:
        return None
    references = _references(records, options, file, is_first=False)
    ids = read_ids(records, file) if file.has_ids else None
    if gold is None:
        return None if file.log.has_errors else references
    rows = _paired(gold, ids, len(records), file)
    if rows is None:
        return None
    of_segments: list[tuple[str, ...]] = [()] * len(gold.units)
    for row, own in zip(rows.tolist(), references, strict=True):
        segment = int(gold.rows[row]) if row >= 0 else -1
        if segment >= 0:
            of_segments[segment] = own
    return of_segments


def _paired(gold: Gold, ids: Ids | None, number: int, file: File) -> Rows | None:
    """Return the row of gold's file that each row of a further one belongs to, -1 for none; None with problems in the log."""
    rows = rows_in_gold(gold.ids, ids, file) if gold.ids and ids else pair_by_line(len(gold.rows), number, file)
    return None if file.log.has_errors else rows


def _references(records: Records, options: Options, file: File, *, is_first: bool) -> list[tuple[str, ...]]:
    """Return the references of each record; in a first file one at least is needed, and may be empty, if it is in the first column."""
    columns = [texts_of(records, field, file) for field in options.texts[GOLD]]
    if file.format == "lines" or not has_columns(file):
        columns = columns[:1]
    every = []
    for row, cells in enumerate(zip(*columns, strict=True)):
        texts = tuple(
            chain.from_iterable(
                cell.texts if cell.is_list or (is_first and not rank) else filter(None, cell.texts)
                for rank, cell in enumerate(cells)
            )
        )
        line = records.lines[row]
        if any(cell.is_wrong for cell in cells):
            pass
        elif is_first and not cells[0].texts:
            file.add("value", "has no reference; expected a string, or a list with one at least", line, records.place(row))
        elif is_first and not any(map(str.strip, texts)):
            what = "the reference is" if len(texts) == 1 else f"all {plural(len(texts), 'reference')} are"
            file.add("empty-reference", f"{what} empty; whatever the system says is wrong", line, records.place(row))
        check_lengths(texts, line, file, options)
        every.append(texts)
    return every


def _groups(records: Records, field: Field | None, file: File) -> tuple[tuple[str, ...], Rows]:
    """Return the values of the groups, sorted, and the place of each record's there, -1 for none."""
    if field is None:
        return (), np.full(len(records), -1)
    texts = []
    for row, cell in enumerate(records.cells(field)):
        if cell is not None and not isinstance(cell, str | int):
            message = f"the group is {kind_of(cell)}; expected a string, a whole number, true or false"
            file.add("value", message, records.lines[row], records.place(row))
        texts.append(text_of(cell) if cell is None or isinstance(cell, str | int) else FAULT)
    for text, line in zip(texts, records.lines, strict=True):
        if not text:
            file.add("no-group", "has no group; the segment is in none", line)
        elif "." in text:
            message = f"the group {quoted(text)} has a dot, which names of measures cannot tell from their own; write it without"
            file.add("reserved", message, line)
        elif text != FAULT and (len(text) > MOST_LENGTH or not text.isprintable()):
            file.add(
                "value", f"the group {quoted(text)} is too long, or has a control character; expected {MOST_LENGTH} at most", line
            )
    values = sorted(set(texts) - {"", FAULT})
    if len(values) > MOST_GROUPS:
        message = f"there are {len(values):,} groups, at most {MOST_GROUPS} are allowed; is it a column of texts or ids?"
        file.add("too-many", message)
    places = {value: place for place, value in enumerate(values)} | {"": -1, FAULT: -1}
    return tuple(values), np.fromiter(map(places.__getitem__, texts), np.int64, len(texts))


def _clusters(records: Records, field: Field | None, kept: Sequence[bool]) -> list[str | None] | None:
    return None if field is None else [text_of(cell) or None for cell in compress(records.cells(field), kept)]


def _quotes(records: Records, fields: Sequence[Field], kept: Sequence[bool]) -> list[str]:
    columns = [[" ".join(text_of(cell).split()) for cell in compress(records.cells(field), kept)] for field in fields]
    return [" | ".join(cells) for cells in zip(*columns, strict=True)]

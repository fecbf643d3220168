"""Reads gold: which items there must be, and what each belongs to."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.groups import GroupCodes, Groups, groups_of
from pytest_nlpeval.kit.records import FAULT, Field, File, Ids, Records, read_ids, read_records
from pytest_nlpeval.kit.records.layout import LINES
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.scores.files import GOLD, WINDOW_BYTES, Quotes, file_of, has_room, said
from pytest_nlpeval.tasks.scores.options import Options, layout_signature

Rows = NDArray[np.int64]


@light_dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The items of a gold file.

    `units` are their names, `rows` the places of their records in the file. `item_of` has the item of each record, -1 for none. `ids` are
    those of the records, None if these are paired by line. `group` has the place of each item's group in `groups`, -1 for none; `clusters`
    what each item belongs to, None if no option asks. `lines` are the items of a file of lines, else empty. `records` tells which records
    of which bytes were read.
    """

    units: tuple[str, ...]
    rows: Rows
    item_of: Rows
    ids: Ids | None
    groups: tuple[str, ...]
    group: Rows
    clusters: Sequence[str | None] | None
    quotes: Quotes
    lines: Sequence[str]
    records: tuple[object, ...]
    left_out: int


def read_gold(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the items of a gold file, or None with all problems in the log."""
    file = file_of(source, options, GOLD, log)
    others = [field for field in (options.group, options.cluster) if field is not None]
    asked = {"group": options.group is not None, "cluster": options.cluster is not None, "text": bool(options.text[GOLD])}
    if not has_room(file, [name for name, is_asked in asked.items() if is_asked]):
        return None
    records = read_records(file, [*others, *options.text[GOLD]], needed=others)
    if records is None:
        return None
    ids = read_ids(records, file, may_repeat=options.may_repeat) if file.has_ids else None
    if not len(records) and not log.has_errors:
        file.add("no-items", "has no item; expected at least one")
    groups = _groups(records, options.group, log)
    _check_repeated(records, [*others, *options.text[GOLD]], ids, file)
    if log.has_errors:
        return None
    rows = np.flatnonzero(ids.is_first) if ids else np.arange(len(records))
    names = list(map(str, ids.names if ids else range(1, len(records) + 1)))
    is_lines = file.format == LINES
    return Gold(
        tuple(names[row] for row in rows.tolist()),
        rows,
        _item_of(ids, rows, len(records)),
        ids,
        groups.names,
        groups.of_rows[rows],
        _clusters(records, options.cluster, rows),
        Quotes(source.label, source.reader(WINDOW_BYTES), file.layout, options.text[GOLD], len(records)),
        records.cells("") if is_lines else (),
        records_of(source, file),
        records.left_out,
    )


def records_of(source: Source, file: File) -> tuple[object, ...]:
    """Return what two files have in common that have the same records."""
    return hashlib.sha256(source.data).hexdigest(), *layout_signature(file.layout)


def _item_of(ids: Ids | None, rows: Rows, number: int) -> Rows:
    if ids is None or len(rows) == number:
        return np.arange(number)
    item_of_name = {ids.names[row]: item for item, row in enumerate(rows.tolist())}
    return np.fromiter((item_of_name.get(name, -1) for name in ids.names), np.int64, number)


def _groups(records: Records, field: Field | None, log: ProblemLog) -> Groups:
    if field is None:
        return Groups((), np.full(len(records), -1))
    texts = [FAULT if cell == FAULT else said(cell) for cell in records.cells(field)]
    return groups_of(texts, records.lines, GroupCodes.of("scores", unfit="scores.reserved"), log)


def _clusters(records: Records, field: Field | None, rows: Rows) -> list[str | None] | None:
    if field is None:
        return None
    cells = records.cells(field)
    return [said(cells[row]) or None for row in rows.tolist()]


def _check_repeated(records: Records, fields: Sequence[Field], ids: Ids | None, file: File) -> None:
    """Log the records that repeat an id with other content than the first has."""
    if ids is None or not ids.may_repeat or ids.is_first.all():
        return
    columns = [records.cells(field) for field in fields]
    first: dict[str | None, int] = {}
    for row, name in enumerate(ids.names):
        earlier = first.setdefault(name, row)
        if name is not None and any(cells[row] != cells[earlier] for cells in columns):
            message = f'the id "{name}" stands {ids.place(earlier, file)}, with other content; an item is the same in each repeat'
            file.add("duplicate-id", message, ids.lines[row], ids.where(row, file))

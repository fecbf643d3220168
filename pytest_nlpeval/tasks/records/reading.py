"""The records of a file: where they stand in its items, and what they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import read_json
from pytest_nlpeval.kit.records import FAULT, Conventions, Field, File, Ids, Records, columns_of, read_ids, read_records
from pytest_nlpeval.kit.records.layout import JSON, JSON_LINES, LINES
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.records.options import DOCUMENT, Options, Side
from pytest_nlpeval.tasks.records.packed import Packed, without
from pytest_nlpeval.tasks.records.parsing import RECORDS
from pytest_nlpeval.wording import quoted

_CONVENTIONS = Conventions("records", RECORDS, answer="record", advice="give each id a record, if only an empty one")

WHOLE = "."
"""The path of the whole item."""

ITEM = "item"
"""The key of a record that is a list."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """What stands where the records of a file do, None where nothing does; `ids` are None if they pair by line.

    With `rows` the values are a list, else they are packed. `cells` gives further fields, `lines` and `place` say where the records stand.
    """

    values: Packed | list[Any]
    ids: Ids | None
    lines: Sequence[int]
    records: Records | None = None
    left_out: int = 0

    def replace(self, values: Mapping[int, Any]) -> None:
        """Put values in the place of those of some rows."""
        if isinstance(self.values, Packed):
            self.values.replace(values)
        else:
            for row, value in values.items():
                self.values[row] = value

    def collected(self) -> tuple[dict[str, list[Any]], dict[str, int]]:
        """Return, for items of which each is one element, the list of each id, and the row at which that begins."""
        lists: dict[str, list[Any]] = {}
        rows: dict[str, int] = {}
        for row, (name, value) in enumerate(zip(self.ids.names if self.ids else (), self.values, strict=True)):
            if name is not None:
                lists.setdefault(name, []).append(value)
                rows.setdefault(name, row)
        return lists, rows

    @property
    def others(self) -> Iterable[tuple[int, Any]]:
        """The values that are not packed, with their rows."""
        return self.values.others.items() if isinstance(self.values, Packed) else enumerate(self.values)

    def cells(self, field: Field) -> Sequence[Any]:
        """Return what a further field has in each item."""
        return [None] * len(self.values) if self.records is None else self.records.cells(field)

    def place(self, row: int) -> str:
        """Return where in a document an item stands, "" in other files."""
        return "" if self.records is None else self.records.place(row)


def file_of(source: Source, options: Options, side: Side, log: ProblemLog) -> File:
    """Return a file of one side."""
    return File(source, options.layouts[side], _CONVENTIONS, log)


def read_raw(file: File, options: Options, side: Side, others: Sequence[Field] = ()) -> Raw | None:
    """Return the records of a file with some further fields; None with problems in the log if it has no such."""
    if file.layout.format == DOCUMENT:
        entry = read_json(file.source, file.log, RECORDS)
        return None if entry is None else Raw(Packed.of([entry.value], options), None, [entry.line])
    if file.format == LINES:
        file.add("format", "is read as lines, which have no fields; name the format, or the file *.jsonl, *.tsv or *.csv")
        return None
    field = options.records[side]
    is_json = file.format in {JSON, JSON_LINES}
    if field is not None or is_json:
        own = WHOLE if field is None else field
        taken_out = _not_of_records(file, options) if field is None else frozenset()
        is_asked_more = options.has_rows or file.layout.where or own in (*others, *file.layout.id)
        packed = Packed.by(options, taken_out) if is_json and not is_asked_more else None
        needed = [*others] if field is None else [own, *others]
        records = read_records(file, [own, *others], lists=[own], needed=needed, into={} if packed is None else {own: packed})
        values: Packed | list[Any] = (
            packed if packed is not None else [] if records is None else without(records.cells(own), taken_out)
        )
    else:
        columns = columns_of(file)
        dropped = _not_of_records(file, options)
        index = columns[:1] == [""]  # which pandas writes in front of the columns
        kept = [column for column in columns[index:] if column not in dropped]
        _check_columns(kept, file)
        records = read_records(file, [*kept, *others]) if not file.log.has_errors else None
        values = [] if records is None else list(_of_columns(records, kept))
    if records is None:
        return None
    ids = read_ids(records, file, may_repeat=options.has_rows) if file.has_ids else None
    if not isinstance(values, Packed) and (ids is None or not options.has_rows):
        values = Packed.of(values, options)
    return Raw(values, ids, records.lines, records, records.left_out)


def _not_of_records(file: File, options: Options) -> frozenset[Field]:
    """Return the fields of an item that are no part of its record: id, group and text."""
    ids = file.layout.id if file.has_ids else ()
    return frozenset(field for field in (*ids, options.group, *options.texts) if field is not None)


def _of_columns(records: Records, names: Sequence[str]) -> Iterator[Any]:
    """Yield the record of each row of a table: a column `a.b` is the key b in the object a; empty fields are absent."""
    columns = [records.cells(name) for name in names]
    steps = [name.split(".") for name in names]
    for row in range(len(records)):
        record: dict[str, Any] = {}
        for keys, cells in zip(steps, columns, strict=True):
            text = cells[row]
            if text and text != FAULT:
                _put(record, keys, text)
        yield record


def _put(record: dict[str, Any], keys: Sequence[str], text: str) -> None:
    held = record
    for key in keys[:-1]:
        held = held.setdefault(key, {})
    held[keys[-1]] = text


def _check_columns(columns: Sequence[str], file: File) -> None:
    """Log columns that are a value, and by the dots in another column's name an object as well."""
    for column in columns:
        inner = next((another for another in columns if another.startswith(f"{column}.")), None)
        if inner is not None:
            file.add(
                "header", f"the column {quoted(column)} is a value, and an object by the column {quoted(inner)}; rename one", 1
            )


def as_record(value: Any) -> dict[str, Any] | None:
    """Return the object that a value is as a record, None if it is neither object nor list."""
    if isinstance(value, dict):
        return value
    return {ITEM: value} if isinstance(value, list) else None


def said(value: Any) -> str:
    """Return what stands where a record should, for a message."""
    if isinstance(value, str):
        return f"the text {quoted(value, 40)}"
    return "nothing" if value is None else f"{str(value).lower()[:40]}"

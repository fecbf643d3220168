"""Reads a file as records: their lines, their fields as columns of cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress, islice
from types import MappingProxyType
from typing import Any, Protocol

from pytest_nlpeval.formats.json import Block
from pytest_nlpeval.formats.text import lines_of, read_text
from pytest_nlpeval.kit.records.conventions import File
from pytest_nlpeval.kit.records.documents import Spots, read_items
from pytest_nlpeval.kit.records.layout import JSON, JSON_LINES, LINES, Field, text_of
from pytest_nlpeval.kit.records.paths import AmbiguousError, Path, alone
from pytest_nlpeval.kit.records.tables import read_table
from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.wording import nearest, quoted


@frozen_dataclass(frozen=True, slots=True, eq=False)
class Records:
    """The records of a file; `cells(field)` gives what each has in a wanted field.

    `lines` are those on which the records begin. A cell is text, or with `is_json` any value of JSON, None for what is not there. A row of
    a table with a wrong number of fields has `FAULT` in each field. In a document, `names` are the ids that are keys or bare elements, None
    for other records, and `places` say where the records stand: `samples[3]`. `ranks` are the places of the records in the file, from 0, if
    `where` leaves some of its records out; `left_out` is the number of these.
    """

    lines: Sequence[int]
    cells: Callable[[Field], list[Any]]
    is_json: bool = False
    names: Sequence[str | None] = ()
    places: Sequence[str] = ()
    ranks: Sequence[int] = ()
    left_out: int = 0

    def __len__(self) -> int:
        """How many there are."""
        return len(self.lines)

    def place(self, row: int) -> str:
        """Return where in a document a record stands, "" in other files."""
        return self.places[row] if self.places else ""


class Cells(Protocol):
    """Takes the cells of a field while a file is read, some at a time."""

    def extend(self, values: Sequence[Any], /) -> None:
        """Take some cells."""

    def end(self) -> None:
        """Take note that there are no more."""


def read_records(
    file: File,
    fields: Sequence[Field],
    *,
    lists: Collection[Field] = (),
    needed: Collection[Field] = (),
    into: Mapping[Field, Cells] = MappingProxyType({}),
) -> Records | None:
    """Return the records of a file with some fields; None with problems in the log if it has no such fields.

    Problems of single records are in the log, too, and leave the others. `lists` are the fields that are lists by their type: of any other,
    a list of one element is that element. Of JSON, one record at least has each field of `needed`; a table has a column for each field.
    Of JSON, the cells of the fields in `into` go there, after those of all others, and may be changed. The work is linear in the file.
    """
    if file.format == LINES:
        return _of_lines(file)
    ids = file.layout.id if file.has_ids else ()
    wanted = [*fields, *ids, *(field for field, _ in file.layout.where)]
    if file.format in {JSON, JSON_LINES}:
        records = _of_json(file, wanted, lists, into)
        is_whole = records is not None and _has_all(records, needed, file)
    else:
        table = read_table(file, wanted)
        records, is_whole = None if table is None else Records(*table), True
    if records is None or not is_whole:
        return None
    return _selected(records, file) if file.layout.where else records


def _of_lines(file: File) -> Records | None:
    data = read_text(file.source, file.log, keeps_blank_end=file.conventions.keeps_blank_end)
    lines = lines_of(data or b"")
    return None if data is None else Records(range(1, len(lines) + 1), lambda _: lines)


def _of_json(file: File, wanted: Sequence[Field], lists: Collection[Field], into: Mapping[Field, Cells]) -> Records | None:
    if numbers := [field for field in wanted if isinstance(field, int)]:
        for number in numbers:
            file.add("column", f"column {number} is asked for, but the file is JSON Lines; give the name of a key")
        return None
    columns: dict[Field, Any] = {field: [] for field in wanted}
    paths = {str(field): Path.of(str(field)) for field in columns}
    keys = {str(field): columns[field] for field, path in paths.items() if path.is_key}  # most are: no path is followed
    wholes = [columns[field] for field, path in paths.items() if not path.steps]
    others = [(path, field in lists, columns[field]) for field, path in paths.items() if path.steps and not path.is_key]
    lines: list[int] = []
    spots = Spots()
    for block in read_items(file, spots):
        lines += block.lines
        for key, column in keys.items():
            column.extend([fields.get(key) for fields in block.values])
        for column in wholes:
            column.extend(block.values)
        if others:
            _follow(others, block, file, spots)
        for field, cells in into.items():
            cells.extend(columns[field])
            columns[field].clear()
    for cells in into.values():
        cells.end()
    for field in keys.keys() - {*lists}:
        columns[field] = [alone(cell) if type(cell) is list else cell for cell in columns[field]]
    columns |= into
    return Records(lines, columns.__getitem__, is_json=True, names=spots.names, places=spots.places)


def _follow(others: Sequence[tuple[Path, bool, list[Any]]], block: Block, file: File, spots: Spots) -> None:
    """Put what paths lead to in records into their columns; each path says whether it leads to a list."""
    for line, fields in zip(*block, strict=True):
        for path, is_list, column in others:
            try:
                column.append(path.follow(fields, is_list=is_list))
            except AmbiguousError as error:
                column.append(None)
                file.add("path", str(error), line, spots.places[-1] if spots.places else "")


def _has_all(records: Records, needed: Collection[Field], file: File) -> bool:
    """Whether each needed field is there in one record at least; what is in none goes to the log."""
    absent = [field for field in needed if len(records) and all(cell is None for cell in records.cells(field))]
    for field in absent:
        file.add("column", f'no record has the field "{field}"; {_near(str(field), file)}')
    return not absent


def _near(field: str, file: File) -> str:
    """Return a hint for a field that no record of a JSON file has, or that is null in all, from the keys of its first records."""
    blocks = read_items(replace(file, log=file.log.for_attempt()), Spots())
    records = chain.from_iterable(block.values for block in blocks)
    keys = dict.fromkeys(key for fields in islice(records, 100) for key in fields)
    if field in keys:
        return "it is null in all of them; one at least must have a value"
    return f"{nearest(field, keys)}; name the field in the options"


def _selected(records: Records, file: File) -> Records | None:
    """Return the records that `where` leaves; None with problems in the log if there are none though the file has some."""
    columns = {field: list(map(text_of, records.cells(field))) for field, _ in file.layout.where}
    kept = [all(columns[field][row] in texts for field, texts in file.layout.where) for row in range(len(records))]
    if kept and not any(kept):
        for field, texts in file.layout.where:
            _check_where(field, texts, columns[field], file)
        if not file.log.count(file.code("where")):
            file.add("where", "no record has all that is asked for at once")
        return None

    def cells(field: Field) -> list[Any]:
        return list(compress(records.cells(field), kept))

    return Records(
        list(compress(records.lines, kept)),
        cells,
        records.is_json,
        list(compress(records.names, kept)),
        list(compress(records.places, kept)),
        list(compress(range(len(kept)), kept)),
        kept.count(False),
    )


def _check_where(field: Field, wanted: Sequence[str], texts: Sequence[str], file: File) -> None:
    """Log that none of the wanted texts stands in a field, and what does."""
    if set(texts).isdisjoint(wanted):
        first = list(islice(filter(None, dict.fromkeys(texts)), 5))
        hint = f"there are {', '.join(map(quoted, first))}" if first else f"no record has it; {_near(str(field), file)}"
        file.add("where", f'no record has {" or ".join(map(quoted, wanted))} in the field "{field}"; {hint}')

"""Files as columns: lines, fields between tabs or commas, and JSON Lines, each whole column a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import PurePath
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.csv import read_csv
from pytest_nlpeval.formats.json import Dialect, read_json_lines
from pytest_nlpeval.formats.text import lines_of, read_text
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.labels.options import BLANKS, Column, Options, Side
from pytest_nlpeval.wording import nearest, plural

Places: TypeAlias = NDArray[np.signedinteger[Any]]

FAULT = "\0"
"""A cell whose problem is told already: no file has it, as NUL is refused in text and in JSON."""

LINES, TSV, CSV, JSONL = "lines", "tsv", "csv", "jsonl"

_BY_SUFFIX = {".tsv": TSV, ".tab": TSV, ".csv": CSV, ".jsonl": JSONL, ".ndjson": JSONL, ".json": JSONL}

_DIALECT = Dialect.of("labels.json", objects=True, greatest=10**100)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The rows of a file; `cells(column)` gives the cells of a wanted column, by name or number.

    `lines` are those on which the rows begin. A cell is text, or with `is_json` any value of JSON, None also for a key that is not there.
    A row with a wrong number of fields has `FAULT` in each column.
    """

    lines: Sequence[int]
    cells: Callable[[Column], list[Any]]
    is_json: bool = False


def format_of(label: str, options: Options, side: Side) -> str:
    """Return the format of a file: what the options say, else what its name says."""
    return options.formats[side] or _BY_SUFFIX.get(PurePath(label).suffix.lower(), LINES)


def read_table(source: Source, options: Options, side: Side, wanted: Sequence[Column], log: ProblemLog) -> Table | None:
    """Return the wanted columns of a file; None with problems in the log if there are no such columns.

    Problems of single rows are in the log, too, and leave the others.
    """
    form = format_of(source.label, options, side)
    if form == JSONL:
        return _read_objects(source, wanted, log)
    if form == CSV and b'"' in source.data:
        rows = list(read_csv(source, log, "labels.quotes"))
        return _of_rows([row.fields for row in rows], [row.line for row in rows], wanted, log)
    if form != LINES:
        return _of_text(source, "\t" if form == TSV else ",", wanted, log)
    data = read_text(source, log)
    lines = lines_of(data or b"")
    return None if data is None else Table(range(1, len(lines) + 1), lambda _: lines)


def _read_objects(source: Source, wanted: Sequence[Column], log: ProblemLog) -> Table | None:
    for column in wanted:
        if isinstance(column, int):
            log.add("labels.column", f"column {column} is asked for, but the file is JSON Lines; give the name of a key")
    if log.count("labels.column"):
        return None
    lines: list[int] = []
    columns: dict[Column, list[Any]] = {column: [] for column in wanted}
    for line, value in read_json_lines(source, log, _DIALECT):
        lines.append(line)
        for column, cells in columns.items():
            cells.append(value.get(column))
    return Table(lines, columns.__getitem__, is_json=True)


def _of_text(source: Source, mark: str, wanted: Sequence[Column], log: ProblemLog) -> Table | None:
    """Return the rows of lines whose fields have a mark between them.

    If all lines have as many fields, which is the rule, only the places of all marks are kept; a column is cut out when it is asked for.
    """
    data = read_text(source, log)
    if data is None:
        return None
    first = data[: data.find(b"\n")].decode().split(mark) if data else []
    marks, ends = _marks(data, ord(mark))
    width = len(first)
    if not width or ends.size * width != marks.size or (np.diff(ends, prepend=-1) != width).any():
        lines = lines_of(data)
        return _of_rows([line.split(mark) for line in lines], range(1, len(lines) + 1), wanted, log)
    places, start = _places(first, wanted, log)
    if log.count("labels.header", "labels.column"):
        return None

    def cells(column: Column) -> list[str]:
        place = places[column]
        before = marks[place - 1 :: width] if place else np.concatenate([[-1], marks[width - 1 :: width][:-1]])
        found: list[str] = []
        for row in range(start, ends.size, _ROWS_AT_ONCE):
            rows = slice(row, row + _ROWS_AT_ONCE)
            found += _cut(data, before[rows] + 1, marks[place::width][rows])
        return found

    return Table(range(start + 1, ends.size + 1), cells)


def _cut(data: bytes, begins: Places, ends: Places) -> Iterable[str]:
    """Return the texts from each begin to its end; where a character is a byte, they are cut out of the text itself."""
    low = int(begins[0])
    part = data[low : int(ends[-1])]
    cuts = map(slice, (begins - low).tolist(), (ends - low).tolist())
    return map(part.decode().__getitem__, cuts) if part.isascii() else map(bytes.decode, map(part.__getitem__, cuts))


_LINE_FEED = ord("\n")
_BYTES_AT_ONCE = 1 << 24
_ROWS_AT_ONCE = 1 << 16


def _marks(data: bytes, mark: int) -> tuple[Places, NDArray[np.int64]]:
    """Return the places of all marks and line ends, and which of these, from 0, are line ends."""
    kind = np.int32 if len(data) < np.iinfo(np.int32).max else np.int64
    codes = np.frombuffer(data, np.uint8)
    found = [np.zeros(0, kind)]
    for start in range(0, len(data), _BYTES_AT_ONCE):
        piece = codes[start : start + _BYTES_AT_ONCE]
        found.append((np.flatnonzero((piece == mark) | (piece == _LINE_FEED)) + start).astype(kind))
    marks = np.concatenate(found)
    return marks, np.flatnonzero(codes[marks] == _LINE_FEED)


def _of_rows(rows: list[list[str]], lines: Sequence[int], wanted: Sequence[Column], log: ProblemLog) -> Table | None:
    places, start = _places(rows[0] if rows else None, wanted, log)
    if log.count("labels.header", "labels.column"):
        return None
    width = len(rows[0])
    for row, line in zip(rows[start:], lines[start:], strict=True):
        if len(row) != width:
            log.add("labels.fields", f"expected {plural(width, 'field')}, as in line {lines[0]}, found {len(row):,}", line)
            row[:] = [FAULT] * width
    return Table(lines[start:], lambda column: list(map(itemgetter(places[column]), rows[start:])))


def _places(first: Sequence[str] | None, wanted: Sequence[Column], log: ProblemLog) -> tuple[dict[Column, int], int]:
    """Return the place of each wanted column in a row, and the number of rows that are a header."""
    if not first:
        log.add("labels.header", "the file is empty; expected a header that names the columns, or rows")
        return {}, 0
    numbers = [column for column in wanted if isinstance(column, int)]
    names = [column for column in wanted if isinstance(column, str)]
    if numbers and names:
        message = f'column {numbers[0]} is asked for by number and "{names[0]}" by name; give numbers for all, or names for all'
        log.add("labels.column", message, 1)
    elif numbers:
        for number in (number for number in numbers if number > len(first)):
            log.add("labels.column", f"has no column {number}: the first line has {plural(len(first), 'field')}", 1)
        return {number: number - 1 for number in numbers}, 0
    header = [name.strip(BLANKS) for name in first]
    for name in dict.fromkeys(names) if not numbers else ():
        if name not in header:
            hint = nearest(name, filter(None, dict.fromkeys(header)))
            log.add("labels.column", f'the header has no column "{name}"; {hint}; name the column in the options', 1)
        elif header.count(name) > 1:
            log.add("labels.header", f'the header names the column "{name}" {header.count(name)} times', 1)
    return {name: header.index(name) for name in names if name in header}, 1


def texts_of(table: Table, column: Column, what: str, log: ProblemLog) -> list[str]:
    """Return the cells of a column as they are compared, "" for nothing; of JSON a whole number or a truth value counts as its text."""
    cells = table.cells(column)
    if table.is_json:
        return [text_of(cell, what, line, log) for cell, line in zip(cells, table.lines, strict=True)]
    return [cell.strip(BLANKS) for cell in cells]


def text_of(cell: object, what: str, line: int, log: ProblemLog) -> str:
    """Return the text of a value of JSON; `FAULT` with a problem in the log if it has none."""
    if isinstance(cell, str):
        text = cell.strip(BLANKS)
        if text != FAULT:
            return text
    elif cell is None:
        return ""
    elif isinstance(cell, int) and not (isinstance(cell, bool) and what == "id"):
        return str(cell).lower()
    others = " or a whole number" if what == "id" else ", a whole number, true or false"
    log.add("labels.value", f"the {what} is {kind_of(cell)}; expected a string{others}", line)
    return FAULT


def kind_of(cell: object) -> str:
    """Return what a value of JSON is, for a message."""
    if isinstance(cell, list | dict):
        return "a list" if isinstance(cell, list) else "an object"
    return "a control character" if cell == FAULT else "nothing" if cell is None else str(cell).lower()[:40]

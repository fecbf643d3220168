"""Records of tables: fields between tabs or commas. Of a large file only the places of all marks are kept, and columns are cut out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, dropwhile, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_nlpeval.formats.csv import Row, read_csv
from pytest_nlpeval.formats.text import lines_of, read_text
from pytest_nlpeval.kit.records.conventions import File
from pytest_nlpeval.kit.records.layout import BLANKS, CSV, FAULT, Field
from pytest_nlpeval.libraries import np
from pytest_nlpeval.wording import nearest, plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.signedinteger[Any]]


class Table(NamedTuple):
    """The lines on which the rows begin, and what gives the cells of a wanted field."""

    lines: Sequence[int]
    cells: Callable[[Field], list[str]]


def read_table(file: File, wanted: Sequence[Field]) -> Table | None:
    """Return the wanted columns of a file; None with problems in the log if there are no such columns."""
    if file.format == CSV and b'"' in file.source.data:
        rows = list(_without_comments(read_csv(file.source, file.log, file.code("quotes")), wanted, file))
        return _of_rows([row.fields for row in rows], [row.line for row in rows], wanted, file)
    mark = "," if file.format == CSV else "\t"
    data = read_text(file.source, file.log)
    if data is None:
        return None
    if _is_comment(data[: data.find(b"\n")].decode(), wanted, file) and data:
        rows = list(_without_comments(map(Row, count(1), (line.split(mark) for line in lines_of(data))), wanted, file))
        return _of_rows([row.fields for row in rows], [row.line for row in rows], wanted, file)
    first = data[: data.find(b"\n")].decode().split(mark) if data else []
    marks, ends = _marks(data, ord(mark))
    width = len(first)
    if not width or ends.size * width != marks.size or (np.diff(ends, prepend=-1) != width).any():
        lines = lines_of(data)
        return _of_rows([line.split(mark) for line in lines], range(1, len(lines) + 1), wanted, file)
    columns = _columns(first, wanted, file)
    return None if columns is None else _of_marks(data, marks, width, columns)


def columns_of(file: File) -> list[str]:
    """Return the names in the header of a table; none of a file without any text. Nothing goes to the log: reading the table does that."""
    log = file.log.for_attempt()
    if file.format == CSV:
        return [name.strip(BLANKS) for row in islice(read_csv(file.source, log, file.code("quotes")), 1) for name in row.fields]
    data = read_text(file.source, log) or b""
    return [name.strip(BLANKS) for line in islice(lines_of(data), 1) for name in line.split("\t")]


def _without_comments(rows: Iterable[Row], wanted: Sequence[Field], file: File) -> Iterator[Row]:
    """Return the rows from the header on."""
    return dropwhile(lambda row: _is_comment(",".join(row.fields), wanted, file), rows)


def _is_comment(first: str, wanted: Sequence[Field], file: File) -> bool:
    """Whether a line that stands first is none of the table; one without header begins with its first row."""
    has_header = any(isinstance(field, str) for field in wanted)
    return file.conventions.has_comments and has_header and (first.startswith("#") or not first.strip(f"{BLANKS},"))


def _of_marks(data: bytes, marks: Places, width: int, columns: _Columns) -> Table:
    """Return the rows of a text in which all lines have as many fields, given the places of the marks and line ends behind them."""

    def cells(field: Field) -> list[str]:
        place = columns.places[field]
        ends = marks[place::width]
        before = marks[place - 1 :: width] if place else np.concatenate([[-1], marks[width - 1 :: width][:-1]])
        texts: list[str] = []
        for row in range(columns.start, ends.size, _ROWS_AT_ONCE):
            rows = slice(row, row + _ROWS_AT_ONCE)
            texts += _cut(data, before[rows] + 1, ends[rows])
        return texts

    return Table(range(columns.start + 1, marks.size // width + 1), cells)


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
    places = [np.zeros(0, kind)]
    for start in range(0, len(data), _BYTES_AT_ONCE):
        piece = codes[start : start + _BYTES_AT_ONCE]
        places.append((np.flatnonzero((piece == mark) | (piece == _LINE_FEED)) + start).astype(kind))
    marks = np.concatenate(places)
    return marks, np.flatnonzero(codes[marks] == _LINE_FEED)


def _of_rows(rows: list[list[str]], lines: Sequence[int], wanted: Sequence[Field], file: File) -> Table | None:
    columns = _columns(rows[0] if rows else [], wanted, file)
    if columns is None:
        return None
    width = len(rows[0])
    for row, line in zip(rows[columns.start :], lines[columns.start :], strict=True):
        if len(row) != width:
            message = f"expected {plural(width, 'field')}, as in line {lines[0]}, found {len(row):,}"
            file.add("fields", message, line)
            row[:] = [FAULT] * width
    return Table(lines[columns.start :], lambda field: list(map(itemgetter(columns.places[field]), rows[columns.start :])))


class _Columns(NamedTuple):
    """The place of each wanted column in a row, and the number of rows that are a header."""

    places: Mapping[Field, int]
    start: int


def _columns(first: Sequence[str], wanted: Sequence[Field], file: File) -> _Columns | None:
    """Return where the wanted columns are, given the fields of the first line; None with problems in the log."""
    numbers = [field for field in wanted if isinstance(field, int)]
    names = [field for field in wanted if isinstance(field, str)]
    if not first:
        file.add("header", "the file is empty; expected a header that names the columns, or rows")
        return None
    if numbers and names:
        message = f'column {numbers[0]} is asked for by number and "{names[0]}" by name; give numbers for all, or names for all'
        file.add("column", message, 1)
        return None
    if numbers:
        for number in (number for number in numbers if number > len(first)):
            file.add("column", f"has no column {number}: the first line has {plural(len(first), 'field')}", 1)
        return None if max(numbers) > len(first) else _Columns({number: number - 1 for number in numbers}, 0)
    header = [name.strip(BLANKS) for name in first]
    is_right = [_is_once(name, header, file) for name in dict.fromkeys(names)]
    return _Columns({name: header.index(name) for name in names}, 1) if all(is_right) else None


def _is_once(name: str, header: Sequence[str], file: File) -> bool:
    """Whether a column stands in the header, and once; otherwise a problem is in the log."""
    number = header.count(name)
    if not number:
        file.add("column", f'the header has no column "{name}"; {_hint_of_header(name, header, file)}', 1)
    elif number > 1:
        file.add("header", f'the header names the column "{name}" {number} times', 1)
    return number == 1


_MARKS = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars"}


def _hint_of_header(name: str, header: Sequence[str], file: File) -> str:
    """Return what may help where a header lacks a column: other marks between its fields, an index without a name, or the nearest names."""
    for mark, marks in _MARKS.items():
        inside = [part.strip(BLANKS).strip('"') for part in header[0].split(mark)]
        if len(header) == 1 and name in inside:
            cure = "name the file *.tsv, or say `format: tsv`" if mark == "\t" else "say `format: csv`" if mark == "," else ""
            cure = cure if file.conventions.has_options else ""
            written = "tabs" if file.format != CSV else "commas"
            return f"its fields seem to have {marks} between them; {cure or f'write the file with {written}'}"
    if not file.conventions.has_options:
        return f"{nearest(name, filter(None, dict.fromkeys(header)))}; call the column so"
    if not header[0] and len(header) > 1:
        unnamed = "the first column has no name, as an index of pandas; write it with index_label"
        return f'{unnamed}="{name}", or say `id: "#0"` if both files have the same rows in the same order'
    options = f"`nlpeval tasks {file.conventions.task}` lists them"
    return f"{nearest(name, filter(None, dict.fromkeys(header)))}; name the column in the options ({options})"

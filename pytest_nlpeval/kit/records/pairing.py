"""Which record of the system answers which one of gold: by their ids, or by their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING

from pytest_nlpeval.kit.records.conventions import File
from pytest_nlpeval.kit.records.layout import BLANKS, FAULT, Field, kind_of, text_of
from pytest_nlpeval.kit.records.reading import Records
from pytest_nlpeval.libraries import np
from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.wording import plural, quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]
    Flags = NDArray[np.bool_]


@frozen_dataclass(frozen=True, eq=False)
class Ids:
    """The ids of records, None for a record without one, and the lines of the records, as far as they are known.

    `is_first` flags the records that have an id which no earlier record has. With `may_repeat` several records of one id count, else the
    first one alone. Where several files are read as one, `files` has the rank of that of each record: an id may be in each of them.
    """

    names: Sequence[str | None]
    is_first: Flags
    lines: Sequence[int | None]
    places: Sequence[str] = ()
    may_repeat: bool = False
    files: Sequence[int] = ()

    @cached_property
    def keys(self) -> Sequence[str | None]:
        """What records are paired by: their ids, those of different files told apart."""
        if not self.files:
            return self.names
        return [None if name is None else f"{rank}:{name}" for rank, name in zip(self.files, self.names, strict=True)]

    @cached_property
    def first_lines(self) -> Mapping[str, int]:
        """The line of the first record of each id, as far as it is known."""
        firsts = zip(self.names, self.lines, self.is_first.tolist(), strict=True)
        return {name: line for name, line, is_first in firsts if is_first and name is not None and line is not None}

    def where(self, row: int, file: File) -> str:
        """Return what problems call a record besides its line: its place in a document, or what its task calls it."""
        return self.places[row] if self.places else file.conventions.where(self.names[row] or "")

    def place(self, row: int, file: File) -> str:
        """Say where a record stands that another one has the id of."""
        (line,) = file.own_lines([self.lines[row]])
        return (
            f"at {self.places[row]} already"
            if self.places
            else "twice in the file"
            if line is None
            else f"on line {line:,} already"
        )


def read_ids(records: Records, file: File, *, may_repeat: bool = False) -> Ids:
    """Return the ids of all records; each should be there, and once unless they may repeat."""
    texts = _texts(records, file)
    if "" not in texts and FAULT not in texts:
        return distinct_ids(texts, records.lines, file, records.places, may_repeat=may_repeat)
    for row, text in enumerate(texts):
        if not text:
            by_place = ', or the option `id: "#0"`, which takes the place in the file'
            message = f"has no id; expected one{by_place if file.conventions.has_options else ''}"
            file.add("no-id", message, records.lines[row], records.place(row))
    names = [None if text in {"", FAULT} else text for text in texts]
    return distinct_ids(names, records.lines, file, records.places, may_repeat=may_repeat)


def _texts(records: Records, file: File) -> list[str]:
    """Return the ids as texts, "" for none, `FAULT` for one that is told to be wrong."""
    if file.layout.first_place is not None:
        ranks = records.ranks or range(len(records))
        return [str(rank + file.layout.first_place) for rank in ranks]
    columns = [_column(records, field, file) for field in file.layout.id]
    if len(columns) > 1:
        columns = [[_joined(texts) for texts in zip(*columns, strict=True)]]
    if any(name is not None for name in records.names):
        return [text if name is None else name.strip(BLANKS) for name, text in zip(records.names, columns[0], strict=True)]
    return columns[0]


def _joined(texts: Sequence[str]) -> str:
    """Return the texts of an id's fields as one; all are needed."""
    return FAULT if FAULT in texts else "|".join(texts) if all(texts) else ""


def _column(records: Records, field: Field, file: File) -> list[str]:
    cells = records.cells(field)
    if not records.is_json or set(map(type, cells)) == {str}:
        return [cell.strip(BLANKS) for cell in cells]
    texts = []
    for row, cell in enumerate(cells):
        if cell is None or type(cell) in {str, int}:  # no bool
            texts.append(text_of(cell))
        else:
            texts.append(FAULT)
            message = f"the id is {kind_of(cell)}; expected a string or a whole number"
            file.add("wrong-id", message, records.lines[row], records.place(row))
    return texts


def distinct_ids(
    names: Sequence[str | None],
    lines: Sequence[int | None],
    file: File,
    places: Sequence[str] = (),
    *,
    may_repeat: bool = False,
) -> Ids:
    """Return ids with the flags of the first of equal ones; the others are told unless they may repeat."""
    ids = Ids(names, np.ones(len(names), np.bool_), lines, places, may_repeat, file.ranks(lines))
    distinct = set(ids.keys)
    if len(distinct) == len(names) and None not in distinct:
        return ids
    first: dict[str, int] = {}
    for row, (name, key) in enumerate(zip(names, ids.keys, strict=True)):
        if key is None or first.setdefault(key, row) != row:
            ids.is_first[row] = False
        if name is not None and key is not None and not ids.is_first[row] and not may_repeat:
            message = f"the id {quoted(name)} stands {ids.place(first[key], file)}; ids are unique"
            file.add("duplicate-id", message, lines[row], ids.where(row, file))
    return ids


def pair_by_id(gold: Ids, system: Ids, file: File, needs_answer: Flags | None = None) -> Rows:
    """Return gold's record that each of the system's answers, -1 where it is left out.

    A record is left out if it has no id, or that of an earlier one, or one that gold has not. In the log are ids that gold has not, and
    those that the system lacks, of the records of gold that need an answer: all, unless told otherwise.
    """
    rows = rows_in_gold(gold, system, file)
    is_answered = ~gold.is_first if needs_answer is None else ~(gold.is_first & needs_answer)
    is_answered[rows[rows >= 0]] = True
    if file.is_readable:  # what cannot be read is not missing
        for row in np.flatnonzero(~is_answered).tolist():
            name, line = gold.names[row] or "", gold.lines[row]
            place = "" if line is None else f" (line {line:,} of gold)"
            message = f"has no {file.conventions.answer} for the id {quoted(name)}{place}; {file.conventions.advice}"
            file.add("missing-id", message, where=file.conventions.where(name))
    return rows


def rows_in_gold(gold: Ids, system: Ids, file: File) -> Rows:
    """Return gold's record that has the id of each record of the system, -1 for none; ids that gold has not are in the log."""
    number = len(gold.names)
    row_of = dict(zip(reversed(gold.keys), range(number - 1, -1, -1), strict=True))  # of equal ids the first remains
    rows = np.fromiter(map(row_of.get, system.keys, repeat(-1)), np.int64, len(system.keys))
    for row in np.flatnonzero(system.is_first & (rows < 0)).tolist():
        name = system.names[row] or ""
        message = f"gold has no {file.conventions.item} with the id {quoted(name)}; are both files of the same data?"
        file.add("unknown-id", message, system.lines[row], system.where(row, file))
    return rows if system.may_repeat else np.where(system.is_first, rows, -1)


def may_pair_by_line(gold: Ids, system: Ids) -> bool:
    """Whether each of the files that are read as one pairs by line: it has a record without id, and as many records on both sides."""
    sides = (gold, system)
    nameless = {rank for side in sides for rank, name in zip(side.files, side.names, strict=False) if name is None}
    return list(gold.files) == list(system.files) and nameless >= set(gold.files)


def pair_by_line(gold: int, system: int, file: File) -> Rows:
    """Return gold's record that each of the system's answers, given their numbers: the same one, -1 behind gold's last."""
    if gold != system and file.is_readable:
        noun = file.conventions.answer
        pairing = f"without ids {noun} k answers gold's {file.conventions.item} k"
        cure = f"write one {noun} for each {file.conventions.item} of gold, in its order, or ids into both files"
        file.add("length", f"has {plural(system, noun)}, gold has {gold:,}; {pairing}; {cure}")
    rows = np.arange(system)
    return np.where(rows < gold, rows, -1)

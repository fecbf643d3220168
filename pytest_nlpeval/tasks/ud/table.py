"""The lines of a CoNLL-U file: comments, rows of ten fields and blank lines, and what is wrong with their arrangement.

Lines end at LF alone. Fields are kept as codes into the distinct strings of their column, so that a string is checked once, however often
it occurs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import count, pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ud.coding import Bytes
from pytest_nlpeval.wording import plural

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]

FIELDS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
Field = Literal["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]

_LINE_FEED, _TAB, _HASH = b"\n\t#"
_WHITE_STARTS = np.array([9, 11, 12, 13, 28, 29, 30, 31, 32, 0xC2, 0xE1, 0xE2, 0xE3], np.uint8)
"""The first bytes of white space in UTF-8."""


class Coder(defaultdict[str, int]):
    """Numbers strings from 0 in the order of their first occurrence.

    >>> coder = Coder()
    >>> coder.codes(["a", "b", "a"]).tolist(), coder.codes(["c", "b"]).tolist()
    ([0, 1, 0], [2, 1])
    """

    def __init__(self) -> None:
        super().__init__(count().__next__)

    def codes(self, strings: Sequence[str]) -> Codes:
        """Return the number of each string; new ones get the next numbers."""
        return np.fromiter(map(self.__getitem__, strings), np.int32, len(strings))


@light_dataclass(frozen=True, slots=True, eq=False)
class Column:
    """The strings of one field: for each row the place of its string in `names`."""

    codes: Codes
    names: tuple[str, ...]

    def __getitem__(self, row: int) -> str:
        """Return the string of a row."""
        return self.names[int(self.codes[row])]

    def of(self, rows: Any) -> Column:
        """Return the strings of some rows."""
        return Column(self.codes[rows], self.names)

    def flagged(self, names: NDArray[np.bool_] | list[bool]) -> Flags:
        """Return, for each row, the flag of its string."""
        flags: Flags = np.array(names, np.bool_)[self.codes] if self.names else np.zeros(len(self.codes), np.bool_)
        return flags

    def is_in(self, *strings: str) -> Flags:
        """Return which rows have one of some strings."""
        return self.flagged([name in strings for name in self.names])


class Lines:
    r"""The lines of a file whose `data` end in a line feed: where each of them starts, and where it ends. Strings are made on demand.

    >>> lines = Lines("a\nö\n".encode())
    >>> lines.starts.tolist(), lines.ends.tolist(), lines[1]
    ([0, 2], [1, 4], 'ö')
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.bytes = np.frombuffer(data, np.uint8)
        self.ends: Integers = np.flatnonzero(self.bytes == _LINE_FEED)
        self.starts: Integers = np.append(0, self.ends + 1)[:-1]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.ends)

    def __getitem__(self, line: int) -> str:
        """Return a line, counted from 0, without its end."""
        return self.data[int(self.starts[line]) : int(self.ends[line])].decode()


@light_dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The rows of a file that have ten fields.

    `line` is the number of each row's line, from 1, and `sentence` the rank of its sentence, from 0.
    `comments` are the lines of comments before the rows of a sentence, as (rank of the sentence, line). `is_sound` says of each sentence
    that none of its lines lacks a field.
    """

    lines: Lines
    columns: dict[Field, Column]
    line: Integers
    sentence: Integers
    comments: list[tuple[int, int]]
    is_sound: Flags

    def log(self, log: ProblemLog, code: str, row: int, message: str, field: Field | None = None) -> None:
        """Record a problem of a row, or of one of its fields."""
        self.log_each(log, code, [row], lambda _: message, field)

    def log_each(
        self, log: ProblemLog, code: str, rows: Iterable[int], say: Callable[[int], str], field: Field | None = None
    ) -> None:
        """Record a problem of each of some rows; what to say of a row is worked out for those that are told one by one."""
        for row in rows:
            number = int(self.line[row])
            if not log.keeps(code):
                log.add(code, "", number)
            elif field is None:
                log.add(code, say(row), number)
            else:
                before = self.lines[number - 1].split("\t")[: FIELDS.index(field)]
                log.add(code, say(row), number, sum(map(len, before)) + len(before) + 1, field)


def read_table(lines: Lines, log: ProblemLog) -> Table:
    """Return the rows of a file's lines; problems of their arrangement are in the log."""
    places_of_tabs = np.flatnonzero(lines.bytes == _TAB)
    tabs = np.diff(np.searchsorted(places_of_tabs, lines.ends), prepend=0)
    is_comment, is_blank = _kinds(lines, log)
    is_row = ~is_comment & ~is_blank
    group: Integers = np.cumsum(is_blank) - is_blank  # of a blank line, the group that it ends
    number = int(group[-1]) + 1 if len(group) else 0
    has_rows = np.bincount(group[is_row], minlength=number) > 0
    _check_arrangement(lines, group, has_rows, (is_row, is_comment, is_blank), log)
    first = np.full(number, len(group))
    np.minimum.at(first, group[is_row], np.flatnonzero(is_row))
    sentence_of = np.cumsum(has_rows) - 1
    is_good = is_row & (tabs == len(FIELDS) - 1)
    is_sound = np.ones(int(has_rows.sum()), np.bool_)
    for line in np.flatnonzero(is_row & ~is_good).tolist():
        _log_columns(lines[line], line + 1, log)
        is_sound[sentence_of[group[line]]] = False
    leading = np.flatnonzero(is_comment & (np.arange(len(group)) < first[group]) & has_rows[group])
    comments = list(zip(sentence_of[group[leading]].tolist(), leading.tolist(), strict=True))
    good = np.flatnonzero(is_good)
    return Table(lines, _columns(lines, places_of_tabs, good), good + 1, sentence_of[group[good]], comments, is_sound)


def _kinds(lines: Lines, log: ProblemLog) -> tuple[Flags, Flags]:
    """Return whether each line is a comment, or blank."""
    initials = lines.bytes[lines.starts]
    is_comment, is_blank = initials == _HASH, lines.starts == lines.ends
    for line in np.flatnonzero(np.isin(initials, _WHITE_STARTS)).tolist():
        if lines[line].isspace():
            is_blank[line] = True
            log.add("ud.blank-line", "the line is of white space; expected nothing in a blank line", line + 1)
    return is_comment, is_blank


def _check_arrangement(
    lines: Lines, group: Integers, has_rows: Flags, kinds: tuple[Flags, Flags, Flags], log: ProblemLog
) -> None:
    """Log blank lines that end no sentence, comments between rows, and what is wrong at the end of the file."""
    is_row, is_comment, is_blank = kinds
    for line in np.flatnonzero(is_blank & ~has_rows[group]).tolist() if len(group) else ():
        if not lines[line]:
            log.add(
                "ud.blank-line",
                "the blank line ends no sentence; expected one blank line after each sentence, no other",
                line + 1,
            )
    rows = np.cumsum(is_row)
    before_group = np.append(0, rows[is_blank])  # rows before each group
    if len(group):
        misplaced = is_comment & (rows > before_group[group])
        for line in np.flatnonzero(misplaced).tolist():
            log.add("ud.comment", "a comment behind a row of its sentence; expected comments before the first row", line + 1)
    if not is_row.any():
        log.add("ud.no-sentence", "has no sentence; expected rows of ten fields, and a blank line after each sentence", None)
    tail = np.flatnonzero(is_blank)
    rest = slice(int(tail[-1]) + 1 if len(tail) else 0, None)
    if is_row[rest].any():
        log.add("ud.end", "no blank line after the last sentence; end the file with one", len(lines))
    elif is_comment[rest].any():
        line = rest.start + int(np.flatnonzero(is_comment[rest])[0]) + 1
        log.add("ud.end-comment", "comments behind the last sentence belong to none; delete them", line)


def _log_columns(line: str, number: int, log: ProblemLog) -> None:
    fields = line.count("\t") + 1
    hint = ""
    if "\t" not in line and len(line.split()) == len(FIELDS):
        hint = "; there are blanks where tabs should be"
    log.add("ud.columns", f"{plural(fields, 'field')}; expected ten, separated by single tabs{hint}", number)


def _columns(lines: Lines, tabs: Integers, rows: Integers) -> dict[Field, Column]:
    """Return the fields of rows: lines with nine tabs each. `tabs` are the places of all tabs."""
    parts = Bytes(lines.data)
    starts = lines.starts[rows]
    first = np.searchsorted(tabs, starts)
    borders = [starts - 1, *(tabs[first + place] for place in range(len(FIELDS) - 1)), lines.ends[rows]]
    named: list[Field] = list(FIELDS)  # type: ignore[arg-type]
    return {name: Column(*parts.coded(start + 1, end)) for name, (start, end) in zip(named, pairwise(borders), strict=True)}

"""The lines and columns of a CoNLL file as arrays: which lines are tokens, and where their token and tag stand.

Lines end in LF or CR LF and at no other character, so that all of it is done on bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.tasks.spans.options import LAST
from pytest_nlpeval.tasks.spans.strings import WORD, Strings

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

TAB, LINE_FEED, BLANK = b"\t\n "
BOUNDARY = b"-DOCSTART-"

_LINE_ENDS = re.compile(rb"[ \t]+(?=\n)")


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """The columns of all lines: `starts` and `ends` of each, `first` and `counts` say which ones are a line's.

    `separator` stands between two of them, TAB or BLANK; `data` is the file without blanks at line ends, with as many bytes behind it as
    `Strings` needs, and `lines` has the start of each line.
    """

    data: bytes
    separator: int
    lines: Integers
    starts: Integers
    ends: Integers
    first: Integers
    counts: Integers

    def column(self, lines: Integers, number: int) -> Strings:
        """Return a column, from 1 or `LAST`, of some lines; "" for one that a line does not have."""
        counts = self.counts[lines]
        fields = self.first[lines] + (counts if number == LAST else np.minimum(counts, number)) - 1
        starts = self.starts[fields]
        lengths = self.ends[fields] - starts
        lengths[counts < number] = 0
        return Strings(self.data, starts, lengths)

    def line(self, number: int) -> bytes:
        """Return a line, counted from 0, without its end."""
        start = int(self.lines[number])
        return self.data[start : self.data.index(b"\n", start)]


def without_blank_ends(data: bytes) -> bytes:
    """Return lines without the spaces and TABs at their ends."""
    buffer = np.frombuffer(data, np.uint8)
    last = buffer[np.maximum(np.flatnonzero(buffer == LINE_FEED) - 1, 0)]
    return _LINE_ENDS.sub(b"", data) if ((last == BLANK) | (last == TAB)).any() else data


def is_boundary(line: bytes) -> bool:
    """Whether a line without blanks at its end separates sentences."""
    return not line or (line.startswith(BOUNDARY) and line[len(BOUNDARY) :][:1] in {b"", b" ", b"\t"})


def read_fields(data: bytes) -> tuple[Fields, int]:
    """Return the columns of a file without blanks at line ends, and how many its first plain line has, 0 if there is none."""
    plain = next((line for line in _lines(data) if not is_boundary(line) and not line.startswith(b"#")), b"")
    separator = TAB if b"\t" in plain else BLANK
    buffer = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero((buffer == separator) | (buffer == LINE_FEED))
    starts = np.empty_like(ends)
    starts[:1], starts[1:] = 0, ends[:-1] + 1
    last = np.flatnonzero(buffer[ends] == LINE_FEED)
    counts = np.diff(last, prepend=-1)
    first = last - counts + 1
    lines = starts[first]
    if separator == BLANK and (filled := starts < ends).sum() < len(ends):
        of_line = np.repeat(np.arange(len(counts)), counts)
        counts = np.bincount(of_line[filled], minlength=len(counts))
        starts, ends, first = starts[filled], ends[filled], np.cumsum(counts) - counts
    number = len(plain.split(b"\t")) if separator == TAB else len([column for column in plain.split(b" ") if column])
    return Fields(data + bytes(WORD), separator, lines, starts, ends, first, counts), number


def _lines(data: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(data):
        end = data.index(b"\n", start)
        yield data[start:end]
        start = end + 1


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The tokens of a file: the line of each, counted from 0, and the rank of the first token of each sentence."""

    lines: Integers
    first: Integers


def read_table(fields: Fields, number: int, is_tag: Callable[[int], bool]) -> Table:
    """Return which lines are tokens, in sentences.

    `number` is how many columns a plain line has, and `is_tag` says whether a line with as many, which begins with `#`, has a tag.
    """
    initial = np.frombuffer(fields.data, np.uint8)[fields.lines]
    is_end = initial == LINE_FEED
    for line in np.flatnonzero(initial == BOUNDARY[0]).tolist():
        is_end[line] = is_boundary(fields.line(line))
    is_token = ~is_end & (initial != ord("#"))
    if number:
        _admit(np.flatnonzero(initial == ord("#")), is_token, is_end, lambda line: fields.counts[line] == number and is_tag(line))
    else:
        is_token[:] = False
    lines = np.flatnonzero(is_token)
    sentence = np.cumsum(is_end)[lines]
    return Table(lines, np.flatnonzero(np.diff(sentence, prepend=-1)))


def _admit(hashes: Integers, is_token: Flags, is_end: Flags, fits: Callable[[int], bool]) -> None:
    """Flag each line with `#` that is a token: one that looks like it, or that stands behind a token of its sentence."""
    plain, ends = np.flatnonzero(is_token), np.flatnonzero(is_end)
    before = np.append(-1, plain)[np.searchsorted(plain, hashes)]
    end = np.append(-1, ends)[np.searchsorted(ends, hashes)]
    latest = -1
    for line, token, boundary in zip(hashes.tolist(), before.tolist(), end.tolist(), strict=True):
        if max(token, latest) > boundary or fits(line):
            is_token[line] = True
            latest = line

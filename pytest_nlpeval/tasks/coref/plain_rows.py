"""Finds the rows of CorefUD and of CoNLL columns that are as usual, all of a piece of a file together.

A *block* is what stands between blank lines; of CoNLL, between comments, too. In a *plain* one of CorefUD comments stand before the rows,
and these have ten columns each and the IDs 1, 2, … in turn; of CoNLL, each row has two columns or more. Nothing here decides what a block
means: one that is not plain is read row by row, which is also how its problems are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Truths: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]

_LAST_COLUMNS = 9
"""How many tabs a row of CorefUD has."""

NOWHERE = 1 << 62
"""A place behind all text."""

_AT_ONCE = 1 << 20
"""How many bytes, and the rest of a block, are read together."""

BYTES = 8
"""How many bytes are compared as one number."""


class Rows(NamedTuple):
    """The rows of a piece of a file: of each its line and block, counted from 0, and where its word and its last column begin and end.

    `lines` has the line with which each block begins, which is the blank line or comment before it if there is one, and at last how many
    lines there are. `starts` and `ends` are those of all lines, `comments` are the lines that are comments, and `first_rows` says how many
    rows stand before each block, and at last how many there are. The columns of a row in a block that is not plain are anywhere.

    A word has the tab before it if it is the first one of its block and `has_borders`, as in CorefUD; one that is not known is empty.
    """

    text: bytes
    codes: Bytes
    starts: Numbers
    ends: Numbers
    comments: Numbers
    lines: Numbers
    first_rows: Numbers
    line_of: Numbers
    block_of: Numbers
    word_starts: Numbers
    word_ends: Numbers
    last_starts: Numbers
    last_ends: Numbers
    is_plain: Truths
    has_borders: bool

    def words(self) -> tuple[bytes, list[int]]:
        """Return the words of all plain blocks with a tab behind each, and where each block begins, and all end."""
        known = np.flatnonzero(self.is_plain[self.block_of])
        codes, borders = self.together(self.word_starts[known], self.word_ends[known], "\t")
        return codes.tobytes(), borders[np.searchsorted(known, self.first_rows)].tolist()

    def last_columns(self, kept: Truths, end: str) -> tuple[Numbers, Bytes, Numbers]:
        """Return those of some rows that are in plain blocks, their last columns with an end behind each, and where each begins."""
        known = np.flatnonzero(self.is_plain[self.block_of] & kept)
        return known, *self.together(self.last_starts[known], self.last_ends[known], end)

    def together(self, starts: Numbers, ends: Numbers, end: str) -> tuple[Bytes, Numbers]:
        """Return what stands from each start to its end in one text, with an end behind each; and where each begins, and all end."""
        lengths = ends + 1 - starts
        borders = np.append(0, np.cumsum(lengths))
        places = np.repeat(starts - borders[:-1], lengths)
        places += np.arange(len(places))
        codes = self.codes[places]
        codes[borders[1:] - 1] = ord(end)
        return codes, borders

    def lines_from(self, first: int, behind: int) -> list[str]:
        """Return the lines from a first one to the last one before another."""
        return self.text[self.starts[first] : self.ends[behind - 1]].decode().split("\n") if first < behind else []

    def having(self, *texts: bytes) -> Truths:
        """Say of each block whether its comments have one of some texts."""
        codes, borders = self.together(self.starts[self.comments], self.ends[self.comments], "\n")
        places = [sign.start() for sign in re.finditer(b"|".join(map(re.escape, texts)), codes.tobytes())]
        having = np.zeros(len(self.is_plain), np.bool_)
        lines = self.comments[np.searchsorted(borders, places, "right") - 1]
        having[np.searchsorted(self.lines, lines, "right") - 1] = True
        return having


def pieces_of(text: bytes) -> Iterator[bytes]:
    """Yield pieces that end with a block; the first has one block, before which the fields of entities are named nearly always."""
    start = size = 0
    while start < len(text):
        end = text.find(b"\n\n", start + size) + 1 or len(text)
        yield text[start:end]
        start, size = end, _AT_ONCE


def corefud_rows(text: bytes) -> Rows:
    """Return the rows of whole lines of CorefUD, the last one ended as well."""
    codes = np.frombuffer(text, np.uint8)
    marks = np.flatnonzero(codes - ord("\t") < 2)  # a tab or a line end, which is the next number: one pass instead of three
    line_ends = np.flatnonzero(codes[marks] == ord("\n"))
    ends = marks[line_ends]
    starts = np.append(0, ends[:-1] + 1)
    is_blank, is_comment = starts == ends, codes[starts] == ord("#")
    lines, line_of, first_rows, block_of = _blocks(is_blank, ~(is_blank | is_comment))
    tabs = np.maximum(line_ends[line_of] - _LAST_COLUMNS, 0)
    id_starts, id_ends = starts[line_of], marks[tabs]
    ranks = np.arange(len(line_of)) - first_rows[block_of]
    is_row = np.diff(line_ends, prepend=-1)[line_of] == _LAST_COLUMNS + 1
    ids = np.arange(1, ranks.max(initial=0) + 2).astype(f"S{BYTES}").view("<u8")
    is_row &= (packed(codes, id_starts, id_ends) == ids[ranks]) & (id_ends - id_starts <= BYTES)
    is_plain = first_rows[1:] > first_rows[:-1]
    first, last = first_rows[:-1][is_plain], first_rows[1:][is_plain] - 1
    is_plain[is_plain] = (line_of[last] == lines[1:][is_plain] - 1) & (line_of[last] - line_of[first] == last - first)
    is_plain[block_of[~is_row]] = False
    words = id_ends + (ranks > 0), marks[tabs + 1]
    last_columns = marks[line_ends[line_of] - 1] + 1, ends[line_of]
    comments = np.flatnonzero(is_comment)
    return Rows(
        text,
        codes,
        starts,
        ends,
        comments,
        lines,
        first_rows,
        line_of,
        block_of,
        *words,
        *last_columns,
        is_plain,
        has_borders=True,
    )


def conll_rows(text: bytes) -> Rows:
    """Return the rows of whole lines of CoNLL columns, the last one ended as well."""
    codes = np.frombuffer(text, np.uint8)
    marks = np.append(-1, np.flatnonzero((codes == ord("\t")) | (codes == ord("\n")) | (codes == ord(" "))))
    is_behind_cell = np.diff(marks, prepend=-1) > 1
    cells = np.flatnonzero(is_behind_cell)
    line_ends = np.flatnonzero(codes[marks[1:]] == ord("\n")) + 1
    ends = marks[line_ends]
    starts = np.append(0, ends[:-1] + 1)
    behind = np.cumsum(is_behind_cell)[line_ends]
    is_comment = codes[starts] == ord("#")
    is_row = ~is_comment & (np.diff(behind, prepend=0) > 0)
    lines, line_of, first_rows, block_of = _blocks(~is_row, is_row)
    numbers, behind = np.diff(behind, prepend=0)[line_of], behind[line_of]
    last, word = cells[behind - 1], cells[behind - numbers + np.where(numbers > 4, 3, numbers == 3)]
    words = np.where((numbers > 4) | (numbers == 3), marks[word - 1] + 1, marks[word]), marks[word]
    last_columns = marks[last - 1] + 1, marks[last]
    is_plain = np.ones(len(lines) - 1, np.bool_)
    is_plain[block_of[numbers < 2]] = False
    comments = np.flatnonzero(is_comment)
    return Rows(
        text,
        codes,
        starts,
        ends,
        comments,
        lines,
        first_rows,
        line_of,
        block_of,
        *words,
        *last_columns,
        is_plain,
        has_borders=False,
    )


def _blocks(is_border: Truths, is_row: Truths) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return the first line of each block, the line of each row, how many rows stand before each block, and the block of each row."""
    lines = np.concatenate(([0], np.flatnonzero(is_border), [len(is_border)]))
    line_of = np.flatnonzero(is_row)
    first_rows = np.searchsorted(line_of, lines)
    return lines, line_of, first_rows, np.repeat(np.arange(len(lines) - 1), np.diff(first_rows))


_MASKS = np.array([(1 << 8 * length) - 1 for length in range(BYTES + 1)], "<u8")


def packed(codes: Bytes, starts: Numbers, ends: Numbers) -> NDArray[np.uint64]:
    """Return what stands from each start to its end as numbers, which are equal where texts are; of more than 8 bytes, the first ones."""
    windows = np.ndarray(len(codes) + 1, "<u8", np.append(codes, np.zeros(BYTES, np.uint8)).data, strides=(1,))
    numbers: NDArray[np.uint64] = windows[starts] & _MASKS[np.clip(ends - starts, 0, BYTES)]
    return numbers

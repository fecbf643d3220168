"""Finds the sentences of CorefUD whose rows are the words 1, 2, … alone, all of a piece of a file together.

A sentence is *plain* if its comments stand before its rows, and its rows have ten columns each and the IDs 1, 2, … in turn. Nothing here
decides what a sentence means: one that is not plain is read row by row, which is also how its problems are found.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Truths: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]

_LAST_COLUMNS = 9
"""How many tabs a row has."""

NOWHERE = 1 << 62
"""A place behind all text."""


class Rows(NamedTuple):
    """The rows of a piece of a file: of each its line and block, counted from 0, and where its columns begin and end.

    A block is what stands between blank lines. `lines` has the line with which each block begins, and at last the one but one behind the
    piece: each block ends a line before that of the next.
    `starts` and `ends` are those of all lines, and `first_rows` says how many rows stand before each block, and at last how many there are.
    The columns of a row in a block that is not plain are anywhere.
    """

    text: bytes
    codes: Bytes
    starts: Numbers
    ends: Numbers
    lines: Numbers
    first_rows: Numbers
    line_of: Numbers
    block_of: Numbers
    forms: tuple[Numbers, Numbers]
    last_columns: Numbers
    is_plain: Truths

    @classmethod
    def of(cls, text: bytes) -> Self:
        """Return the rows of whole lines, the last one ended as well."""
        codes = np.frombuffer(text, np.uint8)
        ends = np.flatnonzero(codes == ord("\n"))
        starts = np.concatenate(([0], ends[:-1] + 1))
        is_blank = starts == ends
        line_of = np.flatnonzero(~is_blank & (codes[starts] != ord("#")))
        block_of = np.cumsum(is_blank)[line_of]
        blocks = int(is_blank.sum()) + 1
        first_rows = np.searchsorted(block_of, np.arange(blocks + 1))
        tabs = np.concatenate((np.flatnonzero(codes == ord("\t")), np.full(_LAST_COLUMNS + 1, NOWHERE)))
        first_tab = np.searchsorted(tabs, starts[line_of])
        is_row = (tabs[first_tab + _LAST_COLUMNS - 1] < ends[line_of]) & (tabs[first_tab + _LAST_COLUMNS] > ends[line_of])
        id_ends = np.minimum(tabs[first_tab], ends[line_of])
        ranks = np.arange(len(line_of)) - first_rows[block_of]
        is_row &= _is_number(codes, starts[line_of], id_ends, ranks + 1)
        is_row[1:] &= (ranks[1:] == 0) | (np.diff(line_of) == 1)
        lines = np.concatenate(([0], np.flatnonzero(is_blank) + 1, [len(ends) + 1]))
        is_plain = first_rows[1:] > first_rows[:-1]
        is_plain[is_plain] = line_of[first_rows[1:][is_plain] - 1] == lines[1:][is_plain] - 2
        is_plain[block_of[~is_row]] = False
        forms = tabs[first_tab] + 1, tabs[first_tab + 1]
        last_columns = tabs[first_tab + _LAST_COLUMNS - 1] + 1
        return cls(text, codes, starts, ends, lines, first_rows, line_of, block_of, forms, last_columns, is_plain)

    def words(self) -> tuple[bytes, Numbers]:
        """Return the words of all plain blocks with a tab behind each, and one before each block; and where each block begins and ends."""
        known = np.flatnonzero(self.is_plain[self.block_of])
        starts, ends = (bounds[known] for bounds in self.forms)
        is_first = np.diff(self.block_of[known], prepend=-1) > 0
        codes, borders = self.together(starts - is_first, ends)
        return codes.tobytes(), borders[np.searchsorted(known, self.first_rows)]

    def last_cells(self, least: int) -> tuple[Numbers, Bytes, Numbers, Numbers]:
        """Return the rows of plain blocks whose last column has a least length; and these columns, and where each begins and ends."""
        ends = self.ends[self.line_of]
        known = np.flatnonzero(self.is_plain[self.block_of] & (ends - self.last_columns >= least))
        codes, borders = self.together(self.last_columns[known], ends[known])
        return known, codes, borders[:-1], borders[1:] - 1

    def together(self, starts: Numbers, ends: Numbers) -> tuple[Bytes, Numbers]:
        """Return what stands from each start to its end, and what is at the end, in one text; and where each begins, and all end."""
        lengths = ends + 1 - starts
        borders = np.append(0, np.cumsum(lengths))
        return self.codes[np.repeat(starts - borders[:-1], lengths) + np.arange(borders[-1])], borders

    def lines_of(self, block: int) -> list[str]:
        """Return the lines of a block."""
        first, behind = int(self.lines[block]), int(self.lines[block + 1]) - 1
        return [] if first == behind else self.text[self.starts[first] : self.ends[behind - 1]].decode().split("\n")

    def having(self, *texts: bytes) -> Truths:
        """Say of each block whether its comments have one of some texts."""
        is_comment = self.starts < self.ends
        is_comment[self.line_of] = False
        comments = np.flatnonzero(is_comment)
        codes, borders = self.together(self.starts[comments], self.ends[comments])
        places = [found.start() for found in re.finditer(b"|".join(map(re.escape, texts)), codes.tobytes())]
        having = np.zeros(len(self.is_plain), np.bool_)
        having[np.searchsorted(self.lines, comments[np.searchsorted(borders, places, "right") - 1], "right") - 1] = True
        return having


def _is_number(codes: Bytes, starts: Numbers, ends: Numbers, numbers: Numbers) -> Truths:
    """Whether what stands between starts and ends is a number, from 1, without zeros before it."""
    equal = np.zeros(len(numbers), np.bool_)
    lengths = ends - starts
    least = 1
    for length in range(1, len(str(numbers.max(initial=0))) + 1):
        some = np.flatnonzero((lengths == length) & (numbers >= least) & (numbers < 10 * least))
        same = np.ones(len(some), np.bool_)
        for place in range(length):
            same &= codes[starts[some] + place] == ord("0") + numbers[some] // 10 ** (length - 1 - place) % 10
        equal[some] = same
        least *= 10
    return equal

"""Reads a file piece by piece: blocks that are plain together (`plain_rows`), the others line by line."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from pytest_nlpeval.tasks.coref.gathering import Gathering
from pytest_nlpeval.tasks.coref.mentions import STEP
from pytest_nlpeval.tasks.coref.plain_chunks import Found
from pytest_nlpeval.tasks.coref.plain_rows import Rows


@dataclass(slots=True)
class Opened:
    """A document as far as it is read: the number of its words and of the borders before sentences, and the text of these."""

    name: str
    line: int
    words: int = 0
    written: list[bytes] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)

    def add_word(self, word: str) -> None:
        """Add a word, or the empty text before a sentence, or for a word that is not known."""
        self.written.append(f"{word}\t".encode())
        self.words += 1


class Piece:
    """A piece of a file: its rows, their mentions and words, and the number of its first line.

    A row has the place of a word in its document less that of the first one, with the borders before it.
    """

    def __init__(self, rows: Rows, found: Found, number: int) -> None:
        self.rows = rows
        self.found = found
        self.number = number
        self.first_rows: list[int] = rows.first_rows.tolist()
        self.sizes: list[int] = np.diff(rows.first_rows).tolist()
        self._words, self._ends = rows.words()
        self._bounds: list[int] = np.searchsorted(found.lasts, rows.first_rows).tolist()
        self._places = np.stack((found.firsts, found.lasts, found.heads))
        self._places += rows.block_of[found.firsts] * rows.has_borders
        self._lines = rows.line_of[found.firsts] + number

    def add(self, blocks: range, opened: Opened, mentions: Gathering) -> list[int]:
        """Add plain blocks to a document, and return the lines of mentions without head."""
        first, behind = self.first_rows[blocks.start], self.first_rows[blocks.stop]
        some = slice(self._bounds[blocks.start], self._bounds[blocks.stop])
        borders = self.rows.has_borders * len(blocks)
        shift = opened.words - first - self.rows.has_borders * (blocks.start - 1)
        mentions.extend(self.found.ids[some], (self._places[:, some] + shift) * STEP, self._lines[some])
        opened.written.append(self._words[self._ends[blocks.start] : self._ends[blocks.stop]])
        opened.words += behind - first + borders
        headless: list[int] = self._lines[some][self.found.is_headless[some]].tolist()
        return headless

    def begun(self, blocks: range) -> list[str]:
        """Return the ids of mentions of several rows in plain blocks, in the order in which they begin."""
        ids, bounds = self._begun
        return ids[bounds[blocks.start] : bounds[blocks.stop]]

    @cached_property
    def _begun(self) -> tuple[list[str], list[int]]:
        firsts, lasts, begun = self.found.firsts, self.found.lasts, self.found.begun
        several = np.flatnonzero(firsts < lasts)
        order = several[np.argsort(begun[several])]
        return [self.found.ids[rank] for rank in order.tolist()], np.searchsorted(firsts[order], self.rows.first_rows).tolist()


class Reader(Protocol):
    """What reads the blocks and lines of a format."""

    def read_plain(self, piece: Piece, blocks: range) -> None:
        """Read blocks that are plain, without comments that say something."""

    def read_line(self, line: str, number: int) -> None:
        """Read a line."""


def read_piece(piece: Piece, signs: tuple[bytes, ...], reader: Reader) -> int:
    """Read a piece, and return how many lines it has; comments with one of the signs say something."""
    rows, is_plain = piece.rows, piece.found.is_plain
    start = 0
    for block in (*np.flatnonzero(~is_plain | rows.having(*signs)).tolist(), len(is_plain)):
        if start < block:
            reader.read_plain(piece, range(start, block))
        start = block
        if block < len(is_plain):
            first, behind = rows.lines[block : block + 2].tolist()
            if is_plain[block]:
                behind -= piece.first_rows[block + 1] - piece.first_rows[block]
            else:
                start = block + 1
            for number, line in enumerate(rows.lines_from(first, behind), piece.number + first):
                reader.read_line(line, number)
    return len(rows.ends)

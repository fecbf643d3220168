"""Reads the columns of CoNLL-2011 and 2012: a token per line, its last column the mentions that begin and end there."""

from __future__ import annotations

import re
from collections import defaultdict

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.document import Document, Documents, named
from pytest_nlpeval.tasks.coref.gathering import Gathering
from pytest_nlpeval.tasks.coref.mentions import STEP
from pytest_nlpeval.tasks.coref.options import Options
from pytest_nlpeval.tasks.coref.piecewise import Opened, Piece, read_piece
from pytest_nlpeval.tasks.coref.plain_columns import NOTHING, find_mentions
from pytest_nlpeval.tasks.coref.plain_rows import conll_rows, pieces_of
from pytest_nlpeval.wording import quoted

BEGIN = re.compile(r"#[ \t]*begin document\b(.*)")
END = re.compile(r"#[ \t]*end document\b.*")
_PART = re.compile(r"\((.*)\); part ([0-9]+)")
_PIECE = re.compile(r"\(([0-9]++)\)|\(([0-9]++)|([0-9]++)\)")
_COLUMN = re.compile(rf"(?>{_PIECE.pattern})(?>\|?(?:{_PIECE.pattern}))*+")
_SIGNS = (b"document",)
"""What the comments have that say something."""


def read_conll(text: bytes, options: Options, log: ProblemLog) -> Documents:
    """Return the documents of a file, of which `read_text` made whole lines; whatever is wrong is logged."""
    file = _File(options, log)
    number = 1
    for piece in pieces_of(text):
        rows = conll_rows(piece)
        number += read_piece(Piece(rows, find_mentions(rows), number), _SIGNS, file)
    file.end_document(", with the file")
    return Documents("conll", named(file.documents, log), file.mentions.in_order())


def _name_of(text: str, number: int) -> str:
    """Return the name of a document: `(X); part 007` is X_7, and one without a name has its number in the file."""
    name = text.strip()
    part = _PART.fullmatch(name)
    return f"{part[1]}_{part[2].lstrip('0') or 0}" if part else name or str(number)


def _cells_of(line: str) -> list[str]:
    r"""Return what stands between blanks and tabs, which alone part columns.

    >>> _cells_of("a\t b\u00a0c")
    ['a', 'b\xa0c']
    """
    return [cell for cell in line.replace("\t", " ").split(" ") if cell]


def _pieces_of(column: str) -> list[tuple[str, str, str]]:
    """Return the pieces of a column, none if it cannot be read.

    >>> _pieces_of("(1)|(2|3)")
    [('1', '', ''), ('', '2', ''), ('', '', '3')]
    """
    return _PIECE.findall(column) if _COLUMN.fullmatch(column) else []


class _File:
    """The reader's state: the document that it is in, and the mentions of each entity that have begun and not ended, as (place, line)."""

    def __init__(self, options: Options, log: ProblemLog) -> None:
        self.log = log
        self.documents: list[Document] = []
        self.mentions = Gathering(options, log)
        self._opened: Opened | None = None
        self._begun: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)

    def read_plain(self, piece: Piece, blocks: range) -> None:
        """Read rows in which no mention is open that they end; a mention around them may be open."""
        if self._opened is not None:
            piece.add(blocks, self._opened, self.mentions)
            for name in piece.begun(blocks):  # mentions that do not end are told in the order in which their entities began any
                self._begun.setdefault(name, [])
            return
        for row in range(piece.first_rows[blocks.start], piece.first_rows[blocks.stop]):
            self._say_outside(piece.number + int(piece.rows.line_of[row]))

    def read_line(self, line: str, number: int) -> None:
        """Read a line."""
        if not line.startswith("#"):
            if cells := _cells_of(line):
                self._read_row(cells, number)
        elif begins := BEGIN.fullmatch(line):
            self.end_document(f" before line {number}")
            self._opened = Opened(_name_of(begins[1], len(self.documents) + 1), number)
        elif END.fullmatch(line):
            self.end_document()

    def _read_row(self, cells: list[str], number: int) -> None:
        if self._opened is None:
            self._say_outside(number)
            return
        place = 3 if len(cells) > 4 else 1 if len(cells) == 3 else None
        self._opened.add_word("" if place is None else cells[place])
        if len(cells) == 1:
            self.log.add("coref.columns", "has 1 column; expected at least a token's own and that of its mentions", number)
        elif cells[-1] not in [*NOTHING]:
            self._add_mentions(cells[-1], self._opened.words - 1, number)

    def _say_outside(self, number: int) -> None:
        message = "a token outside a document; expected a line `#begin document` before it"
        self.log.add("coref.outside", message, number)

    def _add_mentions(self, column: str, place: int, number: int) -> None:
        """Read a token's pieces: first all `(N)`, then all `(N`, then all `N)`."""
        pieces = _pieces_of(column)
        if not pieces:
            message = f"{quoted(column)} cannot be read; expected `-`, or pieces such as `(5)`, `(5` and `5)` with `|` between"
            self.log.add("coref.brackets", message, number)
            return
        ends: list[str] = []
        ended: set[str] = set()
        for whole, begun, end in pieces:
            if whole:
                self.mentions.add(whole, place * STEP, place * STEP, place * STEP, number)
            elif end:
                ends.append(end)
                ended.add(end)
            else:
                self._begun[begun].append((place, number))
                if begun in ended:
                    message = f"in {column}, ({begun} stands behind {begun}): it is read first, so that a mention of this token ends here"
                    self.log.add("coref.crossing", message, number)
        for end in ends:
            if self._begun[end]:
                first, line = self._begun[end].pop()
                self.mentions.add(end, first * STEP, place * STEP, first * STEP, line)
            else:
                self.log.add("coref.unopened", f"{end}) ends a mention of entity {end} that has not begun", number)

    def end_document(self, where: str = "") -> None:
        """End the document, if there is one, perhaps without a line that says so; mentions that have not ended are logged."""
        if self._opened is None:
            return
        opened = self._opened
        if where:
            self.log.add("coref.end", f"the document ends without a line `#end document`{where}", opened.line)
        for name, begun in self._begun.items():
            for _, line in begun:
                self.log.add("coref.unclosed", f"({name} begins a mention that does not end in its document", line)
        self._begun.clear()
        self.mentions.end_document()
        self.documents.append(Document(opened.name, opened.line, opened.words, b"".join(opened.written), len(self.documents)))
        self._opened = None

"""Reads the columns of CoNLL-2011 and 2012: a token per line, its last column the mentions that begin and end there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.document import Document, Documents, named
from pytest_nlpeval.tasks.coref.gathering import Gathering
from pytest_nlpeval.tasks.coref.mentions import STEP
from pytest_nlpeval.tasks.coref.options import Options
from pytest_nlpeval.wording import quoted

BEGIN = re.compile(r"#[ \t]*begin document\b(.*)")
END = re.compile(r"#[ \t]*end document\b.*")
_PART = re.compile(r"\((.*)\); part ([0-9]+)")
_PIECE = re.compile(r"\(([0-9]++)\)|\(([0-9]++)|([0-9]++)\)")
_COLUMN = re.compile(rf"(?>{_PIECE.pattern})(?>\|?(?:{_PIECE.pattern}))*+")
_NOTHING = frozenset("-_*")
_BORDER = "\0"
"""What is written between rows that are split together: no text has it."""

_AT_ONCE = 2_000
"""How many rows of a sentence are split together: more would take much memory."""


def read_conll(lines: Sequence[str], options: Options, log: ProblemLog) -> Documents:
    """Return the documents of a file; whatever is wrong is logged."""
    documents: list[Document] = []
    mentions = Gathering(options, log)
    opened: _Opened | None = None
    start = 0
    for end in (*(rank for rank, line in enumerate(lines) if not line or line[0] in "# \t"), len(lines)):
        _read_rows(lines[start:end], start + 1, opened, log)
        start = end + 1
        line = lines[end] if end < len(lines) else ""
        if line.startswith("#"):
            begins = BEGIN.fullmatch(line)
            if opened and (begins or END.fullmatch(line)):
                if begins:
                    log.add("coref.end", f"the document ends without a line `#end document` before line {start}", opened.line)
                documents.append(opened.closed(len(documents), log))
                opened = None
            if begins:
                opened = _Opened(_name_of(begins[1], len(documents) + 1), start, mentions)
        elif line.strip(" \t"):
            _read_rows([line], start, opened, log)
    if opened:
        log.add("coref.end", "the document ends without a line `#end document`, with the file", opened.line)
        documents.append(opened.closed(len(documents), log))
    return Documents("conll", named(documents, log), mentions.in_order())


def _read_rows(rows: Sequence[str], number: int, opened: _Opened | None, log: ProblemLog) -> None:
    """Read rows, the first of which is the line `number`, into the document that has begun."""
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        if opened is not None:
            opened.read(some, number + start, log)
            continue
        for line in range(number + start, number + start + len(some)):
            log.add("coref.outside", "a token outside a document; expected a line `#begin document` before it", line)


def _name_of(text: str, number: int) -> str:
    """Return the name of a document: `(X); part 007` is X_7, and one without a name has its number in the file."""
    name = text.strip()
    part = _PART.fullmatch(name)
    return f"{part[1]}_{part[2].lstrip('0') or 0}" if part else name or str(number)


def _words_and_mentions(rows: Sequence[str]) -> tuple[list[str | None], list[str | None]]:
    r"""Return the word of each row, None if it is not known, and the last column; None if it is the only one.

    Rows of one number of columns, as those of a sentence are, are split together.

    >>> _words_and_mentions(["d 0  0\tThe (1", "d 0  1\tferry 1)"])
    (['The', 'ferry'], ['(1', '1)'])
    """
    cells = _cells_of(f" {_BORDER} ".join(rows))
    number = cells.index(_BORDER) if len(rows) > 1 else len(cells)
    if cells[number :: number + 1] == [_BORDER] * (len(rows) - 1) and len(cells) == (number + 1) * len(rows) - 1:
        word = _place_of_word(number)
        words: list[str | None] = [None] * len(rows) if word is None else [*cells[word :: number + 1]]
        return words, [*cells[number - 1 :: number + 1]] if number > 1 else [None] * len(rows)
    parts = [_words_and_mentions([row]) for row in rows]
    return [word for (word,), _ in parts], [mentions for _, (mentions,) in parts]


def _cells_of(text: str) -> list[str]:
    r"""Return what stands between blanks and tabs, which alone part columns; `str.split` knows other white space, and is faster.

    >>> _cells_of("a\t b"), _cells_of("a\u00a0b c")
    (['a', 'b'], ['a\xa0b', 'c'])
    """
    cells = text.split()
    if sum(map(len, cells)) == len(text) - text.count(" ") - text.count("\t"):
        return cells
    return [cell for cell in text.replace("\t", " ").split(" ") if cell]


def _place_of_word(number: int) -> int | None:
    """Return which of so many columns has the word, None if it is not known."""
    return 3 if number > 4 else 1 if number == 3 else None


def _pieces_of(column: str) -> list[tuple[str, str, str]]:
    """Return the pieces of a column, none if it cannot be read.

    >>> _pieces_of("(1)|(2|3)")
    [('1', '', ''), ('', '2', ''), ('', '', '3')]
    """
    return _PIECE.findall(column) if _COLUMN.fullmatch(column) else []


_SHORT = 16
"""How many characters a column has fewer than if its pieces are remembered: short ones come again."""

_short_pieces_of = lru_cache(4_096)(_pieces_of)


@dataclass(slots=True)
class _Opened:
    """A document as far as it is read: `open` has the mentions of each entity that have begun and not ended, as (place, line)."""

    name: str
    line: int
    mentions: Gathering
    words: list[str | None] = field(default_factory=list)
    open: defaultdict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    def read(self, rows: Sequence[str], number: int, log: ProblemLog) -> None:
        """Read rows, the first of which is the line `number`."""
        words, mentions = _words_and_mentions(rows)
        for place, column in enumerate(mentions):
            if column is None:
                message = "has 1 column; expected at least a token's own and that of its mentions"
                log.add("coref.columns", message, number + place)
            elif column not in _NOTHING:
                self._add_mentions(column, len(self.words) + place, number + place, log)
        self.words += words

    def _add_mentions(self, column: str, place: int, number: int, log: ProblemLog) -> None:
        """Read a token's pieces: first all `(N)`, then all `(N`, then all `N)`."""
        pieces = (_short_pieces_of if len(column) < _SHORT else _pieces_of)(column)
        if not pieces:
            message = f"{quoted(column)} cannot be read; expected `-`, or pieces such as `(5)`, `(5` and `5)` with `|` between"
            log.add("coref.brackets", message, number)
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
                self.open[begun].append((place, number))
                if begun in ended:
                    message = f"in {column}, ({begun} stands behind {begun}): it is read first, so that a mention of this token ends here"
                    log.add("coref.crossing", message, number)
        for end in ends:
            if self.open[end]:
                first, line = self.open[end].pop()
                self.mentions.add(end, first * STEP, place * STEP, first * STEP, line)
            else:
                log.add("coref.unopened", f"{end}) ends a mention of entity {end} that has not begun", number)

    def closed(self, rank: int, log: ProblemLog) -> Document:
        """Return the document; mentions that have not ended are logged."""
        for name, opened in self.open.items():
            for _, line in opened:
                log.add("coref.unclosed", f"({name} begins a mention that does not end in its document", line)
        self.mentions.end_document()
        return Document(self.name, self.line, len(self.words), self.words, rank)

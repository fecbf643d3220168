"""Reads the columns of CoNLL-2011 and 2012: a token per line, its last column the mentions that begin and end there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.document import Document, Documents, entities_of, named
from pytest_nlpeval.tasks.coref.mentions import Mention, words_from
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
    opened: _Opened | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip(" \t"):
            if opened:
                opened.read_rows(log)
        elif line[0] == "#":
            begins = BEGIN.fullmatch(line)
            if opened and (begins or END.fullmatch(line)):
                if begins:
                    log.add("coref.end", f"the document ends without a line `#end document` before line {number}", opened.line)
                documents.append(opened.closed(options, log))
                opened = None
            if begins:
                opened = _Opened(_name_of(begins[1], len(documents) + 1), number)
        elif opened is None:
            log.add("coref.outside", "a token outside a document; expected a line `#begin document` before it", number)
        else:
            opened.add(line, number, log)
    if opened:
        log.add("coref.end", "the document ends without a line `#end document`, with the file", opened.line)
        documents.append(opened.closed(options, log))
    return Documents("conll", named(documents, log))


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


@dataclass(slots=True)
class _Opened:
    """A document as far as it is read: `open` has the mentions of each entity that have begun and not ended, as (place, line).

    `rows` are those that are not yet read, and `numbers` their lines.
    """

    name: str
    line: int
    words: list[str | None] = field(default_factory=list)
    entities: defaultdict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))
    open: defaultdict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    rows: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def add(self, line: str, number: int, log: ProblemLog) -> None:
        """Add the line of a token."""
        self.rows.append(line)
        self.numbers.append(number)
        if len(self.rows) == _AT_ONCE:
            self.read_rows(log)

    def read_rows(self, log: ProblemLog) -> None:
        """Read the rows that are not yet read."""
        if not self.rows:
            return
        words, mentions = _words_and_mentions(self.rows)
        for place, (column, number) in enumerate(zip(mentions, self.numbers, strict=True), len(self.words)):
            if column is None:
                log.add("coref.columns", "has 1 column; expected at least a token's own and that of its mentions", number)
            elif column not in _NOTHING:
                self._add_mentions(column, place, number, log)
        self.words += words
        self.rows.clear()
        self.numbers.clear()

    def _add_mentions(self, column: str, place: int, number: int, log: ProblemLog) -> None:
        """Read a token's pieces: first all `(N)`, then all `(N`, then all `N)`."""
        if not _COLUMN.fullmatch(column):
            message = f"{quoted(column)} cannot be read; expected `-`, or pieces such as `(5)`, `(5` and `5)` with `|` between"
            log.add("coref.brackets", message, number)
            return
        pieces = _PIECE.findall(column)
        ended: set[str] = set()
        for whole, begun, end in pieces:
            if whole:
                self.entities[whole].append(_mention(place, place, number))
            elif begun:
                self.open[begun].append((place, number))
                if begun in ended:
                    message = f"in {column}, ({begun} stands behind {begun}): it is read first, so that a mention of this token ends here"
                    log.add("coref.crossing", message, number)
            ended.add(end)
        for *_, end in pieces:
            if end and self.open[end]:
                first, line = self.open[end].pop()
                self.entities[end].append(_mention(first, place, line))
            elif end:
                log.add("coref.unopened", f"{end}) ends a mention of entity {end} that has not begun", number)

    def closed(self, options: Options, log: ProblemLog) -> Document:
        """Return the document; mentions that have not ended are logged."""
        self.read_rows(log)
        for name, opened in self.open.items():
            for _, line in opened:
                log.add("coref.unclosed", f"({name} begins a mention that does not end in its document", line)
        return Document(self.name, self.line, len(self.words), self.words, entities_of(self.entities.values(), options, log))


def _mention(first: int, last: int, line: int) -> Mention:
    places = words_from(first, last)
    return Mention(places, places[0], line)

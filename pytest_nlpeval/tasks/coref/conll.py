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


def read_conll(lines: Sequence[str], options: Options, log: ProblemLog) -> Documents:
    """Return the documents of a file; whatever is wrong is logged."""
    documents: list[Document] = []
    opened: _Opened | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip(" \t"):
            continue
        if line[0] == "#":
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


@dataclass(slots=True)
class _Opened:
    """A document as far as it is read: `open` has the mentions of each entity that have begun and not ended, as (place, line)."""

    name: str
    line: int
    words: list[str | None] = field(default_factory=list)
    entities: defaultdict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))
    open: defaultdict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, line: str, number: int, log: ProblemLog) -> None:
        """Read the line of a token."""
        columns = [column for column in line.replace("\t", " ").split(" ") if column]
        place = len(self.words)
        self.words.append(columns[3] if len(columns) > 4 else columns[1] if len(columns) == 3 else None)
        if len(columns) < 2:
            log.add("coref.columns", "has 1 column; expected at least a token's own and that of its mentions", number)
        elif columns[-1] not in _NOTHING:
            self._add_mentions(columns[-1], place, number, log)

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
        for name, opened in self.open.items():
            for _, line in opened:
                log.add("coref.unclosed", f"({name} begins a mention that does not end in its document", line)
        return Document(self.name, self.line, len(self.words), self.words, entities_of(self.entities.values(), options, log))


def _mention(first: int, last: int, line: int) -> Mention:
    places = words_from(first, last)
    return Mention(places, places[0], line)

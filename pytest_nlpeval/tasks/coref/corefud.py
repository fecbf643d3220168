"""Reads CorefUD: CoNLL-U whose last column says, under `Entity`, which mentions begin and end at a word or an empty node."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.document import Document, Documents, named
from pytest_nlpeval.tasks.coref.entity_chunks import Fields, Heads, Sentence
from pytest_nlpeval.tasks.coref.gathering import Gathering
from pytest_nlpeval.tasks.coref.mentions import STEP
from pytest_nlpeval.tasks.coref.options import Options
from pytest_nlpeval.tasks.coref.plain_entities import Found, find_mentions
from pytest_nlpeval.tasks.coref.plain_rows import Numbers, Rows
from pytest_nlpeval.wording import plural, quoted

_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?\s*")
HEADER = re.compile(r"#\s*global\.Entity\s*=\s*(\S.*)")
_RANGE = re.compile(r"[0-9]+-[0-9]+")
_AT_ONCE = 1 << 20
"""How many bytes, and the rest of a sentence, are read together."""

_EMPTY = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


def read_corefud(text: bytes, options: Options, log: ProblemLog) -> Documents:
    """Return the documents of a file, of which `read_text` made whole lines; whatever is wrong is logged."""
    file = _File(options, log)
    number = 1
    for piece in _pieces(text):
        file.read_piece(piece, number)
        number += piece.count(b"\n")
    file.end_document()
    file.heads.say(log)
    return Documents("corefud", named(file.documents, log), file.mentions.in_order())


def _pieces(text: bytes) -> Iterator[bytes]:
    """Yield pieces that end with a sentence; the first has one sentence, before which the fields of entities are named nearly always."""
    start = size = 0
    while start < len(text):
        end = text.find(b"\n\n", start + size) + 2
        yield text[start : end if end > 1 else len(text)]
        start, size = end if end > 1 else len(text), _AT_ONCE


def _entity_of(misc: str) -> str | None:
    """Return the attribute `Entity` of the last column, None if it has none.

    >>> _entity_of("SpaceAfter=No|Entity=(e1)|Gloss=it")
    '(e1)'
    """
    if misc.startswith("Entity="):  # nearly always: attributes are sorted
        return misc[len("Entity=") :].partition("|")[0]
    _, is_there, rest = misc.partition("|Entity=")
    return rest.partition("|")[0] if is_there else None


@dataclass(slots=True)
class _Opened:
    """A document as far as it is read: the number of its words and of the borders before sentences, and the text of these."""

    name: str
    line: int
    words: int = 0
    written: list[bytes] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)

    def add_word(self, word: str) -> None:
        """Add a word, or the empty text before a sentence."""
        self.written.append(f"{word}\t".encode())
        self.words += 1


class _File:
    """The reader's state: the document and the sentence that it is in, and the fields of entities."""

    def __init__(self, options: Options, log: ProblemLog) -> None:
        self.log = log
        self.documents: list[Document] = []
        self.heads = Heads()
        self.mentions = Gathering(options, log)
        self._fields: Fields | None = None
        self._header = ""
        self._opened: _Opened | None = None
        self._sentence: Sentence | None = None
        self._word = 0
        self._empty = 0
        self._is_broken = False
        self._places: list[int] = []
        self._dependencies: list[str] = []

    def read_piece(self, text: bytes, number: int) -> None:
        """Read whole sentences, the plain ones together, the others row by row; `number` is that of the first line."""
        rows = Rows.of(text)
        found = find_mentions(rows, self._fields)
        words = rows.words()
        start = 0
        for block in (*np.flatnonzero(~found.is_plain | rows.having(b"newdoc", b"global.Entity")).tolist(), len(found.is_plain)):
            if start < block:
                self._read_plain(rows, found, words, range(start, block), number)
            start = block
            if block < len(found.is_plain):
                lines = rows.lines_of(block)
                if found.is_plain[block]:
                    lines = [line for line in lines if line[0] == "#"]
                else:
                    start = block + 1
                for rank, line in enumerate(lines, number + int(rows.lines[block])):
                    self._read_line(line, rank)
                self.end_sentence()

    def _read_plain(self, rows: Rows, found: Found, words: tuple[bytes, Numbers], blocks: range, number: int) -> None:
        """Read sentences that are plain, and stand in one document."""
        first, behind = rows.first_rows[blocks.start], rows.first_rows[blocks.stop]
        opened = self._begin_document(number + int(rows.line_of[first]))
        mentions = slice(*np.searchsorted(found.lasts, (first, behind)))
        shift = opened.words - first - blocks.start + 1
        borders = rows.block_of[found.firsts[mentions]] + shift
        firsts, lasts, heads = ((column[mentions] + borders) * STEP for column in (found.firsts, found.lasts, found.heads))
        lines = rows.line_of[found.firsts[mentions]] + number
        self.mentions.extend(found.ids[mentions], firsts, lasts, heads, lines)
        for line in lines[found.is_headless[mentions]].tolist():
            self.heads.miss(line)
        text, ends = words
        opened.written.append(text[ends[blocks.start] : ends[blocks.stop]])
        opened.words += int(behind - first) + len(blocks)
        opened.sentences += np.diff(rows.first_rows[blocks.start : blocks.stop + 1]).tolist()

    def _read_line(self, line: str, number: int) -> None:
        """Read a line that is not empty."""
        if line.isspace():
            self.end_sentence()
        elif line[0] == "#":
            self.read_comment(line, number)
        else:
            self._read_row(line, number)

    def read_comment(self, line: str, number: int) -> None:
        """Read a comment: the beginning of a document, or the names of an entity's fields."""
        if begins := _NEWDOC.fullmatch(line):
            self.end_document()
            name = (begins[1] or "").strip()
            self._opened = _Opened(name or str(len(self.documents) + 1), number)
        elif header := HEADER.fullmatch(line):
            self._read_header(header[1].strip(), number)

    def _read_header(self, text: str, number: int) -> None:
        if self._header and text != self._header:
            self.log.add("coref.header", f"says {quoted(text)}, and another line {quoted(self._header)}; expected one", number)
        elif not self._header:
            self._header = text
            self._fields = Fields.of(text)
            if self._fields is None:
                message = f"{quoted(text)} names neither eid nor GRP; expected such as `eid-etype-head-other`"
                self.log.add("coref.header", message, number)

    def _read_row(self, line: str, number: int) -> None:
        """Read the row of a word, of an empty node, or of a multiword token, which does not count."""
        columns = line.split("\t")
        if len(columns) != 10:
            message = f"has {plural(len(columns), 'column')}, with a tab between two of them; expected 10"
            self.log.add("coref.columns", message, number)
            self._is_broken = True
            return
        name, misc = columns[0], columns[9]
        opened = self._begin_document(number)
        if (sentence := self._sentence) is None:
            self._places, self._dependencies = [], []
            sentence = self._begin_sentence(opened, self._places, self._dependencies)
        if name == str(self._word + 1):
            self._word += 1
            self._empty = 0
            opened.add_word(columns[1])
        elif _RANGE.fullmatch(name):
            if _entity_of(misc) is not None:
                message = "a row of a multiword token has `Entity`, which does not count; write it at one of its words"
                self.log.add("coref.range", message, number)
            return
        elif not self._is_empty_node(name, number):
            return
        self._places.append((opened.words - 1) * STEP + self._empty)
        self._dependencies.append(columns[8])
        if "Entity=" in misc:
            self._read_entity(misc, sentence, len(self._places) - 1, number)

    def _read_entity(self, misc: str, sentence: Sentence, node: int, number: int) -> None:
        """Read the mentions that begin and end at a node of a sentence, by its rank."""
        entity = _entity_of(misc)
        if entity is not None and self._fields is not None:
            sentence.read(entity, node, self._fields, number, self.log)
        elif entity is not None and not self._header:
            message = "has `Entity`, and no line `# global.Entity = eid-…` before it names its fields"
            self.log.add("coref.header", message, number)

    def _is_empty_node(self, name: str, number: int) -> bool:
        """Whether an ID is that of the next empty node, which is then counted; if not, the first one of a sentence is logged."""
        empty = _EMPTY.fullmatch(name)
        if empty and int(empty[1]) == self._word and int(empty[2]) > self._empty:
            self._empty = int(empty[2])
            return True
        if not self._is_broken:
            message = f"the ID {quoted(name)}; expected {self._word + 1}, or {self._word}.{self._empty + 1} for an empty node"
            self.log.add("coref.ids", f"{message} (a blank line ends a sentence)", number)
        self._is_broken = True
        return False

    def _begin_document(self, number: int) -> _Opened:
        """Return the document that a row belongs to, which is new if none has begun."""
        if self._opened is None:
            self._opened = _Opened(str(len(self.documents) + 1), number)
        return self._opened

    def _begin_sentence(self, opened: _Opened, places: Sequence[int], dependencies: Sequence[str]) -> Sentence:
        self._sentence = Sentence(len(opened.sentences), places, dependencies, self.mentions)
        opened.add_word("")
        self._word = self._empty = 0
        return self._sentence

    def end_sentence(self) -> None:
        """End the sentence, if there is one."""
        if self._sentence and self._opened:
            self._sentence.end(self.heads, self.log)
            self._opened.sentences.append(self._word)
            self._sentence = None
        self._is_broken = False

    def end_document(self) -> None:
        """End the document, if there is one."""
        self.end_sentence()
        if opened := self._opened:
            self.mentions.end_document()
            length, rank = sum(opened.sentences), len(self.documents)
            self.documents.append(Document(opened.name, opened.line, length, b"".join(opened.written), rank, opened.sentences))
            self._opened = None

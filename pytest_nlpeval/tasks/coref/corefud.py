"""Reads CorefUD: CoNLL-U whose last column says, under `Entity`, which mentions begin and end at a word or an empty node."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.document import Document, Documents, named
from pytest_nlpeval.tasks.coref.entity_chunks import Fields, Heads, Sentence
from pytest_nlpeval.tasks.coref.gathering import Gathering
from pytest_nlpeval.tasks.coref.mentions import STEP
from pytest_nlpeval.tasks.coref.options import Options
from pytest_nlpeval.tasks.coref.piecewise import Opened, Piece, read_piece
from pytest_nlpeval.tasks.coref.plain_entities import find_mentions
from pytest_nlpeval.tasks.coref.plain_rows import corefud_rows, pieces_of
from pytest_nlpeval.wording import plural, quoted

_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?\s*")
HEADER = re.compile(r"#\s*global\.Entity\s*=\s*(\S.*)")
_RANGE = re.compile(r"[0-9]+-[0-9]+")
_SIGNS = b"newdoc", b"global.Entity"
"""What the comments have that say something."""

_EMPTY = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


def read_corefud(text: bytes, options: Options, log: ProblemLog) -> Documents:
    """Return the documents of a file, of which `read_text` made whole lines; whatever is wrong is logged."""
    file = _File(options, log)
    number = 1
    for piece in pieces_of(text):
        rows = corefud_rows(piece)
        number += read_piece(Piece(rows, find_mentions(rows, file.fields), number), _SIGNS, file)
    file.end_document()
    file.heads.say(log)
    return Documents("corefud", named(file.documents, log), file.mentions.in_order())


def _entity_of(misc: str) -> str | None:
    """Return the attribute `Entity` of the last column, None if it has none.

    >>> _entity_of("SpaceAfter=No|Entity=(e1)|Gloss=it")
    '(e1)'
    """
    if misc.startswith("Entity="):  # nearly always: attributes are sorted
        return misc[len("Entity=") :].partition("|")[0]
    _, is_there, rest = misc.partition("|Entity=")
    return rest.partition("|")[0] if is_there else None


class _File:
    """The reader's state: the document and the sentence that it is in, and the fields of entities."""

    def __init__(self, options: Options, log: ProblemLog) -> None:
        self.log = log
        self.documents: list[Document] = []
        self.heads = Heads()
        self.mentions = Gathering(options, log)
        self.fields: Fields | None = None
        self._header = ""
        self._opened: Opened | None = None
        self._sentence: Sentence | None = None
        self._word = 0
        self._empty = 0
        self._is_broken = False
        self._places: list[int] = []
        self._dependencies: list[str] = []

    def read_plain(self, piece: Piece, blocks: range) -> None:
        """Read sentences that are plain, and stand in one document."""
        self.end_sentence()
        opened = self._begin_document(piece.number + int(piece.rows.line_of[piece.first_rows[blocks.start]]))
        for line in piece.add(blocks, opened, self.mentions):
            self.heads.miss(line)
        opened.sentences += piece.sizes[blocks.start : blocks.stop]

    def read_line(self, line: str, number: int) -> None:
        """Read a line."""
        if not line.strip():
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
            self._opened = Opened(name or str(len(self.documents) + 1), number)
        elif header := HEADER.fullmatch(line):
            self._read_header(header[1].strip(), number)

    def _read_header(self, text: str, number: int) -> None:
        if self._header and text != self._header:
            self.log.add("coref.header", f"says {quoted(text)}, and another line {quoted(self._header)}; expected one", number)
        elif not self._header:
            self._header = text
            self.fields = Fields.of(text)
            if self.fields is None:
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
        if entity is not None and self.fields is not None:
            sentence.read(entity, node, self.fields, number, self.log)
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

    def _begin_document(self, number: int) -> Opened:
        """Return the document that a row belongs to, which is new if none has begun."""
        if self._opened is None:
            self._opened = Opened(str(len(self.documents) + 1), number)
        return self._opened

    def _begin_sentence(self, opened: Opened, places: Sequence[int], dependencies: Sequence[str]) -> Sentence:
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

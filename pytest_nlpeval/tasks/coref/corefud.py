"""Reads CorefUD: CoNLL-U whose last column says, under `Entity`, which mentions begin and end at a word or an empty node."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.document import Document, Documents, entities_of, named
from pytest_nlpeval.tasks.coref.entity_chunks import Fields, Heads, Node, Sentence
from pytest_nlpeval.tasks.coref.mentions import STEP, Mention
from pytest_nlpeval.tasks.coref.options import Options
from pytest_nlpeval.wording import plural, quoted

_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?\s*")
HEADER = re.compile(r"#\s*global\.Entity\s*=\s*(\S.*)")
_RANGE = re.compile(r"[0-9]+-[0-9]+")
_EMPTY = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")
_ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")


def read_corefud(lines: Sequence[str], options: Options, log: ProblemLog) -> Documents:
    """Return the documents of a file; whatever is wrong is logged."""
    file = _File(options, log)
    for number, line in enumerate(lines, 1):
        if not line or line.isspace():
            file.end_sentence()
        elif line[0] == "#":
            file.read_comment(line, number)
        else:
            file.read_row(line, number)
    file.end_document()
    file.heads.say(log)
    return Documents("corefud", named(file.documents, log))


@dataclass(slots=True)
class _Opened:
    """A document as far as it is read."""

    name: str
    line: int
    words: list[str | None] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    entities: dict[str, list[Mention]] = field(default_factory=dict)


class _File:
    """The reader's state: the document and the sentence that it is in, and the fields of entities."""

    def __init__(self, options: Options, log: ProblemLog) -> None:
        self.options = options
        self.log = log
        self.documents: list[Document] = []
        self.heads = Heads()
        self._fields: Fields | None = None
        self._header = ""
        self._opened: _Opened | None = None
        self._sentence: Sentence | None = None
        self._word = 0
        self._empty = 0
        self._is_broken = False

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

    def read_row(self, line: str, number: int) -> None:
        """Read the row of a word, of an empty node, or of a multiword token, which does not count."""
        columns = line.split("\t")
        if len(columns) != 10:
            message = f"has {plural(len(columns), 'column')}, with a tab between two of them; expected 10"
            self.log.add("coref.columns", message, number)
            self._is_broken = True
            return
        name, misc = columns[0], columns[9]
        entity = _ENTITY.search(misc) if "Entity=" in misc else None
        sentence = self._sentence or self._begin_sentence(number)
        if name == str(self._word + 1):
            self._word += 1
            self._empty = 0
            words = self._opened.words if self._opened else []
            words.append(columns[1])
        elif _RANGE.fullmatch(name):
            if entity:
                message = "a row of a multiword token has `Entity`, which does not count; write it at one of its words"
                self.log.add("coref.range", message, number)
            return
        elif not self._is_empty_node(name, number):
            return
        node = Node((sentence.base + self._word) * STEP + self._empty, columns[8])
        sentence.nodes.append(node)
        if entity:
            if self._fields is None:
                if not self._header:
                    message = "has `Entity`, and no line `# global.Entity = eid-…` before it names its fields"
                    self.log.add("coref.header", message, number)
            else:
                sentence.read(entity[1], self._fields, number, self.log)

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

    def _begin_sentence(self, number: int) -> Sentence:
        if self._opened is None:
            self._opened = _Opened(str(len(self.documents) + 1), number)
        opened = self._opened
        self._sentence = Sentence(len(opened.sentences), len(opened.words), opened.entities)
        opened.words.append("")
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
            entities = entities_of(opened.entities.values(), self.options, self.log)
            length = sum(opened.sentences)
            self.documents.append(Document(opened.name, opened.line, length, opened.words, entities, opened.sentences))
            self._opened = None

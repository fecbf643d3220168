"""What readers give: the documents of a file, each with its words, and their mentions in order."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.mentions import STEP, Mention, Mentions
from pytest_nlpeval.tasks.coref.options import Format
from pytest_nlpeval.wording import quoted

Entity: TypeAlias = Sequence[Mention]
"""The mentions of an entity, in order."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The entities of one side of a document, all its mentions in order, and the entity of each, by rank."""

    entities: Sequence[Entity]
    mentions: Sequence[Mention]
    owners: Sequence[int]

    @classmethod
    def of(cls, mentions: Mentions) -> Side:
        """Return the side of a document that has these mentions; one of several entities stands there as often, in their order."""
        each, owners = mentions.each(), mentions.owners.tolist()
        entities: list[list[Mention]] = [[] for _ in range(max(owners, default=-1) + 1)]
        for mention, owner in zip(each, owners, strict=True):
            entities[owner].append(mention)
        return cls(entities, each, owners)


@light_dataclass(frozen=True, eq=False)
class Document:
    """A document: its name, the line where it begins, and its rank in the file.

    `length` is the number of words, None if that is not known, and `written` has the words, or is their text with a tab behind each; a word
    that is not known is empty there. With `has_subtokens` a word was put together from tokens.
    """

    name: str
    line: int
    length: int | None
    written: Sequence[str | None] | bytes | None
    rank: int
    sentences: Sequence[int] = ()
    has_subtokens: bool = False

    @cached_property
    def words(self) -> Sequence[str | None] | None:
        """The word of each place w · STEP, None where it is not known; None if no word is.

        In CorefUD an empty text stands before each sentence, and `sentences` has the number of words of each.
        """
        if not isinstance(self.written, bytes):
            return self.written
        words = self.written.decode().split("\t")[:-1]
        return words if self.sentences else [word or None for word in words]

    def text(self, mention: Mention) -> str:
        """Return the words of a mention as messages quote them, its places where they are not known; an empty node is `∅`."""
        shown = [self.word(place) for place in mention.places[:_SHOWN]]
        if None in shown:
            first, last = mention.places[0] // STEP, mention.places[-1] // STEP
            return f"token {first}" if first == last else f"tokens {first} to {last}"
        return quoted(" ".join(word for word in shown if word))

    def word(self, place: int) -> str | None:
        """Return the word at a place, `∅` for an empty node, None where it is not known."""
        word, empty = divmod(place, STEP)
        if empty:
            return "∅"
        return self.words[word] if self.words is not None and word < len(self.words) else None


_SHOWN = 60
"""How many words of a mention are looked up: a quotation has fewer."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """The documents of a file by their names, in its order, its format, and the mentions of documents by their ranks."""

    format: Format
    by_name: Mapping[str, Document]
    mentions: Mentions

    def mentions_of(self, names: Collection[str]) -> Mentions:
        """Return the mentions of documents in turn, which are ranked anew; one that is not there has none."""
        ranks = np.array([self.by_name[name].rank if name in self.by_name else -1 for name in names], np.int64)
        ends = np.searchsorted(self.mentions.documents, ranks, "right")
        lengths = ends - np.searchsorted(self.mentions.documents, ranks)
        rows = np.repeat(ends - np.cumsum(lengths), lengths) + np.arange(lengths.sum())
        return self.mentions.picked(rows)._replace(documents=np.repeat(np.arange(len(ranks)), lengths))

    def side(self, name: str) -> Side:
        """Return the entities of a document; none if it is not there."""
        return Side.of(self.mentions_of([name]))


def named(documents: Collection[Document], log: ProblemLog) -> dict[str, Document]:
    """Return documents by their names; a name that two of them have is logged."""
    by_name: dict[str, Document] = {}
    for document in documents:
        first = by_name.setdefault(document.name, document)
        if first is not document:
            message = f"the document {quoted(document.name)} is on line {first.line} already; give each a name of its own"
            log.add("coref.document", message, document.line)
    return by_name

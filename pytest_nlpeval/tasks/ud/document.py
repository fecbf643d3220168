"""A file as it is scored: characters, tokens, sentences, words with their fields and heads, enhanced edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.ud.enhanced import Edges
from pytest_nlpeval.tasks.ud.fields import stripped
from pytest_nlpeval.tasks.ud.numbering import Numbering
from pytest_nlpeval.tasks.ud.table import Coder, Column, Field, Integers, Table
from pytest_nlpeval.tasks.ud.trees import Trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORD_FIELDS: tuple[Field, ...] = ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL")
"""The fields that are scored."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Half-open ranges of the file's characters, in the order of the file."""

    start: Integers
    end: Integers

    def __len__(self) -> int:
        """How many there are."""
        return len(self.start)

    def keys(self, length: int) -> Integers:
        """Return a number for each span, the same for equal ones; no character lies behind `length`."""
        keys: Integers = self.start * (length + 1) + self.end
        return keys


@light_dataclass(frozen=True, slots=True, eq=False)
class Document:
    """What a CoNLL-U file says.

    `characters` are those of all tokens, without white space; `tokens`, `words`, `ranges` and `sentences` are spans of them. A word in a
    range has the range's span. `lines` and `token_lines` are the lines of words and tokens, from 1. `first` is the rank of the first word
    of each sentence, then the number of words; `first_token` the same of tokens. `heads` gives the rank of each word's head, the number of
    words for 0; it means nothing if the file is not parsed. `units` names the sentences, by number if `by_place`.
    """

    characters: str
    tokens: Spans
    token_lines: Integers
    token_forms: Column
    words: Spans
    lines: Integers
    fields: dict[Field, Column]
    ranges: Spans
    first: Integers
    first_token: Integers
    heads: Integers
    is_parsed: bool
    edges: Edges
    units: tuple[str, ...]
    by_place: bool

    @property
    def number(self) -> int:
        """How many words there are."""
        return len(self.lines)

    @property
    def sentences(self) -> Spans:
        """The spans of the sentences; one without tokens is empty."""
        bounds = np.append(self.tokens.start, len(self.characters))[self.first_token]
        return Spans(bounds[:-1], bounds[1:])

    def sentence_of(self, words: Integers) -> Integers:
        """Return the rank of the sentence that each word is in."""
        ranks: Integers = np.searchsorted(self.first, words, side="right") - 1
        return ranks

    def id_of(self, word: int) -> int:
        """Return the number of a word in its sentence, from 1."""
        return word - int(self.first[self.sentence_of(np.array([word]))[0]]) + 1

    def form(self, word: int) -> str:
        """Return the form of a word."""
        return self.fields["FORM"][word]


def make_document(table: Table, numbering: Numbering, trees: Trees, edges: Edges, units: tuple[str, ...] | None) -> Document:
    """Return the document of a file whose IDs and forms are right."""
    words, ranges = numbering.words, numbering.ranges
    token_rows = np.sort(np.concatenate((ranges, words[numbering.range_of < 0])))
    forms = table.columns["FORM"].of(token_rows)
    plain = stripped(forms.names)
    lengths = np.fromiter(map(len, plain), np.int64, len(plain))[forms.codes]
    ends = np.cumsum(lengths)
    tokens = Spans(ends - lengths, ends)
    token_of_row = np.searchsorted(token_rows, words, side="right") - 1  # a word in a range stands behind its range
    of_range = np.searchsorted(token_rows, ranges)
    number = len(table.is_sound)
    names = units or tuple(str(rank) for rank in range(1, number + 1))
    return Document(
        "".join(map(plain.__getitem__, forms.codes.tolist())),
        tokens,
        table.line[token_rows],
        forms,
        Spans(tokens.start[token_of_row], tokens.end[token_of_row]),
        table.line[words],
        {name: table.columns[name].of(words) for name in WORD_FIELDS},
        Spans(tokens.start[of_range], tokens.end[of_range]),
        np.append(0, np.cumsum(numbering.sizes)),
        np.searchsorted(table.sentence[token_rows], np.arange(number + 1)),
        trees.heads,
        trees.is_parsed,
        edges,
        names,
        units is None,
    )


def codes_in(column: Column, names: Coder) -> NDArray[np.int64]:
    """Return the number of the string of each row in `names`, to which strings that it lacks are added."""
    codes: NDArray[np.int64] = names.codes(column.names).astype(np.int64)[column.codes]
    return codes


def matching(gold: Spans, system: Spans, length: int) -> tuple[Integers, Integers]:
    """Return the ranks of equal spans of both sides; of those without characters, the first with the first and so on."""
    keys: list[Integers] = []
    for side in (gold, system):
        spans = side.keys(length)
        before = np.arange(len(spans)) - np.searchsorted(spans, spans)
        keys.append(spans + np.where(before > 0, (length + 1) ** 2 * before, 0))
    _, ours, theirs = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    return ours, theirs

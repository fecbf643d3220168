"""The tags of a CoNLL file: what each says, and which are not as they should be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.spans.options import Scheme
from pytest_nlpeval.tasks.spans.schemes import LETTERS, WORDS, B, E, I, Marks, O
from pytest_nlpeval.wording import quoted

Integers = NDArray[np.int64]

NO_LABEL = "_"
"""The label of a letter that stands alone."""


def parse_tag(tag: str) -> tuple[int, str] | None:
    """Return the letter of a tag, as one of the five, and its label; None if it is no tag.

    >>> parse_tag("B-PER") == (B, "PER"), parse_tag("M-my-label") == (I, "my-label"), parse_tag("E") == (E, "_"), parse_tag("PER-B")
    (True, True, True, None)
    """
    if tag == "O":
        return O, ""
    letter = LETTERS.get(tag[:1])
    if letter is None or tag[1:] == "-" or (len(tag) > 1 and tag[1] != "-"):
        return None
    return letter, tag[2:] if len(tag) > 1 else NO_LABEL


@light_dataclass(frozen=True, slots=True, eq=False)
class Meanings:
    """What each of a file's different tags says: its letter, its label's place in `labels`, and which ones are no tags (`bad`)."""

    letters: Integers
    label: Integers
    labels: tuple[str, ...]
    bad: NDArray[np.bool_]

    @classmethod
    def of(cls, tags: Sequence[str]) -> Meanings:
        """Return what the tags say; one that is no tag says O."""
        parsed = [parse_tag(tag) for tag in tags]
        meanings = [meaning or (O, "") for meaning in parsed]
        labels = tuple(sorted({label for letter, label in meanings if letter != O}))
        places = {label: place for place, label in enumerate(labels)}
        return cls(
            np.array([letter for letter, _ in meanings], np.int64),
            np.array([places.get(label, -1) for _, label in meanings], np.int64),
            labels,
            np.array([meaning is None for meaning in parsed], np.bool_),
        )

    def marks(self, codes: NDArray[np.signedinteger[Any]], first: Integers) -> Marks:
        """Return the tags that are not O, of tokens with these tags; `first` has the rank of the first token of each sentence."""
        ranks = np.flatnonzero((self.letters != O)[codes])
        begins = np.zeros(len(codes), np.bool_)
        begins[first] = True
        adjoins = (np.diff(ranks, prepend=-2) == 1) & ~begins[ranks]
        return Marks(ranks, self.letters[codes[ranks]], self.label[codes[ranks]], adjoins)


def say_no_tag(tag: str) -> str:
    """Say that something is no tag, and what was meant, if that can be told."""
    label, _, letter = tag.rpartition("-")
    if LETTERS.get(label) is not None and not letter:
        hint = f'; write the label behind the hyphen, or "{label}" alone'
    elif tag == "o":
        hint = "; write O"
    elif parse_tag(upper := tag[:1].upper() + tag[1:]):
        hint = f'; write "{upper}"'
    elif label and letter in LETTERS:
        hint = f'; write the letter first: "{letter}-{label}"'
    else:
        hint = ""
    return f"{quoted(tag)} is no tag; expected O, or one of B I E S L U M, a hyphen and a label{hint}"


_EXPECTED: dict[tuple[Scheme, int], str] = {
    ("IOB2", I): "does not go on with a span; the first tag of one is B",
    ("IOBES", B): "begins a span that does not end; the last tag of one is E, and S stands for a single token",
    ("IOBES", I): "is not inside a span from B to E",
    ("IOBES", E): "ends a span that does not begin; the first tag of one is B, and S stands for a single token",
    ("IOB1", B): "is not behind a span of its label; elsewhere the first tag of a span is I",
    ("IOE1", E): "is not before a span of its label; elsewhere the last tag of a span is I",
    ("IOE2", I): "is in a span that does not end; the last tag of one is E",
}


def say_misplaced(tag: str, letter: int, scheme: Scheme) -> str:
    """Say why a scheme does not allow a tag where it stands."""
    if letter not in WORDS[scheme]:
        return (
            f"{quoted(tag)} is no tag of {scheme}, which has {', '.join('OBIES'[known] for known in sorted(WORDS[scheme]))} and O"
        )
    return f"{quoted(tag)} {_EXPECTED[scheme, letter]} ({scheme})"

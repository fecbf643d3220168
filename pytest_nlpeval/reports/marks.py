"""What gold and the system mark in a passage, laid out: words with lines above and below, and the labels that stand there.

Gold is a line above, the system a line below. What is wrong says so in words, so that a wrong label never looks right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pytest_nlpeval.explanations import Explanation, Passage, Span
from pytest_nlpeval.light_dataclasses import light_dataclass

LONGEST_WORD = 16
"""Code points of a word that are never parted at the end of a line; of a longer one, the pieces may stand on several lines."""

LONGEST_LABEL = 24
"""Code points of a label beside a mark."""

LABEL_WIDTH = 0.8
"""Of a letter of a label, beside that of the text."""

WRONG = "✗"


class Piece(NamedTuple):
    """A part of a passage between which what the sides mark changes: its text, and whether gold and the system mark it."""

    text: str
    gold: bool
    system: bool
    start: int


@light_dataclass(frozen=True, slots=True)
class Word:
    """A piece of text that is not parted at the end of a line, with the labels that begin at it, "" for none."""

    text: str
    gold: bool = False
    system: bool = False
    above: str = ""
    below: str = ""

    @property
    def is_marked(self) -> bool:
        """Whether either side marks it."""
        return self.gold or self.system

    @property
    def errs(self) -> bool:
        """Whether what stands at it says that something is wrong."""
        return WRONG in self.above or WRONG in self.below


def words_of(explanation: Explanation) -> list[Word]:
    """Return the words of an explanation's passage, in their order; together their texts are the passage's."""
    passage = explanation.passage
    if passage is None:
        return []
    above, below = _chips(explanation, passage)
    words: list[Word] = []
    for piece in pieces(passage):
        if not (piece.gold or piece.system):
            words.append(Word(piece.text))
            continue
        labels = above.get(piece.start, ""), below.get(piece.start, "")
        for text in _parted(piece.text, max(map(len, labels))):
            if text.isspace() and text != piece.text:
                words.append(Word(text))
            else:
                words.append(Word(text, piece.gold, piece.system, *labels))
                labels = "", ""
    return words


def _parted(text: str, width: int) -> list[str]:
    """Return the words of a text, each with the blanks behind it, long ones in pieces, breaks of lines apart.

    The first words are one, as wide as the label above them.

    >>> _parted("the tram to the harbour", 8)
    ['the tram ', 'to ', 'the ', 'harbour']
    """
    words = re.findall(rf"\S{{1,{LONGEST_WORD}}}[^\S\n]*|\s+", text)
    joined = 1
    while joined < len(words) and not words[joined].isspace() and len("".join(words[:joined]).rstrip()) < LABEL_WIDTH * width:
        joined += 1
    return ["".join(words[:joined]), *words[joined:]]


def pieces(passage: Passage) -> Iterator[Piece]:
    """Yield the parts of a passage between which what the sides mark changes.

    >>> from pytest_nlpeval.explanations import Passage
    >>> [(piece.text, piece.gold, piece.system) for piece in pieces(Passage("abcd", gold=((0, 2),), system=((1, 3),)))]
    [('a', True, False), ('b', True, True), ('c', False, True), ('d', False, False)]
    """
    text = passage.text
    sides = [[(start, min(end, len(text))) for start, end in spans] for spans in (passage.gold, passage.system)]
    ends = sorted({0, len(text), *(end for spans in sides for span in spans for end in span if end < len(text))})
    for start, end in pairwise(ends):
        gold, system = (any(low <= start < high for low, high in spans) for spans in sides)
        yield Piece(text[start:end], gold, system, start)


def _chips(explanation: Explanation, passage: Passage) -> tuple[dict[int, str], dict[int, str]]:
    """Return what stands above and below the passage, by the place where it begins: gold's label above, the system's below.

    `✗` and a word say what is wrong with a mark of the system, or that it is missing. A mark that agrees with gold has no `✗`.
    """
    gold, system = map(_short, explanation.pair or ("", ""))
    above = {start: gold or "gold" for start, _ in passage.gold}
    below = {mark[0]: _below(explanation, mark, system) for mark in passage.system}
    missing = [mark for mark in passage.gold if not _touched(mark, passage.system)]
    if not passage.system and explanation.kind != "missed":
        above |= {start: gold or _short(explanation.gold) or "gold" for start, _ in missing}
        below |= {start: f"{WRONG} {system or _short(explanation.system) or 'not so'}" for start, _ in missing}
    elif explanation.kind != "wrong-value":
        below |= {start: f"{WRONG} missed" for start, _ in missing}
    return above, below


def _below(explanation: Explanation, mark: Span, label: str) -> str:
    """Return what stands below a mark of the system."""
    golds = explanation.passage.gold if explanation.passage else ()
    shown = label or "system"
    if explanation.kind == "value":
        return shown
    if extent := extent_of(mark, golds):
        return f"{WRONG} {shown}, {extent}"
    if explanation.pair and explanation.pair[0] != explanation.pair[1] and golds:
        return f"{WRONG} {shown}"
    return f"{WRONG} {shown}, another value" if explanation.kind == "wrong-value" else shown


def extent_of(mark: Span, golds: Sequence[Span]) -> str:
    """Return how a system's mark differs from those of gold: `too short`, `too long`, `shifted`, `elsewhere`; "" for one of gold's.

    >>> extent_of((4, 9), [(4, 12)]), extent_of((0, 9), [(4, 9)]), extent_of((0, 5), [(4, 9)]), extent_of((4, 9), [(4, 9)])
    ('too short', 'too long', 'shifted', '')
    >>> extent_of((4, 9), []), extent_of((4, 9), [(20, 22)])
    ('not in gold', 'elsewhere')
    """
    touched = _touched(mark, golds)
    if mark in touched:
        return ""
    if not touched:
        return "elsewhere" if golds else "not in gold"
    start, end = min(gold[0] for gold in touched), max(gold[1] for gold in touched)
    if start <= mark[0] and mark[1] <= end:
        return "too short"
    return "too long" if mark[0] <= start and end <= mark[1] else "shifted"


def _touched(mark: Span, others: Sequence[Span]) -> list[Span]:
    """Return the marks of the other side that have a code point in common with a mark."""
    return [each for each in others if each[0] < mark[1] and mark[0] < each[1]]


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"

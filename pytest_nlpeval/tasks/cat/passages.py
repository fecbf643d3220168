"""The passages that reports show of a document: the sentences of markables, with what either side marks in them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Self

from pytest_nlpeval.explanations import Passage, Span
from pytest_nlpeval.tasks.cat.xml.document import Markable, Tokens

LONGEST_WORD = 100
"""Code points of a token that are shown."""

AROUND = 30
"""How many tokens are shown before the first token of an extent; twice as many after it. Of several extents each has its share."""

_BETWEEN = " … "
"""Marks what is left out between two parts of a passage."""


@dataclass(frozen=True, slots=True)
class ShownText:
    """All words of a document, as passages show them, joined by blanks: a passage is cut out of it.

    `starts` are the offsets of the words in `text`, and where a further word would start. `sentences` are the tokens' own, and `bounds` the
    ranks at which another sentence begins, and the number of tokens.
    """

    text: str
    starts: Sequence[int]
    sentences: Sequence[int]
    bounds: Sequence[int]

    @classmethod
    def of(cls, tokens: Tokens) -> Self:
        """Return the text of some tokens."""
        words, sentences = [text[:LONGEST_WORD] for text in tokens.texts], tokens.sentences
        starts = list(accumulate([len(word) + 1 for word in words], initial=0))
        bounds = [0, *[rank for rank, (one, other) in enumerate(pairwise(sentences), 1) if one != other], len(words)]
        return cls(" ".join(words), starts, sentences, bounds)

    def passage(self, gold: Iterable[Markable] = (), system: Iterable[Markable] = ()) -> Passage | None:
        """Return the sentences of some markables, with the extents of either side; None if all markables are empty.

        A long sentence is cut around the beginning of the extent: the cost does not depend on the document. An ellipsis marks what is left
        out between two parts.
        """
        sides = [[markable.tokens for markable in side if markable.tokens] for side in (gold, system)]
        number = sum(map(len, sides))
        if not number:
            return None
        parts = _joined([part for side in sides for extent in side for part in self._around(extent, AROUND // number)])
        text, shifts = "", list[int]()
        for low, high in parts:
            text += _BETWEEN if shifts else ""
            shifts.append(len(text) - self.starts[low])
            text += self.text[self.starts[low] : self.starts[high] - 1]
        placed = list(zip(parts, shifts, strict=True))
        return Passage.cut(text, *([span for extent in side for span in self._spans(extent, placed)] for side in sides))

    def _around(self, extent: Sequence[int], around: int) -> Iterator[Span]:
        """Yield the ranges of ranks around the beginning of an extent that are in the same sentence as a token of it."""
        first, bounds = min(extent), self.bounds
        low, high = max(0, first - around), min(first + 2 * around + 1, len(self.sentences))
        sentences = {self.sentences[rank] for rank in extent if low <= rank < high}
        place = bisect_right(bounds, low) - 1
        while bounds[place] < high:
            if self.sentences[bounds[place]] in sentences:
                yield max(low, bounds[place]), min(high, bounds[place + 1])
            place += 1

    def _spans(self, extent: Sequence[int], placed: Sequence[tuple[Span, int]]) -> Iterator[Span]:
        """Yield where an extent is in a passage, one span for neighbours: in `tore roofs off`, *tore … off* has two, *tore roofs* has one.

        `placed` are the ranges of ranks of the passage, and how much further right their words are than in the text.
        """
        for (low, high), shift in placed:
            inside = sorted({rank for rank in extent if low <= rank < high})
            for first, last in _joined([(rank, rank + 1) for rank in inside]):
                yield self.starts[first] + shift, self.starts[last] - 1 + shift


def _joined(ranges: Sequence[Span]) -> list[Span]:
    """Return ranges in order, those that overlap or touch as one.

    >>> _joined([(4, 6), (0, 2), (2, 3)])
    [(0, 3), (4, 6)]
    """
    joined: list[Span] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(high, joined[-1][1])
        else:
            joined.append((low, high))
    return joined

"""The passages that reports show of a document: the sentences of markables, with what either side marks in them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate, pairwise
from typing import TypeVar

from pytest_nlpeval.explanations import Passage, Span
from pytest_nlpeval.tasks.cat.xml.document import Markable, Tokens
from pytest_nlpeval.wording import quoted

K = TypeVar("K")
V = TypeVar("V")

LONGEST_WORD = 100
"""Code points of a token that are shown."""

AROUND = 30
"""How many tokens are shown before the first token of an extent; twice as many after it. Of several extents each has its share."""

_BETWEEN = " … "
"""Marks what is left out between two parts of a passage."""

Extent = tuple[int, ...]
"""The ranks of the tokens of a markable, in the order of the file."""

Extents = tuple[Extent, ...]


class Kept(dict[K, V]):
    """What a function makes of keys, each when it is first asked for: relations have the same ends again and again."""

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> V:
        """Make what nobody asked for before."""
        self[key] = value = self._make(key)
        return value


class ShownText:
    """All words of a document, as passages show them, joined by blanks: passages are cut out of it, each once.

    It is made when the first passage is asked for. `quotes` has the words of an extent in quotation marks, `ids` the ids of its tokens in
    the order of the text.
    """

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._passages: dict[tuple[Extents, Extents], Passage] = {}
        self._runs = Kept(_runs)
        self.quotes: Mapping[Extent, str] = Kept(partial(_quote, tokens.texts))
        self.ids: Mapping[Extent, str] = Kept(partial(_ids, tokens.ids))

    @cached_property
    def _words(self) -> Sequence[str]:
        texts = self._tokens.texts
        return texts if max(map(len, texts), default=0) <= LONGEST_WORD else [text[:LONGEST_WORD] for text in texts]

    @cached_property
    def _text(self) -> str:
        return " ".join(self._words)

    @cached_property
    def _starts(self) -> list[int]:
        """The offsets of the words in the text, and where a further word would start."""
        return list(accumulate([len(word) + 1 for word in self._words], initial=0))

    @cached_property
    def _bounds(self) -> list[int]:
        """The ranks at which another sentence begins, and the number of tokens."""
        neighbours = enumerate(pairwise(self._tokens.sentences), 1)
        return [0, *[rank for rank, (one, other) in neighbours if one != other], len(self._words)]

    @cached_property
    def _are_whole(self) -> bool:
        """Whether the tokens of each sentence stand together, as they do in nearly every document."""
        stretches = self._bounds[:-1]
        return len({self._tokens.sentences[start] for start in stretches}) == len(stretches)

    def passage(self, gold: Iterable[Markable] = (), system: Iterable[Markable] = ()) -> Passage | None:
        """Return the sentences of some markables, with the extents of either side; None if all markables are empty.

        A long sentence is cut around the beginning of the extent: the cost does not depend on the document. An ellipsis marks what is left
        out between two parts.
        """
        ours, theirs = (tuple([markable.tokens for markable in side if markable.tokens]) for side in (gold, system))
        if not ours and not theirs:
            return None
        if (ours, theirs) not in self._passages:
            self._passages[ours, theirs] = self._cut(ours, theirs)
        return self._passages[ours, theirs]

    def _cut(self, *sides: Extents) -> Passage:
        """Return the passage of the extents of gold and of the system."""
        around = AROUND // sum(map(len, sides))
        starts = self._starts
        parts: list[tuple[int, int, int]] = []  # ranges of ranks, and how much further right their words are than in the text
        text = ""
        for low, high in _joined([ranks for side in sides for extent in side for ranks in self._around(extent, around)]):
            text += _BETWEEN if parts else ""
            parts.append((low, high, len(text) - starts[low]))
            text += self._text[starts[low] : starts[high] - 1]
        spans = [
            [
                (starts[max(first, low)] + shift, starts[min(last, high)] - 1 + shift)
                for extent in side
                for low, high, shift in parts
                for first, last in self._runs[extent]
                if first < high and last > low
            ]
            for side in sides
        ]
        return Passage.cut(text, *spans)

    def _around(self, extent: Extent, around: int) -> Sequence[Span]:
        """Return the ranges of ranks around the beginning of an extent that are in the same sentence as a token of it."""
        first, bounds, sentences = min(extent), self._bounds, self._tokens.sentences
        low, high = max(0, first - around), min(first + 2 * around + 1, len(sentences))
        place = bisect_right(bounds, first)
        if self._are_whole and max(extent) < bounds[place]:
            return [(max(low, bounds[place - 1]), min(high, bounds[place]))]
        shown = {sentences[rank] for rank in extent if low <= rank < high}
        stretches = pairwise(bounds[bisect_right(bounds, low) - 1 : bisect_left(bounds, high) + 1])
        return [(max(low, start), min(high, end)) for start, end in stretches if sentences[start] in shown]


def _quote(texts: Sequence[str], extent: Extent) -> str:
    return quoted(" ".join([texts[rank][:LONGEST_WORD] for rank in extent]), 40)


def _ids(ids: Sequence[str], extent: Extent) -> str:
    return ",".join([ids[rank] for rank in sorted(set(extent))])


def _runs(extent: Extent) -> Sequence[Span]:
    first, number = extent[0], len(extent)
    if extent == tuple(range(first, first + number)):  # as most are
        return [(first, first + number)]
    return _joined([(rank, rank + 1) for rank in extent])


def _joined(ranges: Sequence[Span]) -> list[Span]:
    """Return ranges in order, those that overlap or touch as one.

    >>> _joined([(4, 6), (0, 2), (2, 3)])
    [(0, 3), (4, 6)]
    """
    if len(ranges) == 1:
        return list(ranges)
    joined: list[Span] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(high, joined[-1][1])
        else:
            joined.append((low, high))
    return joined

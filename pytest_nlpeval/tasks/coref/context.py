"""The words around a mention, which explanations quote."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from pytest_nlpeval.explanations import Span
from pytest_nlpeval.tasks.coref.document import Document
from pytest_nlpeval.tasks.coref.mentions import STEP, Mention

AROUND = 12
"""How many words before and behind a mention are quoted."""

LONGEST = 60
"""How many words of a long mention are quoted: those from its first on."""


def words_around(document: Document, mention: Mention) -> tuple[str, tuple[Span, ...]]:
    """Return the words around a mention with blanks between, and the half-open ranges of code points where the mention stands.

    A mention with gaps has a range for each of its parts. Of empty nodes, which are `∅`, only the mention's own are told. Where a word is
    not known the text is "", without ranges.
    """
    first = mention.places[0] // STEP
    last = min(mention.places[-1] // STEP, first + LONGEST)
    words = document.words or ()
    own = set(takewhile(lambda place: place // STEP <= last, mention.places))
    around = (word * STEP for word in range(max(0, first - AROUND), min(len(words), last + AROUND + 1)) if words[word] != "")
    quoted: list[tuple[str, bool]] = []
    for place in sorted({*around, *own}):
        text = document.word(place)
        if text is None:
            return "", ()
        quoted.append((text, place in own))
    return _written(quoted)


def _written(words: Sequence[tuple[str, bool]]) -> tuple[str, tuple[Span, ...]]:
    """Return words with blanks between, and the ranges of those that are flagged; neighbours share one range.

    >>> _written([("the", False), ("old", True), ("ferry", True), ("sank", False)])
    ('the old ferry sank', ((4, 13),))
    """
    spans: list[Span] = []
    place = 0
    was_flagged = False
    for word, is_flagged in words:
        if is_flagged:
            start = spans.pop()[0] if was_flagged else place
            spans.append((start, place + len(word)))
        was_flagged = is_flagged
        place += len(word) + 1
    return " ".join(word for word, _ in words), tuple(spans)

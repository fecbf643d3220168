"""Spans that are said by tokens: where these stand in a text, and the spans of GLiNER's training data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

TOKENS, TOKEN_SPANS = "tokenized_text", "ner"
"""The keys of GLiNER's training data: a list of tokens, and of triples of the first token, the last one and the label."""

Place = tuple[int, int]


def places_of(tokens: Sequence[str], text: str | None) -> list[Place] | None:
    """Return where tokens begin and end in a text, None if it is not made of them with white space between.

    Without a text they stand in that of the tokens with a blank between two.

    >>> places_of(["Mira", ",", "Voss"], None), places_of(["Mira", ",", "Voss"], "Mira, Voss"), places_of(["Mira"], "Miro")
    ([(0, 4), (5, 6), (7, 11)], [(0, 4), (4, 5), (6, 10)], None)
    """
    if text is None:
        starts = accumulate((len(token) + 1 for token in tokens), initial=0)
        return [(start, end - 1) for start, end in pairwise(starts)]
    places: list[Place] = []
    end = 0
    for token in tokens:
        start = text.find(token, end)
        if start < 0 or text[end:start].strip():
            return None
        end = start + len(token)
        places.append((start, end))
    return None if text[end:].strip() else places


def fault_of_triple(triple: Any, number: int) -> str:
    """Say what is wrong with a span by tokens, of which there are a number; "" if nothing is."""
    if not isinstance(triple, list) or len(triple) != 3 or not isinstance(triple[2], str) or not all(map(_is_rank, triple[:2])):
        return "is no span; expected [first token, last token, label], tokens counted from 0"
    first, last, _ = triple
    if not first <= last < number:
        return (
            f"is a span from token {first} to token {last}; expected tokens from 0 to {number - 1}, the last not before the first"
        )
    return ""


def _is_rank(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0

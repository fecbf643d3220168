"""Translation edits: insertions, deletions, substitutions and shifts of stretches of words that turn a hypothesis into a reference.

Sources: M. Snover, B. Dorr, R. Schwartz, L. Micciulla, J. Makhoul, A Study of Translation Edit Rate with Targeted Human Annotation, AMTA
2006; its search as Tercom and sacrebleu do it. A sequence of words is a text in which equal words are equal characters
(`levenshtein.spelt`).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

MOST_TRIED = 1_000
_LONGEST, _FARTHEST, _BEAM = 10, 50, 25

_INFINITE = 1 << 30


def translation_edits(hypothesis: str, reference: str) -> int:
    """Return the number of edits: shifts, and the beam distance of what the shifts leave.

    Each round makes the shift that shortens the beam distance most, until none does or 1,000 were tried. For an empty reference it is the
    hypothesis' length.

    >>> translation_edits("defghabc", "abcdefgh")
    1
    """
    shifts = tried = 0
    words, distance = hypothesis, beam_distance(hypothesis, reference)
    while distance:
        best, number = _best_shift(words, reference, MOST_TRIED - tried)
        tried += number
        if best is None or best.distance >= distance or tried >= MOST_TRIED:
            break
        shifts += 1
        words, distance = best.words, best.distance
    return shifts + distance


def beam_distance(hypothesis: str, reference: str) -> int:
    """Return the edit distance over alignments near the diagonal.

    Whatever an alignment with d errors pairs is within (d + difference of the lengths) / 2 of the diagonal: if that is within the beam, it
    is the edit distance itself.
    """
    distance = Levenshtein.distance(hypothesis, reference)
    if (distance + abs(len(hypothesis) - len(reference))) // 2 + 2 < _BEAM:
        return distance
    return _table(hypothesis, reference)[-1][-1]


class _Shift(NamedTuple):
    """A move of a stretch: what decides between moves, the least first, and the words and their distance after it."""

    distance: int
    shortness: int
    start: int
    target: int
    words: str


def _best_shift(words: str, reference: str, most: int) -> tuple[_Shift | None, int]:
    """Return the best of the moves that may be tried, None for none, and how many were tried, `most` at least ending the search."""
    best: _Shift | None = None
    tried = 0
    tried_already: dict[str, int] = {}
    for start, target, length in _moves(words, reference):
        moved = _moved(words, start, length, target)
        after = tried_already.get(moved)
        if after is None:
            after = tried_already[moved] = beam_distance(moved, reference)
        shift = _Shift(after, -length, start, target, moved)
        if best is None or shift < best:
            best = shift
        tried += 1
        if tried >= most:
            break
    return best, tried


def _moves(words: str, reference: str) -> Iterator[tuple[int, int, int]]:
    """Yield start, target and length of each move that is worth a try."""
    path = _path(words, reference)
    places: dict[str, list[int]] = {}
    for place, word in enumerate(reference):
        places.setdefault(word, []).append(place)
    for start, word in enumerate(words):
        near = places.get(word, [])
        for place in near[bisect_left(near, start - _FARTHEST) : bisect_right(near, start + _FARTHEST)]:
            for length in range(1, _common_length(words, start, reference, place) + 1):
                if path.is_movable(start, place, length):
                    yield from ((start, target, length) for target in path.targets(place, length))


def _common_length(words: str, start: int, reference: str, place: int) -> int:
    """Return how many words from either place on are equal, ten at most."""
    most = min(_LONGEST, len(words) - start, len(reference) - place)
    return next((length for length in range(1, most) if words[start + length] != reference[place + length]), most)


def _moved(words: str, start: int, length: int, target: int) -> str:
    """Return the words after a move of a stretch to stand before the target, or at it in what is left if the target is in the stretch."""
    stretch, end = words[start : start + length], start + length
    if target < start:
        return words[:target] + stretch + words[target:start] + words[end:]
    if target > end:
        return words[:start] + words[end:target] + stretch + words[target:]
    return words[:start] + words[end : length + target] + stretch + words[length + target :]


class _Path(NamedTuple):
    """How the words are aligned: 1 for each wrong word of either side, and the last word at or before which a reference word is reached."""

    wrong_words: bytearray
    wrong_reference: bytearray
    places: list[int]

    def is_movable(self, start: int, place: int, length: int) -> bool:
        """Whether a stretch of words, and the equal one of the reference, both hold a wrong word, and stand apart."""
        if start <= self.places[place] < start + length:
            return False
        return self.wrong_words.find(1, start, start + length) >= 0 and self.wrong_reference.find(1, place, place + length) >= 0

    def targets(self, place: int, length: int) -> list[int]:
        """Return where to move a stretch that is equal to one of the reference, each once if it is tried twice in a row."""
        behind = [self.places[last] + 1 if last >= 0 else 0 for last in range(place - 1, place + length)]
        return [target for rank, target in enumerate(behind) if not rank or target != behind[rank - 1]]


def _path(words: str, reference: str) -> _Path:
    table = _table(words, reference)
    wrong_words, wrong_reference = bytearray(len(words)), bytearray(len(reference))
    places = [-1] * len(reference)
    i, j = len(words), len(reference)
    while i or j:
        is_wrong = not (i and j and words[i - 1] == reference[j - 1])
        if i and j and table[i][j] == table[i - 1][j - 1] + is_wrong:
            i, j = i - 1, j - 1
            wrong_words[i] = wrong_reference[j] = is_wrong
            places[j] = i
        elif i and table[i][j] == table[i - 1][j] + 1:
            i -= 1
            wrong_words[i] = 1
        else:
            j -= 1
            wrong_reference[j] = 1
            places[j] = i - 1
    return _Path(wrong_words, wrong_reference, places)


def _table(words: str, reference: str) -> list[list[int]]:
    """Return the edit distances of all beginnings of both sides, infinite outside the beam."""
    number, width = len(words), len(reference)
    table = [list(range(width + 1))]
    ratio = width / max(1, number)
    beam = math.ceil(ratio / 2 + _BEAM) if ratio / 2 > _BEAM else _BEAM
    for i, word in enumerate(words, 1):
        middle = math.floor(i * ratio)
        low, high = max(0, middle - beam), min(width + 1, middle + beam) if i < number else width + 1
        table.append(_row(table[-1], word, reference, low, high))
    return table


def _row(above: list[int], word: str, reference: str, low: int, high: int) -> list[int]:
    """Return the next row of the table, of which the cells from `low` to `high` are within the beam."""
    row = [_INFINITE] * len(above)
    left = _INFINITE
    if low == 0:
        row[0] = left = above[0] + 1
        low = 1
    diagonal = above[low - 1]
    for j in range(low, high):
        up = above[j]
        cost = diagonal if word == reference[j - 1] else diagonal + 1
        if up < cost:
            cost = min(cost, up + 1)
        if left < cost:
            cost = min(cost, left + 1)
        row[j] = left = cost
        diagonal = up
    return row

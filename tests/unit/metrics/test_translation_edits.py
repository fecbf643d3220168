"""Translation edits: what must hold of shifts and of the beam."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics import translation_edits as module
from pytest_nlpeval.metrics.levenshtein import edits
from pytest_nlpeval.metrics.translation_edits import beam_distance, translation_edits

TEXTS = st.text("abcde", max_size=14)
PAIRS = st.tuples(TEXTS, TEXTS) | TEXTS.flatmap(lambda text: st.tuples(st.permutations(text).map("".join), st.just(text)))
SHORT = st.text("abc", max_size=8)
SHORT_PAIRS = st.tuples(SHORT, SHORT) | SHORT.flatmap(lambda text: st.tuples(st.permutations(text).map("".join), st.just(text)))


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_edits_are_at_most_the_distance(hypothesis: str, reference: str) -> None:
    found = translation_edits(hypothesis, reference)
    assert abs(len(hypothesis) - len(reference)) <= found <= edits([hypothesis], [reference]).errors[0]
    assert (found == 0) == (hypothesis == reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [("defghabc", "abcdefgh", 1), ("", "abc", 3), ("abc", "", 3), ("", "", 0), ("cab", "abc", 1), ("badc", "abcd", 2)],
)
def test_stretches_move_at_once(hypothesis: str, reference: str, expected: int) -> None:
    assert translation_edits(hypothesis, reference) == expected


@given(st.text("ab", max_size=70), st.text("abc", max_size=70))
@settings(deadline=None, max_examples=40)
def test_the_quick_distance_is_that_of_the_table(hypothesis: str, reference: str) -> None:
    """Wherever an alignment with as few errors must be within the beam, rapidfuzz gives what the table has."""
    assert beam_distance(hypothesis, reference) == module._table(hypothesis, reference)[-1][-1]


def test_beyond_the_beam_the_distance_is_greater() -> None:
    reference = "".join(chr(200 + place) for place in range(120))
    hypothesis = reference[60:] + reference[:60]
    assert beam_distance(hypothesis, reference) >= edits([hypothesis], [reference]).errors[0]


def test_no_shift_is_made_once_a_thousand_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    assert translation_edits("defghabc", "abcdefgh") == 1
    monkeypatch.setattr(module, "MOST_TRIED", 1)
    assert translation_edits("defghabc", "abcdefgh") == edits(["defghabc"], ["abcdefgh"]).errors[0]


class Limits(NamedTuple):
    """How long a stretch may be, how far it may move, how wide the beam is, and how many moves may be tried."""

    longest: int
    farthest: int
    beam: int
    most: int


def costs(words: str, reference: str, beam: int) -> dict[tuple[int, int], float]:
    """The table of distances, cell by cell; a cell that is not there is infinite."""
    n, m = len(words), len(reference)
    table: dict[tuple[int, int], float] = {(0, j): j for j in range(m + 1)}
    for i in range(1, n + 1):
        middle, half = math.floor(i * (m / n)), m / n / 2
        width = math.ceil(half + beam) if half > beam else beam
        for j in range(max(0, middle - width), m + 1 if i == n else min(m + 1, middle + width)):
            steps = [table.get((i - 1, j), math.inf) + 1, table.get((i, j - 1), math.inf) + 1]
            if j:
                steps.append(table.get((i - 1, j - 1), math.inf) + (words[i - 1] != reference[j - 1]))
            table[i, j] = min(steps)
    return table


class Path(NamedTuple):
    """The wrong words of either side, and the last word that is passed where a reference word is reached."""

    wrong: set[int]
    wrong_reference: set[int]
    reached: dict[int, int]


def path(words: str, reference: str, beam: int) -> Path:
    """Read the alignment back from the ends of both."""
    table, found = costs(words, reference, beam), Path(set(), set(), {-1: -1})
    i, j = len(words), len(reference)
    while i or j:
        here, is_other = table[i, j], i > 0 < j and words[i - 1] != reference[j - 1]
        if i and j and here == table.get((i - 1, j - 1), math.inf) + is_other:
            i, j = i - 1, j - 1
            found.reached[j] = i
            found.wrong.update({i} if is_other else ())
            found.wrong_reference.update({j} if is_other else ())
        elif i and here == table.get((i - 1, j), math.inf) + 1:
            i -= 1
            found.wrong.add(i)
        else:
            j -= 1
            found.reached[j] = i - 1
            found.wrong_reference.add(j)
    return found


def moves(words: str, reference: str, limits: Limits) -> Iterator[tuple[int, int, int, str]]:
    """Yield each move of a round, in the order in which they are tried: length, start and target, and the words after it."""
    wrong, wrong_reference, reached = path(words, reference, limits.beam)
    for start in range(len(words)):
        for place in range(len(reference)):
            for length in range(1, limits.longest + 1):
                stretch = words[start : start + length]
                own, other = set(range(start, start + length)), set(range(place, place + length))
                is_far = abs(start - place) > limits.farthest
                if is_far or len(stretch) < length or stretch != reference[place : place + length]:
                    break
                if not own & wrong or not other & wrong_reference or reached[place] in own:
                    continue
                targets = [reached[last] + 1 for last in range(place - 1, place + length)]
                for target in [targets[0], *(after for before, after in pairwise(targets) if after != before)]:
                    yield length, start, target, moved(words, start, length, target)


def moved(words: str, start: int, length: int, target: int) -> str:
    """Return the words after a move: before the target, or at it in what is left if the target is in the stretch or just behind it."""
    left = words[:start] + words[start + length :]
    at = target - length if target > start + length else target
    return left[:at] + words[start : start + length] + left[at:]


def by_trying(words: str, reference: str, limits: Limits) -> float:
    """The definition, move by move."""

    def distance(after: str) -> float:
        return costs(after, reference, limits.beam)[len(after), len(reference)]

    if not reference:
        return len(words)
    shifts, tried = 0, 0
    while True:
        best = (distance(words), 0, 0, 0, words)
        found = []
        for length, start, target, after in moves(words, reference, limits):
            found.append((distance(after), -length, start, target, after))
            tried += 1
            if tried == limits.most:
                return shifts + best[0]
        if not found or min(found)[0] >= best[0]:
            return shifts + best[0]
        words = min(found)[-1]
        shifts += 1


@given(SHORT_PAIRS)
@settings(deadline=None)
def test_it_is_what_trying_all_moves_gives(pair: tuple[str, str]) -> None:
    assert translation_edits(*pair) == by_trying(*pair, Limits(10, 50, 25, 1_000))


@given(PAIRS, st.builds(Limits, st.integers(1, 3), st.integers(1, 6), st.integers(1, 4), st.integers(1, 60)))
@settings(deadline=None)
def test_it_is_so_within_any_limits(pair: tuple[str, str], limits: Limits) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in zip(("_LONGEST", "_FARTHEST", "_BEAM", "MOST_TRIED"), limits, strict=True):
            patch.setattr(module, name, value)
        assert translation_edits(*pair) == by_trying(*pair, limits)


@pytest.mark.parametrize("pair", [("cab", "abc"), ("badc", "abcd"), ("cdab", "abcd"), ("bacabd", "abcdab")])
def test_the_last_move_that_may_be_tried_ends_it(pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for most in range(1, 60):
        monkeypatch.setattr(module, "MOST_TRIED", most)
        assert translation_edits(*pair) == by_trying(*pair, Limits(10, 50, 25, most)), most


@given(PAIRS)
@settings(deadline=None)
def test_moves_are_tried_in_order_and_each_once(pair: tuple[str, str]) -> None:
    found = [(length, start, target) for start, target, length in module._moves(*pair)]
    assert found == [move[:3] for move in moves(*pair, Limits(10, 50, 25, 1_000))]


def test_a_stretch_moves_to_any_place() -> None:
    words = "abcdefgh"
    for start in range(len(words)):
        for length in range(1, len(words) - start + 1):
            for target in range(len(words) + 1):
                assert module._moved(words, start, length, target) == moved(words, start, length, target)


def test_where_the_beam_ends() -> None:
    """A word is not found beyond the beam, nor are words that were all moved farther than it is wide."""
    for number in range(1, 16):
        for place in range(number):
            reference = "b" * place + "a" + "b" * (number - place - 1)
            for words, beam in (("a", 1), ("a", 2), ("a", 3), ("ca", 2), ("cca", 2)):
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(module, "_BEAM", beam)
                    assert beam_distance(words, reference) == costs(words, reference, beam)[len(words), number]
    reference = "".join(map(chr, range(200, 264)))
    for place in (*range(18, 30), *range(34, 46)):
        words = reference[place:] + reference[:place]
        assert beam_distance(words, reference) == costs(words, reference, 25)[64, 64]


@given(st.text("ab", max_size=12), st.text("ab", max_size=40), st.integers(1, 6))
@settings(deadline=None)
def test_the_distance_is_that_within_the_beam(hypothesis: str, reference: str, beam: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BEAM", beam)
        assert beam_distance(hypothesis, reference) == costs(hypothesis, reference, beam)[len(hypothesis), len(reference)]

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.explanations import LONGEST_PASSAGE, Passage
from pytest_nlpeval.tasks.cat.passages import AROUND, LONGEST_WORD, ShownText
from pytest_nlpeval.tasks.cat.xml.document import Tokens
from tests.unit.tasks.cat.test_describing import STORM, markable, tokens
from tests.work import calls_of


def marked(passage: Passage | None) -> tuple[list[str], list[str]]:
    """What either side marks, as text."""
    assert passage is not None
    gold, system = ([passage.text[start:end] for start, end in side] for side in (passage.gold, passage.system))
    return gold, system


def test_the_passage_is_the_sentence() -> None:
    passage = ShownText(STORM).passage([markable(4, 6)], [markable(4, 5)])
    assert passage == Passage("Winds tore roofs off", ((6, 10), (17, 20)), ((6, 16),))


def test_sentences_that_are_not_neighbours_are_joined_by_an_ellipsis() -> None:
    passage = ShownText(STORM).passage([markable(0), markable(9)])
    assert passage == Passage("Storm hits Orsa … It ended Monday", ((0, 5), (27, 33)), ())
    passage = ShownText(STORM).passage([markable(3, 9)])
    assert passage is not None
    assert passage.text == "Winds tore roofs off It ended Monday"


def test_empty_markables_have_no_passage() -> None:
    assert ShownText(STORM).passage([markable()], [markable()]) is None
    assert marked(ShownText(STORM).passage([markable()], [markable(0)])) == ([], ["Storm"])


@pytest.mark.parametrize("number", [1, 2])
def test_of_a_long_sentence_only_a_part_is_shown(number: int) -> None:
    words = ShownText(tokens(" ".join(f"w{rank}" for rank in range(1_000))))
    passage = words.passage([markable(100 + 500 * rank) for rank in range(number)])
    assert marked(passage)[0] == ["w100", "w600"][:number]
    assert passage is not None
    assert len(passage.text.split()) <= 3 * AROUND + 2 * number


def test_a_passage_costs_the_same_in_any_document() -> None:
    def work(number: int) -> int:
        words = ShownText(tokens(" ".join(["w"] * number), "x" * 10 * number))
        assert marked(words.passage([], [markable(number)]))[1] == ["x" * LONGEST_WORD]  # and the text is made
        return calls_of(lambda: words.passage([markable(10)], [markable(number)]))

    assert work(10_000) == work(1_000)


EXTENTS = st.lists(st.integers(0, 9), min_size=1, max_size=4)


@given(EXTENTS, EXTENTS, st.lists(st.integers(0, 3), min_size=10, max_size=10))
def test_spans_hold_the_words_of_the_extents(one: list[int], other: list[int], numbers: list[int]) -> None:
    texts = tuple("abcdefghij")
    words = ShownText(Tokens(tuple(map(str, range(10))), texts, tuple(sorted(numbers))))
    passage = words.passage([markable(*one)], [markable(*other)])
    assert passage is not None
    assert len(passage.text) <= LONGEST_PASSAGE
    for found, extent in zip(marked(passage), (one, other), strict=True):
        assert "".join(found).replace(" ", "") == "".join(texts[rank] for rank in sorted(set(extent)))


@given(st.lists(EXTENTS, min_size=1, max_size=3), st.lists(st.integers(0, 2), min_size=60, max_size=60))
def test_a_passage_is_the_words_around_the_extents_in_their_sentences(extents: list[list[int]], numbers: list[int]) -> None:
    """Sentences may be in any order, and one may go on after another."""
    extents = [[6 * rank for rank in extent] for extent in extents]
    words = Tokens(tuple(map(str, range(60))), tuple(f"w{rank}" for rank in range(60)), tuple(numbers))
    shown = set[int]()
    for extent in extents:
        around = AROUND // len(extents)
        window = range(max(0, min(extent) - around), min(min(extent) + 2 * around + 1, 60))
        shown |= {rank for rank in window if numbers[rank] in {numbers[own] for own in extent if own in window}}
    expected = "".join(f"w{rank}" + ("" if rank == max(shown) else " " if rank + 1 in shown else " … ") for rank in sorted(shown))
    passage = ShownText(words).passage(system=[markable(*extent) for extent in extents])
    assert passage is not None
    assert passage.text == expected[:LONGEST_PASSAGE] or len(expected) > LONGEST_PASSAGE

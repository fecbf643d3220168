from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.explanations import LONGEST_PASSAGE, Passage
from pytest_nlpeval.tasks.cat.describing import AROUND, LONGEST_WORD, Describer, passage_of
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Tokens
from tests.unit.tasks.cat.nwr2014_documents import config, document
from tests.work import calls_of

CONFIG = config("EVENT markable 0 class", "TIMEX3 instance comparable type value")


def tokens(*sentences: str) -> Tokens:
    """Tokens of sentences, with ids from 1."""
    words = [(word, rank) for rank, sentence in enumerate(sentences) for word in sentence.split()]
    ids = tuple(str(rank) for rank in range(1, len(words) + 1))
    return Tokens(ids, tuple(word for word, _ in words), tuple(rank for _, rank in words))


def markable(*ranks: int, name: str = "EVENT", **attributes: str) -> Markable:
    return Markable("m", name, ranks, attributes, None)


def describer(words: Tokens) -> Describer:
    return Describer.of("gold", Document(words, {}, ()), CONFIG)


def marked(passage: Passage | None) -> tuple[list[str], list[str]]:
    """What either side marks, as text."""
    assert passage is not None
    gold, system = ([passage.text[start:end] for start, end in side] for side in (passage.gold, passage.system))
    return gold, system


STORM = tokens("Storm hits Orsa", "Winds tore roofs off", "It ended Monday")


def test_a_markable_in_words() -> None:
    found, torn = describer(STORM), markable(4, 6, **{"class": "X"})
    assert found.short(torn) == 'EVENT "tore off"'
    assert found.short(torn, ["class"]) == 'EVENT "tore off" class "X"'
    assert found.long(torn) == 'EVENT m "tore off" (sentence 1, tokens 5, 7)'
    assert found.item(torn) == "EVENT 5,7"


def test_an_empty_markable_is_told_by_the_values_that_are_compared() -> None:
    found, day = describer(STORM), markable(name="TIMEX3", type="DATE", Value="2031-W11", other="x")
    assert found.short(day) == 'TIMEX3 (type "DATE", value "2031-W11")'
    assert found.item(day) == "TIMEX3 date,2031-w11"
    assert (found.short(markable()), found.item(markable())) == ("EVENT (empty)", "EVENT -")


def test_the_item_is_a_set_of_tokens() -> None:
    assert describer(STORM).item(markable(6, 4, 6)) == "EVENT 5,7"


def test_a_long_extent_is_cut_short() -> None:
    side = document(["a EVENT " + ",".join(str(rank) for rank in range(1, 21))])
    message = Describer.of("gold", side, CONFIG).long(side.markables["a"])
    assert message.endswith("tokens 1, 2, 3, 4, 5, 6, …)")


def test_the_passage_is_the_sentence() -> None:
    passage = passage_of(STORM, [markable(4, 6)], [markable(4, 5)])
    assert passage == Passage("Winds tore roofs off", ((6, 10), (17, 20)), ((6, 16),))


def test_sentences_that_are_not_neighbours_are_joined_by_an_ellipsis() -> None:
    passage = passage_of(STORM, [markable(0), markable(9)])
    assert passage == Passage("Storm hits Orsa … It ended Monday", ((0, 5), (27, 33)), ())
    passage = passage_of(STORM, [markable(3, 9)])
    assert passage is not None
    assert passage.text == "Winds tore roofs off It ended Monday"


def test_empty_markables_have_no_passage() -> None:
    assert passage_of(STORM, [markable()], [markable()]) is None
    assert marked(passage_of(STORM, [markable()], [markable(0)])) == ([], ["Storm"])


@pytest.mark.parametrize("number", [1, 2])
def test_of_a_long_sentence_only_a_part_is_shown(number: int) -> None:
    words = tokens(" ".join(f"w{rank}" for rank in range(1_000)))
    passage = passage_of(words, [markable(100 + 500 * rank) for rank in range(number)])
    assert marked(passage)[0] == ["w100", "w600"][:number]
    assert passage is not None
    assert len(passage.text.split()) <= 3 * AROUND + 2 * number


def test_a_passage_costs_the_same_in_any_document() -> None:
    def work(number: int) -> int:
        words = tokens(" ".join(["w"] * number), "x" * 10 * number)
        assert marked(passage_of(words, [], [markable(number)]))[1] == ["x" * LONGEST_WORD]
        return calls_of(lambda: passage_of(words, [markable(10)], [markable(number)]))

    assert work(10_000) == work(1_000)


EXTENTS = st.lists(st.integers(0, 9), min_size=1, max_size=4)


@given(EXTENTS, EXTENTS, st.lists(st.integers(0, 3), min_size=10, max_size=10))
def test_spans_hold_the_words_of_the_extents(one: list[int], other: list[int], numbers: list[int]) -> None:
    texts = tuple("abcdefghij")
    words = Tokens(tuple(map(str, range(10))), texts, tuple(sorted(numbers)))
    passage = passage_of(words, [markable(*one)], [markable(*other)])
    assert passage is not None
    assert len(passage.text) <= LONGEST_PASSAGE
    for found, extent in zip(marked(passage), (one, other), strict=True):
        assert "".join(found).replace(" ", "") == "".join(texts[rank] for rank in sorted(set(extent)))

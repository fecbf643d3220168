from __future__ import annotations

from pytest_nlpeval.tasks.cat.describing import Describer
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Tokens
from tests.unit.tasks.cat.nwr2014_documents import config, document

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

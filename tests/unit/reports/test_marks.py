from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.explanations import Explanation, Passage
from pytest_nlpeval.reports.marks import LONGEST_WORD, Piece, Word, extent_of, pieces, words_of

SPAN = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda ends: (min(ends), max(ends)))
SPANS = st.lists(SPAN.filter(lambda span: span[0] < span[1]), max_size=4).map(tuple)


def explained(passage: Passage, **fields: object) -> Explanation:
    return Explanation("u", "r", "m", passage=passage, **fields)  # type: ignore[arg-type]


def below(explanation: Explanation) -> list[str]:
    return [word.below for word in words_of(explanation) if word.below]


def above(explanation: Explanation) -> list[str]:
    return [word.above for word in words_of(explanation) if word.above]


@given(st.text(max_size=40), SPANS, SPANS)
def test_words_make_the_text_again(text: str, gold: tuple[tuple[int, int], ...], system: tuple[tuple[int, int], ...]) -> None:
    explanation = explained(Passage(text, gold, system), kind="boundary")
    words = words_of(explanation)
    assert "".join(word.text for word in words) == text
    for side, spans in (("gold", gold), ("system", system)):
        marked = "".join(word.text for word in words if getattr(word, side))
        covered = (letter for place, letter in enumerate(text) if any(low <= place < high for low, high in spans))
        assert "".join(marked.split()) == "".join("".join(covered).split())  # breaks of lines have no marks


def test_pieces_begin_and_end_where_marks_do() -> None:
    assert list(pieces(Passage("abcdefghij", gold=((0, 3), (2, 5), (9, 99)), system=((4, 6),)))) == [
        Piece("ab", gold=True, system=False, start=0),
        Piece("c", gold=True, system=False, start=2),
        Piece("d", gold=True, system=False, start=3),
        Piece("e", gold=True, system=True, start=4),
        Piece("f", gold=False, system=True, start=5),
        Piece("ghi", gold=False, system=False, start=6),
        Piece("j", gold=True, system=False, start=9),
    ]
    assert list(pieces(Passage(""))) == []
    assert words_of(Explanation("u", "r", "m")) == []


def test_a_wrong_label_does_not_look_right() -> None:
    explanation = explained(Passage("to Senn", ((3, 7),), ((3, 7),)), kind="wrong-value", pair=("LOC", "ORG"))
    assert words_of(explanation) == [Word("to "), Word("Senn", gold=True, system=True, above="LOC", below="✗ ORG")]
    assert words_of(explanation)[1].errs


def test_what_a_side_lacks_is_said() -> None:
    assert below(explained(Passage("to Senn", gold=((3, 7),)), kind="missed", pair=("LOC", ""))) == ["✗ missed"]
    assert below(explained(Passage("to Senn", system=((3, 7),)), kind="spurious", pair=("", "LOC"))) == ["✗ LOC, not in gold"]
    elsewhere = explained(Passage("in Senn or Tarn", ((3, 7),), ((11, 15),)), kind="wrong-value")
    assert (above(elsewhere), below(elsewhere)) == (["gold"], ["✗ system, elsewhere"])


def test_a_boundary_says_how_it_differs() -> None:
    shown = explained(Passage("at Port Ansel", ((3, 13),), ((8, 13),)), kind="boundary", pair=("LOC", "LOC"))
    assert (above(shown), below(shown)) == (["LOC"], ["✗ LOC, too short"])


def test_a_mark_that_agrees_has_no_cross() -> None:
    """The sides agree in one of two marks: the error is the other one."""
    shown = explained(Passage("was taken over", ((4, 9), (10, 14)), ((4, 9),)), kind="boundary")
    assert below(shown) == ["system", "✗ missed"]


def test_another_value_of_the_same_mark_is_told() -> None:
    same = explained(Passage("on Monday", ((3, 9),), ((3, 9),)), kind="wrong-value", gold="a", system="b")
    assert below(same) == ["✗ system, another value"]
    alone = explained(Passage("a run", gold=((2, 5),)), kind="wrong-value", gold="NOUN", system="VERB")
    assert (above(alone), below(alone)) == (["NOUN"], ["✗ VERB"])


def test_long_words_may_be_parted() -> None:
    words = words_of(explained(Passage("x" * 400, gold=((0, 400),)), kind="missed"))
    assert max(len(word.text) for word in words) <= LONGEST_WORD
    assert [word.above for word in words] == ["gold", *[""] * (len(words) - 1)]


@given(SPAN.filter(lambda span: span[0] < span[1]), SPANS)
def test_an_extent_is_right_only_if_gold_has_it(mark: tuple[int, int], golds: tuple[tuple[int, int], ...]) -> None:
    assert (extent_of(mark, golds) == "") == (mark in golds)

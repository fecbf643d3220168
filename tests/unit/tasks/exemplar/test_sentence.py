from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.exemplar.sentence import read_sentence
from tests.work import calls_of

MARKS = {"entity": ("[[[", "]]]"), "trigger": ("{{{", "}}}"), "window": ("--->", "<---")}


def test_the_sentence_of_the_specification() -> None:
    sentence = read_sentence("[[[ORG Google]]] --->'s {{{acquisition}}} of<--- [[[ORG YouTube]]] --->today<---.")
    assert sentence.trigger == ["acquisition"]
    assert sentence.windows.split() == ["'s", "acquisition", "of", "today"]
    assert len(sentence.outline.entities) == 2
    assert sentence.faults() == ()


def test_without_marks() -> None:
    sentence = read_sentence("nothing is marked [[ here ]]")
    assert (sentence.trigger, sentence.windows, sentence.outline.entities, sentence.faults()) == (None, "", (), ())


def test_an_empty_trigger_is_not_an_absent_one() -> None:
    assert read_sentence("{{{ }}}").trigger == []


@pytest.mark.parametrize(
    ("text", "windows"),
    [
        ("--->a<--->", ["a"]),
        ("---->a<----", ["a"]),
        ("--->a<------>b<---", ["a", "b"]),
        ("--->a-<---", ["a-"]),
        ("---> -- > <---", ["--", ">"]),
        ("--->x]]<---", ["x]]"]),
        ("--->{{{{a}}}}<---", ["{a", "}"]),
    ],
)
def test_marks_are_found_from_left_to_right(text: str, windows: list[str]) -> None:
    sentence = read_sentence(text)
    assert sentence.windows.split() == windows
    assert sentence.faults() == ()


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a ]]] b", [(2, "`]]]` closes nothing; put `[[[` where the entity begins, or remove it")]),
        ("a {{{ b", [(2, "`{{{` is never closed; put `}}}` where the trigger ends")]),
        ("[[[a [[[b]]] c]]]", [(5, "`[[[` appears inside another entity; close that first with `]]]`")]),
        ("---> [[[a <--- ]]]", [(10, "`<---` closes the window while the entity inside it is open; put `]]]` before it")]),
        ("---> {{{a ---> <--- }}} <---", [(10, "`--->` appears inside another window; close that first with `<---`")]),
        (
            "--->a --->b<---",
            [
                (0, "`--->` is never closed; put `<---` where the window ends"),
                (6, "`--->` appears inside another window; close that first with `<---`"),
            ],
        ),
        (
            "<---a--->",
            [
                (0, "`<---` closes nothing; put `--->` where the window begins, or remove it"),
                (5, "`--->` is never closed; put `<---` where the window ends"),
            ],
        ),
    ],
)
def test_faults(text: str, faults: list[tuple[int, str]]) -> None:
    assert [(fault.offset, fault.message) for fault in read_sentence(text).faults()] == faults


@pytest.mark.parametrize("marks", ["[[[", "]]]", "[[[ {{{ ]]]"])
def test_twice_the_faults_are_twice_the_work(marks: str) -> None:
    def work(number: int) -> int:
        text = "".join(mark * number for mark in marks.split())
        return calls_of(lambda: read_sentence(text).faults())

    assert work(2000) < 2.5 * work(1000)


@dataclass(frozen=True, slots=True)
class Piece:
    """A token, or a marked stretch of pieces."""

    kind: str
    token: str = ""
    inside: tuple[Piece, ...] = ()


def tokens_in(pieces: tuple[Piece, ...], wanted: str, *, within: bool = False) -> list[str]:
    """Return the tokens inside stretches of a kind: what the parser should find."""
    found: list[str] = []
    for piece in pieces:
        if piece.kind == "token":
            found += [piece.token] * within
        else:
            found += tokens_in(piece.inside, wanted, within=within or piece.kind == wanted)
    return found


def written(pieces: tuple[Piece, ...], joint: str) -> str:
    """Return the annotated sentence; `joint` stands between a mark and what it encloses."""
    return " ".join(_written(piece, joint) for piece in pieces)


def _written(piece: Piece, joint: str) -> str:
    if piece.kind == "token":
        return piece.token
    opening, closing = MARKS[piece.kind]
    return opening + joint + written(piece.inside, joint) + joint + closing


tokens = st.builds(
    Piece,
    st.just("token"),
    st.text(st.characters(codec="utf-8", exclude_characters="[]{}<>-", exclude_categories=("Z", "C")), min_size=1),
)


def stretches(kinds: tuple[str, ...]) -> st.SearchStrategy[tuple[Piece, ...]]:
    """Generate pieces in which stretches of these kinds stand, never one inside another of its kind."""
    pieces: st.SearchStrategy[Piece] = tokens
    for kind in kinds:
        rest = tuple(other for other in kinds if other != kind)
        pieces |= st.builds(Piece, st.just(kind), st.just(""), stretches(rest))
    return st.lists(pieces, max_size=4).map(tuple)


sentences = stretches(tuple(MARKS))


@given(sentences, st.sampled_from(["", " ", "  "]))
def test_generated_sentences_round_trip(pieces: tuple[Piece, ...], joint: str) -> None:
    sentence = read_sentence(written(pieces, joint))
    assert sentence.faults() == ()
    assert sentence.windows.split() == tokens_in(pieces, "window")
    assert (sentence.trigger or []) == tokens_in(pieces, "trigger")


@given(sentences)
def test_glued_and_spaced_marks_read_alike(pieces: tuple[Piece, ...]) -> None:
    glued, spaced = (read_sentence(written(pieces, joint)) for joint in ("", " "))
    assert glued.outline == spaced.outline
    assert glued.trigger == spaced.trigger
    assert glued.windows.split() == spaced.windows.split()


@given(sentences, st.data())
def test_a_lost_mark_is_a_fault(pieces: tuple[Piece, ...], data: st.DataObject) -> None:
    parts = read_sentence(written(pieces, " ")).parts
    if len(parts) == 1:
        return
    lost = data.draw(st.sampled_from(range(1, len(parts), 2)))
    assert read_sentence("".join(part for index, part in enumerate(parts) if index != lost)).faults()


@given(st.text(alphabet="[]{}<>- a", max_size=40))
def test_faults_stand_at_marks(text: str) -> None:
    sentence = read_sentence(text)
    assert "".join(sentence.parts) == text
    assert {fault.offset for fault in sentence.faults()} <= {sentence.offset(mark) for mark in range(len(sentence.parts) // 2)}

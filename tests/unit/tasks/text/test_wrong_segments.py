"""Explanations: alignments, their order, what they say and bear on."""

from __future__ import annotations

import pytest

from tests.unit.tasks.text.files import Scored, of_texts, scored


def shown(case: Scored) -> list[tuple[str, str, str]]:
    return [(entry.unit, entry.reason, entry.passage.text if entry.passage else "") for entry in case.explained()]


def test_the_alignment_is_marked_in_place_and_counted() -> None:
    case = of_texts([["the old mill in Hale"]], ["the mill in in Hail"])
    (entry,) = case.explained()
    assert entry.passage is not None
    assert entry.passage.text == "the [-old-] mill in {+in+} [-Hale-]{+Hail+}"
    assert entry.message == "3 errors in 5 words: 1 substituted, 1 deleted, 1 inserted"


def test_the_worst_segment_comes_first() -> None:
    case = of_texts([["a b c"], ["a b c"], ["a b c"], [""]], ["a b c", "a x c", "x y z", "uh"])
    assert [(unit, reason) for unit, reason, _ in shown(case)] == [("2", "differs"), ("1", "differs"), ("3", "spurious")]


def test_characters_are_aligned_where_words_are_not_counted() -> None:
    case = of_texts([["old mill"]], ["old mull"], measures="cer")
    assert shown(case) == [("0", "differs", "old m[-i-]{+u+}ll")]
    assert case.explained()[0].message == "1 error in 8 characters: 1 substituted"


def test_without_error_rates_both_texts_stand_one_above_the_other() -> None:
    case = of_texts([["the  old mill"], ["yes we do"]], ["the mill", "yes we do"], measures=["rouge1", "bleu"])
    (entry,) = case.explained()
    assert entry.passage is not None
    assert entry.passage.text == "reference  the old mill\nhypothesis the mill"
    assert entry.message.startswith("bleu ")
    assert "rouge1 0.8" in entry.message


def test_long_texts_are_cut_around_the_first_difference() -> None:
    words = [f"w{number}" for number in range(600)]
    other = [*words[:400], "x", *words[401:]]
    for family in ("wer", "rouge1"):
        (entry,) = of_texts([[" ".join(words)]], [" ".join(other)], measures=family).explained()
        assert entry.passage is not None
        assert len(entry.passage.text) <= 440
        assert "w400" in entry.passage.text


def test_the_reference_with_the_fewest_errors_is_shown() -> None:
    (entry,) = of_texts([["quite another text", "the old mill"]], ["the old mile"]).explained()
    assert entry.passage is not None
    assert entry.passage.text == "the old [-mill-]{+mile+}"


def test_explanations_quote_what_the_options_say() -> None:
    gold = ("g.tsv", "id\ttext\tsource\tg\n1\tyes\tja\tx\n")
    case = scored({"gold": gold, "system": ("s.tsv", "id\ttext\n1\tno\n")}, quote="source", group="g")
    (entry,) = case.explained()
    assert entry.message.endswith('; of "ja"')
    assert entry.line == 2
    assert entry.bears_on("group.x.wer")
    assert entry.bears_on("wer.mean")
    assert not entry.bears_on("coverage")


@pytest.mark.parametrize("family", ["bleu", "chrf", "chrf++", "ter", "rouge1", "rougeLsum"])
def test_the_lowest_value_comes_first(family: str) -> None:
    case = of_texts([["a b c d e"], ["a b c d e"]], ["a b c d x", "a y c x z"], measures=family)
    assert [entry.unit for entry in case.explained()] == ["1", "0"]


def test_an_empty_hypothesis_says_what_is_missing() -> None:
    (entry,) = of_texts([["the mill"]], [""]).explained()
    assert (entry.reason, entry.kind) == ("empty", "missed")
    assert '"the mill"' in entry.message

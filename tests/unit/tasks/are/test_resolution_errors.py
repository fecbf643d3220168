from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given

from pytest_nlpeval.explanations import Explanation, Passage
from pytest_nlpeval.metrics.alignment import Span
from pytest_nlpeval.shelf import ROOM
from pytest_nlpeval.tasks.are import TASK
from pytest_nlpeval.tasks.are.options import Options
from pytest_nlpeval.tasks.are.resolution_errors import BEARING_OF_IDS, BEARING_OF_SPANS, KINDS
from pytest_nlpeval.tasks.are.resolving import Reason
from tests.unit.tasks.are.files import (
    PLACES,
    candidates,
    counted,
    disjoint_spans,
    explanations,
    id_chains,
    id_pairs,
    span_chains,
    span_pairs,
    values,
    words,
)

TEXTS = {"a": "Ada", "b": "she", "c": "her", "d": "Olaf", "e": "hers"}
SOURCE = candidates(TEXTS, "bce", TEXTS)
GOLD = id_chains([["a", "b", "c"]])


def ways(answers: dict[str, str], gold: str = GOLD) -> dict[str, tuple[str, str]]:
    """Reason and message by unit."""
    found = explanations(1, gold, id_pairs(answers), SOURCE)
    return {entry.unit: (entry.reason, entry.message) for entry in found.first}


def test_the_way_the_chain_and_the_credit() -> None:
    found = ways({"b": "c"})
    chain = 'gold chain: a "Ada", b "she", c "her"'
    assert found == {
        "b": ("half-unanswered", f'b "she" → c "her" → no answer; {chain}; credit 0.5'),
        "c": ("unanswered", f'c "her" → no answer; {chain}; credit 0'),
        "e": ("unanswered", 'e "hers" → no answer; in no gold chain; credit 0'),
    }


def test_nothing_is_said_of_what_is_resolved() -> None:
    assert set(ways({"b": "c", "c": "a"})) == {"e"}


def test_the_ends_of_half_ways() -> None:
    assert ways({"b": "c", "c": "d"})["b"][1].startswith('b "she" → c "her" → d "Olaf", which is not in the chain; ')
    found = ways({"b": "c", "c": "b"})["b"]
    assert found[0] == "half-cycle"
    assert found[1].startswith('b "she" → c "her" → b "she" again; ')
    assert found[1].endswith("credit 0.5")


def test_what_scores_nothing() -> None:
    assert ways({"b": "d"})["b"][1].startswith('b "she" → d "Olaf", which is not in the chain; gold chain')
    assert ways({"e": "d"})["e"] == ("no-chain", 'e "hers" → d "Olaf"; in no gold chain; credit 0')


def test_what_scores_least_comes_first_and_lines_are_the_systems() -> None:
    found = explanations(1, GOLD, id_pairs({"b": "c", "e": "a"}), SOURCE)
    assert [(entry.reason, entry.kind, entry.line, entry.gold_line) for entry in found.first] == [
        ("unanswered", "missed", None, 2),
        ("no-chain", "spurious", 3, None),
        ("half-unanswered", "partial", 2, None),
    ]


def test_either_side_and_the_text_around_a_pronoun() -> None:
    found = explanations(1, GOLD, id_pairs({"b": "d"}), SOURCE)
    entry = next(entry for entry in found.first if entry.item == "b")
    assert (entry.gold, entry.system) == ('a "Ada", b "she", c "her"', 'd "Olaf"')
    assert entry.passage is not None
    assert spanned(entry.passage) == (["Ada", "her", "she"], ["Olaf"])
    assert len(entry.passage.gold) == 3
    (first, *_) = explanations(1, GOLD, "<r/>", SOURCE.replace("<text>", "<text>" + "word " * 1000)).first
    assert first.passage is not None
    assert len(first.passage.text) < 400
    assert "she" in spanned(first.passage)[0]


def spanned(passage: Passage) -> tuple[list[str], list[str]]:
    """The words that a passage marks for gold and for the system."""
    gold, system = (sorted({passage.text[start:end] for start, end in side}) for side in (passage.gold, passage.system))
    return gold, system


def test_spans_that_are_taken_for_others() -> None:
    gold = span_chains([[(0, 3), (4, 5), (6, 7)]], [(4, 5), (6, 7)])
    found = explanations(3, gold, span_pairs({(4, 5): (0, 2), (6, 7): (4, 6), (8, 9): (0, 1)}), words(9))
    chain = 'gold chain: 0-3 "w0 w1 w2", 4-5 "w4", 6-7 "w6"'
    part = '0-2 "w0 w1" (taken for 0-3 "w0 w1 w2")'
    assert [entry[:6] for entry in found.first] == [
        ("8-9", "not-a-pronoun", '8-9 "w8" → 0-1 "w0"; not a pronoun to be resolved in gold; credit 0', 4, "spurious", "8-9"),
        ("6-7", "inexact", f'6-7 "w6" → 4-6 "w4 w5" (taken for 4-5 "w4") → {part}; {chain}; credit 1 · 0.5', 3, "partial", "6-7"),
        ("4-5", "inexact", f'4-5 "w4" → {part}; {chain}; credit 1 · 0.6667', 2, "partial", "4-5"),
    ]
    passages = [entry.passage for entry in found.first if entry.passage]
    assert [spanned(passage) for passage in passages] == [
        ([], ["w0", "w8"]),
        (["w0 w1 w2", "w4", "w6"], ["w4 w5"]),
        (["w0 w1 w2", "w4", "w6"], ["w0 w1"]),
    ]


def test_a_passage_of_a_long_text_is_around_the_pronoun() -> None:
    gold = span_chains([[(0, 1), (100, 101), (110, 111)]], [(110, 111)])
    (entry,) = explanations(3, gold, span_pairs({(110, 111): (104, 106)}), words(200)).first
    assert entry.passage is not None
    assert entry.passage.text.startswith("w70 w71")
    assert spanned(entry.passage) == (["w100", "w110"], ["w104 w105"])


def test_long_ways_and_chains_are_cut_short() -> None:
    names = [f"n{rank:02}" for rank in range(30)]
    answers = dict(zip(names[2:], names[1:], strict=False))
    found = explanations(1, id_chains([names]), id_pairs(answers), candidates(names, names[1:]))
    message = next(entry.message for entry in found.first if entry.unit == "n29")
    assert message.count("→") == 9
    assert "→ …; gold chain: " in message
    assert ", … (30 in all); credit 0.5" in message


def test_missing_and_wrong_links() -> None:
    found = explanations(2, id_chains(["abc", "de"]), id_chains(["ab", "cde"]), None)
    assert found.first == (
        Explanation(
            "gold chain 1",
            "missing-links",
            "1 of 2 links are missing, between the parts a, b | c",
            None,
            "missed",
            "gold chain 1",
            "a, b, c",
            "a, b | c",
            ("*.recall", "*.f1"),
            gold_line=2,
        ),
        Explanation(
            "system chain 2",
            "wrong-links",
            "1 of 2 links are wrong, between the parts c | d, e",
            3,
            "spurious",
            "system chain of c",
            "c | d, e",
            "c, d, e",
            ("*.precision", "*.f1"),
        ),
    )


def test_chains_of_a_text_have_passages_with_both_sides() -> None:
    source = candidates(TEXTS, "", TEXTS)
    missing, wrong = explanations(2, GOLD, id_chains(["abd"]), source).first
    assert missing.passage is not None
    assert wrong.passage is not None
    assert spanned(missing.passage) == (["Ada", "her", "she"], ["Ada", "she"])
    assert spanned(wrong.passage) == (["Ada", "she"], ["Ada", "Olaf", "she"])


def test_mentions_that_merely_overlap() -> None:
    found = explanations(4, span_chains([[(0, 4), (5, 6)]]), span_chains([[(0, 2), (5, 6)]]), words(6))
    (entry,) = found.first
    assert (entry.unit, entry.reason, entry.kind, entry.line) == ("gold chain 1", "inexact-mentions", "partial", None)
    assert entry.message == (
        'all links are there, but mentions differ: 0-4 "w0 w1 w2 w3" (0-2 "w0 w1" there, overlap 0.5), 5-6 "w5"'
    )
    assert entry.passage == Passage("w0 w1 w2 w3 w4 w5", ((0, 11), (15, 17)), ((0, 5), (15, 17)))


def test_many_parts_are_cut_short() -> None:
    names = [f"n{rank:02}" for rank in range(30)]
    (entry,) = explanations(2, id_chains([names]), "<r/>", None).first
    assert entry.message.startswith("29 of 29 links are missing, between the parts n00 | n01 | ")
    assert entry.message.endswith(" | … (30 in all)")


def test_the_item_of_a_system_chain_does_not_depend_on_its_name_or_order() -> None:
    for system in (["cde", "ab"], ["ba", "edc"]):
        found = explanations(2, id_chains(["abc", "de"]), id_chains(system), None)
        assert {entry.item for entry in found.first} == {"gold chain 1", "system chain of c"}


def test_all_are_counted_and_the_first_are_kept() -> None:
    names = [f"n{rank}" for rank in range(2 * ROOM)]
    found = explanations(1, id_chains([names]), "<r/>", candidates(names, names))
    assert found.counts == {"unanswered": len(names)}
    assert len(found.first) == ROOM


@pytest.mark.parametrize(("subtask", "bearing"), [(1, BEARING_OF_IDS), (3, BEARING_OF_SPANS)])
def test_reasons_bear_on_measures_of_their_subtask(subtask: int, bearing: dict[Reason, tuple[str, ...]]) -> None:
    names = {measure.name for measure in TASK.measures(Options(subtask), None) or ()}
    assert {name for of_reason in bearing.values() for name in of_reason} == names


def test_every_reason_but_resolved_has_a_kind() -> None:
    assert set(KINDS) == set(BEARING_OF_IDS) | set(BEARING_OF_SPANS) == set(get_args(Reason)) - {"resolved"}


@given(disjoint_spans(), disjoint_spans())
def test_a_measure_of_chains_below_1_has_explanations_and_without_any_it_is_1(
    gold: list[list[Span]], system: list[list[Span]]
) -> None:
    files = 4, span_chains(gold), span_chains(system), words(PLACES)
    found = explanations(*files)
    for name, value in values(4, counted(*files).evidence).items():
        assert value in (1, None) or any(entry.bears_on(name) for entry in found.first), name

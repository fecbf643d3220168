from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.standard.pairing import Pair, pair_markables, pair_spans
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable
from tests.unit.tasks.cat.judging import EVERYTHING, PAIRS, selected
from tests.unit.tasks.cat.nwr2014_documents import config, document

CONFIG = config(
    "EVENT markable 0", "TIMEX3 markable 0", "TIMEX3 instance comparable type Value", "PLACE instance non-comparable type"
)


def marks(*anchors: str, start: str = "g") -> list[Markable]:
    return list(document(f"{start}{number} EVENT {text}" for number, text in enumerate(anchors, 1)).markables.values())


def shown(pairs: Iterable[Pair]) -> list[str]:
    return sorted(f"{one.id}-{other.id}" for one, other in pairs)


def paired(gold: Sequence[str], system: Sequence[str]) -> tuple[list[str], list[str]]:
    """The strict pairs, and the others that match relaxed."""
    found = pair_spans(marks(*gold), marks(*system, start="s"))
    return shown(found.strict), shown(found.overlapping)


def paired_instances(gold: list[str], system: list[str], configuration: Configuration = CONFIG) -> dict[str, list[str]]:
    sides = [selected(document(side), configuration)[0] for side in (gold, system)]
    found = pair_markables(sides[0], sides[1], configuration)
    assert not any(of_name.overlapping for of_name in found.values())
    return {name: shown(of_name.strict) for name, of_name in found.items() if of_name.strict}


# Strict


@pytest.mark.parametrize(("gold", "system"), [("1,3", "3,1"), ("1,3,5", "5,1,3"), ("2", "2,2"), ("1,2,1", "2,1")])
def test_an_extent_is_a_set_of_tokens(gold: str, system: str) -> None:
    assert paired([gold], [system]) == (["g1-s1"], [])


@pytest.mark.parametrize("other", ["1", "1,2,3", "1,3", "2"])
def test_only_equal_extents_match_strictly(other: str) -> None:
    assert paired(["1,2"], [other]) == ([], ["g1-s1"])


def test_a_second_markable_on_the_same_extent_needs_a_second_partner() -> None:
    assert paired(["1", "1"], ["1"]) == (["g1-s1"], [])
    assert paired(["1", "1", "1"], ["2", "1", "1"]) == (["g1-s2", "g2-s3"], [])
    assert paired(["1"], ["1", "1"]) == (["g1-s1"], [])


def test_the_kth_on_an_extent_goes_with_the_kth() -> None:
    assert paired(["1", "2", "1", "2"], ["2", "1", "1", "2"]) == (["g1-s2", "g2-s1", "g3-s3", "g4-s4"], [])


def test_only_markables_of_the_same_name_match() -> None:
    gold, system = document(["a EVENT 1", "b ROLE 2"]), document(["x TIMEX3 1", "y ROLE 2"])
    found = pair_markables(selected(gold, CONFIG)[0], selected(system, CONFIG)[0], CONFIG)
    assert {name: shown(pairs.of("relaxed")) for name, pairs in found.items()} == {"ROLE": ["b-y"]}  # in no line, but an end


# Relaxed


def test_one_shared_token_is_enough_and_none_is_not() -> None:
    assert paired(["1,2", "5"], ["2,3", "4"]) == ([], ["g1-s1"])


def test_strict_pairs_go_first() -> None:
    assert paired(["1,2,3", "1,2"], ["1,2"]) == (["g2-s1"], [])
    assert paired(["1,2,3", "1,2"], ["1,2", "1,3,4"]) == (["g2-s1"], ["g1-s2"])


def test_a_second_one_on_the_extent_of_a_strict_pair_may_still_overlap() -> None:
    assert paired(["1,2", "1,2"], ["1,2", "2,3"]) == (["g1-s1"], ["g2-s2"])


def test_more_shared_tokens_go_first() -> None:
    assert paired(["1,2,3"], ["1,7", "2,3,8", "1,2,9,10"]) == ([], ["g1-s2"])
    assert paired(["1,5", "1,2,6"], ["1,2"]) == ([], ["g2-s1"])


def test_repeated_anchors_share_a_token_once() -> None:
    assert paired(["1,2,3"], ["1,1,1,7", "2,3,8"]) == ([], ["g1-s2"])


def test_then_gold_order_goes_then_the_systems() -> None:
    assert paired(["1,2", "2,3"], ["2,9", "2,8"]) == ([], ["g1-s1", "g2-s2"])
    assert paired(["2,3", "1,2"], ["2,9"]) == ([], ["g1-s1"])
    assert paired(["1,2"], ["2,3", "1,4"]) == ([], ["g1-s1"])


def test_it_is_greedy() -> None:
    assert paired(["1,2", "2,3"], ["2,9", "1,8"]) == ([], ["g1-s1"])  # though g1-s2, g2-s1 would be two


def test_each_partner_is_taken_once() -> None:
    assert paired(["1,2", "2,3", "3,4"], ["1,2,3,4"]) == ([], ["g1-s1"])


def brute_force(gold: Sequence[Markable], system: Sequence[Markable]) -> tuple[list[str], list[str]]:
    """The rules word by word."""
    ours, theirs = list(gold), list(system)
    strict: list[Pair] = []
    for one in gold:
        for other in theirs:
            if set(one.tokens) == set(other.tokens):
                strict.append((one, other))
                ours.remove(one)
                theirs.remove(other)
                break
    relaxed: list[Pair] = []
    while True:
        sharing = [
            (-len(set(one.tokens) & set(other.tokens)), rank, place)
            for rank, one in enumerate(ours)
            for place, other in enumerate(theirs)
            if set(one.tokens) & set(other.tokens)
        ]
        if not sharing:
            return shown(strict), shown(relaxed)
        _, rank, place = min(sharing)
        relaxed.append((ours.pop(rank), theirs.pop(place)))


SPANS = st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=5).map(lambda ranks: ",".join(map(str, ranks))), max_size=9)


@given(SPANS, SPANS)
def test_it_is_the_rule_word_by_word(gold: list[str], system: list[str]) -> None:
    assert paired(gold, system) == brute_force(marks(*gold), marks(*system, start="s"))


# Comparable instances


def test_instances_are_equal_on_all_attributes_of_their_line_ignoring_case() -> None:
    gold = ["a TIMEX3 - type=DATE value=1", "b TIMEX3 - type=TIME", "c TIMEX3 -", "d TIMEX3 - type=SET value=2"]
    system = [
        "w TIMEX3 - TYPE=date Value=1 mod=X",
        "x TIMEX3 - type=TIME value=",
        "y TIMEX3 - type=",
        "z TIMEX3 - type=SET value=3",
    ]
    assert paired_instances(gold, system) == {"TIMEX3": ["a-w", "b-x", "c-y"]}


def test_equal_instances_go_in_document_order() -> None:
    gold = ["a TIMEX3 -", "b TIMEX3 - type=X", "c TIMEX3 -", "d TIMEX3 -"]
    system = ["w TIMEX3 - type=x", "x TIMEX3 -", "y TIMEX3 -", "z TIMEX3 - type=X"]
    assert paired_instances(gold, system) == {"TIMEX3": ["a-x", "b-w", "c-y"]}


def test_other_empty_markables_are_not_paired() -> None:
    marks = ["a PLACE - type=X", "b EVENT -", "c ENTITY -"]
    assert paired_instances(marks, marks) == {}


def test_an_instance_and_a_span_are_no_pair() -> None:
    assert paired_instances(["a TIMEX3 - type=DATE"], ["x TIMEX3 1 type=DATE"]) == {}


def test_without_attributes_in_their_line_all_instances_of_a_name_are_equal() -> None:
    configuration = config("TIMEX3 instance comparable")
    assert paired_instances(["a TIMEX3 - type=X"], ["x TIMEX3 - type=Y"], configuration) == {"TIMEX3": ["a-x"]}


def test_instances_count_in_both_rows_beside_spans() -> None:
    gold, system = ["a TIMEX3 1,2", "b TIMEX3 -", "c TIMEX3 3"], ["x TIMEX3 -", "y TIMEX3 2", "z TIMEX3 3"]
    sides = [selected(document(side), CONFIG)[0] for side in (gold, system)]
    found = pair_markables(sides[0], sides[1], CONFIG)["TIMEX3"]
    assert shown(found.of("strict")) == ["b-x", "c-z"]
    assert shown(found.of("relaxed")) == ["a-y", "b-x", "c-z"]


# What is always so


@given(PAIRS, st.sampled_from(EVERYTHING))
def test_pairs_are_one_to_one_and_of_one_name(pair: tuple[Document, Document], configuration: Configuration) -> None:
    gold, system = (selected(side, configuration)[0] for side in pair)
    found = pair_markables(gold, system, configuration)
    pairs = [pair for of_name in found.values() for pair in of_name.of("relaxed")]
    assert all(one.name == other.name for one, other in pairs)
    assert len({one.id for one, _ in pairs}) == len({other.id for _, other in pairs}) == len(pairs)
    for of_name in found.values():
        assert of_name.of("relaxed")[: len(of_name.strict)] == of_name.of("strict")
        assert all(set(one.tokens) == set(other.tokens) for one, other in of_name.strict)
        assert all(set(one.tokens) & set(other.tokens) for one, other in of_name.overlapping)


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple), max_size=9))
def test_what_is_the_same_on_both_sides_is_paired_in_order(extents: list[tuple[int, ...]]) -> None:
    side = [Markable(str(rank), "EVENT", tokens, {}, None) for rank, tokens in enumerate(extents)]
    found = pair_spans(side, side)
    assert found.overlapping == []
    assert all(one is other for one, other in found.strict)
    assert len(found.strict) == len(side)

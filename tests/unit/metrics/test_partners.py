"""Which items of two golds ask the same, against the rules for items with names of their own and for those that have places alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.partners import NO_PARTNER, Doubles, GoldChange, Items, partners, successors

CONTENTS = st.lists(st.tuples(st.sampled_from(["", "p", "q", "r"]), st.sampled_from("xyz")), max_size=6)


@st.composite
def named(draw: st.DrawFn) -> Items:
    contents = draw(CONTENTS)
    names = draw(st.permutations("123456"))[: len(contents)]
    return Items(names, [question for question, _ in contents], [answer for _, answer in contents])


@st.composite
def placed(draw: st.DrawFn) -> Items:
    contents = draw(CONTENTS)
    first = draw(st.integers(0, 2))
    names = [str(first + place) for place in range(len(contents))]
    questions, answers = [question for question, _ in contents], [answer for _, answer in contents]
    return Items(names, questions, answers, by_place=True, by_answer=draw(st.booleans()))


def stayed(items: Items, changes: st.DrawFn) -> Items:
    """Return items of which some are changed where they stand, so that most pairs of golds have something in common."""
    questions, answers = list(items.questions), list(items.answers)
    for place in range(len(questions)):
        if changes(st.integers(0, 3)) == 0:
            questions[place], answers[place] = changes(st.tuples(st.sampled_from(["", "p", "s"]), st.sampled_from("xw")))
    return items._replace(questions=questions, answers=answers)


@st.composite
def answered(draw: st.DrawFn) -> Items:
    """Items of which nothing is known but the answers, most of which occur once."""
    answers = [*draw(st.permutations("uvwxyz"))[: draw(st.integers(0, 6))], *draw(st.lists(st.just("u"), max_size=1))]
    return Items("1234567"[: len(answers)], [""] * len(answers), answers, by_place=True, by_answer=draw(st.integers(0, 3)) > 0)


@st.composite
def golds_by_place(draw: st.DrawFn) -> tuple[Items, Items]:
    if draw(st.booleans()):
        return draw(answered()), draw(answered())
    before = draw(placed())
    if draw(st.booleans()):
        return before, stayed(before, draw)
    return before, draw(placed())


def pairs_of(contents: list[str], others: list[str]) -> dict[int, int]:
    """The n-th of so many in one list is the n-th of equally many in the other; nothing is known of an empty content."""
    found: dict[int, int] = {}
    for content in set(others) - {""}:
        places, wanted = ([place for place, each in enumerate(side) if each == content] for side in (contents, others))
        if len(places) == len(wanted):
            found.update(zip(wanted, places, strict=True))
    return found


def by_rules(before: Items, now: Items) -> list[int]:
    """The rules of items that have places alone."""
    was, is_now = (list(zip(items.questions, items.answers, strict=True)) for items in (before, now))
    moved = [one in is_now or other in was for one, other in zip(was, is_now, strict=False) if one != other]
    if len(was) == len(is_now) and not any(moved):
        pairs = {place: place for place in range(len(was))}
    elif not (before.by_answer and now.by_answer):
        pairs = pairs_of(list(before.questions), list(now.questions))
    elif all(len(set(items.answers)) == len(items.answers) for items in (before, now)):
        pairs = pairs_of(list(before.answers), list(now.answers))
    else:
        pairs = {}
    is_same = {place: before.questions[rank] == now.questions[place] for place, rank in pairs.items()}
    return [pairs[place] if is_same.get(place) else NO_PARTNER for place in range(len(now.names))]


@given(golds_by_place())
def test_items_without_names_of_their_own_pair_by_the_rules(golds: tuple[Items, Items]) -> None:
    assert partners(*golds).tolist() == by_rules(*golds)


@given(named(), named())
def test_items_with_names_of_their_own_are_the_same_if_name_and_question_are(before: Items, now: Items) -> None:
    known = {pair: rank for rank, pair in enumerate(zip(before.names, before.questions, strict=True))}
    expected = [known.get(pair, NO_PARTNER) for pair in zip(now.names, now.questions, strict=True)]
    assert partners(before, now).tolist() == expected


def test_places_decide_if_either_side_has_nothing_else() -> None:
    own, places = Items("ab", "pq", "xx"), Items("12", "pq", "xx", by_place=True)
    assert partners(own, places).tolist() == partners(places, own).tolist() == [0, 1]


@given(golds_by_place())
def test_successors_are_partners_seen_from_the_other_side(golds: tuple[Items, Items]) -> None:
    ranks = partners(*golds)
    later = successors(ranks, len(golds[0].names))
    assert len(later) == len(golds[0].names)
    assert {(rank, place) for rank, place in enumerate(later.tolist()) if place != NO_PARTNER} == {
        (rank, place) for place, rank in enumerate(ranks.tolist()) if rank != NO_PARTNER
    }


@given(placed())
def test_what_occurs_twice_is_what_is_first_met_again(items: Items) -> None:
    contents = list(items.questions if any(items.questions) else items.answers)
    again = [place for place, content in enumerate(contents) if content in contents[:place]]
    if not again:
        assert Doubles.of(items) is None
    else:
        content = contents[again[0]]
        assert Doubles.of(items) == (content, items.names[contents.index(content)], items.names[again[0]])


@given(golds_by_place() | st.tuples(named(), named()))
def test_a_change_counts_what_became_of_the_items(golds: tuple[Items, Items]) -> None:
    before, now = golds
    ranks = partners(before, now)
    change = GoldChange.of(before, now, ranks)
    pairs = [(rank, place) for place, rank in enumerate(ranks.tolist()) if rank != NO_PARTNER]
    assert (change.before, change.paired, change.added) == (len(before.names), len(pairs), len(now.names) - len(pairs))
    assert change.corrected == sum(before.answers[rank] != now.answers[place] for rank, place in pairs)
    without = max(0, len(before.names) - len(now.names)) if before.by_place else len(set(before.names) - set(now.names))
    assert (change.gone, change.outdated) == (without, 0)
    is_told = before.by_place and len(pairs) < len(before.names) / 2
    assert change.doubles == ((Doubles.of(now) or Doubles.of(before)) if is_told else None)


def test_what_occurs_twice_is_told_if_either_side_has_places_alone() -> None:
    own, places = Items("ab", "pq", "xx"), Items("12", "rr", "yz", by_place=True)
    none = np.full(2, NO_PARTNER)
    assert GoldChange.of(own, places, none).doubles == GoldChange.of(places, own, none).doubles == ("r", "1", "2")
    assert GoldChange.of(own, own._replace(questions="rr"), none).doubles is None


def test_what_occurs_twice_is_told_if_less_than_half_are_paired() -> None:
    for number, paired in ((5, 2), (5, 3), (6, 2), (6, 3), (2, 1), (1, 0)):
        items = Items("123456"[:number], ["p"] * number, ["x"] * number, by_place=True)
        ranks = np.array([*range(paired), *[NO_PARTNER] * (number - paired)])
        assert (GoldChange.of(items, items, ranks).doubles is not None) == (paired < number / 2 and number > 1)


def test_changes_of_documents_add_up() -> None:
    first, second = Doubles("a", "1", "2"), Doubles("b", "3", "4")
    one, other = GoldChange(1, 2, 3, 4, 5, 6), GoldChange(10, 20, 30, 40, 50, 60, second)
    assert one + other == GoldChange(11, 22, 33, 44, 55, 66, second)
    assert other._replace(doubles=first) + other == GoldChange(20, 40, 60, 80, 100, 120, first)

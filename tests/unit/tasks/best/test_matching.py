"""The matching against the task definition's own procedure, written out literally, and against brute force over all matchings."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.tasks.best.matching import THIRDS, Match, MatchType, _groups, match_target, provenance_f
from pytest_nlpeval.tasks.best.tuples import Holding, Holdings, Provenance

Found = tuple[MatchType, Holding, Holding, float]
Agrees = Callable[[Holding, Holding], bool]

AGREE: dict[MatchType, Agrees] = {
    "b": lambda one, other: one == other,
    "c": lambda one, other: one[0] == other[0],
    "d": lambda one, other: one[1] == other[1],
    "e": lambda _one, _other: True,
}


def holdings(*rows: tuple[str, str, str]) -> Holdings:
    """Tuples of source, value and provenance; each letter of the latter is a mention."""
    return {(source, value): Provenance(1, set(mentions)) for source, value, mentions in rows}


def overlap_of(one: Provenance, other: Provenance) -> float:
    """F from precision and recall of the provenance set, as the definition says it."""
    shared = len(one.mentions & other.mentions)
    if not shared:
        return 0.0
    precision, recall = shared / len(one.mentions), shared / len(other.mentions)
    return 2 * precision * recall / (precision + recall)


def literal(system: Holdings, gold: Holdings) -> list[Found]:
    """All pairs of a type, by decreasing F, then system tuple, then gold tuple; those with a matched tuple are skipped."""
    found: list[Found] = []
    ours, theirs = set(system), set(gold)
    for match_type, agrees in AGREE.items():
        pairs = [(one, other) for one in ours for other in theirs if agrees(one, other)]
        shares = {pair: overlap_of(system[pair[0]], gold[pair[1]]) for pair in pairs}
        for one, other in sorted(pairs, key=lambda pair: (-round(shares[pair], 9), *pair)):
            if one in ours and other in theirs:
                found.append((match_type, one, other, round(shares[one, other], 9)))
                ours.remove(one)
                theirs.remove(other)
    return found


def plain(matches: list[Match]) -> list[Found]:
    return sorted((match.type, match.system, match.gold, round(match.overlap, 9)) for match in matches)


def names(matches: list[Match]) -> dict[Holding, tuple[MatchType, Holding]]:
    return {match.system: (match.type, match.gold) for match in matches}


SIDE = st.dictionaries(
    st.tuples(st.sampled_from(("NONE", "a", "b", "s", "x", "é")), st.sampled_from(("cb", "ncb", "rob"))),
    st.builds(Provenance, st.just(1), st.sets(st.sampled_from("mnop"), min_size=1)),
    max_size=7,
)


def test_the_credits() -> None:
    assert THIRDS == {"b": 3, "c": 2, "d": 2, "e": 1}


@pytest.mark.parametrize(
    ("shared", "system", "gold", "expected"),
    [(0, 3, 2, 0.0), (2, 2, 2, 1.0), (1, 1, 2, 2 / 3), (1, 2, 2, 1 / 2), (2, 4, 3, 4 / 7)],
)
def test_provenance_f(shared: int, system: int, gold: int, expected: float) -> None:
    assert provenance_f(shared, system, gold) == expected


def test_the_example_of_the_order_of_names() -> None:
    gold = holdings(("s", "ncb", "m"), ("s", "rob", "m"))
    system = holdings(("s", "cb", "m"), ("x", "rob", "m"))
    assert names(match_target(system, gold)) == {("s", "cb"): ("c", ("s", "ncb")), ("x", "rob"): ("d", ("s", "rob"))}


def test_provenance_goes_before_names() -> None:
    gold = holdings(("s", "ncb", "n"), ("s", "rob", "m"))
    system = holdings(("s", "cb", "m"), ("x", "rob", "n"))
    assert names(match_target(system, gold)) == {("s", "cb"): ("c", ("s", "rob")), ("x", "rob"): ("e", ("s", "ncb"))}


def test_types_go_before_provenance() -> None:
    gold = holdings(("s", "cb", "m"))
    system = holdings(("s", "cb", "n"), ("s", "ncb", "m"))
    assert [(match.type, match.overlap) for match in match_target(system, gold)] == [("b", 0.0)]


def test_a_partial_overlap_goes_before_none() -> None:
    gold = holdings(("a", "cb", "m"), ("b", "cb", "nop"))
    system = holdings(("s", "cb", "o"))
    assert names(match_target(system, gold)) == {("s", "cb"): ("d", ("b", "cb"))}


def test_the_system_tuple_decides_before_the_gold_tuple() -> None:
    gold = holdings(("b", "cb", "m"), ("a", "cb", "m"))
    system = holdings(("x", "cb", "m"), ("s", "cb", "m"))
    assert names(match_target(system, gold)) == {("s", "cb"): ("d", ("a", "cb")), ("x", "cb"): ("d", ("b", "cb"))}


def test_names_are_compared_by_code_points() -> None:
    gold = holdings(("z", "cb", "m"))
    system = holdings(("a", "cb", "m"), ("NONE", "cb", "m"), ("é", "cb", "m"), ("b", "cb", "m"))
    assert names(match_target(system, gold)) == {("NONE", "cb"): ("d", ("z", "cb"))}


def test_of_equal_f_with_different_sets_the_first_by_name_goes() -> None:
    gold = holdings(("b", "cb", "mo"), ("a", "cb", "mn"))
    system = holdings(("s", "cb", "mp"))
    assert names(match_target(system, gold)) == {("s", "cb"): ("d", ("a", "cb"))}


@pytest.mark.parametrize(("system", "gold"), [((), ()), ((("a", "cb", "m"),), ()), ((), (("a", "cb", "m"),))])
def test_nothing_to_match(system: tuple[tuple[str, str, str], ...], gold: tuple[tuple[str, str, str], ...]) -> None:
    assert match_target(holdings(*system), holdings(*gold)) == []


@given(SIDE, SIDE)
def test_it_is_the_literal_procedure(system: Holdings, gold: Holdings) -> None:
    assert plain(match_target(system, gold)) == sorted(literal(system, gold))


LARGE = st.dictionaries(
    st.tuples(st.sampled_from([*"abcdefghijkl", "NONE"]), st.sampled_from(("cb", "ncb", "rob"))),
    st.builds(Provenance, st.just(1), st.sets(st.sampled_from("mnop"), min_size=1)),
    min_size=11,
    max_size=16,
)


@settings(max_examples=60)
@given(LARGE, LARGE)
def test_it_is_so_for_many_tuples_too(system: Holdings, gold: Holdings) -> None:
    assert plain(match_target(system, gold)) == sorted(literal(system, gold))


@given(SIDE, SIDE)
def test_every_tuple_matches_once_and_nothing_is_left_on_both_sides(system: Holdings, gold: Holdings) -> None:
    matches = match_target(system, gold)
    assert len({match.system for match in matches}) == len({match.gold for match in matches}) == len(matches)
    assert len(matches) == min(len(system), len(gold))
    for match in matches:
        assert AGREE[match.type](match.system, match.gold)
        assert match.overlap == pytest.approx(overlap_of(system[match.system], gold[match.gold]), abs=1e-12)


def most(system: list[Holding], gold: list[Holding], agrees: Agrees) -> int:
    """The size of the greatest matching, by trying all."""
    if len(system) > len(gold):
        return most(gold, system, lambda one, other: agrees(other, one))
    return max(sum(agrees(one, other) for one, other in zip(system, order, strict=False)) for order in permutations(gold))


SMALL = st.dictionaries(
    st.tuples(st.sampled_from("abs"), st.sampled_from(("cb", "ncb", "rob"))),
    st.builds(Provenance, st.just(1), st.sets(st.sampled_from("mno"), min_size=1)),
    max_size=5,
)


@given(SMALL, SMALL)
def test_matches_of_b_and_c_and_all_matches_are_as_many_as_can_be(system: Holdings, gold: Holdings) -> None:
    matches = match_target(system, gold)
    of_type = {name: [match for match in matches if match.type == name] for name in THIRDS}
    assert len(of_type["b"]) == most(list(system), list(gold), AGREE["b"])
    left_system = [name for name in system if name not in {match.system for match in of_type["b"]}]
    left_gold = [name for name in gold if name not in {match.gold for match in of_type["b"]}]
    assert len(of_type["c"]) == most(left_system, left_gold, AGREE["c"])
    assert len(matches) == most(list(system), list(gold), AGREE["e"])


@given(SIDE, SIDE, st.randoms(use_true_random=False))
def test_the_order_of_tuples_changes_nothing(system: Holdings, gold: Holdings, chance: Random) -> None:
    def shuffled(side: Holdings) -> Holdings:
        order = list(side)
        chance.shuffle(order)
        return {name: side[name] for name in order}

    assert plain(match_target(shuffled(system), shuffled(gold))) == plain(match_target(system, gold))


def test_many_tuples_with_the_same_provenance_are_quick() -> None:
    system = holdings(*((f"s{number:05}", "cb", "m") for number in range(3000)))
    gold = holdings(*((f"g{number:05}", "cb", "m") for number in range(3000)))
    matches = match_target(system, gold)
    assert [(match.type, match.system[0][1:]) for match in matches] == [("d", match.gold[0][1:]) for match in matches]
    assert len(matches) == 3000


class Looked(dict[Holding, Provenance]):
    """Tuples that count how often all of them are looked at."""

    times = 0

    def items(self) -> Any:
        self.times += 1
        return super().items()


@pytest.mark.parametrize("part", [0, 1])
def test_however_many_sources_there_are_all_tuples_are_looked_at_once(part: int) -> None:
    system, gold = (Looked({(f"{rank}", f"{rank}"): Provenance(1, {"m"}) for rank in range(100)}) for _ in range(2))
    assert len(_groups(system, gold, part)) == 100
    assert (system.times, gold.times) == (1, 1)

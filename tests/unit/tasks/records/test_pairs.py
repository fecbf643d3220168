"""Which elements are paired, and how many pairs are compared for it, in examples of each rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pytest_nlpeval.tasks.records.comparing import Comparer
from pytest_nlpeval.tasks.records.forms import Forms
from pytest_nlpeval.tasks.records.matching import Matching, TooManyPairs, tally_of
from pytest_nlpeval.tasks.records.options import options
from pytest_nlpeval.tasks.records.trees import Path, Trees
from pytest_nlpeval.tasks.records.tuples import counts_of, equal_pairs, objects_in


def credit(gold: Any, system: Any, **compare: Any) -> dict[str, int]:
    """The credit at each path that has some."""
    tally = Comparer.of(options(compare=compare)).compared({"l": gold}, {"l": system}).tally
    return {path.removeprefix("l."): number for path, number in tally.credit.items() if number}


def matching(gold: Any, system: Any, compare: Mapping[str, Any], **left: int) -> Matching:
    """The matching of two records, which may compare so many pairs."""
    chosen = options(compare=compare)
    forms = Forms.of(chosen)
    trees = [
        Trees(forms, is_gold=is_gold).tree({"l": held}, Path.root(chosen)) for held, is_gold in ((gold, True), (system, False))
    ]
    return Matching(trees[0], trees[1], forms, is_counting=True, **{f"_{name}": number for name, number in left.items()})  # type: ignore[arg-type]


def test_all_credit_counts_before_that_of_the_first_path() -> None:
    """One partner for two: two fields right at later paths are more than one at the first."""
    gold = [{"a": "x", "b": "y", "c": "z"}]
    assert credit(gold, [{"a": "x", "b": "-", "c": "-"}, {"a": "-", "b": "y", "c": "z"}]) == {"b": 1, "c": 1}
    assert credit(gold, [{"a": "-", "b": "y", "c": "-"}, {"a": "x", "b": "-", "c": "-"}]) == {"a": 1}
    assert credit(gold, [{"a": "-", "b": "-", "c": "z"}, {"a": "-", "b": "y", "c": "-"}]) == {"b": 1}


def test_paths_come_in_the_order_of_their_names_however_records_have_them() -> None:
    for keys in ("ab", "ba"):
        gold, one, other = (
            {key: text[key] for key in keys} for text in ({"a": "x", "b": "y"}, {"a": "-", "b": "y"}, {"a": "x", "b": "-"})
        )
        assert credit([gold], [one, other]) == credit([gold], [other, one]) == {"a": 1}


@pytest.mark.parametrize("size", [2, 5, 9])
def test_one_of_credit_at_a_path_is_more_than_any_at_a_later_one(size: int) -> None:
    """Of two ways with equal credit in all, that with one more at `a` is taken, however many are then lacking at `b`, and at `c` there."""
    gold = [{"b": ["x"] * size}, {"a": "x", "c": ["x"] * (size - 1)}]
    system = [{"a": "x", "b": ["x"] * size, "c": ["x"] * (size - 1)}]
    assert credit(gold, system) == {"a": 1, "c": size - 1}
    assert credit(gold[::-1], system) == {"a": 1, "c": size - 1}


def test_the_fewest_optional_fields_count_before_the_next_path() -> None:
    """Credit at `a` is the same; gold's optional `a` is left alone though its partner is right at `b`, too, if credit in all is equal."""
    anyway, needed = {"a": ["x", None], "b": "y"}, {"a": ["x"], "c": "z"}
    system = [{"a": "x", "b": "y", "c": "z"}]
    for gold in ([anyway, needed], [needed, anyway]):
        assert credit(gold, system, **{"l.a": "any"}) == {"a": 1, "c": 1}
    richer = [{"a": "x", "b": "y", "c": "z", "d": "w"}]
    assert credit([anyway | {"d": "w"}, needed], richer, **{"l.a": "any"}) == {"a": 1, "b": 1, "d": 1}


def test_credit_of_an_optional_field_is_credit_at_its_path() -> None:
    """It counts before credit at a later path, though a field that is needed there would count before it."""
    anyway, later, needed = {"a": ["x", None]}, {"b": "y"}, {"a": ["x"]}
    for gold, expected in (([anyway, later], 1), ([later, anyway], 1), ([anyway, later, needed], 1)):
        tally = Comparer.of(options(compare={"l.a": "any"})).compared({"l": gold}, {"l": [{"a": "x", "b": "y"}]}).tally
        assert (tally.credit.get("l.a"), tally.credit.get("l.b", 0)) == (expected, 0)
        assert tally.gold["l.a"] == 1


def test_only_the_pairs_of_the_two_records_count_and_each_once() -> None:
    """What is compared again, to find equal objects, is counted by itself."""
    near = {"value": "number", "tolerance": 1}
    gold = [{"a": 10 * rank, "n": [10, 20, 30]} for rank in range(3)]
    system = [{"a": 10 * rank + 1, "n": [11, 21, 40]} for rank in range(3)]
    compare = {"l.a": near, "l.n": near}
    probe = matching(gold, system, compare, left=10**6)
    credit_at = tally_of(probe.gold, probe.system, probe).credit
    assert dict(credit_at) == {"l.a": 3, "l.n": 6}
    exact = matching(gold, system, compare, left=10**6 - probe._left)
    tally_of(exact.gold, exact.system, exact)
    wholes = counts_of(Path.root(exact.forms.options), exact).lists["l"]
    assert (wholes.gold, wholes.system, wholes.correct) == (3, 3, 0)


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ([{"k": "1", "v": "x"}], [{"k": "2", "v": "x"}], {}),
        ([{"k": "1", "v": "x"}], [{"k": "1", "v": "x"}], {"k": 1, "v": 1}),
        ([{"k": "1", "v": "x"}, {"k": "2", "v": "y"}], [{"k": "2", "v": "x"}, {"k": "1", "v": "y"}], {"k": 2}),
        ([{"v": "x", "w": "-"}], [{"v": "x", "w": "+"}], {"v": 1}),
        ([{"v": "x"}], [{"k": "1", "v": "x"}], {}),
        ([{"k": ["1", "2"], "v": "x"}], [{"k": ["2", "1"], "v": "x", "w": "+"}], {"k": 2, "v": 1}),
        ([{"k": ["1", "2"], "v": "x"}], [{"k": ["1"], "v": "x"}], {}),
    ],
)
@pytest.mark.parametrize("way", ["multiset", "ordered"])
def test_objects_of_another_key_never_meet(gold: Any, system: Any, expected: dict[str, int], way: str) -> None:
    """Alone or among others, in any order or in theirs; an object without the key meets those without it."""
    rule = {"l": {"key": "k", "list": way}}
    other = [{"k": "0", "v": "?"}]
    if way == "multiset" or len(gold) == 1:
        assert credit(gold, system, **rule) == expected
        among_others = {**expected, "k": expected.get("k", 0) + 1, "v": expected.get("v", 0) + 1}
        assert credit([*other, *gold], [*other, *system], **rule) == among_others


def test_a_key_may_lie_in_an_inner_object() -> None:
    gold = [{"n": {"k": "1"}, "v": "x"}, {"n": [{"k": "2"}, {"k": "3"}], "v": "y"}]
    system = [{"n": [{"k": "3"}, {"k": "2"}], "v": "x"}, {"n": {"k": "1", "o": "+"}, "v": "y"}]
    assert credit(gold, system, l={"key": "n.k"}) == {"n.k": 3}
    assert credit(gold, system, l={"key": "n.o"}) == {"n.k": 2}, "the second of the system has such a key, and meets nobody"


@pytest.mark.parametrize("given", [{"ignore": ["l.k"]}, {"fields": ["l.v", "l.w"]}], ids=["ignored", "not among the fields"])
@pytest.mark.parametrize("way", ["multiset", "ordered", "set"])
@pytest.mark.parametrize("value", ["text", {"value": "number", "tolerance": 0.5}], ids=["text", "number"])
def test_a_key_that_does_not_count_still_says_which_objects_meet(given: Any, way: str, value: Any) -> None:
    """Else objects whose values are exchanged would be right, as those of a set of one value would be one."""

    def compared(gold: Any, system: Any) -> tuple[dict[str, int], bool, int]:
        chosen = options(compare={"l": {"key": "k", "list": way}, "l.v": value}, **given)
        found = Comparer.of(chosen).compared({"l": gold}, {"l": system})
        assert not {"l.k"} & {*found.tally.gold, *found.tally.system}
        return (
            {path: number for path, number in found.tally.credit.items() if number},
            found.is_exact,
            found.wholes.lists["l"].correct,
        )

    one, two, three = ({"k": f"{rank}", "v": rank, "w": "-"} for rank in (1, 2, 3))
    assert compared([one, two], [one, two]) == ({"l.v": 2, "l.w": 2}, True, 2)
    assert compared([one, two], [one | {"v": 2}, two | {"v": 1}]) == ({"l.w": 2}, False, 0)
    assert compared([one], [one | {"k": "2"}]) == ({}, False, 0)
    assert compared([one, two], [one, three | {"v": 2}]) == ({"l.v": 1, "l.w": 1}, False, 1)
    assert compared([one, one | {"k": "2"}], [one, one | {"k": "2"}]) == ({"l.v": 2, "l.w": 2}, True, 2)
    without = {"v": 2, "w": "-"}
    assert compared([one, without], [without, one]) == (
        {"l.v": 2, "l.w": 2} if way != "ordered" else {"l.v": 1, "l.w": 1},
        way != "ordered",
        2,
    )


def test_a_key_that_does_not_count_may_lie_in_an_inner_object() -> None:
    chosen = options(compare={"l": {"key": "n.k"}}, ignore=["l.n"])
    gold = [{"n": {"k": "1", "o": "?"}, "v": "x"}, {"n": {"k": "2"}, "v": "y"}]
    system = [{"n": {"k": "2", "o": "!"}, "v": "x"}, {"n": {"k": "1", "o": "+"}, "v": "y"}]
    assert sum(Comparer.of(chosen).compared({"l": gold}, {"l": system}).tally.credit.values()) == 0
    assert Comparer.of(chosen).compared({"l": gold}, {"l": [*reversed(gold)]}).is_exact


def test_a_key_with_alternatives_is_nobodys() -> None:
    rules = {"l": {"key": "k"}, "l.k": "any"}
    for size in (1, 2, 3):
        gold = [{"k": [f"{rank}", "?"], "v": f"{rank}"} for rank in range(size)]
        assert credit(gold, [{"k": f"{rank}", "v": f"{rank}"} for rank in range(size)], **rules) == {}


def test_what_is_between_the_common_beginning_and_the_common_end_is_compared() -> None:
    """Of lists in order; each pair counts among those that are allowed."""
    same = [{"a": f"{rank}"} for rank in range(3)]
    mine, theirs = [{"a": "m", "b": f"{rank}"} for rank in range(4)], [{"a": "t", "b": f"{rank}"} for rank in range(5)]
    for before, behind in ((2, 1), (0, 3), (3, 0), (0, 0)):
        gold, system = ([*same[:before], *some, *same[:behind]] for some in (mine, theirs))
        within = matching(gold, system, {"l": "ordered"}, left=4 * 5)
        found = tally_of(within.gold, within.system, within).credit
        assert (found["l.a"], found["l.b"]) == (before + behind, 4)
        beyond = matching(gold, system, {"l": "ordered"}, left=4 * 5 - 1)
        with pytest.raises(TooManyPairs):
            tally_of(beyond.gold, beyond.system, beyond)


def test_a_list_in_order_that_is_the_beginning_or_the_end_of_another_compares_nothing() -> None:
    long = [{"a": f"{rank}"} for rank in range(4)]
    for size in range(5):
        for part in (long[:size], long[size:]):
            for gold, system in ((part, long), (long, part)):
                alone = matching(gold, system, {"l": "ordered"}, left=0)
                assert sum(tally_of(alone.gold, alone.system, alone).credit.values()) == len(part)


@pytest.mark.parametrize("compare", [{}, {"l.a": {"value": "number", "tolerance": 1}}])
def test_objects_that_cannot_be_equal_are_not_compared(compare: Any) -> None:
    """Where only identical ones are equal, or where a field differs, perhaps of an inner object, that must be identical."""
    gold = [{"h": "1", "a": 1}, {"n": {"h": "2"}, "a": 1}]
    system = [{"h": "-", "a": 1}, {"n": {"h": "-"}, "a": 1}]
    none = matching(gold, system, compare, left_of_wholes=0)
    assert equal_pairs(objects_in(none.gold)["l"], objects_in(none.system)["l"], none) == []


@pytest.mark.parametrize(("left", "is_within"), [(3 * 4 + (3 + 5) * 8, True), (3 * 4 + (3 + 5) * 8 - 1, False)])
def test_pairs_of_whole_objects_count_with_the_elements_of_their_lists(left: int, is_within: bool) -> None:
    """Of those that may be equal and are not identical to any; a lone element of a list is no list."""
    near = {"value": "number", "tolerance": 0.5}
    same = {"h": "1", "a": 0}
    gold = [same, *({"a": rank, "o": {"n": inner}} for rank, inner in enumerate(([1, 2], [1, 2, 3], [1])))]
    system = [same, *({"a": rank + 10, "o": {"n": [1, 2]}} for rank in range(4))]
    gold[1] |= {"m": [1, 2, 3]}
    compare = {"l.a": near, "l.m": near, "l.o.n": near}
    both = matching(gold, system, compare, left_of_wholes=left)
    mine, theirs = objects_in(both.gold)["l"], objects_in(both.system)["l"]
    if is_within:
        assert equal_pairs(mine, theirs, both) == [(0, 0)]
    else:
        with pytest.raises(TooManyPairs):
            equal_pairs(mine, theirs, both)


@pytest.mark.parametrize(
    ("held", "right"),
    [
        ("s", 1),
        (["s"], 1),
        ("t", 0),
        ({"x": 1}, 1),
        ({"x": 2}, 0),
        ([{"x": 1}], 1),
        (["p", "q"], 1),
        (["p", "r"], 0),
        (["p", "q", "s"], 0),
        (["s", "s"], 0),
    ],
)
@pytest.mark.parametrize("is_optional", [True, False])
def test_the_system_has_one_of_the_alternatives_or_none(held: Any, right: int, is_optional: bool) -> None:
    """An object or an inner list is one if it is identical."""
    gold = {"k": ["s", {"x": 1}, ["p", "q"], *([None] if is_optional else [])]}
    assert credit([gold], [{"k": held}], **{"l.k": "any"}) == ({"k": 1} if right else {})


def test_where_nothing_alone_is_right_a_value_has_no_credit() -> None:
    tally = Comparer.of(options(compare={"k": "any"})).compared({"k": [None]}, {"k": "x"}).tally
    assert [side.get("k", 0) for side in (tally.gold, tally.system, tally.credit)] == [0, 1, 0]
    assert Comparer.of(options(compare={"k": "any"})).compared({"k": [None]}, {}).is_exact


def test_inner_lists_are_right_as_a_whole() -> None:
    """Whatever the rule of their path; beside them scalars have the credit that the rule gives."""
    assert credit({"a": [["x", "y"], "z"]}, {"a": ["z", ["x", "y"]]}) == {"a": 2}
    assert credit({"a": [["x", "y"], "z"]}, {"a": ["z", ["x", "w"]]}) == {"a": 1}
    million = 10**6
    of_tokens = credit({"a": [["x", "y"], "u"]}, {"a": ["x y", "u w"]}, **{"l.a": "tokens"})
    assert of_tokens == {"a": 2 * million // 3}
    assert credit({"a": [["x", "y"], "u"]}, {"a": ["u w", ["x", "y"]]}, **{"l.a": "tokens"}) == {"a": million + 2 * million // 3}


@pytest.mark.parametrize(
    ("held", "right"), [("x", 0), (["x", "y"], 0), ([["x", "y"]], 1), ([["x", "w"]], 0), ([["x", "y"], "z"], 1), ({"x": "y"}, 0)]
)
@pytest.mark.parametrize("rule", ["text", "tokens"])
def test_a_lone_inner_list_is_right_if_it_is_the_same(held: Any, right: int, rule: str) -> None:
    unit = 10**6 if rule == "tokens" else 1
    assert credit({"a": [["x", "y"]]}, {"a": held}, **{"l.a": rule}) == ({"a": unit} if right else {})


@pytest.mark.parametrize(("held", "right"), [(2, 1), (7, 1), (4, 0), ({"x": 1}, 1), ({"x": 2}, 0), ("text", 0)])
def test_alternatives_are_right_by_the_rule_of_their_path(held: Any, right: int) -> None:
    rule = {"l.k": {"list": "any", "value": "number", "tolerance": 1}}
    assert credit([{"k": [1, 8, {"x": 1}]}], [{"k": held}], **rule) == ({"k": 1} if right else {})


def test_a_record_whose_tokens_stand_in_another_order_is_exact() -> None:
    compared = Comparer.of(options(compare={"a": "tokens"})).compared
    assert compared({"a": "x y", "b": "z"}, {"a": "y x", "b": "z"}).is_exact
    assert not compared({"a": "x y", "b": "z"}, {"a": "y", "b": "z"}).is_exact


@pytest.mark.parametrize(
    ("gold", "system", "right"),
    [("xy", "yx", 1), ("xyz", "zxy", 2), ("x", "xyx", 1), ("xyx", "x", 1), ("xx", "xyx", 2), ("xyzx", "xzyx", 3), ("xy", "", 0)],
)
def test_lists_in_order_have_the_longest_common_subsequence(gold: str, system: str, right: int) -> None:
    """Of scalars and of objects; each element has one partner at most."""
    assert credit({"a": list(gold)}, {"a": list(system)}, **{"l.a": "ordered"}) == ({"a": right} if right else {})
    mine, theirs = ([{"a": each} for each in side] for side in (gold, system))
    assert credit(mine, theirs, l="ordered") == ({"a": right} if right else {})

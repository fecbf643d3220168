"""How many whole objects and tuples are right is what trying all ways to pair them gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.records.comparing import Comparer
from pytest_nlpeval.tasks.records.options import options
from pytest_nlpeval.tasks.records.tuples import Counts
from tests.unit.tasks.records.naive import Naive
from tests.unit.tasks.records.test_matching import COMPARE, OBJECTS, TIED, VALUES, lone_where_any

Tree = Mapping[str, tuple[str, list[Any]]]

LISTS = st.lists(TIED, min_size=1, max_size=4) | st.lists(OBJECTS | VALUES, max_size=3)
RECORDS = st.fixed_dictionaries({"l": LISTS})


def objects(tree: Tree, path: str) -> Iterator[Tree]:
    """Yield the objects at a path in a tree."""
    for name, elements in tree.values():
        for each in elements:
            if isinstance(each, dict):
                yield from [each] if name == path else objects(each, path)


def pairs_of(naive: Naive, gold: Sequence[Tree], system: Sequence[Tree]) -> int:
    """Return how many objects have an equal partner: first those that are identical, then as many others as can be."""
    mine, theirs = list(gold), list(system)
    for one in gold:
        partner = next((place for place, two in enumerate(theirs) if naive.are_identical(one, two)), None)
        if partner is not None:
            del theirs[partner]
            mine = [each for each in mine if each is not one]
    identical = len(gold) - len(mine)
    mine += [{}] * (len(theirs) - len(mine))
    return identical + max(sum(map(naive.are_equal, way, theirs)) for way in permutations(mine, len(theirs)))


@given(RECORDS, RECORDS, COMPARE)
def test_objects_are_right_as_many_as_can_be_paired_with_equal_ones(gold: Any, answered: Any, compare: Any) -> None:
    system = lone_where_any(answered, compare)
    naive = Naive(compare)
    mine, theirs = naive.tree(gold, "", is_gold=True), naive.tree(system, "", is_gold=False)
    found = counts(gold, system, compare=compare).lists
    for path in ("l", "l.n"):
        own, others = list(objects(mine, path)), list(objects(theirs, path))
        if own or others:
            numbers = found[path]
            assert (numbers.gold, numbers.system, numbers.correct) == (len(own), len(others), pairs_of(naive, own, others)), path
        else:
            assert path not in found


def counts(gold: Any, system: Any, **given_options: Any) -> Counts:
    return Comparer.of(options(**given_options)).compared(gold, system).wholes


INNER = st.fixed_dictionaries({}, optional={"h": st.sampled_from("pq"), "a": st.integers(0, 2)})
NUMBERS = st.lists(st.fixed_dictionaries({"a": st.integers(0, 4)}), min_size=1, max_size=5)
NEAR = NUMBERS | st.lists(
    st.fixed_dictionaries(
        {"a": st.integers(0, 4)},
        optional={"h": st.sampled_from("pq"), "k": st.lists(st.sampled_from("xy"), min_size=1, max_size=2), "n": INNER},
    ),
    min_size=1,
    max_size=4,
)


@given(NEAR, NEAR, st.sampled_from(["multiset", "any"]))
@example([{"a": 0}, {"a": 2}, {"a": 2}], [{"a": 1}, {"a": 3}], "multiset")
@example([{"a": 1}, {"a": 3}], [{"a": 0}, {"a": 2}, {"a": 2}], "multiset")
@example([{"a": 0}, {"a": 0}, {"a": 0}], [{"a": 1}, {"a": 1}], "multiset")
@example([{"a": 0, "k": ["x", "y"]}, {"a": 0, "k": ["x"]}], [{"a": 1, "k": ["x"]}, {"a": 1, "k": ["y"]}], "any")
@example([{"a": 0, "k": ["x"]}, {"a": 0, "k": ["y"]}], [{"a": 1, "k": ["x"]}, {"a": 1, "k": ["x"]}], "any")
@example([{"a": 0, "k": ["y"]}, {"a": 0, "k": ["x"]}], [{"a": 1, "k": ["x"]}, {"a": 1, "k": ["x"]}], "any")
@example([{"a": 0}, {"a": 0, "k": ["x"]}, {"a": 0, "k": ["y"]}], [{"a": 1, "k": ["y"]}, {"a": 1, "k": ["x"]}], "any")
def test_objects_that_are_equal_to_several_are_paired_as_many_as_can_be(gold: Any, answered: Any, way: str) -> None:
    """A number within the tolerance is right, though not all that are near one are near each other; so is one of gold's alternatives."""
    near = {"value": "number", "tolerance": 1}
    compare: dict[str, dict[str, Any]] = {"l.a": near, "l.n.a": near, "l.k": {"list": way}}
    system = lone_where_any({"l": answered}, compare)
    naive = Naive(compare)
    mine, theirs = naive.tree({"l": gold}, "", is_gold=True), naive.tree(system, "", is_gold=False)
    found = counts({"l": gold}, system, compare=compare).lists
    for path in ("l", "l.n"):
        own, others = list(objects(mine, path)), list(objects(theirs, path))
        if own or others:
            numbers = found[path]
            assert (numbers.gold, numbers.system, numbers.correct) == (len(own), len(others), pairs_of(naive, own, others)), path


def test_a_set_around_tuples_makes_none_of_them_one() -> None:
    """Only a set of the tuples themselves does."""
    record = {"l": [{"k": "1", "n": [{"a": "x"}, {"a": "x"}]}, {"k": "2", "n": [{"a": "x"}]}]}
    for compare, number in (({"l": "set"}, 3), ({"l.n": "set"}, 2), ({}, 3)):
        numbers = counts(record, record, compare=compare, views={"inner": ["l.n.a"]}).views["inner"]
        assert (numbers.gold, numbers.correct) == (number, number)


FLAT = st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys("abc", st.sampled_from(["x", "y", "", 1, 2]))), max_size=4)
SETS = st.sampled_from(["multiset", "set"])


@given(FLAT, FLAT, SETS, st.sampled_from([0, 1]))
def test_tuples_are_objects_cut_down_to_the_fields_of_their_view(gold: Any, system: Any, way: str, tolerance: int) -> None:
    """Another field changes nothing; in a set tuples that are identical count once. A value has the tuples that it is in."""
    compare: dict[str, dict[str, Any]] = {"l": {"list": way}, "l.a": {"value": "number", "tolerance": tolerance}}
    naive = Naive(compare)
    cut: list[list[Tree]] = []
    for side, record in enumerate((gold, system)):
        tuples = [{key: held[key] for key in "ab" if key in held} for held in record]
        trees = [naive.tree({"l": [each]}, "", is_gold=not side) for each in tuples]
        nodes = [each for tree in trees for each in objects(tree, "l")]
        once = {naive.identity(each): each for each in nodes}
        cut.append(list(once.values()) if way == "set" else nodes)
    views = {"pairs": {"fields": ["l.a", "l.b"], "by": "l.b"}}
    found = counts({"l": gold}, {"l": system}, compare=compare, views=views)
    numbers = found.views["pairs"]
    assert (numbers.gold, numbers.system) == (len(cut[0]), len(cut[1]))
    assert numbers.correct == pairs_of(naive, *cut)
    values = [Counter(str(element[1]) for node in side for _, (element,) in [node.get("b", ("", [("", None)]))]) for side in cut]
    for text in {*values[0], *values[1]} - {"None"}:
        own = found.values["pairs", text]
        assert (own.gold, own.system) == (values[0][text], values[1][text])
        of_value = [[node for node in side if "b" in node and str(node["b"][1][0][1]) == text] for side in cut]
        assert own.correct == pairs_of(naive, *of_value), "equal tuples have the same value"
    assert {text for _, text in found.values} == {*values[0], *values[1]} - {"None"}


def test_a_view_of_inner_fields_has_the_objects_that_hold_them() -> None:
    """The base is `l.n`; what is around it and what has none of the fields is no tuple."""
    gold = {
        "l": [{"k": "1", "n": [{"a": "x", "z": "1"}, {"a": "y"}]}, {"k": "2", "n": {"z": "3"}}, {"n": {"a": "x"}}, "x"],
        "a": "x",
    }
    system = {"l": [{"n": [{"a": "x"}, {"a": "w"}]}], "n": {"a": "y"}}
    numbers = counts(gold, system, views={"inner": ["l.n.a"]}).views["inner"]
    assert (numbers.gold, numbers.system, numbers.correct) == (3, 2, 1)


def test_a_view_of_the_record_has_one_tuple_or_none() -> None:
    """Of lists in it only what the view names counts."""
    gold = {"a": "x", "l": [{"b": "1", "c": "2"}, {"c": "3"}, "b"], "z": "9"}
    for system, expected in (
        ({"a": "x", "l": [{"b": "1"}]}, (1, 1, 1)),
        ({"a": "x", "l": {"c": "2"}}, (1, 1, 0)),
        ({"l": [{"b": "1"}]}, (1, 1, 0)),
        ({"z": "9"}, (1, 0, 0)),
    ):
        numbers = counts(gold, system, views={"whole": ["a", "l.b"]}).views["whole"]
        assert (numbers.gold, numbers.system, numbers.correct) == expected


@pytest.mark.parametrize(
    ("rule", "held", "texts"),
    [
        ("text", "z", {"z"}),
        ("text", ["z", "z", 1], {"z", "1"}),
        ("text", [["p", "q"], "z"], {"[p, q]", "z"}),
        ("text", [["p", {"y": "2", "x": "1"}], "z"], {"[p, {x: 1, y: 2}]", "z"}),
        ("exact", [1, "a", True], {"1", "a", "true"}),
    ],
)
def test_values_of_a_view_are_named_as_they_are_written(rule: str, held: Any, texts: set[str]) -> None:
    """Each once for a tuple, however often the tuple has it; the field may lie in an inner object."""
    record = {"l": [{"a": "x", "n": {"t": held, "o": "z"}, "m": {"t": "other"}}]}
    views = {"some": {"fields": ["l.a", "l.n.t", "l.m.t"], "by": "l.n.t"}}
    found = counts(record, record, compare={"l.n.t": rule}, views=views)
    assert {text: (own.gold, own.system, own.correct) for (_, text), own in found.values.items()} == dict.fromkeys(
        texts, (1, 1, 1)
    )
    assert not counts(record, record, views={"some": ["l.a", "l.n.t"]}).values

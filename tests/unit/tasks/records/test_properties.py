"""What must hold of records: no order changes a score, exchanging sides exchanges precision and recall, assignments are the greatest."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import score
from pytest_nlpeval.tasks.records.comparing import Comparer, Comparison
from pytest_nlpeval.tasks.records.crossing import greatest_in_order
from pytest_nlpeval.tasks.records.forms import Forms
from pytest_nlpeval.tasks.records.matching import Matching, Tally, TooManyPairs, tally_of
from pytest_nlpeval.tasks.records.numerals import date_in, number_in
from pytest_nlpeval.tasks.records.options import options
from pytest_nlpeval.tasks.records.trees import Node, Path, Trees
from pytest_nlpeval.tasks.records.tuples import Wholes

SCALARS = st.sampled_from(["x", "y", "", 1, 2, True, None])
OBJECTS = st.dictionaries(st.sampled_from("abc"), SCALARS, max_size=3)
LISTS = st.lists(OBJECTS, max_size=4)
RECORDS = st.fixed_dictionaries({"p": SCALARS, "l": LISTS, "m": st.lists(SCALARS, max_size=3)})


def compared(gold: Any, system: Any, **given: Any) -> Comparison:
    return Comparer.of(options(**given)).compared(gold, system)


def numbers(tally: Tally) -> dict[str, tuple[int, int, int]]:
    return {
        path: (tally.gold.get(path, 0), tally.system.get(path, 0), tally.credit.get(path, 0))
        for path in {**tally.gold, **tally.system}
    }


def figures(comparison: Comparison) -> tuple[object, object]:
    wholes: dict[str, Wholes] = comparison.wholes.lists
    return numbers(comparison.tally), {name: (each.gold, each.system, each.correct) for name, each in wholes.items()}


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        return {key: shuffled(value[key], chance) for key in chance.sample(list(value), len(value))}
    if isinstance(value, list):
        return [shuffled(held, chance) for held in chance.sample(value, len(value))]
    return value


@given(RECORDS, RECORDS, st.integers(0, 99))
def test_no_order_changes_a_number(gold: Any, system: Any, seed: int) -> None:
    chance = random.Random(seed)
    assert figures(compared(gold, system)) == figures(compared(shuffled(gold, chance), shuffled(system, chance)))


@given(
    RECORDS,
    RECORDS,
    st.sampled_from([{}, {"compare": {"l": "ordered"}}, {"compare": {"l.a": "tokens"}}, {"compare": {"l": {"key": "a"}}}]),
)
def test_exchanging_the_sides_exchanges_the_numbers(gold: Any, system: Any, given: Any) -> None:
    one, two = compared(gold, system, **given), compared(system, gold, **given)
    assert numbers(one.tally) == {path: (g, s, c) for path, (s, g, c) in numbers(two.tally).items()}
    assert one.is_exact == two.is_exact


@given(RECORDS)
def test_a_record_is_exact_against_itself(record: Any) -> None:
    comparison = compared(record, record)
    assert comparison.is_exact
    assert all(gold == system == credit for gold, system, credit in numbers(comparison.tally).values())


@given(st.dictionaries(st.sampled_from("abcd"), SCALARS), st.dictionaries(st.sampled_from("abcd"), SCALARS))
def test_without_lists_pairs_of_path_and_value_are_counted(gold: Any, system: Any) -> None:
    sides = [
        Counter(
            (key, str(value).lower() if isinstance(value, bool) else str(value))
            for key, value in record.items()
            if value not in (None, "")
        )
        for record in (gold, system)
    ]
    tally = compared(gold, system).tally
    assert [sum(side.values()) for side in (tally.gold, tally.system)] == [sum(side.values()) for side in sides]
    assert sum(tally.credit.values()) == sum((sides[0] & sides[1]).values())


def best_by_trying(gold: list[dict[str, Any]], system: list[dict[str, Any]]) -> tuple[int, ...]:
    """Return the greatest credit, and that at a, b and c, of all pairings that leave identical objects together."""
    common = Counter(map(identity, gold)) & Counter(map(identity, system))
    rest, left = without(gold, common), without(system, common)
    rest += [{}] * (len(left) - len(rest))
    own = Counter(key for pairs, number in common.items() for key, _ in pairs for _ in range(number))
    every = [
        tuple(
            own[key] + sum(one.get(key) == two.get(key) is not None for one, two in zip(order, left, strict=False))
            for key in "abc"
        )
        for order in permutations(rest)
    ]
    return max((sum(of_keys), *of_keys) for of_keys in every)


def identity(held: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(held.items()))


def without(objects: list[dict[str, Any]], common: Counter[Any]) -> list[dict[str, Any]]:
    spare = common.copy()
    kept = []
    for held in objects:
        if spare[identity(held)]:
            spare[identity(held)] -= 1
        else:
            kept.append(held)
    return kept


FULL = st.lists(st.dictionaries(st.sampled_from("abc"), st.sampled_from("xyz"), min_size=1), max_size=4)


@given(FULL, FULL)
def test_the_credit_is_the_greatest_and_ties_go_by_path(gold: Any, system: Any) -> None:
    tally = compared({"l": gold}, {"l": system}).tally
    of_keys = tuple(tally.credit.get(f"l.{key}", 0) for key in "abc")
    assert (sum(of_keys), *of_keys) == best_by_trying(gold, system)


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), max_size=4))
def test_pairs_in_order_are_the_greatest_that_do_not_cross(weights: list[list[int]]) -> None:
    def best(row: int, column: int) -> int:
        if row == len(weights) or column == 3:
            return 0
        return max(best(row + 1, column), best(row, column + 1), weights[row][column] + best(row + 1, column + 1))

    pairs = greatest_in_order(weights)
    assert sum(weights[row][column] for row, column in pairs) == best(0, 0)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(pairs))


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,234.50", Fraction(2469, 2)), ("-€ 3", -3), ("€-3", -3), ("3 €", 3), (".5", Fraction(1, 2)), ("1e-2", Fraction(1, 100)), ("+7.", 7),
     ("1,23", None), ("12,3456", None), ("", None), ("five", None), ("1e401", None), ("１", None), ("--1", None), ("1" * 401, None)],
)  # fmt: skip
def test_numbers(text: str, number: Fraction | None) -> None:
    assert number_in(text) == number


@pytest.mark.parametrize(
    ("one", "two", "are_equal"),
    [("2024-03-01", "20240301", True), ("2024-03-01T00:00", "2024-03-01", True), ("2024-03-01T10:30", "20240301 10:30:00.0", True),
     ("2024-03-01T00:00Z", "2024-03-01", False), ("2024-03-01T23:00-01", "2024-03-02T00:00:00Z", True), ("2024-03", "2024-03-01", False),
     ("2024", "2024-01", False), ("2024-03-01T10:30Z", "2024-03-01T10:30", False)],
)  # fmt: skip
def test_dates(one: str, two: str, are_equal: bool) -> None:
    assert date_in(one) is not None
    assert date_in(two) is not None
    assert (date_in(one) == date_in(two)) == are_equal


@pytest.mark.parametrize(
    "text", ["2023-02-29", "2024-13", "2024-03-01T24:00", "202403", "24-03-01", "2024-03T10:00", "2024-03-01T10", "x"]
)
def test_no_dates(text: str) -> None:
    assert date_in(text) is None


def test_exact_is_1_if_and_only_if_samples_f1_is() -> None:
    gold = [{"id": 1, "a": 1}, {"id": 2, "l": [{"b": 1}]}]
    for system in (gold, [{"id": 1, "a": 1}, {"id": 2, "l": [{"b": 2}]}]):
        result = score("records", gold=gold, system=system)
        assert (result["exact"] == 1) == (result["samples.f1"] == 1)


def test_too_many_pairs_are_unparsed() -> None:
    gold = {f"l{k}": [{"a": f"g{k}-{i}"} for i in range(500)] for k in range(3)}
    system = {f"l{k}": [{"a": f"s{k}-{i}"} for i in range(1000)] for k in range(3)}
    comparison = compared(gold, system)
    assert not comparison.is_parsed
    assert "1,000,000" in str(comparison.fault)


@pytest.mark.parametrize(("left", "is_within"), [(2 * 30 * 40, True), (2 * 30 * 40 - 1, False)])
@pytest.mark.parametrize("compare", [{"l": {"key": "k"}}, {}])
def test_pairs_in_lists_of_lone_partners_are_counted_once(left: int, is_within: bool, compare: Any) -> None:
    """With a key each object has one partner; without, the last ones have when the others are identical."""
    chosen = options(compare=compare)

    def tree(side: str, size: int) -> Node:
        inner = [{"a": f"{side}{rank}"} for rank in range(size)]
        record = {"l": [{"k": "x", "in": inner}], "m": [{"k": "y", "in": inner}, {"k": "z"}], "n": 1}
        return Trees(Forms.of(chosen), is_gold=side == "g").tree(record, Path.root(chosen))

    gold, system = tree("g", 30), tree("s", 40)
    matching = Matching(gold, system, Forms.of(chosen), is_counting=True, _left=left)
    if is_within:
        assert not tally_of(gold, system, matching).credit.get("l.in.a")
    else:
        with pytest.raises(TooManyPairs):
            tally_of(gold, system, matching)


FLAT = st.lists(
    st.dictionaries(st.sampled_from("abc"), st.sampled_from(["x", "X y", "y", "", 1, 1.0, "1", True, "1.2", None])),
    min_size=1,
    max_size=6,
)


@given(
    FLAT,
    FLAT,
    st.sampled_from([{}, {"a": "exact"}, {"a": {"value": "number", "tolerance": 0.2}}, {"a": "tokens"}, {"b": "date"}]),
    st.sampled_from(
        [{}, {"normalise": ["lower"]}, {"nothing": ["x"]}, {"empty": "value"}, {"ignore": ["c"]}, {"fields": ["a", "b"]}]
    ),
    st.sampled_from([1, 2, 2000]),
)
def test_flat_records_have_the_same_numbers_as_any(gold: Any, system: Any, compare: Any, others: Any, at_a_time: int) -> None:
    """With a view records are compared one by one, without it column by column, however many are looked at together."""
    given = {"pair": "line", "compare": compare, **others}
    records = [*system, *({} for _ in gold)][: len(gold)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pytest_nlpeval.tasks.records.packed._AT_A_TIME", at_a_time)
        flat = score("records", gold=gold, system=records, options=given)
    single = score("records", gold=gold, system=records, options={**given, "views": {"all": ["a", "b", "c"]}})
    assert flat.outcome == single.outcome == "ok"
    for name, scored in flat.scores.items():
        assert scored.value == single.scores[name].value, name


WRITTEN = ["x", 1, True, "str", "number", "bool", "day", "text"]
INNER = st.recursive(st.sampled_from(WRITTEN), lambda inner: st.lists(inner, min_size=2, max_size=3), max_leaves=4)


@given(INNER, INNER, st.sampled_from(["text", "exact", "number", "date"]))
def test_a_scalar_and_an_inner_list_are_never_equal(one: Any, two: Any, value: str) -> None:
    """Whatever a list holds, it is not what a scalar is by the rule of its path."""
    comparison = compared({"a": ["z", one]}, {"a": ["z", two]}, compare={"a": value})
    if isinstance(one, list) != isinstance(two, list):
        assert not comparison.is_exact
    elif one == two and str(one) == str(two):
        assert comparison.is_exact


def test_an_exact_text_is_no_list_that_says_so() -> None:
    assert not compared({"a": ["x", "y"]}, {"a": [["str", "x"], "y"]}, compare={"a": "exact"}).is_exact


def test_too_many_values_are_told() -> None:
    records = [{"id": 1, "r": [{"t": f"v{rank}"} for rank in range(400)]}]
    others = [{"id": 1, "r": [{"t": f"w{rank}"} for rank in range(601)]}]
    result = score("records", gold=records, system=others, options={"views": {"facts": {"fields": ["r.t"], "by": "r.t"}}})
    assert [problem.code for problem in result.all_problems() if problem.severity == "error"] == ["records.too-many"]

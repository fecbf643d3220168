"""Rules of records that need long or odd records: bounds, what a model has written, options that cannot be, how much is explained."""

from __future__ import annotations

import json
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import SuiteResult, score
from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.tasks.records.bounds import OF_GOLD, OF_SYSTEM, Bounds, Limits
from pytest_nlpeval.tasks.records.columns import IN_LISTS
from pytest_nlpeval.tasks.records.forms import Forms
from pytest_nlpeval.tasks.records.options import options
from pytest_nlpeval.tasks.records.parsing import FENCED, Fault, parsed_answer
from pytest_nlpeval.tasks.records.rules import LISTS, VALUES, covers, rules_of
from pytest_nlpeval.tasks.records.trees import Path
from tests.work import calls_of


def problems_of(record: Any, limits: Limits, **given: Any) -> list[str]:
    """The names of what is wrong with a record by its bounds."""
    return [excess.problem for excess in Bounds(limits).excess(record, Path.root(options(**given)))]


@pytest.mark.parametrize("limits", [OF_GOLD, OF_SYSTEM])
def test_a_record_has_so_many_scalars_and_no_more(limits: Limits) -> None:
    scalars = list(range(limits.scalars))
    assert not problems_of({"a": scalars}, limits)
    assert problems_of({"a": scalars, "b": None}, limits) == ["too-long"]


@pytest.mark.parametrize("limits", [OF_GOLD, OF_SYSTEM])
def test_a_list_has_so_many_objects_and_no_more(limits: Limits) -> None:
    """Lists in lists, and lists beneath ignored keys, are lists, too."""
    objects: list[Any] = [{"k": rank} for rank in range(limits.objects)]
    assert not problems_of({"a": [*objects, 1]}, limits)
    for record in ({"a": [*objects, {}]}, {"a": {"b": [*objects, {}]}}, {"a": [[*objects, {}]]}):
        assert problems_of(record, limits, ignore="a") == ["too-long"]


@pytest.mark.parametrize("limits", [OF_GOLD, OF_SYSTEM])
def test_with_a_key_as_many_objects_have_one_key(limits: Limits) -> None:
    given = {"compare": {"a": {"key": "k"}}}
    objects = [{"k": rank % 2} for rank in range(2 * limits.objects)]
    assert not problems_of({"a": objects}, limits, **given)
    assert problems_of({"a": [*objects, {"k": 0}]}, limits, **given) == ["too-long"]
    assert problems_of({"a": [{}] * (limits.objects + 1)}, limits, **given) == ["too-long"]


@pytest.mark.parametrize("rule", ["any", "whole", "map"])
def test_lists_that_no_element_is_matched_of_may_have_any_number_of_objects(rule: str) -> None:
    objects = [{"k": rank} for rank in range(OF_GOLD.objects + 1)]
    record = {"a": {"b": objects} if rule == "map" else objects}
    assert not problems_of(record, OF_GOLD, compare={"a": rule})
    assert problems_of(record, OF_GOLD) == ["too-long"]


@pytest.mark.parametrize(
    ("key", "is_right"),
    [("k" * 200, True), ("k" * 201, False), ("", False), ("a\x00b", False), ("a\x7f", False), ("a b.c\u2028é", True)],
)
def test_keys_have_a_length_and_no_control_characters(key: str, is_right: bool) -> None:
    assert (problems_of({"a": [{key: 1}]}, OF_GOLD) == []) == is_right


def scored(gold: list[Any], system: list[Any], **given: Any) -> SuiteResult:
    return score("records", gold=gold, system=system, options={"pair": "line", **given}, explain=True)


def test_a_record_of_the_system_that_is_too_long_is_a_result() -> None:
    """Of a file with one such record the others count."""
    long = {"a": "x", "b": [{"c": rank} for rank in range(OF_SYSTEM.objects + 1)]}
    result = scored([{"a": "x"}, {"a": "x"}], [long, {"a": "x"}], ignore=["b"])
    assert (result.outcome, result["parsed"], result["exact"], result["field.a.fn"]) == ("ok", 1 / 2, 1 / 2, 1)


@pytest.mark.parametrize(
    ("number", "is_read"),
    [("9" * 400, True), ("9" * 401, False), ("0." + "1" * 398, True), ("0." + "1" * 399, False), ("1e400", True), ("1e401", False),
     ("1E-400", True), ("1e-401", False)],
)  # fmt: skip
def test_numbers_have_at_most_400_characters_and_an_exponent_up_to_400(number: str, is_read: bool) -> None:
    assert isinstance(parsed_answer(f'{{"a": {number}}}', "json"), dict if is_read else Fault)


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("[1]", True),
        ("So:\n  ```json\n[1]\n ``` \nThat is all.", True),
        ("```\n[1]\n```json", False),
        ("```\n[1]\n```\n```\n[2]\n```", False),
        ("```\n[1]", False),
        ("`[1]`", False),
        ("```\n[1],\n```", False),
        ("say ```\n[1]\n```", False),
    ],
)
def test_a_block_of_code_is_between_exactly_two_lines_of_backquotes(text: str, is_read: bool) -> None:
    assert isinstance(parsed_answer(text, FENCED), Fault) != is_read
    assert isinstance(parsed_answer(text, "json"), list) == (text == "[1]")


@pytest.mark.parametrize(
    "given",
    [
        {"compare": {"a": {"tolerance": 1}}},
        {"compare": {"a": {"value": "date", "tolerance": 1}}},
        {"compare": {"a": {"value": "number", "tolerance": -1}}},
        {"compare": {"a": {"value": "number", "tolerance": "-1%"}}},
        {"compare": {"a": {"value": "number", "tolerance": "1%\n"}}},
        *(
            {"compare": {"a": {"value": "number", "tolerance": text}}}
            for text in ("-1", "1\n", "1e2", ".5", "1.", "inf", "", "%")
        ),
        {"compare": {"a": {"value": "number", "tolerance": float("inf")}}},
        {"compare": {"a": {"list": "any", "key": "b"}}},
        {"compare": {"a": {"list": "any", "map": True}}},
        {"compare": {"a": "fuzzy"}},
        {"views": {"v": {"fields": ["a"], "by": "b"}}},
        *({"views": {"v": {"fields": ["a"], "by": "a"}}, "compare": {"a": kind}} for kind in ("number", "date", "tokens", "any")),
        *({"views": {name: ["a"]}} for name in ("micro", "list", "parsed", "group", "1a", "a.b", "a\n", "")),
        {"rows": True, "pair": "line"},
        {"rows": True, "format": "document"},
        *(
            {"profile": "donut", name: value}
            for name, value in [("normalise", ["lower"]), ("nothing", ["x"]), ("empty", "value")]
        ),
        {"profile": "donut", "compare": {"a": "number"}},
        {"profile": "donut", "views": {"v": ["a"]}},
    ],
)
def test_options_that_cannot_be_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"config\.option"):
        score("records", gold=[{"id": 1, "a": 1}], system=[{"id": 1, "a": 1}], options=given)


def test_twenty_fields_of_a_record_are_explained_wrong_ones_first() -> None:
    gold = {f"k{rank:02}": f"g{rank}" for rank in range(30)}
    system = {**{f"k{rank:02}": "s" for rank in range(15, 25)}, **{f"x{rank}": "s" for rank in range(10)}}
    (case,) = scored([gold], [system]).cases
    assert case.explanations is not None
    reasons = [entry.reason for entry in case.explanations.first]
    assert reasons == ["wrong"] * 10 + ["missing"] * 10
    assert case.explanations.counts == {"wrong": 10, "missing": 20, "spurious": 10}


def test_values_are_cut_and_the_passage_of_the_text_is_quoted() -> None:
    gold = [{"t": "It was Ann who came.", "r": {"a": "Ann", "b": "q" * 300}}]
    (case,) = scored(gold, [{"r": {"a": "Eve", "b": "z" * 300}}], record="r", text="t").cases
    assert case.explanations is not None
    messages = {entry.message.split(":")[0]: entry.message for entry in case.explanations.first}
    assert (messages["b"].count("q"), messages["b"].count("z")) == (200, 200)
    assert "It was Ann who came." in json.dumps([str(entry) for entry in case.explanations.first])


def test_groups_and_values_have_bounds() -> None:
    gold = [{"id": rank, "a": "x", "g": f"g{rank}"} for rank in range(201)]
    result = score("records", gold=gold, system=[{"id": rank, "a": "x"} for rank in range(201)], options={"group": "g"})
    assert [problem.code for problem in result.all_problems()] == ["records.too-many"]
    wide = [{"id": rank, **{f"k{place}": 1 for place in range(200)}, "g": f"g{rank}"} for rank in range(51)]
    narrow = [{key: value for key, value in record.items() if key != "g"} for record in wide]
    result = score("records", gold=wide, system=narrow, options={"group": "g"})
    assert [problem.code for problem in result.all_problems()] == ["records.too-many"]


def test_twenty_paths_that_gold_lacks_are_told_and_all_count() -> None:
    result = scored([{"a": 1}], [{"a": 1, **{f"x{rank}": 1 for rank in range(30)}}])
    told = [problem for problem in result.all_problems() if problem.code == "records.extra"]
    assert len(told) <= 21
    assert result["micro.fp"] == 30


def test_lists_are_in_the_order_of_their_names() -> None:
    """A process has the elements of a set in an order of its own, and evidence files of shards must have the same bytes."""
    names = [f"list{rank}" for rank in range(9)]
    records = [{"id": "1", **{name: [{"k": 1}] for name in names}}]
    evidence = score("records", gold=records, system=records).evidence
    assert evidence is not None
    assert [name for name in evidence.columns if name.startswith(IN_LISTS)] == [f"{IN_LISTS}:gold:{name}" for name in names]


NUMBERS = st.one_of(
    st.integers(-(10**400), 10**400),
    st.integers(-300, 300),
    st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-1000, max_value=1000),
    st.builds("{}e{}".format, st.integers(-999, 999), st.integers(-400, 400)).map(Decimal),
)


@given(NUMBERS, NUMBERS, st.sampled_from(["0", "0.01", "3", "1%", "0.1%", "250%", "1e-400"]))
def test_numbers_within_the_tolerance_are_equal_exactly(gold: int | Decimal, system: int | Decimal, tolerance: str) -> None:
    """As fractions say, which round nothing, however long the numbers are."""
    forms = Forms.of(options())
    rule = rules_of({"a": {"value": "number", "tolerance": tolerance}}).at("a")
    greatest = Fraction(rule.tolerance or 0) * (abs(Fraction(gold)) if rule.is_share else 1)
    near = [gold + step for step in (-3, -1, 1, 3)] if isinstance(gold, int) else []
    for other in (system, gold, *near):
        assert forms.credit(gold, other, rule) == (abs(Fraction(gold) - Fraction(other)) <= greatest)


def test_a_number_at_the_end_of_a_tolerance_is_equal_and_the_next_one_is_not() -> None:
    forms = Forms.of(options())
    rule = rules_of({"a": {"value": "number", "tolerance": "1%"}}).at("a")
    gold, end = Decimal("1e400"), Decimal("1.01e400")
    assert forms.credit(gold, end, rule) == 1
    assert forms.credit(gold, Context(prec=900).add(end, Decimal("1e-390")), rule) == 0


@pytest.mark.parametrize("tolerance", ["0.1234567890123456789012", "0.12345678901234567890120"])
def test_a_tolerance_in_quotation_marks_is_the_decimal_as_written(tolerance: str) -> None:
    """As a number it would be rounded, up: what is just beyond the tolerance would be within."""
    given = {"compare": {"a": {"value": "number", "tolerance": tolerance}}}
    gold = [{"id": str(rank), "a": 1} for rank in range(2)]
    system = [{"id": "0", "a": "1.1234567890123456789012"}, {"id": "1", "a": "1.1234567890123456789013"}]
    result = score("records", gold=gold, system=system, options=given)
    assert Decimal(repr(float(tolerance))) > Decimal("0.1234567890123456789013")
    assert result.scores["field.a.tp"].value == 1


def test_a_share_of_many_digits_is_not_rounded() -> None:
    """With 28 digits, to which decimals are rounded by default, the greatest number within the share would be beyond it."""
    forms = Forms.of(options())
    rule = rules_of({"a": {"value": "number", "tolerance": f"0.{'1' * 30}49%"}}).at("a")
    gold = 10**32
    end = gold * Fraction(int("1" * 30 + "49"), 10**34)
    assert forms.credit(gold, gold + int(end), rule) == 1
    assert forms.credit(gold, gold + int(end) + 1, rule) == 0


PATHS = st.lists(st.sampled_from("abA"), min_size=1, max_size=4).flatmap(
    lambda keys: st.sampled_from(["".join(keys), ".".join(keys), "..".join(keys)])
)


@given(st.dictionaries(PATHS, st.sampled_from([*VALUES, *LISTS]), max_size=8), PATHS)
def test_values_have_the_rule_of_the_longest_path_that_covers_theirs(compare: dict[str, str], path: str) -> None:
    covering = max((name for name, said in compare.items() if said in VALUES and covers(name, path)), key=len, default="")
    rule = rules_of(compare).at(path)
    assert rule.value == compare.get(covering, "text")
    assert rule.list == (compare[path] if compare.get(path) in LISTS else "multiset")


def test_rules_are_looked_up_by_their_path() -> None:
    """A record may have a rule for each of its fields: work for each pair of them would be four times as much."""

    def work(size: int) -> int:
        paths = [f"field{rank}" for rank in range(size)]
        rules = rules_of(dict.fromkeys(paths, "number"))
        return calls_of(lambda: [rules.at(path) for path in paths])

    assert work(400) < 3 * work(200)

"""What is drawn and told of records: figures by path, the most frequent wrong values, values as Donut counts them, equal objects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import SuiteResult, score
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog, Rule
from pytest_nlpeval.tasks.records import TASK
from pytest_nlpeval.tasks.records.comparing import Comparer, Comparison, comparisons
from pytest_nlpeval.tasks.records.forms import Forms
from pytest_nlpeval.tasks.records.graphs import graphs
from pytest_nlpeval.tasks.records.matching import Matching, TooManyPairs
from pytest_nlpeval.tasks.records.options import Options, options
from pytest_nlpeval.tasks.records.trees import Path, Trees
from pytest_nlpeval.tasks.records.tuples import counts_of, equal_pairs, objects_in
from tests.work import calls_of


def drawn(result: SuiteResult) -> dict[str, dict[str, float]]:
    assert result.evidence is not None
    return {drawing.name: dict(drawing.bars) for drawing in graphs(result.evidence, options(pair="line"))}


def scored(gold: list[Any], system: list[Any], **given: Any) -> SuiteResult:
    return score("records", gold=gold, system=system, options={"pair": "line", **given}, explain=True)


GOLD = [{"a": "x", "b": 1}, {"a": "x", "b": 2}, {"a": "x", "b": 3}]
SYSTEM = [{"a": "y", "b": 1}, {"a": "y", "b": 5}, {"a": "z"}]


@pytest.mark.parametrize("form", [dict, lambda record: {**record, "l": [{"k": 1}]}], ids=["flat", "nested"])
def test_wrong_values_are_drawn_the_most_frequent_first(form: Any) -> None:
    pictures = drawn(scored([*map(form, GOLD)], [*map(form, SYSTEM)]))
    assert list(pictures["wrong.values"].items()) == [("a: x → y", 2), ("a: x → z", 1), ("b: 2 → 5", 1)]
    assert pictures["fields.precision"]["b"] == 1 / 2
    assert pictures["fields.recall"]["b"] == 1 / 3
    assert pictures["fields.f1"]["b"] == 2 / 5
    assert pictures["fields.f1"]["a"] == 0


def test_paths_of_options_that_no_record_has_are_noted() -> None:
    """Also where only the system has them, or all beneath; what is ignored, or is no path that counts, is not looked for."""
    gold, system = [{"l": [{"k": 1, "v": {"n": 2}}]}], [{"l": [{"k": 1, "extra": 2}]}]
    known: dict[str, Any] = {
        "compare": {"l": {"key": "k"}, "l.v": "number", "l.extra": "text"},
        "views": {"pairs": ["l.k", "l.v.n"]},
        "fields": ["l"],
        "ignore": ["m"],
    }
    assert scored(gold, system, **known).notes == ()
    noted = scored(
        gold, system, compare={"l": {"key": "kk"}, "lv": "set"}, views={"pairs": ["l.k", "l.w"]}, fields=["l", "vv"]
    ).notes
    assert [note.partition(";")[0] for note in noted] == [
        f"no record has the path {path} of the option {option}"
        for option, path in (("fields", "vv"), ("compare", "lv"), ("compare", "l.kk"), ("views.pairs", "l.w"))
    ]
    assert scored(gold, system, compare={"l": {"key": "kk"}}, ignore=["l.kk"]).notes == ()


def test_only_twenty_wrong_values_and_the_paths_with_most_fields_are_drawn() -> None:
    gold = [{f"k{rank:02}": "g" for rank in range(40)}, {"k39": "g"}]
    system = [{f"k{rank:02}": f"s{rank}" for rank in range(40)}, {"k39": "s39"}]
    pictures = drawn(scored(gold, system))
    assert len(pictures["wrong.values"]) == 20
    assert next(iter(pictures["wrong.values"])) == "k39: g → s39"
    assert len(pictures["fields.f1"]) == 25
    assert "k39" in pictures["fields.f1"]


def test_nothing_is_drawn_of_what_is_right_or_of_long_values_that_look_alike() -> None:
    assert "wrong.values" not in drawn(scored(GOLD, GOLD))
    long = "x" * 100
    pictures = drawn(scored([{"a": long + "1"}, {"a": long + "2"}], [{"a": long + "3"}, {"a": long + "4"}]))
    assert pictures["wrong.values"] == {f"a: {'x' * 60}… → {'x' * 60}…": 2}


def told(result: SuiteResult) -> list[tuple[str, str]]:
    return [(entry.reason, entry.message) for case in result.cases if case.explanations for entry in case.explanations.first]


def test_a_record_that_the_system_lacks_has_the_line_of_gold() -> None:
    documents: dict[str, Any] = {}
    log = ProblemLog("", TASK.problems, {"records.missing-id": "off"})
    for role, ids in (("gold", "ab"), ("system", "a")):
        text = "".join(f'{{"id": "{name}", "a": "x"}}\n' for name in ids)
        documents[role] = TASK.role(role).read(Source(f"{role}.jsonl", text.encode()), documents, options(), log)
    (entry,) = TASK.count(documents, options(), log).explanations
    assert isinstance(entry, Explanation)
    assert (entry.unit, entry.line, entry.gold_line) == ("b", None, 2)


SIDES = st.sampled_from([{"a": "x"}, {"a": "y", "b": 1}, {"a": "x", "l": [{"k": 1}]}, {"l": [{"k": 2}, {"k": 1}]}, {}])
ANSWERS = SIDES.map(json.dumps) | st.sampled_from(["null", "7", '["x"]', '{"a": ', "nothing"])
SCHEMA = {"properties": {"a": {"const": "x"}}}
RULES: dict[str, Rule] = {"records.missing-id": "off", "records.null": "off", "records.extra": "off"}


def compared_all(documents: dict[str, Any], chosen: Options) -> Iterator[tuple[str, str, str]]:
    """Yield what is told of each record where all are compared, with what the message begins with."""
    units = documents["gold"].units
    for row, comparison in comparisons(documents, chosen, range(len(units))):
        if not comparison.is_present:
            yield units[row], "no-record", "the system has no record"
        elif not comparison.is_parsed:
            yield units[row], "unparsed", f"the record {comparison.fault}"
        else:
            if "schema" in documents and not comparison.is_valid:
                yield units[row], "invalid", str(documents["schema"].violation(documents["system"].values[row]))
            for difference in comparison.differ()[:20]:
                mine, theirs = difference.shown
                yield units[row], difference.reason, f"{difference.place}: {f'gold {mine}' if mine else f'system {theirs}'}"


@given(st.lists(st.tuples(SIDES, st.none() | ANSWERS), min_size=1, max_size=6), st.booleans(), st.sampled_from(["", "donut"]))
def test_what_counting_has_found_tells_what_comparing_all_tells(
    pairs: list[tuple[Any, str | None]], has_schema: bool, profile: str
) -> None:
    chosen = options(record="r", parse="json", **({"profile": profile} if profile else {}))
    gold = [{"id": f"r{rank}", "r": record} for rank, (record, _) in enumerate(pairs)]
    system = [{"id": f"r{rank}", "r": answer} for rank, (_, answer) in enumerate(pairs) if answer is not None]
    texts = {"schema": json.dumps(SCHEMA)} if has_schema else {}
    texts |= {role: "".join(f"{json.dumps(item)}\n" for item in items) for role, items in (("gold", gold), ("system", system))}
    documents: dict[str, Any] = {}
    log = ProblemLog("", TASK.problems, RULES)
    for role, text in texts.items():
        documents[role] = TASK.role(role).read(Source(f"{role}.jsonl", text.encode()), documents, chosen, log)
    entries = list(TASK.count(documents, chosen, log).explanations)
    expected = list(compared_all(documents, chosen))
    assert len(entries) == len(expected)
    for entry, (unit, reason, beginning) in zip(entries, expected, strict=True):
        assert isinstance(entry, Explanation)
        assert (entry.unit, entry.reason) == (unit, reason)
        assert entry.message.startswith(beginning)


NESTED = [{"k": 1}]
MANY = [f"k{rank:02}" for rank in range(30)]


def with_list(record: dict[str, Any], *, is_nested: bool) -> dict[str, Any]:
    return {**record, "l": NESTED} if is_nested else record


@pytest.mark.parametrize("is_nested", [False, True], ids=["flat", "nested"])
def test_of_very_many_records_those_are_told_that_a_report_keeps(is_nested: bool) -> None:
    """Two fields of each of 700 records are wrong; a third is in 30 of the last, in either of two groups."""
    gold = [{"g": "uv"[rank % 2], "r": with_list({"a": "x", "b": "x", "c": "x"}, is_nested=is_nested)} for rank in range(700)]
    system = [
        {"r": with_list({"a": "y", "d": "x"} | ({} if rank >= 640 else {"c": "x"}), is_nested=is_nested)} for rank in range(700)
    ]
    result = scored(gold, system, record="r", group="g")
    explanations = result.cases[0].explanations
    assert explanations is not None
    assert dict(explanations.counts) == {"wrong": 700, "missing": 700 + 60, "spurious": 700}
    assert len(explanations.first) == 1000 + 2 * 20
    assert [(entry.unit, entry.gold) for entry in explanations.first[1000:]] == [(str(rank + 1), "x") for rank in range(640, 680)]
    assert {entry.message for entry in explanations.first[1000:]} == {"c: gold x"}


@pytest.mark.parametrize("is_nested", [False, True], ids=["flat", "nested"])
def test_what_is_told_of_a_record_is_in_the_order_of_its_keys(is_nested: bool) -> None:
    """Wrong values come first, then what gold alone has in gold's order, what the system alone has in the system's order last."""
    gold = with_list(dict.fromkeys(reversed(MANY), "x") | {"n": "", "m": "x"}, is_nested=is_nested)
    system = with_list({"z": "x", "n": "x", "k03": "y", "y": "x", "k01": "", "k02": "y"}, is_nested=is_nested)
    other = with_list({"m": "x"}, is_nested=is_nested)
    result = scored([gold, other], [system, other])
    wrong = ["k03", "k02"]
    missing = [key for key in reversed(MANY) if key not in wrong]
    assert [message.partition(":")[0] for _, message in told(result)] == [*wrong, *missing[:18]]
    explanations = result.cases[0].explanations
    assert explanations is not None
    assert dict(explanations.counts) == {"wrong": 2, "missing": 29, "spurious": 3}
    few = with_list({"n": "", "k": "x", "b": "y"}, is_nested=is_nested)
    answer = with_list({"z": "x", "b": "x", "n": "x", "y": "x"}, is_nested=is_nested)
    spurious = ["z: system x", "n: system x", "y: system x"]
    assert [message for _, message in told(scored([few], [answer]))] == ["b: gold y, system x", "k: gold x", *spurious]


def test_only_what_is_written_is_compared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2,000 records, flat ones and others in turn, 500 are explained, with two fields each; one is right."""
    gold = [with_list({"a": "x", "b": "x"}, is_nested=rank % 2 == 1) for rank in range(2000)]
    system = [{**record, "a": "y", "b": "y"} if rank != 7 else record for rank, record in enumerate(gold)]
    compared: list[Any] = []
    compare = Comparer.compared

    def noted(comparer: Comparer, record: Any, value: Any) -> Comparison:
        compared.append(record)
        return compare(comparer, record, value)

    monkeypatch.setattr(Comparer, "compared", noted)
    assert told(scored(gold, system)) == [("wrong", "a: gold x, system y"), ("wrong", "b: gold x, system y")] * 500
    assert len(compared) == 1000 + 500, "the nested ones to count them; then those that are kept"


@pytest.mark.parametrize(("number", "codes"), [(600, []), (601, ["records.too-many"])])
def test_a_view_may_have_a_thousand_values_of_both_sides_together(number: int, codes: list[str]) -> None:
    chosen = options(views={"facts": {"fields": ["r.t"], "by": "r.t"}})
    documents: dict[str, Any] = {}
    log = ProblemLog("", TASK.problems, RULES)
    for role, values in (("gold", range(400)), ("system", range(400, 400 + number))):
        text = json.dumps({"id": "a", "r": [{"t": f"v{value}"} for value in values]})
        documents[role] = TASK.role(role).read(Source(f"{role}.jsonl", text.encode()), documents, chosen, log)
    TASK.count(documents, chosen, log)
    assert [problem.code for problem in log.problems()] == codes


def test_donut_tells_the_values_that_it_counts_as_wrong() -> None:
    """Prices beside the wrong items are right there; so is what Python calls false."""
    gold = [{"menu": [{"nm": "tea", "price": "2"}, {"nm": "bun", "price": "3"}], "n": 0, "k": ["a", "b"], "o": "x"}]
    system = [{"menu": [{"nm": "tea", "price": "3"}, {"nm": "bun", "price": "2"}], "k": ["b", "c"], "p": "y"}]
    assert told(scored(gold, system, profile="donut")) == [
        ("wrong", "k[0]: gold a, system c"),
        ("missing", "o: gold x"),
        ("spurious", "p: system y"),
    ]


VALUES = st.recursive(
    st.sampled_from(["a", "b", " ", "", 0, 1, None, True, False]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xy"), inner, max_size=2),
    max_leaves=6,
)
RECORDS = st.dictionaries(st.sampled_from("xyz"), VALUES, max_size=3)


@given(RECORDS, RECORDS)
def test_donut_tells_as_many_values_as_it_counts(gold: Any, system: Any) -> None:
    comparison = Comparer.of(options(profile="donut")).compared(gold, system)
    tally = comparison.tally
    reasons = [difference.reason for difference in comparison.differ()]
    assert sum(tally.gold.values()) - sum(tally.credit.values()) == reasons.count("wrong") + reasons.count("missing")
    assert sum(tally.system.values()) - sum(tally.credit.values()) == reasons.count("wrong") + reasons.count("spurious")
    assert comparison.is_exact == (not reasons)


@given(RECORDS, RECORDS)
def test_as_many_differences_are_told_as_fields_are_not_right(gold: Any, system: Any) -> None:
    """A whole object is one difference, of all its fields."""
    comparison = Comparer.of(options()).compared(gold, system)
    assert comparison.is_exact == (not comparison.differ())


def test_equal_objects_are_found_among_many_of_near_values() -> None:
    """500 objects against 1,000, each of which is near one: all are compared only with those that are otherwise the same."""
    gold = [{"n": f"i{rank}", "p": rank} for rank in range(500)]
    system = [{"n": f"i{rank}", "p": rank + 0.001} for rank in range(500)] + [{"n": f"j{rank}", "p": rank} for rank in range(500)]
    given = {"compare": {"l": {"key": "n"}, "l.p": {"value": "number", "tolerance": 0.01}}}
    result = scored([{"l": gold}], [{"l": system}], **given)
    assert (result["list.l.tp"], result["list.l.fp"], result["list.l.fn"]) == (500, 500, 0)


NEAR = {"compare": {"l.n.p": {"value": "number", "tolerance": 1}}}


def near(lists: int, size: int, shift: int = 0, *, is_same: bool = False) -> dict[str, Any]:
    """Return lists of objects that nothing but a number with tolerance tells apart, if anything does."""
    return {
        "l": [{"k": k, "n": [{"p": (0 if is_same else 10 * (k * size + i)) + shift} for i in range(size)]} for k in range(lists)]
    }


def trees_of(gold: Any, system: Any) -> Matching:
    forms = Forms.of(options(compare=NEAR["compare"]))
    root = Path.root(forms.options)
    return Matching(Trees(forms, is_gold=True).tree(gold, root), Trees(forms, is_gold=False).tree(system, root), forms)


TEN_AND_OUTER = 10 * 10 + 2 * (1 + 5 * 5)


@pytest.mark.parametrize("left", [TEN_AND_OUTER, TEN_AND_OUTER - 1])
def test_objects_of_all_lists_are_compared_up_to_a_bound(left: int) -> None:
    """Two lists of five: ten objects are sought among ten, and each outer one, whose list is compared, has one that may be equal."""
    matching = trees_of(near(2, 5), near(2, 5, 1))
    matching._left_of_wholes = left
    if left % 2 == 0:
        assert counts_of(Path.root(matching.forms.options), matching).lists["l.n"].correct == 10
    else:
        with pytest.raises(TooManyPairs):
            counts_of(Path.root(matching.forms.options), matching)


def test_a_record_with_too_many_objects_that_may_be_equal_is_unparsed() -> None:
    """Step 2 compares 1 x 2 of each of 710 lists, outer ones by their key; the objects in all of them would be 710 x 1,420."""
    compare = {**NEAR["compare"], "l": {"key": "k"}}
    result = scored([near(710, 1)], [near(710, 2, 5)], compare=compare)
    assert (result["parsed"], result["micro.tp"]) == (0, 0)
    assert scored([near(30, 1)], [near(30, 2, 5)], compare=compare)["parsed"] == 1


def test_identical_objects_are_compared_once() -> None:
    """The calls of 300 objects a side are less than twenty times those of 30: a hundred times as many pairs are not compared one by one."""

    def calls(size: int) -> int:
        matching = trees_of(near(1, size, is_same=True), near(1, size, 1, is_same=True))
        gold, system = (objects_in(tree)["l.n"] for tree in (matching.gold, matching.system))
        pairs: list[tuple[int, int]] = []
        number = calls_of(lambda: pairs.extend(equal_pairs(gold, system, matching)))
        assert len(pairs) == size
        return number

    assert calls(300) < 20 * calls(30)


def test_inner_lists_of_equal_objects_are_never_too_many() -> None:
    """What step 2 compares is counted once; objects that differ in what has no tolerance are not compared to find equal ones."""
    inner = [{"q": rank, "r": "x"} for rank in range(20)]
    gold = [{"id": rank, "in": inner} for rank in range(20)]
    other = [{"id": rank + 50, "in": [{**each, "r": "y"} for each in inner]} for rank in range(20)]
    given = {"compare": {"l.in.q": {"value": "number", "tolerance": 0.1}}}
    result = score("records", gold=[{"id": "a", "l": gold, "z": 1}], system=[{"id": "a", "l": other, "z": 1}], options=given)
    assert json.dumps([result["parsed"], result["list.l.tp"]]) == "[1.0, 0]"

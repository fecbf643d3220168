"""What is said of gates: of thresholds that seem to be meant otherwise, and of verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_nlpeval.conditions import Max, Min, Standing
from pytest_nlpeval.conditions import Tested as Result
from pytest_nlpeval.gates import (
    Entry,
    Gate,
    beyond_range,
    groups_mistake,
    guard_mistake,
    judge,
    like_per_cent,
    matching,
    measures_with_groups,
    name_now,
    resolve,
)
from pytest_nlpeval.guards import CONDITIONS
from pytest_nlpeval.measures import COUNT, SHARE, Measure, OfGroup, Range, Sample, Score, Values
from pytest_nlpeval.numbers import TOLERANCE

RATE = Range(0.0, float("inf"), is_rate=True)


def no_values(sample: Sample) -> Values:
    raise NotImplementedError(str(sample))


def measure(name: str, within: Range) -> Measure:
    return Measure(name, "", "", no_values, better="lower" if name == "wer" else "higher", range=within)


MEASURES = [measure("wer", RATE), measure("f1", SHARE), measure("errors", COUNT)]


@pytest.mark.parametrize(
    ("pattern", "thresholds", "message"),
    [
        ("wer", {"max": 0.3}, ""),
        ("wer", {"max": 2}, ""),
        ("wer", {"max": 2.5}, "max 2.5 is very much for wer; values are fractions: 0.025?"),
        ("wer", {"min": 50}, ""),
        ("wer", {"max_drop": 0.5}, "max_drop 0.5 is very much for wer; values are fractions: 0.005?"),
        ("f1", {"max_drop": 0.2}, ""),
        ("f1", {"max_drop": 0.5}, "max_drop 0.5 is very much for f1; values are fractions: 0.005?"),
        ("f1", {"max": 30}, ""),
        ("errors", {"max_drop": 30, "max": 30}, ""),
        ("*", {"max": 30}, "max 30 is very much for wer; values are fractions: 0.3?"),
        ("precision", {"max": 30}, ""),
        ("f*", {"max_drop": 1}, "max_drop 1 is very much for f1; values are fractions: 0.01?"),
    ],
)
def test_what_is_like_per_cent(pattern: str, thresholds: dict[str, float], message: str) -> None:
    conditions = {name: CONDITIONS[name](float(threshold)) for name, threshold in thresholds.items()}
    assert like_per_cent(Entry(pattern, 1, 1, conditions), MEASURES) == message


def test_a_bare_number_is_like_per_cent_where_it_is_an_upper_bound() -> None:
    assert like_per_cent(Entry("*", 1, 1, bare=30.0), MEASURES) == "max 30 is very much for wer; values are fractions: 0.3?"
    assert like_per_cent(Entry("f1", 1, 1, bare=30.0), MEASURES) == ""


@pytest.mark.parametrize(
    ("gate", "may_lack", "said"),
    [
        (Gate("m", 1, {"min": Min(0.5)}), True, "none; if that is no fault, set `if_no_value: pass` on the gate"),
        (Gate("m", 1, {"min": Min(0.5)}), False, "none; if that is no fault, set `if_no_value: pass` on the gate"),
        (Gate("m", 1, {"min": Min(0.5)}, if_no_value="pass"), True, "none; passes, for `if_no_value: pass`"),
        (
            Gate("m", 1, {"min": Min(0.5)}, if_no_value="pass"),
            False,
            "none; `if_no_value: pass` counts only beside a gate that has a value; add one, on a count say",
        ),
    ],
)
def test_what_becomes_of_a_measure_without_value(gate: Gate, may_lack: bool, said: str) -> None:
    (verdict,) = judge(gate, Standing(Score(None, "none"), is_counted=True), may_lack=may_lack)
    assert (verdict.reason, verdict.holds) == (said, said.endswith("passes, for `if_no_value: pass`"))
    if may_lack:
        assert judge(gate, Standing(Score(None, "none"), is_counted=True)) == (verdict,)


@pytest.mark.parametrize(("condition", "value"), [(Min(TOLERANCE), 0.0), (Max(0.0), TOLERANCE)])
def test_a_value_at_the_tolerance_holds_and_needs_no_reason(condition: Min | Max, value: float) -> None:
    standing = Standing(Score(value))
    assert (condition.holds(standing), condition.reason(standing)) == (True, "")


def test_a_former_name_leads_to_the_measure_that_had_it() -> None:
    measures = [measure("a", SHARE), replace(measure("b", SHARE), was=("old", "older")), replace(measure("c", SHARE), was=("x",))]
    assert [name_now(name, measures) for name in ("old", "older", "x", "a", "new")] == ["b", "b", "c", "a", "new"]


NEEDS_GROUPS = (
    "{} has no groups, which no_group_falls needs; "
    "give the option `group`: a column or key of gold, or `group: {{documents: groups.tsv}}`"
)
GROUPED = [
    measure("f1", SHARE),
    replace(measure("f1@en", SHARE), of_group=OfGroup("en", "f1")),
    measure("recall", SHARE),
    measure("wer", RATE),
]


@pytest.mark.parametrize(
    ("pattern", "condition", "message"),
    [
        ("f1", "no_group_falls", ""),
        ("recall", "no_group_falls", NEEDS_GROUPS.format("recall")),
        ("recall", "max_drop", ""),
        ("*", "no_group_falls", NEEDS_GROUPS.format("recall")),
        ("f1*", "no_group_falls", ""),
        ("*en", "no_group_falls", ""),
        ("precision", "no_group_falls", ""),
    ],
)
def test_groups_are_needed_where_none_may_fall(pattern: str, condition: str, message: str) -> None:
    entry = Entry(pattern, 1, 1, {condition: CONDITIONS[condition](0.1)})
    assert groups_mistake(entry, matching(GROUPED)(entry), measures_with_groups(GROUPED)) == message


@pytest.mark.parametrize(
    ("pattern", "conditions", "right", "message"),
    [
        ("f1", ["must_pass"], None, ""),
        ("ece", ["min"], None, ""),
        (
            "ece",
            ["min", "must_pass"],
            None,
            "ece has no value of a single unit, which must_pass needs; such measures are f1, wer",
        ),
        ("*", ["max_worse"], None, "ece has no value of a single unit, which max_worse needs; such measures are f1, wer"),
        ("wer", ["max_newly_wrong", "max_worse"], None, ""),
        ("gain", ["max_worse"], None, ""),
        ("gain", ["must_pass"], 0.5, ""),
        (
            "gain",
            ["must_pass", "max_worse"],
            None,
            "must_pass of gain needs `right`, the value from which a unit is right: its range has no best end",
        ),
        ("recall", ["must_pass"], None, ""),
    ],
)
def test_guards_of_measures_that_can_have_none(pattern: str, conditions: list[str], right: float | None, message: str) -> None:
    measures = [
        measure("f1", SHARE),
        replace(measure("ece", SHARE), needs="documents"),
        measure("wer", RATE),
        measure("gain", Range(-1.0, float("inf"))),
    ]
    entry = Entry(pattern, 1, 1, {name: CONDITIONS[name](1.0) for name in conditions}, right=right)
    assert guard_mistake(entry, matching(measures)(entry), measures) == message


@pytest.mark.parametrize(
    ("pattern", "thresholds", "message"),
    [
        ("f1", {"min": 0.0}, ""),
        ("f1", {"min": 1.0, "max": 1.0}, ""),
        ("f1", {"min": 1.5}, "min 1.5 is not between 0 and 1, where f1 lies; values are fractions: 0.015?"),
        ("f1", {"min": 100.0}, "min 100 is not between 0 and 1, where f1 lies; values are fractions: 1?"),
        ("f1", {"min": 101.0}, "min 101 is not between 0 and 1, where f1 lies"),
        ("f1", {"min": -0.1}, "min -0.1 is not between 0 and 1, where f1 lies"),
        ("f1", {"max_drop": 5.0}, ""),
        ("f1", {"min": 0.5, "max": 3.0}, "max 3 is not between 0 and 1, where f1 lies; values are fractions: 0.03?"),
        ("wer", {"max": 30.0}, ""),
        ("wer", {"max": -1.0}, "max -1 is not between 0 and inf, where wer lies"),
        ("*", {"min": 30.0}, ""),
        ("recall", {"min": 30.0}, ""),
        ("half", {"min": 1.5}, "min 1.5 is not between 0 and 0.5, where half lies"),
    ],
)
def test_thresholds_that_no_measure_can_have(pattern: str, thresholds: dict[str, float], message: str) -> None:
    conditions = {name: CONDITIONS[name](threshold) for name, threshold in thresholds.items()}
    assert beyond_range(Entry(pattern, 1, 1, conditions), [*MEASURES, measure("half", Range(0.0, 0.5))]) == message


def test_only_the_whole_asks_that_no_group_falls() -> None:
    entry = Entry("f1*", 1, 1, {name: CONDITIONS[name](0.1) for name in ("max_drop", "no_group_falls")})
    assert list(entry.conditions_of(GROUPED[0])) == ["max_drop", "no_group_falls"]
    assert list(entry.conditions_of(GROUPED[1])) == ["max_drop"]
    assert Entry("wer", 1, 1, bare=0.3).conditions_of(replace(GROUPED[3], of_group=OfGroup("en", "wer"))) == {"max": Max(0.3)}


def test_a_condition_keeps_a_level_of_its_own() -> None:
    names = ("max_drop", "no_group_falls", "min")
    conditions = {name: CONDITIONS[name](0.1) for name in names}
    gate = Gate("m", 1, {**conditions, "no_group_falls": replace(conditions["no_group_falls"], alpha=0.01)}, alpha=0.05)
    assert {each.name: each.alpha for each in gate.judged_conditions()} == {"min": None, "max_drop": 0.05, "no_group_falls": 0.01}


def test_a_gate_has_the_line_of_the_last_entry_that_sets_a_condition() -> None:
    low, high, told = (
        Entry("f1", 3, 1, {"min": Min(0.5)}),
        Entry("f1", 7, 1, {"max": Max(0.9)}),
        Entry("f1", 9, 1, informational=True),
    )
    for layers, line in (([[told], [low]], 3), ([[low], [told]], 3), ([[low], [high], [told]], 7), ([[high], [low]], 3)):
        ((gate,), _) = resolve(layers, MEASURES)
        assert gate.line == line


FIELDS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"alpha": 0.05}, {"alpha": 0.01}),
    ({"right": 0.5}, {"right": 0.0}),
    ({"strict": True}, {"strict": False}),
    ({"informational": True}, {"informational": False}),
    ({"if_no_value": "pass"}, {"if_no_value": "fail"}),
]


@pytest.mark.parametrize(("first", "second"), [*FIELDS, *((second, first) for first, second in FIELDS)])
def test_the_later_of_two_entries_counts_where_it_says_something(first: dict[str, Any], second: dict[str, Any]) -> None:
    (name,) = first
    bound = Entry("f1", 3, 1, {"min": Min(0.5)}, {"min": 4}, **first)
    silent, telling = Entry("f1", 5, 1, {"max": Max(0.9)}), Entry("f1", 7, 1, **second)
    for layers, value in (([bound, silent], first), ([silent, bound], first), ([bound, silent, telling], second)):
        ((gate,), _) = resolve([[entry] for entry in layers], MEASURES)
        assert getattr(gate, name) == value[name]
        assert gate.lines == {"min": 4, "max": 5}
        others = {"alpha": None, "right": None, "strict": False, "informational": False, "if_no_value": "fail"}
        assert {other: getattr(gate, other) for other in others if other != name} == {
            other: usual for other, usual in others.items() if other != name
        }


def test_each_condition_is_judged_by_its_own_test() -> None:
    gate = Gate("m", 1, {"max_drop": CONDITIONS["max_drop"](0.0), "non_inferior": CONDITIONS["non_inferior"](0.2)}, alpha=0.05)
    tested = {"max_drop": Result(0.01, 0.02), "non_inferior": Result(0.03, 0.04)}
    standing = Standing(Score(0.5), Score(0.6), 0.1, 0.5, p=0.5, p_adjusted=0.5, upper=0.15, tested=tested)
    verdicts = {verdict.condition.name: verdict for verdict in judge(gate, standing)}
    assert {name: (verdict.standing.p, verdict.standing.p_adjusted) for name, verdict in verdicts.items()} == {
        "max_drop": (0.01, 0.02),
        "non_inferior": (0.03, 0.04),
    }
    assert [verdicts[name].verdict for name in tested] == ["failed", "passed"]

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import evaluate, gates, load_suites
from pytest_nlpeval.conditions import NO_BASELINE, Condition, Max, Min, Standing
from pytest_nlpeval.config import entry as entry_reader
from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.gates import Entry, Gate, Verdict, beyond_range, judge, matching, resolve
from pytest_nlpeval.guards import CONDITIONS
from pytest_nlpeval.measures import Measure, Score
from pytest_nlpeval.numbers import TOLERANCE
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.view import Setting
from tests.support import config_text, make_suite, write

NAMES = ["a.f1", "b.f1", "b.precision"]


def conditions(**thresholds: float) -> dict[str, Condition]:
    return {name: CONDITIONS[name](threshold) for name, threshold in thresholds.items()}


def entry(pattern: str, line: int = 1, informational: bool | None = None, **thresholds: float) -> Entry:
    return Entry(pattern, line, 1, conditions(**thresholds), dict.fromkeys(thresholds, line), informational)


def bounds(gates: tuple[Gate, ...]) -> dict[str, dict[str, float]]:
    return {gate.measure: {name: condition.threshold for name, condition in gate.conditions.items()} for gate in gates}


def test_a_star_stands_for_any_characters_dots_included() -> None:
    gates, idle = resolve([[entry("*1", min=0.5)]], NAMES)
    assert bounds(gates) == {"a.f1": {"min": 0.5}, "b.f1": {"min": 0.5}}
    assert not idle
    assert entry("b*").matches("b.precision")
    assert not entry("?.f1").matches("a.f1")
    assert not entry("[ab]*").matches("a.f1")
    assert entry("[ab]*").matches("[ab].f1")
    assert [entry("a?*").matches(name) for name in ("ab.f1", "a?.f1", "a[?].f1")] == [False, True, False]


def test_a_plain_name_overrides_a_pattern_wherever_it_stands() -> None:
    for layer in ([entry("a.f1", min=0.9), entry("*", min=0.1)], [entry("*", min=0.1), entry("a.f1", min=0.9)]):
        gates, _ = resolve([layer], NAMES)
        assert bounds(gates)["a.f1"] == {"min": 0.9}
        assert bounds(gates)["b.f1"] == {"min": 0.1}


def test_a_profile_adds_and_replaces() -> None:
    base = [entry("a.f1", 3, min=0.4, max=0.8)]
    gates, idle = resolve([base, [entry("*.f1", 9, min=0.6)]], NAMES)
    assert bounds(gates) == {"a.f1": {"min": 0.6, "max": 0.8}, "b.f1": {"min": 0.6}}
    assert gates[0].lines == {"min": 9, "max": 3}
    assert not idle


def test_informational_alone_makes_no_gate() -> None:
    gates, idle = resolve([[entry("a.f1", min=0.4)], [entry("*", informational=True)]], NAMES)
    assert [(gate.measure, gate.informational) for gate in gates] == [("a.f1", True)]
    assert not idle
    gates, idle = resolve([[entry("b.f1", informational=True)]], NAMES)
    assert not gates
    assert [found.pattern for found in idle] == ["b.f1"]


def test_a_later_layer_can_take_informational_back() -> None:
    gates, _ = resolve([[entry("a.f1", min=0.4, informational=True)], [entry("a.f1", informational=False)]], NAMES)
    assert not gates[0].informational


def rate(name: str, better: Literal["higher", "lower"]) -> Measure:
    return Measure(name, "", "", lambda sample: sample.total("x"), better=better)


def test_a_bare_number_bounds_the_side_of_the_worse_under_a_pattern_too() -> None:
    measures = [rate("f1", "higher"), rate("wer", "lower"), rate("cer", "lower")]
    gates, idle = resolve([[Entry("*", 3, 1, bare=0.3), Entry("cer", 4, 1, bare=0.2)]], measures)
    assert bounds(gates) == {"f1": {"min": 0.3}, "wer": {"max": 0.3}, "cer": {"max": 0.2}}
    assert {gate.measure: gate.lines for gate in gates} == {"f1": {"min": 3}, "wer": {"max": 3}, "cer": {"max": 4}}
    assert not idle


def test_an_error_rate_above_its_bare_number_fails() -> None:
    (gate,), _ = resolve([[Entry("ece", 1, 1, bare=0.05)]], [rate("ece", "lower")])
    assert [judge(gate, Standing(Score(value)))[0].verdict for value in (0.21, 0.04)] == ["failed", "passed"]


def test_a_bare_number_beyond_the_range_is_called_what_it_is() -> None:
    assert beyond_range(Entry("ece", 1, 1, bare=5), [rate("ece", "lower")]).startswith("max 5 is not between 0 and 1")


def test_what_matches_nothing_is_returned() -> None:
    _, idle = resolve([[entry("c.f1", min=1), entry("x*", min=1)]], NAMES)
    assert [found.pattern for found in idle] == ["c.f1", "x*"]


@given(st.floats(0, 1), st.floats(0, 1))
def test_min_and_max_say_the_opposite(value: float, threshold: float) -> None:
    gate = Gate("m", 1, conditions(min=threshold, max=threshold), {"min": 2, "max": 3})
    standing = Standing(Score(value))
    low, high = judge(gate, standing)
    assert (low.condition, high.condition, low.line, high.line) == (Min(threshold), Max(threshold), 2, 3)
    assert low.holds == (value >= threshold - TOLERANCE)
    assert high.holds == (value <= threshold + TOLERANCE)
    assert low.condition.distance(standing) == value - threshold
    assert high.condition.distance(standing) == threshold - value


def test_noise_of_floats_does_not_fail_a_gate() -> None:
    (verdict,) = judge(Gate("m", 1, conditions(min=0.3)), Standing(Score(0.1 + 0.2 - 1e-13)))
    assert verdict.holds
    (verdict,) = judge(Gate("m", 1, conditions(min=0.3)), Standing(Score(0.3 - 1e-11)))
    assert verdict.verdict == "failed"
    assert "0.29999999999 is short by 0.00000000001" in verdict.reason


@pytest.mark.parametrize("informational", [True, False])
def test_without_value_a_gate_is_unjudged_and_does_not_hold(informational: bool) -> None:
    (verdict,) = judge(Gate("m", 1, conditions(min=0.0), informational=informational), Standing(Score(None, "no confidences")))
    assert verdict.verdict == "unjudged"
    assert verdict.reason == "no confidences"
    assert not verdict.holds
    assert verdict.informational is informational


def against(value: float, before: float, **facts: Any) -> Standing:
    """A score that is compared with a baseline; more is better."""
    return Standing(Score(value), Score(before), before - value, **facts)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 0.99))
def test_a_drop_is_judged_by_its_size(value: float, before: float, most: float, share: float) -> None:
    absolute, relative = judge(Gate("m", 1, conditions(max_drop=most, max_drop_relative=share)), against(value, before))
    assert absolute.holds == (before - value <= most + TOLERANCE)
    assert relative.holds == (before - value <= share * before + TOLERANCE)
    assert [bool(verdict.reason) for verdict in (absolute, relative)] == [not absolute.holds, not relative.holds]


@pytest.mark.parametrize("name", ["max_drop", "max_drop_relative"])
def test_a_drop_that_may_be_chance_fails_only_without_alpha(name: str) -> None:
    def verdict(alpha: float | None, p: float) -> Verdict:
        (found,) = judge(Gate("m", 1, conditions(**{name: 0.02}), alpha=alpha), against(0.5, 0.6, p=p / 2, p_adjusted=p))
        return found

    assert verdict(None, 0.9).verdict == "failed"
    assert verdict(0.05, 0.05).verdict == "failed"
    chance = verdict(0.05, 0.051)
    assert (chance.verdict, chance.reason) == ("passed", "the drop of 0.100 may be chance (p = 0.051)")
    assert chance.to_json() == {
        "measure": "m",
        "condition": name,
        "threshold": 0.02,
        "value": 0.5,
        "alpha": 0.05,
        "baseline": 0.6,
        "drop": 0.6 - 0.5,
        "p": 0.0255,
        "p_adjusted": 0.051,
        "verdict": "passed",
        "reason": "the drop of 0.100 may be chance (p = 0.051)",
        "line": 1,
        "informational": False,
    }


@pytest.mark.parametrize(("upper", "holds"), [(-0.1, True), (0.0049, True), (0.005, False), (0.1, False)])
def test_not_inferior_is_what_is_shown_to_be(upper: float, holds: bool) -> None:
    (verdict,) = judge(Gate("m", 1, conditions(non_inferior=0.005)), against(0.6, 0.6, upper=upper))
    assert verdict.holds is holds
    assert bool(verdict.reason) is not holds


@pytest.mark.parametrize("name", ["max_drop", "max_drop_relative", "non_inferior"])
def test_without_baseline_a_drop_is_unjudged_unless_the_suite_is_new(name: str) -> None:
    gate = Gate("m", 1, conditions(**{name: 0.5}))

    def verdict(standing: Standing) -> tuple[str, str]:
        (found,) = judge(gate, standing)
        return found.verdict, found.reason

    assert verdict(Standing(Score(0.5))) == ("unjudged", NO_BASELINE.reason)
    assert verdict(Standing(Score(0.5), Score(None, "nothing then"))) == ("unjudged", "nothing then")
    assert verdict(Standing(Score(None, "nothing now"), Score(0.5))) == ("unjudged", "nothing now")
    assert verdict(Standing(Score(0.5), Score(None, "the suite is new"), is_new=True)) == ("passed", "the suite is new")
    assert verdict(Standing(Score(None, "nothing now"), Score(None, "the suite is new"), is_new=True))[0] == "unjudged"


def test_a_level_of_a_later_layer_replaces_the_first() -> None:
    base = Entry("a.f1", 1, 1, conditions(max_drop=0.1, min=0.2), alpha=0.05)
    gates, _ = resolve([[base], [Entry("a.f1", 2, 1, alpha=0.01)]], NAMES)
    assert [(condition.name, condition.alpha) for condition in gates[0].judged_conditions()] == [
        ("min", None),
        ("max_drop", 0.01),
    ]


class Between(Condition):
    """A condition that nobody has yet: how far the value may be from 0.5, on either side."""

    __slots__ = ()
    name = "between"

    @property
    def bound(self) -> str:
        return f"within {self.threshold:g} of 0.5"

    def distance(self, standing: Standing) -> float | None:
        value = standing.score.value
        return None if value is None else self.threshold - abs(value - 0.5)

    def reason(self, standing: Standing) -> str:
        return "" if self.holds(standing) else f"{standing.score.value} is too far away"


def test_a_condition_is_added_in_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read from YAML, judged, reported, and read from the report again: the class and what values it takes are all there is to it."""
    gate = entry_reader._DEFINITIONS["gates"]["additionalProperties"]
    monkeypatch.setitem(gate["properties"], "between", {"type": "number", "minimum": 0})
    monkeypatch.setitem(cast("dict[str, type[Condition]]", CONDITIONS), "between", Between)
    make_suite(tmp_path, "accuracy: {between: 0.3}", "coverage: {between: 0.3, min: 1}")  # 6/8 and 1
    (suite,) = load_suites(tmp_path / "nlpeval.yaml")
    report = report_of([evaluate(suite)])
    told = [(gate.measure, gate.condition, gate.threshold, gate.verdict, gate.reason) for gate in report.suites[0].gates]
    assert told == [
        ("accuracy", "between", 0.3, "passed", ""),
        ("coverage", "min", 1, "passed", ""),
        ("coverage", "between", 0.3, "failed", "1.0 is too far away"),
    ]
    assert Report.from_json(report.to_json()) == report
    assert all("within 0.3 of 0.5" in render(name, report, Setting()) for name in ("text", "markdown"))
    write(tmp_path, {"nlpeval.yaml": config_text("accuracy: {between: -1}")})
    with pytest.raises(ConfigError, match=r"gates\.accuracy\.between"):
        load_suites(tmp_path / "nlpeval.yaml")


def test_the_schemas_know_all_conditions() -> None:
    gate = json_schema("nlpeval.schema.json")["$defs"]["gates"]["additionalProperties"]["properties"]
    assert gate.keys() - {"alpha", "informational", "right", "strict", "if_no_value"} == CONDITIONS.keys()
    told = json_schema("report.schema.json")["$defs"]["gate"]["properties"]["condition"]["enum"]
    assert told == list(CONDITIONS)


def measure(name: str, *was: str) -> Measure:
    return Measure(name, "", "", lambda sample: sample.total("x"), was=was)


def test_a_former_name_is_the_measure_that_had_it() -> None:
    new, other = measure("new.f1", "old.f1", "older.f1"), measure("f1")
    for pattern in ("old.f1", "older.f1", "old.*", "new.f1"):
        assert entry(pattern).matches(new)
        assert not entry(pattern).matches(other)
        assert entry(pattern).is_former(new) == (pattern != "new.f1")
        gates, idle = resolve([[entry(pattern, min=0.5)]], [new, other])
        assert (bounds(gates), idle) == ({"new.f1": {"min": 0.5}}, ())


def test_of_a_former_name_and_todays_the_later_condition_counts() -> None:
    entries = [entry("old", 1, min=0.1, max=0.9), entry("new", 2, min=0.2)]
    gates, idle = resolve([entries], [measure("new", "old")])
    assert (bounds(gates), idle) == ({"new": {"min": 0.2, "max": 0.9}}, ())


def test_a_look_up_gives_the_measures_that_entries_match_in_their_order() -> None:
    measures = [measure("b.f1", "a.f1"), measure("a.f1"), measure("a.recall", "a.r", "a.r")]
    for pattern in ("a.f1", "b.f1", "a.r", "a.*", "*", "[a].f1", "none"):
        looked_for = Entry(pattern, 1, 1)
        assert list(matching(measures)(looked_for)) == list(filter(looked_for.matches, measures))


def test_a_pattern_is_compared_with_names_that_begin_like_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gate for each of many labels by a pattern would take the square of their number."""
    compared: list[str] = []

    def matches(name: str, pattern: str) -> bool:
        compared.append(name)
        return fnmatchcase(name, pattern)

    monkeypatch.setattr(gates, "fnmatchcase", matches)
    measures_of = gates.matching(f"{label}.{of}" for label in ("b", "ab", "a", "c") for of in ("recall", "f1"))
    assert list(measures_of(entry("a.*"))) == ["a.recall", "a.f1"]
    assert compared == ["a.f1", "a.recall"]
    assert list(measures_of(entry("*.f1"))) == ["b.f1", "ab.f1", "a.f1", "c.f1"]

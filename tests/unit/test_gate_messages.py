"""What is said of gates: of thresholds that seem to be meant otherwise, and of verdicts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_nlpeval.conditions import Max, Min, Standing
from pytest_nlpeval.gates import Entry, Gate, judge, like_per_cent, name_now
from pytest_nlpeval.guards import CONDITIONS
from pytest_nlpeval.measures import COUNT, SHARE, Measure, Range, Sample, Score, Values
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


@pytest.mark.parametrize(("condition", "value"), [(Min(TOLERANCE), 0.0), (Max(0.0), TOLERANCE)])
def test_a_value_at_the_tolerance_holds_and_needs_no_reason(condition: Min | Max, value: float) -> None:
    standing = Standing(Score(value))
    assert (condition.holds(standing), condition.reason(standing)) == (True, "")


def test_a_former_name_leads_to_the_measure_that_had_it() -> None:
    measures = [measure("a", SHARE), replace(measure("b", SHARE), was=("old", "older")), replace(measure("c", SHARE), was=("x",))]
    assert [name_now(name, measures) for name in ("old", "older", "x", "a", "new")] == ["b", "b", "c", "a", "new"]

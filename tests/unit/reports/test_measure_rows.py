from __future__ import annotations

from typing import Any

import pytest

from pytest_nlpeval.reports.measure_rows import MeasureRow, ScaleBar, change_words, measure_groups, scale_bar
from pytest_nlpeval.reports.model import ScoreReport
from tests.unit.reports.documents import gate, suite, suite_report


def row(**score: Any) -> MeasureRow:
    ((found,),) = (group.rows for group in measure_groups(suite_report(suite(scores={"m": score}, gates=[]))))
    return found


def test_measures_with_gates_come_first_and_the_failing_ones_before_all() -> None:
    names = ("accuracy", "a.f1", "a.recall", "b.f1", "c.f1")
    groups = {"a.f1": {"group": "a"}, "a.recall": {"group": "a"}}
    gates = [gate(measure="b.f1", verdict="passed"), gate(measure="c.f1"), gate(measure="a.f1", informational=True)]
    found = measure_groups(
        suite_report(suite(scores={name: {"value": 0.5, **groups.get(name, {})} for name in names}, gates=gates))
    )
    assert [(group.name, [row.measure for row in group.rows]) for group in found] == [
        ("with gates", ["c.f1", "b.f1", "a.f1"]),
        ("", ["accuracy"]),
        ("a", ["a.recall"]),
    ]


def test_of_several_conditions_the_worst_verdict_is_shown() -> None:
    def verdict(*gates: dict[str, Any]) -> tuple[str, bool, list[str]]:
        row = measure_groups(suite_report(suite(scores={"f1": {"value": 0.5}}, gates=list(gates))))[0].rows[0]
        return row.verdict, row.fails, list(row.bounds)

    passed = gate(verdict="passed")
    drop = gate(condition="max_drop", threshold=0.01, verdict="failed")
    assert verdict(passed) == ("passed", False, ["≥ 0.5"])
    assert verdict(passed, drop) == ("failed", True, ["drop ≤ 0.01", "≥ 0.5"])
    assert verdict(passed, {**drop, "informational": True})[:2] == ("failed", False)
    assert verdict(gate(verdict="unjudged"), passed)[:2] == ("unjudged", True)


def test_the_bar_of_a_share_is_on_a_scale_from_0_to_1() -> None:
    found = scale_bar(ScoreReport(value=0.25, low=0.2, high=0.35, baseline=0.5), [0.75, 0.1])
    assert found == ScaleBar("0.0", "25.0", "20.0", "15.0", ["75.0", "10.0"], "50.0")
    assert scale_bar(ScoreReport(value=1.0)) == ScaleBar("0.0", "100.0", "", "", [], "")


def test_other_numbers_have_a_bar_if_there_is_something_to_compare_them_with() -> None:
    assert scale_bar(ScoreReport(value=7)) is None
    assert scale_bar(ScoreReport(value=30), [40]) == ScaleBar("0.0", "75.0", "", "", ["100.0"], "")
    assert scale_bar(ScoreReport(value=-1.0, low=-2.0, high=2.0)) == ScaleBar("25.0", "25.0", "0.0", "100.0", [], "")
    assert scale_bar(ScoreReport(value=0), [0]) == ScaleBar("0.0", "0.0", "", "", [""], "")
    assert scale_bar(ScoreReport(value=None, reason="r"), [0.5]) is None


@pytest.mark.parametrize(
    ("drop", "p", "words"),
    [
        (0.02, None, "worse by 0.0200"),
        (-0.02, 0.9876, "better by 0.0200, p = 0.988"),
        (0, 1.0, "the same"),
        (3, 0.04, "worse by 3, p = 0.04"),
    ],
)
def test_a_change_is_told_in_words(drop: float, p: float | None, words: str) -> None:
    assert change_words(drop, p) == words


def test_a_row_says_what_there_is_of_a_score() -> None:
    found = row(value=0.5, baseline=0.75, drop=0.25, p=0.01)
    assert (found.baseline, found.drop, found.change, found.bounds, found.verdict) == (
        *(0.75, 0.25, "worse by 0.2500, p = 0.01", [], ""),
    )
    assert row(value=None, reason="nothing there")[:6] == ("m", None, None, None, "nothing there", None)

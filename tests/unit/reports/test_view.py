from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.reports.model import ScoreReport
from pytest_nlpeval.reports.sentences import failure_lines
from pytest_nlpeval.reports.view import (
    Setting,
    chance_cells,
    document_table,
    explanation_lines,
    explanation_summary,
    failed_measures,
    located,
    rows_of,
    worst_documents,
)
from tests.unit.reports.documents import document, gate, gate_report, problem, render, suite, suite_report


def explained(*entries: dict[str, object]) -> dict[str, object]:
    usual = {"case": "a", "unit": "1", "reason": "missed", "message": "m", "line": None}
    return {"counts": {"missed": len(entries)}, "first": [{**usual, **entry} for entry in entries]}


def test_rows_are_in_the_order_of_the_configurations_lines_then_of_the_report() -> None:
    gates = [gate(measure="z", line=9), gate(measure="a", line=9), gate(measure="m", line=2)]
    assert [row.measure for row in rows_of(suite_report(suite(gates=gates)))] == ["m", "z", "a"]


def test_a_distance_is_positive_on_the_good_side() -> None:
    assert gate_report(value=0.75, threshold=0.5).distance == 0.75 - 0.5
    assert gate_report(value=0.75, threshold=0.5, condition="max").distance == 0.5 - 0.75
    assert gate_report(value=None).distance is None


COUNTED: dict[str, Any] = {"value": 7, "low": 4.0, "high": 10.0, "baseline": 9, "drop": 2.0, "p": 1.0}
COUNT = ScoreReport(**COUNTED)


def test_what_stands_beside_a_count_is_whole_too() -> None:
    assert chance_cells(COUNT) == ("4", "10", "9", "+2")
    assert chance_cells(replace(COUNT, value=0.7)) == ("4.0000", "10.0000", "9", "+2.0000")
    assert chance_cells(replace(COUNT, low=4.5)) == ("4.5000", "10", "9", "+2")
    (row,) = rows_of(suite_report(suite(gates=[gate(value=7, threshold=10.0)], scores={"f1": COUNTED})))
    assert (row.value, row.distance, row.low, row.drop) == ("7", "-3", "4", "+2")


def test_a_failure_of_a_count_has_no_decimals() -> None:
    failed = gate_report(value=7, threshold=10.0, baseline=9, drop=2.0, p=0.5)
    lines = failure_lines(suite_report(suite(scores={"f1": {**COUNTED, "kind": "count"}})), "f1", [failed], "")
    assert lines[1:4] == [
        "  today      7 [4, 10]",
        "  baseline   9: a drop of 2, which may be chance (p > 0.99)",
        "  limit      ≥ 10 (min), short by 3",
    ]


def test_a_failure_says_what_where_and_by_how_much() -> None:
    scored = suite_report(suite(scores={"f1": {"value": 0.25, "low": 0.125, "high": 0.5}}))
    assert failure_lines(scored, "f1", [gate_report()], "2PR / (P + R)") == [
        "f1 of dev: failed",
        "  today      0.250 [0.125, 0.500]",
        "  limit      ≥ 0.5 (min), short by 0.250",
        "  formula    2PR / (P + R)",
        "  set at     nlpeval.yaml:9",
    ]
    missing = suite_report(suite(scores={"f1": {"value": None, "reason": "no pairs"}}))
    assert failure_lines(missing, "f1", [gate_report(value=None, verdict="unjudged", reason="no pairs")], "") == [
        "f1 of dev: unjudged",
        "  today      no value: no pairs",
        "  limit      ≥ 0.5 (min), unjudged",
        "  set at     nlpeval.yaml:9",
    ]


def test_a_passage_in_which_nothing_is_marked_is_shown() -> None:
    pair = {"text": "A text. ⊢ A claim.", "gold": [], "system": []}
    found = suite_report(suite(explanations=explained({"passage": pair}, {"passage": {**pair, "gold": [[0, 1]]}})))
    lines = explanation_lines(found)
    assert [line.strip() == pair["text"] for line in lines] == [False, True, False]


def test_explanations_are_those_of_the_measure() -> None:
    entries: list[dict[str, object]] = [
        {"measures": ["EVENT.*"], "message": "an event"},
        {"measures": ["CLINK.*"], "message": "a link", "line": 7, "path": "out/a.xml"},
        {"message": "anything", "line": 8},
    ]
    found = suite_report(suite(explanations=explained(*entries)))
    assert explanation_lines(found, "CLINK.strict.f1") == ["out/a.xml:7: missed: a link", "a, line 8: missed: anything"]
    assert explanation_lines(found, most=1) == [
        "a, unit 1: missed: an event",
        "… and 2 more explanations: a JSON report has them",
    ]
    assert explanation_lines(found, "CLINK.f1", most=1)[1] == "… and 1 more explanation: a JSON report has them"
    assert explanation_summary(found) == "3 missed"
    assert explanation_summary(found, "CLINK.strict.f1") == "2 missed"


def test_of_explanations_that_are_cut_there_are_at_least_those_that_are_told() -> None:
    first = explained({"measures": ["EVENT.*"]}, {"measures": ["CLINK.*"]}, {"reason": "spurious"})["first"]
    found = suite_report(suite(explanations={"counts": {"missed": 5, "spurious": 1}, "first": first, "cut": 3}))
    assert explanation_summary(found) == "5 missed, 1 spurious"
    assert explanation_summary(found, "CLINK.strict.f1") == "at least 1 missed, 1 spurious"


def test_every_path_of_a_suite_is_moved_also_where_a_reason_names_it() -> None:
    """Of two problems in files of which one is called like the end of the other, each becomes its own."""
    cited = "2 of 2 documents have errors in their files (a/run.txt:3:7: t.bad, run.txt: t.bad)"
    documents = [{"name": "a", "problems": ["a/run.txt:3:7: t.bad"]}, {"name": "b", "problems": ["run.txt: t.bad"]}]
    fields = suite(
        problems=[
            {name: fact for name, fact in problem(path="run.txt").items() if name not in ("line", "column")},
            problem(path="a/run.txt"),
            problem(path=""),
        ],
        gates=[gate(verdict="unjudged", value=None, reason=cited), gate()],
        scores={"f1": {"value": None, "reason": cited}, "n": {"value": 3}},
        explanations=explained({"path": "a/run.txt", "line": 7}, {"line": 8}),
        cases={"total": 2, "failed": 2, "documents": documents, "cut": 0},
    )
    found = located(suite_report(fields), lambda path: f"../{path}")
    moved = "2 of 2 documents have errors in their files (../a/run.txt:3:7: t.bad, ../run.txt: t.bad)"
    assert found.config == "../nlpeval.yaml"
    assert [one.path for one in found.problems] == ["../run.txt", "../a/run.txt", ""]
    assert [one.reason for one in found.gates] == [moved, gate()["reason"]]
    assert found.scores == {"f1": ScoreReport(value=None, reason=moved), "n": ScoreReport(value=3)}
    assert [line.partition(": ")[0] for line in explanation_lines(found)] == ["../a/run.txt:7", "a, line 8"]
    assert [document.problems for document in found.cases.listed] == [("../a/run.txt:3:7: t.bad",), ("../run.txt: t.bad",)]


def test_a_report_without_explanations_has_none() -> None:
    bare = suite()
    del bare["explanations"]
    assert explanation_lines(suite_report(bare)) == []
    assert explanation_summary(suite_report(bare)) == ""


def test_failed_measures_have_a_value() -> None:
    gates = [gate(measure="b"), gate(measure="a", verdict="unjudged", value=None), gate(measure="b", condition="max")]
    assert list(failed_measures(suite_report(suite(gates=gates)))) == ["b"]


@pytest.mark.parametrize("name", formats_of("run"))
def test_every_format_is_made_of_the_report_alone(name: str) -> None:
    found = document(suite(explanations=explained({})), suite(name="other", gates=[]))
    text = render(name, found, Setting())
    assert text == render(name, found, Setting())
    assert text.endswith("\n")


def test_an_unknown_format_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        render("pdf", document(), Setting())


def test_the_text_shows_what_bears_on_a_failed_gate_once_for_each_suite() -> None:
    gates = [
        gate(measure="CLINK.f1"),
        gate(measure="CLINK.recall"),
        gate(measure="EVENT.f1", line=10, verdict="passed", reason=""),
    ]
    found = suite(
        gates=gates,
        explanations=explained({"measures": ["EVENT.*"], "message": "an event"}, {"measures": ["CLINK.*"], "message": "a link"}),
    )
    text = render("text", document(found), Setting(brief=True))
    assert text.count("a, unit 1: a link") == 1
    assert "an event" not in text


def with_documents(*entries: Mapping[str, object], cut: int = 0, **facts: object) -> dict[str, Any]:
    cases = {"total": len(entries) + cut, "failed": 0, "by": "f1", "documents": list(entries), "cut": cut}
    return {**suite(**facts), "cases": cases}


TWO = (
    {"name": "d|7", "explanations": 1234, "values": {"f1": 0.125, "tp": 1, "p": None}},
    {"name": "a", "explanations": 0, "values": {"f1": 0.5, "tp": 2, "p": 0.5}},
)
BAD = {"name": "b", "problems": ["b.txt:3: x.bad"]}


def test_the_worst_documents_in_a_line() -> None:
    assert worst_documents(suite_report(with_documents(BAD, *TWO))) == "worst documents by f1: d|7 0.1250, a 0.5000"
    assert worst_documents(suite_report(with_documents(*TWO)), most=1) == "worst documents by f1: d|7 0.1250"
    assert worst_documents(suite_report(with_documents(TWO[0]))) == ""  # the only one there is
    assert worst_documents(suite_report(suite())) == ""


def test_the_worst_documents_in_a_table() -> None:
    found = document_table(suite_report(with_documents(BAD, *TWO, cut=9_000)), most=2)
    assert found.measures == ("f1", "tp", "p")
    assert [tuple(row) for row in found.rows] == [
        ("b", (None, None, None), None, ("b.txt:3: x.bad",)),
        ("d|7", (0.125, 1, None), 1234, ()),
    ]
    assert found.left_out == "9,001 better documents are left out"
    assert document_table(suite_report(with_documents(*TWO)), most=1).left_out == "1 better document is left out"
    assert document_table(suite_report(with_documents(*TWO)), most=9).left_out == ""
    assert document_table(suite_report(with_documents(BAD, BAD)), most=9).measures == ()
    assert document_table(suite_report(suite()), most=9).rows == []


def test_markdown_has_the_worst_documents_in_a_folded_table() -> None:
    text = render("markdown", document(with_documents(BAD, *TWO, cut=7)))
    assert "<details><summary><code>worst documents by f1 (7 better documents are left out)</code></summary>" in text
    assert (
        "| document | <code>f1</code> | <code>tp</code> | <code>p</code> | explanations |\n| --- | --: | --: | --: | --: |"
        in text
    )
    assert "| <code>b</code> | - | - | - | - |" in text
    assert "| <code>d&#124;7</code> | 0.1250 | 1 | - | 1234 |" in text
    assert "worst documents" not in render("markdown", document(suite()))


def test_csv_has_a_line_for_each_figure_of_a_document_after_those_of_the_suite() -> None:
    lines = render("csv", document(with_documents(BAD, *TWO, scores={"f1": {"value": 0.25}}))).splitlines()
    assert (
        lines[0]
        == "suite,system,task,measure,value,reason,document,low,high,baseline,drop,drop_low,drop_high,p,group,configuration,"
        "resamples,drop_resamples,p_resamples"
    )
    assert [line.split(",")[7:15] for line in lines[1:]] == [[""] * 8] * 8
    assert {line.split(",")[15] for line in lines[1:]} == {suite()["config"]}
    assert [line.split(",")[3:7] for line in lines[1:]] == [
        ["f1", "0.25", "", ""],
        ["", "", "b.txt:3: x.bad", "b"],
        ["f1", "0.125", "", "d|7"],
        ["tp", "1", "", "d|7"],
        ["p", "", "", "d|7"],
        ["f1", "0.5", "", "a"],
        ["tp", "2", "", "a"],
        ["p", "0.5", "", "a"],
    ]


def test_the_text_names_the_worst_documents_of_a_suite_of_which_a_gate_failed() -> None:
    line = "    worst documents by f1: d|7 0.1250, a 0.5000"
    assert line in render("text", document(with_documents(*TWO, gates=[gate()])), Setting(brief=True)).splitlines()
    passed = with_documents(*TWO, outcome="ok", gates=[gate(verdict="passed", reason="")])
    assert line not in render("text", document(passed), Setting(brief=True))

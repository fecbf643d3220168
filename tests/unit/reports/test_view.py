from __future__ import annotations

import pytest

from pytest_nlpeval.reports import FORMATS, render
from pytest_nlpeval.reports.view import (
    Setting,
    distance_of,
    explanation_lines,
    explanation_summary,
    failed_measures,
    failure_lines,
    gate_rows,
    located,
    problems_of,
    verdict_sentence,
)
from tests.unit.reports.documents import document, gate, problem, suite


def explained(*entries: dict[str, object]) -> dict[str, object]:
    usual = {"case": "a", "unit": "1", "reason": "missed", "message": "m", "line": None}
    return {"counts": {"missed": len(entries)}, "first": [{**usual, **entry} for entry in entries]}


def test_rows_are_in_the_order_of_the_configurations_lines_then_of_the_report() -> None:
    gates = [gate(measure="z", line=9), gate(measure="a", line=9), gate(measure="m", line=2)]
    assert [row.measure for row in gate_rows(suite(gates=gates))] == ["m", "z", "a"]


def test_a_distance_is_positive_on_the_good_side() -> None:
    assert distance_of(gate(value=0.75, threshold=0.5)) == 0.75 - 0.5
    assert distance_of(gate(value=0.75, threshold=0.5, condition="max")) == 0.5 - 0.75
    assert distance_of(gate(value=None)) is None


def test_the_verdict_counts_what_fails() -> None:
    gates = [gate(), gate(informational=True), gate(verdict="passed"), gate(verdict="unjudged", value=None)]
    assert verdict_sentence(document(suite(gates=gates))) == (
        "FAILED: 2 of 4 gates hold or are informational, 2 of 2 documents valid, 1 suite"
    )
    assert verdict_sentence(document(passed=False, problems=[problem()])) == "FAILED: no suite was run, 1 problem"


def test_a_failure_says_what_where_and_by_how_much() -> None:
    assert failure_lines("dev", gate(), "2PR / (P + R)", "nlpeval.yaml") == [
        "f1 of dev: failed",
        "  value      0.250000",
        "  threshold  >= 0.5 (min)",
        "  distance   -0.250000",
        "  formula    2PR / (P + R)",
        "  set at     nlpeval.yaml:9",
    ]
    unjudged = failure_lines("dev", gate(value=None, verdict="unjudged", reason="no pairs"), "", "nlpeval.yaml")
    assert unjudged[1] == "  value      no value: no pairs"
    assert len(unjudged) == 4


def test_a_passage_in_which_nothing_is_marked_is_shown() -> None:
    pair = {"text": "A text. ⊢ A claim.", "gold": [], "system": []}
    found = suite(explanations=explained({"passage": pair}, {"passage": {**pair, "gold": [[0, 1]]}}))
    lines = explanation_lines(found)
    assert [line.strip() == pair["text"] for line in lines] == [False, True, False]


def test_explanations_are_those_of_the_measure() -> None:
    found = suite(
        explanations=explained(
            {"measures": ["EVENT.*"], "message": "an event"},
            {"measures": ["CLINK.*"], "message": "a link", "line": 7, "path": "out/a.xml"},
            {"message": "anything", "line": 8},
        )
    )
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
    found = suite(explanations={"counts": {"missed": 5, "spurious": 1}, "first": first, "cut": 3})
    assert explanation_summary(found) == "5 missed, 1 spurious"
    assert explanation_summary(found, "CLINK.strict.f1") == "at least 1 missed, 1 spurious"


def test_every_path_of_a_suite_is_moved_also_where_a_reason_names_it() -> None:
    """Of two problems in files of which one is called like the end of the other, each becomes its own."""
    cited = "2 of 2 documents have errors in their files (a/run.txt:3:7: t.bad, run.txt: t.bad)"
    found = located(
        suite(
            problems=[problem(path="run.txt", line=None, column=None), problem(path="a/run.txt"), problem(path="")],
            gates=[gate(verdict="unjudged", value=None, reason=cited), gate()],
            scores={"f1": {"value": None, "reason": cited}, "n": {"value": 3}},
            explanations=explained({"path": "a/run.txt", "line": 7}, {"line": 8}),
        ),
        lambda path: f"../{path}",
    )
    moved = "2 of 2 documents have errors in their files (../a/run.txt:3:7: t.bad, ../run.txt: t.bad)"
    assert found["config"] == "../nlpeval.yaml"
    assert [one.path for one in problems_of(found)] == ["../run.txt", "../a/run.txt", ""]
    assert [one["reason"] for one in found["gates"]] == [moved, gate()["reason"]]
    assert found["scores"] == {"f1": {"value": None, "reason": moved}, "n": {"value": 3}}
    assert [line.partition(": ")[0] for line in explanation_lines(found)] == ["../a/run.txt:7", "a, line 8"]


def test_a_report_without_explanations_has_none() -> None:
    bare = suite()
    del bare["explanations"]
    assert explanation_lines(bare) == []
    assert explanation_summary(bare) == ""
    document(bare)


def test_failed_measures_have_a_value() -> None:
    gates = [gate(measure="b"), gate(measure="a", verdict="unjudged", value=None), gate(measure="b", condition="max")]
    assert list(failed_measures(suite(gates=gates))) == ["b"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_made_of_the_report_alone(name: str) -> None:
    found = document(suite(explanations=explained({})), suite(name="other", gates=[]))
    text = render(name, found, Setting())
    assert text == render(name, found, Setting())
    assert text.endswith("\n")


def test_an_unknown_format_is_a_key_error() -> None:
    assert set(FORMATS) == {"csv", "json", "markdown", "native", "text"}
    with pytest.raises(KeyError):
        render("pdf", document(), Setting())


def test_the_text_shows_what_bears_on_a_failed_gate_below_it() -> None:
    gates = [gate(measure="CLINK.f1"), gate(measure="EVENT.f1", line=10, verdict="passed", reason="")]
    found = suite(
        gates=gates,
        explanations=explained({"measures": ["EVENT.*"], "message": "an event"}, {"measures": ["CLINK.*"], "message": "a link"}),
    )
    lines = render("text", document(found), Setting(brief=True)).splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("nlpeval.yaml:9: CLINK.f1 of dev: failed"))
    assert lines[place + 1 : place + 3] == ["  a, unit 1: missed: a link", ""]
    assert not any("an event" in line for line in lines)

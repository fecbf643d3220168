from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pytest_nlpeval import evaluate
from pytest_nlpeval.conditions import Max, MaxDrop, MaxDropRelative, Min, NonInferior, Standing
from pytest_nlpeval.config.file import load_suites
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.gates import Gate, judge
from pytest_nlpeval.measures import Score
from pytest_nlpeval.reports.json_forms import encoded
from pytest_nlpeval.reports.model import ExplanationReport, GateReport, Report
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.run.signature import Signature
from tests.unit.reports.documents import document, full_of, gate, problem, report, suite, suite_report

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*/nlpeval.yaml"))

SCHEMA = Draft202012Validator(json_schema("report.schema.json"))
CONDITIONS = (Min(0.7), Max(0.1), MaxDrop(0.02, 0.01), MaxDropRelative(0.1, 0.01), NonInferior(0.01, 0.01))


@pytest.mark.parametrize("config", EXAMPLES, ids=lambda path: path.parent.name)
def test_a_report_comes_back_from_its_json(config: Path) -> None:
    found = report_of([evaluate(one, explain=True) for one in load_suites(config)])
    text = json.dumps(found.to_json())
    again = Report.from_json(json.loads(text))
    assert again == found
    assert json.dumps(again.to_json()) == text


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_in_a_report_comes_back(text: str) -> None:
    found = Report.from_json(full_of(text))
    assert Report.from_json(json.loads(json.dumps(found.to_json()))) == found
    assert found.to_json()["suites"][0]["signature"] == full_of(text)["suites"][0]["signature"]


def fewer(data: Any) -> Iterator[Any]:
    """The same JSON object, less one of the keys that it or an object in it has; what changed has all."""
    if isinstance(data, dict):
        for name, part in data.items():
            yield {key: value for key, value in data.items() if key != name}
            yield from ({**data, name: smaller} for smaller in fewer(part) if name != "now")
    elif isinstance(data, list):
        yield from ([*data[:place], smaller, *data[place + 1 :]] for place, part in enumerate(data) for smaller in fewer(part))


def test_a_report_that_lacks_what_the_schema_makes_optional_stays_as_it_is() -> None:
    item = {"unit": "u", "reason": "missed", "message": "m", "line": None, "kind": "missed", "item": "i"}
    first = [{"case": "a", "path": "p", **item, "measures": ["f*"], "change": "newly_wrong"}]
    change = {"case": "a", "unit": "u", "item": "i", "change": "newly_wrong", "before": None, "now": item}
    whole = document(
        suite(
            cases={"total": 2, "failed": 0, "by": "f1", "documents": [{"name": "a", "explanations": 0, "values": {}}], "cut": 0},
            problems=[problem(where="here")],
            notes=["n"],
            baseline={"source": "b", "commit": "c", "reason": "r", "resampled": "units", "units": {"paired": 1}},
            scores={"f1": {"value": 1, "low": 0.5, "high": 1.5, "baseline": 2, "drop": 1.0, "p": 0.5, "group": "g"}},
            gates=[
                {
                    "measure": "f1",
                    "condition": "non_inferior",
                    "threshold": 0.5,
                    "value": 1,
                    "alpha": 0.05,
                    "baseline": 2,
                    "drop": 1.0,
                    "p": 0.5,
                    "p_adjusted": 0.5,
                    "upper": 1.0,
                    "detectable": 2.0,
                    "verdict": "failed",
                    "reason": "r",
                    "line": 1,
                    "informational": False,
                }
            ],
            explanations={"counts": {"missed": 1}, "first": first, "cut": 0},
            changes={"counts": {"newly_wrong": 1}, "first": [change], "uncertain": 1},
        ),
        problems=[problem(path="")],
    )
    read = 0
    for smaller in (whole, *fewer(whole)):
        if SCHEMA.is_valid(smaller):
            read += 1
            assert json.loads(json.dumps(Report.from_json(smaller).to_json())) == smaller
    assert read > 30


def test_what_a_condition_demands_and_its_distance_follow_from_the_report() -> None:
    standing = Standing(Score(0.5), Score(0.6), drop=0.1, upper=0.2, p=0.001, p_adjusted=0.002)
    judged = judge(Gate("m", 1, {condition.name: condition for condition in CONDITIONS}, alpha=0.01), standing)
    assert len(judged) == len(CONDITIONS)
    for verdict in judged:
        found = GateReport.from_json(verdict.to_json())
        assert (found.bound, found.distance) == (verdict.condition.bound, verdict.condition.distance(standing))
        assert found.to_json() == verdict.to_json()
        assert found.fails == verdict.fails


def test_a_gate_is_what_the_report_says_and_not_judged_again() -> None:
    (found,) = report(suite(gates=[gate(value=0.25, threshold=0.5, verdict="passed")])).suites[0].gates
    assert (found.verdict, found.fails, found.distance) == ("passed", False, 0.25 - 0.5)


NAMES = st.from_regex(r"[a-z_]+", fullmatch=True).filter(lambda name: name != "rule")


@given(NAMES, st.dictionaries(NAMES | NAMES.map("rule:{}".format), st.text(st.characters(exclude_characters="|"))))
def test_a_signature_comes_back_from_its_text(task: str, facts: dict[str, str]) -> None:
    signature = Signature(task, tuple(facts.items()))
    assert Signature.from_json(str(signature)) == signature


@given(st.text("ab:|"))
def test_the_text_of_a_signature_stays_whatever_it_is(text: str) -> None:
    assert str(Signature.from_json(text)) == text


@given(st.lists(st.sampled_from(["a.*", "*.b", "a.b", "c", ""]), max_size=9), st.sampled_from(["a.b", "a.c", "c", "d"]))
def test_what_bears_on_a_measure_is_found_by_the_index(patterns: list[str], measure: str) -> None:
    usual = {"case": "d", "unit": "u", "reason": "missed", "message": "m", "line": None}
    first = [{**usual, **({"measures": [pattern, "z"]} if pattern else {})} for pattern in patterns]
    found = suite_report(suite(explanations={"counts": {"missed": len(first)} if first else {}, "first": first})).explained
    assert found.bearing_on(measure) == [entry for entry in found.first if entry.explanation.bears_on(measure)]


def test_an_empty_list_comes_back_as_it_was_and_not_as_none() -> None:
    (found,) = report(suite(cases={"total": 0, "failed": 0, "documents": [], "cut": 0})).suites
    assert found.cases.documents == ()
    assert encoded(found.cases) == {"total": 0, "failed": 0, "documents": [], "cut": 0}


def test_a_field_that_has_its_default_is_absent() -> None:
    (found,) = report(suite()).suites
    assert encoded(found) == suite()
    assert "notes" in encoded(replace(found, notes=("n",)))


@pytest.mark.parametrize(
    ("line", "path", "gold_line", "gold_path", "place"),
    [
        (3, "out/d.xml", 7, "gold/d.xml", "out/d.xml:3"),
        (None, "", 7, "gold/d.xml", "gold/d.xml:7"),
        (None, "", None, "gold[2]", "gold[2]"),
        (None, "", None, "", "d, unit 1"),
    ],
)
def test_what_only_gold_has_is_placed_in_gold(
    line: int | None, path: str, gold_line: int | None, gold_path: str, place: str
) -> None:
    entry = ExplanationReport("d", Explanation("1", "missed", "", line, gold_line=gold_line), path, "newly_wrong", gold_path)
    assert entry.place == place
    assert ExplanationReport.from_json(entry.to_json()) == entry

"""JSON reports to render: small ones with any text in them, and large ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pytest_nlpeval import reports
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.reports.model import GateReport, Report, SuiteReport
from pytest_nlpeval.reports.quick_validator import quick_validator
from pytest_nlpeval.reports.view import Setting


def gate(**fields: Any) -> dict[str, Any]:
    usual = {
        "measure": "f1",
        "condition": "min",
        "threshold": 0.5,
        "value": 0.25,
        "verdict": "failed",
        "reason": "0.250 is short by 0.250",
        "line": 9,
        "informational": False,
    }
    return {**usual, **fields}


def problem(**fields: Any) -> dict[str, Any]:
    return {"code": "t.bad", "severity": "error", "path": "system/a.txt", "line": 3, "column": 7, "message": "wrong", **fields}


def suite(**fields: Any) -> dict[str, Any]:
    usual = {
        "name": "dev",
        "system": "",
        "task": "rte",
        "config": "nlpeval.yaml",
        "line": 3,
        "signature": "rte|v:1",
        "outcome": "failed",
        "cases": {"total": 2, "failed": 0},
        "problems": [],
        "scores": {"f1": {"value": 0.25}},
        "gates": [gate()],
        "explanations": {"counts": {}, "first": []},
    }
    return {**usual, **fields}


@cache
def _schema() -> Any:
    """The validator that finds what the library's finds (test_quick_validator.py), in far less time."""
    return quick_validator(json_schema("report.schema.json"))


def document(*suites: dict[str, Any], **fields: Any) -> dict[str, Any]:
    found = {"version": 1, "tool": "t", "passed": all(one["outcome"] == "ok" for one in suites), "suites": list(suites), **fields}
    _schema().validate(found)
    return found


def report(*suites: dict[str, Any], **fields: Any) -> Report:
    return Report.from_json(document(*suites, **fields))


def suite_report(fields: Mapping[str, Any]) -> SuiteReport:
    return report(dict(fields)).suites[0]


def gate_report(**fields: Any) -> GateReport:
    return GateReport.from_json(gate(**fields))


def render(name: str, found: Report | Mapping[str, Any], setting: Setting | None = None) -> str:
    """The text of a format, of a report or of its JSON form."""
    return reports.render(name, found if isinstance(found, Report) else Report.from_json(found), setting)


def full_of(text: str) -> dict[str, Any]:
    """A report in which everything that can come from a file is this text."""
    bare = {"unit": text, "reason": "r", "message": text, "line": None}
    chain = [{"source": text, "relation": text, "target": text}]
    explanation = {"case": text, "item": text, **bare, "change": "otherwise_wrong", "chain": chain}
    change = {"case": text, "unit": text, "item": text, "before": bare}
    passage = {"text": text, "gold": [[0, 1]], "system": [[0, 2]]}
    documents = [{"name": text, "problems": [text]}, {"name": text, "explanations": 1, "values": {text: 0.25}}]
    axis = {"label": text, "low": 0, "high": 1}
    series = [{"name": text, "style": style, "points": [[0.5, 0.5]]} for style in ("points", "reference", "line")]
    named = {"name": text, "title": text, "meaning": text}
    names = {"label": text, "names": [text, text]}
    return document(
        suite(
            name=text,
            task=text,
            config=text,
            problems=[
                problem(path=text, message=text, where=text, code=text),
                problem(severity="warning", path=text, message=text),
            ],
            gates=[gate(measure=text, reason=text), gate(measure=text, verdict="unjudged", value=None, reason=text)],
            scores={text: {"value": 0.25, "group": text, "low": 0.2, "high": 0.3, "baseline": 0.5, "drop": 0.25, "p": 0.01}},
            explanations={"counts": {text: 1}, "first": [explanation, {**explanation, "gold": text, "passage": passage}]},
            cases={"total": 3, "failed": 1, "by": text, "documents": documents, "cut": 1},
            notes=[text],
            graphs=[
                {**named, "x": axis, "y": axis, "series": series},
                {**named, "rows": names, "columns": names, "numbers": [[1, 2], [3, 4]]},
                {**named, "axis": axis, "bars": [{"name": text, "value": 0.5}]},
            ],
            baseline={"source": text, "commit": text, "reason": text},
            changes={
                "counts": {"newly_wrong": 1, "otherwise_wrong": 1, "newly_right": 1},
                "first": [
                    {**change, "change": "newly_wrong", "now": explanation},
                    {**change, "change": "otherwise_wrong", "now": bare},
                    {**change, "change": "newly_right", "now": None},
                ],
            },
        ),
        passed=False,
        problems=[problem(path=text, message=text)],
    )

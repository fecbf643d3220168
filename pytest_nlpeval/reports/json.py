"""The JSON report (schemas/report.schema.json): the source of all other formats."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_nlpeval import __version__
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.run.results import SuiteResult

MOST_EXPLANATIONS = 10_000
"""Of a suite; all are counted."""


def json_report(results: Sequence[SuiteResult]) -> str:
    """Return the report as text: keys in a fixed order, values unrounded, so that equal results give equal bytes."""
    return document_text(report_document(results))


def document_text(document: Mapping[str, Any]) -> str:
    """Return a JSON document as the report's text."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def report_document(results: Sequence[SuiteResult], problems: Sequence[Problem] = ()) -> dict[str, Any]:
    """Return the report as a JSON document; `problems` are what went wrong besides the suites."""
    return {
        "version": 1,
        "tool": f"pytest-nlpeval {__version__}",
        "passed": not problems and all(result.outcome == "ok" for result in results),
        **({"problems": [problem.to_json() for problem in problems]} if problems else {}),
        "suites": [_suite(result) for result in results],
    }


def _suite(result: SuiteResult) -> dict[str, Any]:
    suite = result.suite
    return {
        "name": suite.name,
        "system": suite.system,
        "task": suite.recipe.task.name,
        "config": suite.label,
        "line": suite.line,
        "signature": result.signature,
        "outcome": result.outcome,
        "cases": {"total": len(result.cases), "failed": len(result.failed_cases)},
        "problems": [problem.to_json() for problem in result.all_problems()],
        "scores": {name: score.to_json() for name, score in result.scores.items()},
        "gates": [verdict.to_json() for verdict in result.verdicts],
        "explanations": _explanations(result),
    }


def _explanations(result: SuiteResult) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    first: list[dict[str, Any]] = []
    for case in result.cases:
        counts.update(case.explanations.counts)
        room = MOST_EXPLANATIONS - len(first)
        first += [{"case": case.name, **explanation._asdict()} for explanation in case.explanations.first[:room]]
    return {"counts": dict(sorted(counts.items())), "first": first}

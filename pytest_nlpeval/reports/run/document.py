"""The JSON report (schemas/report.schema.json), made from results: the source of all formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pytest_nlpeval import __version__
from pytest_nlpeval.explanations import Shelf
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports import VERSION
from pytest_nlpeval.reports.run.document_figures import cases_json
from pytest_nlpeval.run.results import SuiteResult

MOST_EXPLANATIONS = 10_000
"""Of a suite, as `explanations.ROOM` of a document; all are counted."""


def report_document(results: Sequence[SuiteResult], problems: Sequence[Problem] = ()) -> dict[str, Any]:
    """Return the report as a JSON document; `problems` are what went wrong besides the suites."""
    return {
        "version": VERSION,
        "tool": f"pytest-nlpeval {__version__}",
        "passed": not problems and all(result.outcome == "ok" for result in results),
        **({"problems": [problem.to_json() for problem in problems]} if problems else {}),
        "suites": [_suite(result) for result in results],
    }


def _suite(result: SuiteResult) -> dict[str, Any]:
    suite = result.suite
    groups = {
        measure.name: measure.group for measure in suite.measures(tuple(result.evidence.columns) if result.evidence else ())
    }
    return {
        "name": suite.name,
        "system": suite.system,
        "task": suite.recipe.task.name,
        "config": suite.label,
        "line": suite.line,
        "signature": result.signature,
        "outcome": result.outcome,
        "cases": cases_json(result),
        "problems": [problem.to_json() for problem in result.all_problems()],
        **({"notes": list(result.notes)} if result.notes else {}),
        **({"baseline": result.comparison.to_json()} if result.comparison else {}),
        "scores": {name: {**result.score_json(name), **_group(groups.get(name))} for name in result.scores},
        "gates": [verdict.to_json() for verdict in result.verdicts],
        **({"explanations": _explanations(result)} if result.is_explained else {}),
        **({"changes": result.comparison.changes.to_json()} if result.comparison and result.comparison.changes else {}),
        **({"graphs": graphs} if (graphs := _graphs(result)) else {}),
    }


def _group(name: str | None) -> dict[str, str]:
    return {"group": name} if name else {}


def _graphs(result: SuiteResult) -> list[dict[str, Any]]:
    """Return the graphs of a suite whose files are all valid: without some documents they would show something else."""
    recipe = result.suite.recipe
    if result.evidence is None or result.failed_cases or recipe.task.graphs is None:
        return []
    return [graph.to_json() for graph in recipe.task.graphs(result.evidence, recipe.options)]


def _explanations(result: SuiteResult) -> dict[str, Any]:
    """Return how many explanations there are of each reason, the first ones, and how many are cut."""
    counts: Counter[str] = Counter()
    first: list[dict[str, Any]] = []
    shelf = Shelf(MOST_EXPLANATIONS)
    changes = result.comparison.changes if result.comparison else None
    changed = {(change.case, change.now.item): change.sort for change in changes.first if change.now} if changes else {}
    for case, files in zip(result.cases, result.suite.cases, strict=True):
        if case.explanations is None:
            continue
        counts.update(case.explanations.counts)
        path = files.files["system"].label if "system" in files.files else ""
        for explanation in filter(shelf.takes, case.explanations.first):
            place = {"path": path} if explanation.line and path else {}
            change = changed.get((case.name, explanation.item))
            first.append({"case": case.name, **place, **explanation.to_json(), **({"change": change} if change else {})})
    return {"counts": dict(sorted(counts.items())), "first": first, "cut": counts.total() - len(first)}

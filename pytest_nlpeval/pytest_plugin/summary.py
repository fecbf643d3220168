"""What the plugin says: the lines of a failed gate, and the table at the end of a run. Pure functions of results and records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pytest_nlpeval.conditions import Standing, condition_of
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.reports.blocks import Look, look_of, table_lines
from pytest_nlpeval.reports.run.blocks import gates_table
from pytest_nlpeval.reports.view import (
    Json,
    Setting,
    explanation_lines,
    explanation_summary,
    failure_lines,
    worst_documents,
)
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import printable, problem_line

Record = Mapping[str, Any]

COLOURS: Mapping[Look, str] = {"bad": "red", "warning": "yellow"}
"""What pytest's terminal writer calls the colours of rows."""


def failed_gate(result: SuiteResult, gate: Gate, *, is_first: bool) -> tuple[str, list[str]]:
    """Return what does not hold of a gate, if anything, in a few words (`accuracy 0.56 < 0.6 (min)`), and in full.

    In full is why it does not hold, where it is set, and what is wrong that its measure would be better without; the first gate of a
    suite names the worst documents.
    """
    from pytest_nlpeval.reports.run.document import report_document

    (suite,) = Setting([result.suite.root]).located(report_document([result])["suites"])
    formulas = {measure.name: measure.formula for measure in result.suite.measures(None)}
    bad = [entry for entry in suite["gates"] if entry["measure"] == gate.measure and entry["verdict"] != "passed"]
    lines = [printable(line) for entry in bad for line in failure_lines(suite, entry, formulas.get(gate.measure, ""))]
    lines += [problem_line(problem, result.suite.root) for problem in result.problems if problem.line == gate.line]
    if summary := explanation_summary(suite, gate.measure):
        shown = explanation_lines(suite, gate.measure)
        lines += [f"explanations: {printable(summary)}", *(f"  {printable(line)}" for line in shown)]
    if is_first and (worst := worst_documents(suite)):
        lines.append(printable(worst))
    return printable("; ".join(map(_short, bad))), lines


def _short(gate: Json) -> str:
    if gate["verdict"] == "unjudged":
        return f"{gate['measure']} unjudged: {gate['reason']}"
    return f"{gate['measure']} {condition_of(gate).denial(Standing.from_json(gate))} ({gate['condition']})"


def summary_lines(records: Iterable[Record], *, only_failures: bool = False) -> list[tuple[str, str]]:
    """Return the lines of the table of the gates that ran, by configuration and suite, in the order of lines; each with a colour or "".

    With `only_failures` the rows of conditions that hold are left out; nothing is left of a table without rows.
    """
    suites = list(_suites(records))
    if only_failures:
        suites = [
            {**suite, "gates": bad}
            for suite in suites
            if (bad := [gate for gate in suite["gates"] if gate["verdict"] != "passed"])
        ]
    if not suites:
        return []
    table = gates_table(suites)
    header, *rows = table_lines(table)
    return [(header, ""), *zip(rows, (COLOURS.get(look_of(row), "") for row in table.rows), strict=True)]


def by_suite(records: Iterable[Record]) -> dict[tuple[str, int, str], list[Record]]:
    """Return the records of each suite, by configuration, line and name, in this order."""
    found: dict[tuple[str, int, str], list[Record]] = {}
    for record in records:
        found.setdefault((record["config"], record["line"], record["suite"]), []).append(record)
    return dict(sorted(found.items()))


def _suites(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    """Yield, for each suite of which an item ran, what the JSON report says of it as far as its items know."""
    for (_, _, name), own in by_suite(records).items():
        gates = [gate for record in own for gate in record["gates"]]
        head = {"name": name, "config": own[0]["label"], "is_gated": own[0]["is_gated"]}
        scores = {measure: score for record in own for measure, score in record["scores"].items()}
        yield {**head, "cases": {"total": own[0]["documents"]}, "gates": gates, "scores": scores}

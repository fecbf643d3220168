"""What the plugin says: the lines of a failed gate, and the table at the end of a run. Pure functions of results and records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_nlpeval.gates import Gate, Verdict
from pytest_nlpeval.reports.blocks import Look, look_of, table_lines
from pytest_nlpeval.reports.json_forms import decoded_fields
from pytest_nlpeval.reports.model import GateReport, ScoreReport, SuiteReport
from pytest_nlpeval.reports.run.blocks import gates_table
from pytest_nlpeval.reports.view import (
    GateRow,
    Setting,
    explanation_lines,
    explanation_summary,
    failure_lines,
    gate_rows,
    worst_documents,
)
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import printable, problem_line

Record = Mapping[str, Any]

COLOURS: Mapping[Look, str] = {"bad": "red", "warning": "yellow"}
"""What pytest's terminal writer calls the colours of rows."""


@dataclass(frozen=True, slots=True)
class SuiteView:
    """What all failed gates of a suite tell from: the result, what a report says of it, and the formulas of its measures."""

    result: SuiteResult
    report: SuiteReport
    formulas: Mapping[str, str]

    @classmethod
    def of(cls, result: SuiteResult) -> SuiteView:
        """Return the view of a result, with paths as seen from the current folder."""
        from pytest_nlpeval.reports.run.document import suite_report

        (report,) = Setting([result.suite.root]).located([suite_report(result)])
        return cls(result, report, {measure.name: measure.formula for measure in result.suite.measures(None)})

    def failed_gate(self, gate: Gate, *, is_first: bool) -> tuple[str, list[str]]:
        """Return what does not hold of a gate, if anything, in a few words (`accuracy 0.56 < 0.6 (min)`), and in full.

        In full is why it does not hold, where it is set, and what is wrong that its measure would be better without; the first gate of a
        suite names the worst documents.
        """
        measure, result, report = gate.measure, self.result, self.report
        bad = [entry for entry in report.gates if entry.measure == measure and entry.verdict != "passed"]
        lines = [printable(line) for entry in bad for line in failure_lines(report, entry, self.formulas.get(measure, ""))]
        lines += [problem_line(problem, result.suite.root) for problem in result.problems if problem.line == gate.line]
        if summary := explanation_summary(report, measure):
            shown = explanation_lines(report, measure)
            lines += [f"explanations: {printable(summary)}", *(f"  {printable(line)}" for line in shown)]
        if is_first and (worst := worst_documents(report)):
            lines.append(printable(worst))
        verdicts = [verdict for verdict in result.verdicts if verdict.measure == measure and not verdict.holds]
        return printable("; ".join(map(_short, verdicts, bad))), lines


def _short(verdict: Verdict, gate: GateReport) -> str:
    if gate.verdict == "unjudged":
        return f"{gate.measure} unjudged: {gate.reason}"
    return f"{gate.measure} {verdict.condition.denial(verdict.standing)} ({gate.condition})"


def summary_lines(records: Iterable[Record], *, only_failures: bool = False) -> list[tuple[str, str]]:
    """Return the lines of the table of the gates that ran, by configuration and suite, in the order of lines; each with a colour or "".

    With `only_failures` the rows of conditions that hold are left out; nothing is left of a table without rows.
    """
    suites = list(_suites(records, only_failures=only_failures))
    if not suites:
        return []
    table = gates_table(suites)
    header, *rows = table_lines(table)
    return [(header, ""), *zip(rows, (COLOURS.get(look_of(row), "") for row in table.rows), strict=True)]


def by_suite(records: Iterable[Record]) -> dict[tuple[str, int, str], list[Record]]:
    """Return the records of each suite, by configuration, line and name, in this order."""
    suites: dict[tuple[str, int, str], list[Record]] = {}
    for record in records:
        suites.setdefault((record["config"], record["line"], record["suite"]), []).append(record)
    return dict(sorted(suites.items()))


def _suites(records: Iterable[Record], *, only_failures: bool) -> Iterator[tuple[str, int, Sequence[GateRow], str]]:
    """Yield, for each suite of which an item ran, what `gates_table` shows of it as far as its items know."""
    for (_, _, name), own in by_suite(records).items():
        gates = [GateReport.from_json(gate) for record in own for gate in record["gates"]]
        shown = [gate for gate in gates if gate.verdict != "passed"] if only_failures else gates
        scores = {measure: decoded_fields(ScoreReport, score) for record in own for measure, score in record["scores"].items()}
        if shown or not only_failures:
            nothing = "(no gate ran)" if own[0]["is_gated"] else "(no gates)"
            yield name, own[0]["documents"], gate_rows(own[0]["label"], shown, scores), nothing

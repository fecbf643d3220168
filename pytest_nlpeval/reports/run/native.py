"""The tables that the tasks' original scorers print."""

from __future__ import annotations

from pytest_nlpeval.reports.model import Report, SuiteReport
from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks import load_task
from pytest_nlpeval.wording import printable


def native(report: Report) -> str:
    """Return the tables of all suites of a report, each under its name if there are several.

    Lines that begin with `#` are a suite's notes, and say why where there is no table: the task has none, files have errors, or the
    report is not complete.
    """
    return "\n".join(_head(suite, named=len(report.suites) > 1) + _table(suite) for suite in report.suites)


def _head(suite: SuiteReport, *, named: bool) -> str:
    lines = [*([suite.name] if named else ()), *suite.notes]
    return "".join(f"# {printable(line)}\n" for line in lines)


def _table(suite: SuiteReport) -> str:
    task = printable(suite.task)
    try:
        original = load_task(suite.task).native
    except Exception:  # noqa: BLE001 - another package's code may raise anything
        return f"# the task {task} is not installed here\n"
    if original is None:
        return f"# the task {task} has no table of its own\n"
    if suite.cases.failed or not suite.cases.total:
        return "# no table: documents are missing or have errors in their files\n"
    values = {name: score.value for name, score in suite.scores.items()}
    graphs = {graph.name: graph.to_json() for graph in suite.graphs}
    try:
        return original(Reported(values, dict(suite.signature.facts), suite.cases.total, graphs))
    except KeyError as error:
        return f"# no table: the report lacks {printable(str(error))}\n"

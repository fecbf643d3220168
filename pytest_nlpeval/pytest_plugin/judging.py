"""What tests judge: results that the fixture `nlpeval` gave, noted for the table and the reports, and how one that failed is told."""

from __future__ import annotations

import pickle
from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import pytest

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.problems import problem_line
from pytest_nlpeval.pytest_plugin.records import JUDGED, record_of
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import plural, printable


class Judged(NamedTuple):
    """A suite that a test judged: the test's id, and the result."""

    node: str
    result: SuiteResult

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from others, in the order in which reports have them: configuration, suite, test."""
        suite = self.result.suite
        return str(suite.config or suite.label), suite.name, self.node


class Judging:
    """A plugin that attaches what a test judged to the test's report, and keeps the results of this process.

    The report of a test that fails shows the results that the test was given, unless it failed by these itself.
    """

    def __init__(self) -> None:
        self._judged: dict[tuple[str, str, str], Judged] = {}
        self._records: list[dict[str, Any]] = []
        self._shown: list[SuiteResult] = []

    def note(self, node: str, result: SuiteResult) -> None:
        """Note that a test judged a suite; a test that runs again replaces what it judged before."""
        judged = Judged(node, result)
        self._judged[judged.key] = judged
        suite, measures = result.suite, dict.fromkeys(gate.measure for gate in result.gates)
        problems = result.all_problems()
        self._records.append(record_of(JUDGED, suite, result=result, measures=measures, problems=problems, ran=len(suite.cases)))

    def has(self, suite: Suite) -> bool:
        """Whether the test that runs has judged a suite of this name."""
        return any((record["label"], record["suite"]) == (suite.label, suite.name) for record in self._records)

    def show(self, result: SuiteResult) -> None:
        """Keep a result for the report of the test, in case that it fails."""
        self._shown.append(result)

    def results(self) -> list[Judged]:
        """Return what tests of this process judged."""
        return list(self._judged.values())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach what was judged since the last report."""
        report = yield
        if self._records:
            report.__dict__["nlpeval_judged"], self._records = self._records, []
        if report.failed and call.excinfo is not None and not isinstance(call.excinfo.value, pytest.fail.Exception):
            report.sections += [(f"nlpeval: {printable(result.suite.name)}", f"{result!r}\n") for result in self._shown]
        if report.failed or call.when == "teardown":
            self._shown = []
        return report


def records_in(report: object) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    """Yield what a test's report says of the suites that the test judged, each with a key."""
    for record in getattr(report, "nlpeval_judged", ()):
        yield (str(getattr(report, "nodeid", "")), f"{record['config']} {record['suite']}"), record


def packed(judged: list[Judged]) -> list[bytes]:
    """Return results such that they cross from a worker; those whose task cannot cross are left out."""
    kept = []
    for each in judged:
        with suppress(Exception):  # whatever the parts of a task of the user's own raise
            kept.append(pickle.dumps(each, pickle.HIGHEST_PROTOCOL))
    return kept


def unpacked(texts: list[bytes]) -> Iterator[Judged]:
    """Yield the results that a worker of this run packed; those that this process cannot read are left out."""
    for text in texts:
        with suppress(Exception):  # another Python, or a module that only the worker has
            yield pickle.loads(text)  # noqa: S301 - by a process of this run


def failure_lines(result: SuiteResult) -> list[str]:
    """Return why a suite fails: all errors in its files, or all gates that do not hold; nothing if it passes.

    The first line says it in a few words.
    """
    if result.outcome == "ok":
        return []
    from pytest_nlpeval.pytest_plugin.summary import SuiteView  # no suite that passes needs the reports

    root, view = result.suite.root, SuiteView.of(result)
    errors = [problem_line(each, root) for each in result.all_problems() if each.severity == "error"]
    if result.failed_cases:
        names = ", ".join(printable(case.name) for case in result.failed_cases)
        return [f"{plural(len(result.failed_cases), 'document')} of {result.suite.name} with errors: {names}", *errors]
    briefs: list[str] = []
    lines: list[str] = []
    for gate in result.gates:
        if any(verdict.fails for verdict in result.verdicts_on(gate.measure)):
            brief, more = view.failed_gate(gate, is_first=not briefs)
            briefs.append(f"{gate.measure} {brief}")
            lines += more
    own = [line for line in errors if line not in lines]
    return [f"{result.suite.name}: {'; '.join(briefs) or 'errors of the suite itself'}", *own, *lines]

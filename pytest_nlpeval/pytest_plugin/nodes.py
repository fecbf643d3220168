"""The pytest nodes: configuration file, suite, case, gate. Thin: all that they know comes from the engine."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest._code.code import ReprEntryNative, ReprExceptionInfo, ReprFileLocation, ReprTraceback  # also crosses from workers

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.foreign import failed_in, is_guarded
from pytest_nlpeval.gates import Gate, name_now
from pytest_nlpeval.problems import NlpevalError, Problem, problem_line, problem_lines
from pytest_nlpeval.pytest_plugin.records import record_of
from pytest_nlpeval.pytest_plugin.state import Batch, LeftToTests, State
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.runs import CaseResult
from pytest_nlpeval.wording import plural, printable

if TYPE_CHECKING:
    from pytest_nlpeval.pytest_plugin.summary import SuiteView

CHANCE = ("low", "high", "resamples", "baseline", "drop", "p", "p_resamples")
"""What else JUnit's properties of a gate have of its measure's score, where it is known."""

BASELINE, WHOLE = "baseline", "suite"
"""The names of the item of a suite as a whole: of one that is compared with a baseline, and of any other."""


class Failure(Exception):  # noqa: N818 - a test outcome, not an error of the program
    """A case or gate that failed, with the lines that say why; shown as they are, without a traceback.

    `brief` is the one line that pytest's short summary and JUnit's `message` show.
    """

    def __init__(self, brief: str, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.brief = brief


class ConfigFile(pytest.File):
    """An `nlpeval.yaml`: a collector of suites. A faulty one is a collection error that lists every mistake."""

    state: State

    def collect(self) -> Iterable[SuiteNode]:
        """Yield one node per suite and system, but for the suites that are left to tests."""
        from pytest_nlpeval.config.checks import ConfigError

        try:
            suites = self.state.suites(self.path)
        except ConfigError as error:
            raise self.CollectError("\n".join(problem_line(problem, error.root) for problem in error.problems)) from None
        for suite in suites:
            if suite.judged_by_test:
                self.state.left_to_tests.add(LeftToTests(str(suite.config), suite.name, suite.label, suite.line))
                continue
            node: SuiteNode = SuiteNode.from_parent(self, name=suite.name)
            node.suite, node.state = suite, self.state
            yield node


class SuiteNode(pytest.Collector):
    """A suite, for one system: a collector of cases and gates; without gates, of the suite as a whole, where that can have errors."""

    suite: Suite
    state: State
    _view: SuiteView | None = None

    def view(self, result: SuiteResult) -> SuiteView:
        """Return what failed gates tell of the suite's result, worked out once however many fail."""
        from pytest_nlpeval.pytest_plugin.summary import SuiteView  # no gate that holds needs the reports

        if self._view is None or self._view.result is not result:
            self._view = SuiteView.of(result)
        return self._view

    def collect(self) -> Iterable[pytest.Item]:
        """Yield the cases, in the engine's batches, then the gates."""
        try:
            gates = self.state.gates(self.suite)
        except NlpevalError as error:
            raise self.CollectError("\n".join(problem_lines(error.problems, self.suite.root))) from None
        whole = "" if gates or self.state.options.shard else self._name_of_whole()
        names = {gate.measure for gate in gates} or {whole}
        for batch in self.state.batches(self.suite):
            yield self._case_item(batch, names)
        if whole:
            yield WholeItem.from_parent(self, name=whole)
        for gate in gates:
            item: GateItem = GateItem.from_parent(self, name=gate.measure)
            item.gate = gate
            yield item

    def _name_of_whole(self) -> str:
        """Return the name of the item of the suite as a whole; "" if only its documents can have errors."""
        suite = self.suite
        if suite.baseline:
            return BASELINE
        return WHOLE if suite.groups or is_guarded(suite.recipe.task) else ""

    def _case_item(self, batch: Batch, others: Collection[str]) -> CaseItem:
        names = [printable(case.name) for case in batch]
        name = names[0] if len(names) == 1 else f"{names[0]}..{names[-1]}"
        item: CaseItem = CaseItem.from_parent(self, name=f"{name} (document)" if name in others else name)
        item.batch = batch
        item.extra_keyword_matches.update(names)
        return item


class SuiteItem(pytest.Item):
    """What cases and gates have in common. `record` is what the summary needs; it travels with the test report, also from workers."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.add_marker("nlpeval")
        self.record: dict[str, Any] = {}

    @property
    def suite_node(self) -> SuiteNode:
        """The suite that the item belongs to."""
        if not isinstance(self.parent, SuiteNode):
            raise TypeError(f"{self.nodeid} has no suite")
        return self.parent

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show a `Failure` as its lines, what is informational as its reason, anything else that comes from no task with its traceback."""
        failure = excinfo.value
        if isinstance(failure, pytest.xfail.Exception):  # a traceback parses the source of each of its frames, and nobody sees it
            return failure.msg
        if isinstance(failure, Exception) and (of_task := failed_in(failure)):
            failure = Failure(str(of_task.problems[0]), [str(of_task.problems[0])])
        if not isinstance(failure, Failure):
            return super().repr_failure(excinfo, style)
        path, line, _ = self.reportinfo()
        crash = ReprFileLocation(str(path), (line or 0) + 1, failure.brief)
        return ReprExceptionInfo(ReprTraceback([ReprEntryNative([f"{failure}\n"])], None, "native"), crash)

    def note(self, result: SuiteResult | None = None, measure: str = "", problems: Iterable[Problem] = (), ran: int = 0) -> None:
        """Make the record: of a gate with the suite's result and the measure, of documents with how many were done."""
        measures = (measure,) if measure else ()
        kind, suite = type(self).__name__, self.suite_node.suite
        self.record = record_of(kind, suite, result=result, measures=measures, problems=problems, ran=ran)


class CaseItem(SuiteItem):
    """A document, or a batch of them: its files are read, validated and counted; it fails on their errors."""

    batch: Batch

    def runtest(self) -> None:
        """Fail with all errors in the files of all cases."""
        node = self.suite_node
        results = node.state.part(node.suite, self.batch).cases
        root = node.suite.root
        self.note(problems=(problem for result in results for problem in result.all_problems()), ran=len(results))
        bad = [result for result in results if result.outcome != "ok"]
        if bad:
            errors = [problem for result in results for problem in result.all_problems() if problem.severity == "error"]
            more = f" (and {len(errors) - 1:,} more)" if len(errors) > 1 else ""
            raise Failure(problem_line(errors[0], root) + more, [self._headline(bad), *problem_lines(errors, root)])

    def _headline(self, bad: Sequence[CaseResult]) -> str:
        names = ", ".join(printable(result.name) for result in bad)
        kind = "gold-side files" if any(result.outcome == "set-up" for result in bad) else "the system's files"
        return f"{plural(len(bad), 'document')} of {self.suite_node.suite.name} with errors in {kind}: {names}"

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Point at the suite's line in the configuration."""
        suite = self.suite_node.suite
        return self.path, suite.line - 1, f"{suite.name}: {self.name}"


class WholeItem(SuiteItem):
    """A suite without gates as a whole: no verdict can fail, so this fails on errors of the comparison, the file of groups or a measure."""

    def runtest(self) -> None:
        """Fail with the errors of the suite itself, such as documents that vanished."""
        node = self.suite_node
        result, root = node.state.result(node.suite), node.suite.root
        self.note(result, problems=result.problems)
        errors = [problem_line(problem, root) for problem in result.problems if problem.severity == "error"]
        if errors:
            raise Failure(errors[0], errors)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Point at the suite's line in the configuration."""
        suite = self.suite_node.suite
        return self.path, suite.line - 1, f"{suite.name}: {self.name}"


class GateItem(SuiteItem):
    """The conditions on one measure, judged on all cases of the suite, whichever of them were selected or ran here."""

    gate: Gate

    def runtest(self) -> None:
        """Fail, or be an expected failure if informational, unless all conditions hold; fail if the suite itself has an error."""
        node = self.suite_node
        result = node.state.result(node.suite)
        if self.gate.measure not in result.scores:  # a former name, perhaps
            self.gate = replace(self.gate, measure=name_now(self.gate.measure, result.measures))
        if not result.verdicts_on(self.gate.measure):  # the task fails in scoring: its entry stands for itself
            self.gate = next((gate for gate in result.gates if gate.line == self.gate.line), self.gate)
        measure = self.gate.measure
        verdicts = result.verdicts_on(measure)
        root = node.suite.root
        self.note(result, measure, result.problems)
        score = result.score_json(measure) if measure in result.scores else {}
        if score.get("value") is not None:
            self.user_properties.append((measure, score["value"]))
        self.user_properties += [(f"{measure}.{fact}", score[fact]) for fact in CHANCE if fact in score]
        for verdict in verdicts:
            name = f"{measure}.{verdict.condition.name}"
            self.user_properties += [(name, verdict.condition.threshold), (f"{name}.verdict", verdict.verdict)]
        bad = [verdict for verdict in verdicts if not verdict.holds]
        errors = [problem_line(problem, root) for problem in result.problems if self._tells(problem, result)]
        if verdicts and not bad and not errors:
            return
        fails = not verdicts or bool(errors) or any(verdict.fails for verdict in bad)
        view = node.view(node.state.result(node.suite, explain=fails))
        self.record["ranks"] = {measure: view.ranks[measure]} if measure in view.ranks else {}
        brief, lines = view.failed_gate(self.gate, is_first=self._is_first_to_fail(result))
        lines = [*(line for line in errors if line not in lines), *lines]
        if not fails:
            pytest.xfail(f"informational: {brief}")
        raise Failure(brief or lines[0], lines)

    def _tells(self, problem: Problem, result: SuiteResult) -> bool:
        """Whether the gate fails on a problem: an error in its lines of the configuration, or, if it is first, one of the suite as a whole.

        No verdict depends on the latter, so a gate must tell it: a list of units that is not there, a document that vanished.
        """
        if problem.severity != "error":
            return False
        owners = [
            gate
            for gate in result.gates
            if problem.path == result.suite.label and problem.line in {gate.line, *gate.lines.values()}
        ]
        if owners:
            return any(gate.measure == self.gate.measure for gate in owners)
        gates = (item for item in self.session.items if isinstance(item, GateItem) and item.parent is self.parent)
        return next(gates, self) is self

    def _is_first_to_fail(self, result: SuiteResult) -> bool:
        """Whether no earlier gate of the suite fails, of those that were chosen, in whatever process they run."""
        failing = {verdict.measure for verdict in result.verdicts if verdict.fails}
        gates = (item for item in self.session.items if isinstance(item, GateItem) and item.parent is self.parent)
        return next((gate for gate in gates if gate.gate.measure in failing), self) is self

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Point at the gate's line in the configuration."""
        return self.path, self.gate.line - 1, f"{self.suite_node.suite.name}: {self.gate.measure}"

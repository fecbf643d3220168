"""The hooks of a pytest run with `--nlpeval`: they collect configurations, order the items, and write reports and baselines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_nlpeval.config.finding import is_config
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.foreign import blamed_on_any
from pytest_nlpeval.foreign_process import ends_with
from pytest_nlpeval.problems import NlpevalError, NoAnswerError, Problem
from pytest_nlpeval.pytest_plugin.judging import Judged, Judging, packed, records_in, unpacked
from pytest_nlpeval.pytest_plugin.nodes import ConfigFile, GateItem, SuiteItem, WholeItem
from pytest_nlpeval.pytest_plugin.records import JUDGED, by_suite, in_order
from pytest_nlpeval.pytest_plugin.selection import has_failed_enough, is_whole, named_paths, rootdir_configs
from pytest_nlpeval.pytest_plugin.state import LeftToTests, State
from pytest_nlpeval.pytest_plugin.update_baseline import RefusedError
from pytest_nlpeval.pytest_plugin.workers import lose_what_is_sent_behind_its_end
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import printable

if TYPE_CHECKING:
    from pytest_nlpeval.reports.model import Report

_NO_SUITE = "no nlpeval.yaml found (`nlpeval init` writes one; the ini setting nlpeval_files names other files)"
_NO_WORKER = "no worker lived to say which nlpeval.yaml there are; what each ran as it ended is told above"


class Hooks:
    """The hooks of one pytest process; they note which configurations were collected, and the record of each item."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.state = State(config)
        self._configs: set[Path] = set()
        self._records: dict[tuple[str, str], dict[str, Any]] = {}
        self._complaints: list[str] = []
        self._accepted: list[str] = []
        self._left_by_tests: list[Problem] = []
        self._has_lost = False
        self._no_suite = ""
        self._own = rootdir_configs(config, self.state.options.patterns)
        self.judging = Judging()
        self._from_workers: list[Judged] = []
        self._uses_fixture = False
        config.pluginmanager.register(self.judging, "nlpeval-judging")
        self._named = named_paths(config) if config.args_source is pytest.Config.ArgsSource.ARGS else None
        if _includes_rootdir(config):
            config.args += map(str, self._own)

    @property
    def _is_worker(self) -> bool:
        return hasattr(self.config, "workerinput")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker what it shares; with `--dist each`, each worker works everything out by itself."""
        lose_what_is_sent_behind_its_end(node)
        node.workerinput.update(self.state.for_worker(share=self.config.getoption("dist") != "each"))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Note what a worker found and judged, or that it crashed."""
        self._no_suite = (self._no_suite or _NO_WORKER) if error else _NO_SUITE
        output = getattr(node, "workeroutput", {})
        self._configs.update(map(Path, output.get("nlpeval_configs", ())))
        self._from_workers += unpacked(output.get("nlpeval_judged", []))
        self._uses_fixture |= output.get("nlpeval_uses_fixture", False)
        self.state.left_to_tests.update(LeftToTests(*facts) for facts in output.get("nlpeval_left_to_tests", ()))

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> ConfigFile | None:
        """Collect a configuration."""
        if not is_config(file_path.name, self.state.options.patterns):
            return None
        node: ConfigFile = ConfigFile.from_parent(parent, path=file_path)
        node.state = self.state
        return node

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """Note a configuration that is collected, also if `--lf` then skips it."""
        if isinstance(collector, ConfigFile):
            self._configs.add(collector.path)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None]:
        """Put the items of suites behind all tests, or before them, and the gates last among them, whatever other plugins did."""
        yield
        first = self.state.options.order == "first"
        items.sort(key=lambda item: (isinstance(item, SuiteItem) is not first, isinstance(item, GateItem | WholeItem)))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Refuse a run that found no suite, or whose profile no suite has; of a path that does not exist, pytest itself tells."""
        self._uses_fixture = any("nlpeval" in getattr(item, "fixturenames", ()) for item in session.items)
        complaint = self._complaint()
        if complaint and not self._is_worker and all(path.exists() for path in named_paths(self.config)):
            raise pytest.UsageError(printable(str(complaint)))

    def _complaint(self) -> Problem | None:
        """Return what makes the whole run unusable, if anything does."""
        if not self._configs:
            return None if self._names_others() else self._misplaced() or self._without_any()
        if self.state.options.profile is None and not self.state.options.suites:
            return None
        from pytest_nlpeval.config.checks import ConfigError, require_profile
        from pytest_nlpeval.config.selection import require_chosen

        suites, mistakes = self._load()
        if mistakes:  # collecting the configuration said so
            return None
        try:
            require_chosen(
                [suite for path in self.configurations() for suite in self.state.every_suite(path)], self.state.options.suites
            )
            require_profile(self.state.options.profile, {name for suite in suites for name in suite.profiles})
        except ConfigError as error:
            return error.problems[0]
        return None

    def _without_any(self) -> Problem | None:
        return None if self._uses_fixture else Problem("config.none", "error", "", None, None, "", self._no_suite or _NO_SUITE)

    def _misplaced(self) -> Problem | None:
        """Return what stands in the rootdir's `pyproject.toml`, where nothing reads it."""
        from pytest_nlpeval.config.pyproject import misplaced_tables

        return next(misplaced_tables(self.config.rootpath, self.config.rootpath), None)

    def _names_others(self) -> bool:
        """Whether the rootdir has a configuration, and the arguments name only other files or nodes: these were meant to run alone."""
        return bool(self._own) and not any(path.is_dir() for path in named_paths(self.config))

    def _load(self) -> tuple[list[Suite], list[Problem]]:
        """Return all suites of all configurations that were collected, here or by workers, and all mistakes in these."""
        from pytest_nlpeval.config.checks import ConfigError

        suites: list[Suite] = []
        problems: list[Problem] = []
        for config in self.configurations():
            try:
                suites += self.state.suites(config)
            except ConfigError as error:
                problems += error.problems
        return suites, problems

    # The two below are also asked by action/run_pytest.py, which imports nothing of the package.

    def configurations(self) -> list[Path]:
        """Return the configurations that were collected, here or by workers."""
        return sorted(self._configs)

    def problems(self) -> list[Problem]:
        """Return what kept the suites from being run: no configuration, one with mistakes, a profile that no suite has, no test."""
        complaint = self._complaint()
        return [complaint] if complaint else [*self._load()[1], *self._left_by_tests]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach to the test report what the summary needs."""
        report = yield
        if isinstance(item, SuiteItem) and call.when == "call":
            report.__dict__["nlpeval"] = item.record
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what an item tells, wherever it ran."""
        record = report.__dict__.get("nlpeval")
        if record:
            self._records[report.nodeid, record["kind"]] = record
        self._records.update(records_in(report))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over to the controller, or write the reports and tidy up."""
        if self._is_worker:
            output = self.config.__dict__["workeroutput"]
            output["nlpeval_configs"] = sorted(map(str, self._configs))
            output["nlpeval_judged"] = packed(self.judging.results()) if self.state.options.explains else []
            output["nlpeval_uses_fixture"] = self._uses_fixture
            output["nlpeval_left_to_tests"] = [tuple(left) for left in self.state.left_to_tests]
            return
        if session.exitstatus == pytest.ExitCode.USAGE_ERROR:  # said already
            return
        targets = self.state.options.targets
        if complaint := self._complaint():
            self._complaints.append(str(complaint))
        else:
            self._left_by_tests = list(self._unjudged()) if is_whole(session) else []
            if self._left_by_tests and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
            has_ended = session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or has_failed_enough(session)
            if targets and has_ended:
                self._write_reports()
            elif targets:
                self._complaints.append("no report written: the run did not come to its end")
            if self.state.options.evidence:
                self._write_evidence(session, self.state.options.evidence)
            if self.state.options.updates_baseline or self.state.options.saves_baseline:
                self._update_baselines()
        usable = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.TESTS_FAILED)
        if self._complaints and session.exitstatus in usable:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _write_reports(self) -> None:
        from pytest_nlpeval.baselines.checkout import checkout_of
        from pytest_nlpeval.reports.kinds import RUN
        from pytest_nlpeval.reports.run.document import configured_folders, report_of
        from pytest_nlpeval.run.own_input import why_unwritable

        options = self.state.options
        saved = Path(options.saves_baseline) if options.saves_baseline else None
        try:
            results = [*self._touched(), *(judged.result for judged in self._judged())]
            if self._lost() or not (results or self._left_by_tests):
                return
            if why := why_unwritable([target.path for target in options.targets], [result.suite for result in results], saved):
                self._complaints.append(f"--nlpeval-report: {why}")
                return
            with blamed_on_any():
                document = report_of(results, self._left_by_tests, checkout=checkout_of(configured_folders(results)))
        except NlpevalError as error:  # a task fails, or a configuration was changed or removed during the run
            self._complaints += (f"no report written: {problem}" for problem in error.problems)
            return
        except NoAnswerError as error:
            self._complaints.append(f"no report written: {error}")
            return
        self._complaints += _failures_in_reports(document, results)
        for target in self.state.options.targets:
            try:
                with blamed_on_any():
                    target.write(RUN, document)
            except OSError as error:
                self._complaints.append(f"--nlpeval-report: {target.path} cannot be written: {error.strerror}")
            except NlpevalError as error:
                self._complaints += (f"--nlpeval-report: {target.path} is not written: {problem}" for problem in error.problems)

    def _write_evidence(self, session: pytest.Session, path: Path) -> None:
        """Write the evidence of a shard; a shard without documents is none of which pytest complains."""
        from pytest_nlpeval.pytest_plugin.sharding import write_evidence
        from pytest_nlpeval.run.own_input import why_unwritable

        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self._configs:
            session.exitstatus = pytest.ExitCode.OK
        suites, mistakes = self._load()
        if why := why_unwritable([path], suites):
            self._complaints.append(f"--nlpeval-report: {why}")
            return
        try:
            self._accepted += [] if mistakes else [write_evidence(self.state, suites, path, is_whole=is_whole(session))]
        except RefusedError as error:
            self._complaints.append(str(error))

    def _update_baselines(self) -> None:
        from pytest_nlpeval.pytest_plugin.update_baseline import accept

        suites, mistakes = self._load()
        ran: Counter[tuple[str, str]] = Counter()
        for record in self._records.values():
            ran[record["config"], record["suite"]] += record["ran"]
        try:
            judged = [] if self._lost() else [each.result for each in self._judged()]
            self._accepted = [] if mistakes else accept(self.state, suites, ran, judged)
        except RefusedError as error:
            self._complaints.append(str(error))

    def _judged(self) -> list[Judged]:
        """Return what tests judged, here or in workers, in an order that does not depend on who did."""
        by_key = {judged.key: judged for judged in (*self.judging.results(), *self._from_workers)}  # workers may judge the same
        return [by_key[key] for key in sorted(by_key)]

    def _lost(self) -> bool:
        """Complain of results that did not come here from the workers that had them; return whether there are any."""
        here = {(judged.node, judged.key[:2]) for judged in self._judged()}
        told = {
            (node, (record["config"], record["suite"])) for (node, _), record in self._records.items() if record["kind"] == JUDGED
        }
        names = sorted({suite for _, (_, suite) in told - here})
        if names and not self._has_lost:
            self._has_lost = True
            message = f"no report or baseline written: the results of {', '.join(names)} did not come back from the worker that had them"
            self._complaints.append(f"{message}; run without -n")
        return bool(names)

    def _unjudged(self) -> Iterator[Problem]:
        """Yield a problem for each suite that is left to tests, and that no test judged."""
        judged = {(record["config"], record["suite"]) for record in self._records.values() if record["kind"] == JUDGED}
        for left in sorted(self.state.left_to_tests):
            if left[:2] not in judged and self._is_chosen(Path(left.config)):
                cure = f'call `nlpeval.judge("{left.suite}", system=…)` in one'
                message = f"{left.suite} has `judged_by: test`, and no test judged it; {cure}"
                yield Problem("suite.unjudged", "error", left.label, left.line, None, "", message)

    def _is_chosen(self, path: Path) -> bool:
        """Whether the arguments lead to a configuration, or there are none: the rootdir's own joins a run of any folder."""
        return self._named is None or any(path.is_relative_to(named.resolve()) for named in self._named)

    def _touched(self) -> Iterable[SuiteResult]:
        """Yield the results of all suites of which an item ran, whole, in the configurations' order."""
        names = {(record["config"], record["suite"]) for record in self._records.values() if record["kind"] != JUDGED}
        for config in sorted({Path(config) for config, _ in names}):
            for suite in self.state.suites(config):
                if (str(config), suite.name) in names:
                    yield self.state.result(suite)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """Print the table of gates, the notes and the warnings; now it is known how pytest ends. What a worker prints nobody sees."""
        ends_with(int(exitstatus))
        if self._is_worker:
            return
        from pytest_nlpeval.pytest_plugin.table import write_table  # which no worker needs

        for complaint in (*self._complaints, *map(str, self._left_by_tests)):
            terminalreporter.write_line(f"ERROR: {printable(complaint)}", red=True)
        write_table(terminalreporter, in_order(self._records), self._noted(), self._accepted, self.state.store_warning)

    def _noted(self) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield the names of suites with their notes: those that a gate knows; of a suite of which none ran, only if all documents did."""
        if self.state.options.shard:  # whose documents say nothing of the suite
            return
        for key, records in by_suite(self._records.values()).items():
            notes = next((record["notes"] for record in records if record["notes"] is not None), None)
            is_done = sum(record["ran"] for record in records) == records[0]["documents"]
            if notes is None and records[0]["may_have_notes"] and is_done:
                same = (suite for suite in self._load()[0] if (str(suite.config), suite.line, suite.name) == key)
                notes = [note for suite in same for note in self.state.result(suite).notes]
            yield records[0]["suite"], notes or ()

    def pytest_unconfigure(self) -> None:
        """Close what is open."""
        self.state.close()


def _failures_in_reports(document: Report, results: Sequence[SuiteResult]) -> Iterator[str]:
    """Yield what no item told, since it failed only when the report was made: pictures."""
    for suite, result in zip(document.suites, results, strict=True):
        told = set(result.all_problems())
        yield from (str(problem) for problem in suite.problems if problem not in told)


def _includes_rootdir(config: pytest.Config) -> bool:
    """Whether the rootdir's own configurations join the arguments: not if one of these names a file or a node, or covers the rootdir."""
    named = named_paths(config)
    if any("::" in argument for argument in config.args) or not all(path.is_dir() for path in named):
        return False
    return not any(config.rootpath.is_relative_to(path.resolve()) for path in named)

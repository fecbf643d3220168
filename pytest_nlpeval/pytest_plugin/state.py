"""The plugin's part in a pytest run with `--nlpeval`: collection, evidence store, order, summary, reports."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval.config.checks import ConfigError, require_profile
from pytest_nlpeval.config.file import load_suites
from pytest_nlpeval.config.finding import is_config
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.gates import Verdict
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.pytest_plugin.nodes import ConfigFile, GateItem, _Item
from pytest_nlpeval.reports import ReportTarget, report_target
from pytest_nlpeval.reports.text import GateRow, gates_table, in_order
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.run.suite import evaluate
from pytest_nlpeval.wording import printable

_NO_SUITE = "no nlpeval.yaml found (`nlpeval init` writes one; the ini setting nlpeval_files names other files)"
NO_SUITE = Problem("config.none", "error", "", None, None, "", _NO_SUITE)


class Session:
    """The state of one pytest process: its options, the evidence store, and what the test reports tell."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.profile: str | None = config.getoption("nlpeval_profile")
        self.informational: bool = config.getoption("nlpeval_informational")
        self.patterns = tuple(config.getini("nlpeval_files"))
        self.targets = [_target(text) for text in config.getoption("nlpeval_report")]
        self._records: dict[tuple[str, str], dict[str, Any]] = {}
        self._results: dict[tuple[Path | None, str], SuiteResult] = {}
        self._complaints: list[str] = []
        self._configs: set[str] = set()
        self._own_folder: Path | None = None
        self.store = EvidenceStore(self._store_folder())
        _include_rootdir(config, self.patterns)

    @property
    def _is_worker(self) -> bool:
        return hasattr(self.config, "workerinput")

    def _store_folder(self) -> Path:
        """Return the evidence store's folder: the controller's under xdist, pytest's cache, or a folder of this run."""
        worker_input = getattr(self.config, "workerinput", None)
        if worker_input is not None:
            return Path(worker_input["nlpeval_store"])
        cache = getattr(self.config, "cache", None)
        if cache is not None and not self.config.getoption("nlpeval_no_cache"):
            with suppress(OSError):  # a cache that cannot be written costs speed, never a result
                return Path(cache.mkdir("nlpeval"))
        self._own_folder = Path(tempfile.mkdtemp(prefix="nlpeval-"))
        return self._own_folder

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker where the store is."""
        node.workerinput["nlpeval_store"] = str(self.store.folder)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Note what a worker found."""
        output = getattr(node, "workeroutput", {})
        self._configs.update(output.get("nlpeval_configs", ()))

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> ConfigFile | None:
        """Collect a configuration."""
        if not is_config(file_path.name, self.patterns):
            return None
        node: ConfigFile = ConfigFile.from_parent(parent, path=file_path)
        node.session_state = self
        return node

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """Note a configuration that is collected, also if `--lf` then skips it."""
        if isinstance(collector, ConfigFile):
            self._configs.add(str(collector.path))

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None]:
        """Put the gates last, whatever other plugins did to the order."""
        yield
        items.sort(key=lambda item: isinstance(item, GateItem))

    def pytest_collection_finish(self) -> None:
        """Refuse to pass where nothing was found, or a profile that no suite has."""
        complaint = self._complaint()
        if complaint and not self._is_worker:
            raise pytest.UsageError(printable(str(complaint)))

    def _complaint(self) -> Problem | None:
        """Return what makes the whole run unusable, if anything does."""
        if not self._configs:
            return NO_SUITE
        if self.profile is None:
            return None
        try:
            suites = [suite for config in sorted(self._configs) for suite in load_suites(config, root=self.config.rootpath)]
        except ConfigError:  # collecting it said so
            return None
        try:
            require_profile(self.profile, {name for suite in suites for name in suite.profiles})
        except ConfigError as error:
            return error.problems[0]
        return None

    def problems(self) -> list[Problem]:
        """Return what kept the suites from being run: no configuration, one with mistakes, or a profile that no suite has."""
        complaint = self._complaint()
        return [complaint] if complaint else self._mistakes()

    def _mistakes(self) -> list[Problem]:
        """Return all mistakes of all configurations that were collected, here or by workers."""
        problems: list[Problem] = []
        for config in sorted(self._configs):
            try:
                load_suites(config, profile=self.profile, root=self.config.rootpath)
            except ConfigError as error:
                problems += error.problems
        return problems

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach to the test report what the summary needs."""
        report = yield
        if isinstance(item, _Item) and call.when == "call":
            report.__dict__["nlpeval"] = item.nlpeval
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what an item tells, wherever it ran."""
        record = report.__dict__.get("nlpeval")
        if record:
            self._records[report.nodeid, record["kind"]] = record

    def result(self, suite: Suite) -> SuiteResult:
        """Return the result of a whole suite, worked out once per process."""
        key = (suite.config, suite.name)
        if key not in self._results:
            self._results[key] = evaluate(suite, store=self.store)
        return self._results[key]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over to the controller, or write the reports and tidy up."""
        if self._is_worker:
            output = self.config.__dict__["workeroutput"]
            output["nlpeval_configs"] = sorted(self._configs)
            return
        if session.exitstatus == pytest.ExitCode.USAGE_ERROR:  # said already
            return
        if complaint := self._complaint():
            self._complaints.append(str(complaint))
        elif session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            self._write_reports()
        elif self.targets:
            self._complaints.append("no report written: the run did not come to its end")
        usable = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.TESTS_FAILED)
        if self._complaints and session.exitstatus in usable:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        self.store.prune()

    def _write_reports(self) -> None:
        results = list(self._touched()) if self.targets else []
        if not results:
            return
        for target in self.targets:
            try:
                target.write(results)
            except OSError as error:
                self._complaints.append(f"--nlpeval-report: {target.path} cannot be written: {error.strerror}")

    def _touched(self) -> Iterable[SuiteResult]:
        """Yield the results of all suites of which an item ran, whole, in the configurations' order."""
        names = {(record["config"], record["suite"]) for record in self._records.values()}
        for config in sorted({config for config, _ in names}):
            for suite in load_suites(config, profile=self.profile, root=self.config.rootpath, informational=self.informational):
                if (config, suite.name) in names:
                    yield self.result(suite)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table of gates, and the warnings."""
        for complaint in self._complaints:
            terminalreporter.write_line(f"ERROR: {printable(complaint)}", red=True)
        if not self._records:
            return
        terminalreporter.write_sep("=", "nlpeval")
        for line in gates_table(self._rows()):
            terminalreporter.write_line(line)
        warnings = dict.fromkeys(line for record in self._records.values() for line in record["warnings"])
        for line in warnings:
            terminalreporter.write_line(line, yellow=True)

    def _rows(self) -> Iterable[GateRow]:
        suites: dict[tuple[str, int, str], list[dict[str, Any]]] = {}
        for record in self._records.values():
            suites.setdefault((record["config"], record["line"], record["suite"]), []).append(record)
        for key in sorted(suites):
            verdicts = (Verdict(**verdict) for record in suites[key] for verdict in record["verdicts"])
            for verdict in in_order(verdicts):
                yield GateRow(key[2], suites[key][0]["documents"], verdict)

    def pytest_unconfigure(self) -> None:
        """Remove the folder of this run."""
        if self._own_folder is not None:
            shutil.rmtree(self._own_folder, ignore_errors=True)


def _target(text: str) -> ReportTarget:
    try:
        target = report_target(text)
    except ValueError as error:
        raise pytest.UsageError(printable(f"--nlpeval-report: {error}")) from None
    if str(target.path) == "-":
        raise pytest.UsageError("--nlpeval-report: the standard output is pytest's own; give a file")
    return target


def _include_rootdir(config: pytest.Config, patterns: tuple[str, ...]) -> None:
    """Add the rootdir's own configurations to the arguments, unless these cover them or name configurations themselves."""
    named = [Path(config.invocation_params.dir, argument.partition("::")[0]) for argument in config.args]
    if any(is_config(path.name, patterns) for path in named):
        return
    root = config.rootpath
    if any(path.is_dir() and root.is_relative_to(path.resolve()) for path in named):
        return
    config.args += [str(path) for path in sorted(root.iterdir()) if path.is_file() and is_config(path.name, patterns)]

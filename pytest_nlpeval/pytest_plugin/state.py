"""What one pytest process knows: the suites of configurations, the evidence store, the results of suites. Each is worked out once."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.config.file import load_suites
from pytest_nlpeval.config.suite import Case, Suite
from pytest_nlpeval.pytest_plugin.options import Options
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.results import CaseResult, SuiteResult
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.run.suite import evaluate


class State:
    """The state of one process of a run, the controller's or a worker's."""

    def __init__(self, config: pytest.Config) -> None:
        self.options = Options.of(config)
        self._root = config.rootpath
        self._own_folder: Path | None = None
        self.store = EvidenceStore(self._store_folder(config))
        self._suites: dict[Path, list[Suite] | ConfigError] = {}
        self._results: dict[tuple[Path | None, str], SuiteResult] = {}

    def _store_folder(self, config: pytest.Config) -> Path:
        """Return the evidence store's folder: the controller's under xdist, pytest's cache, or a folder of this run."""
        worker_input = getattr(config, "workerinput", None)
        if worker_input is not None:
            return Path(worker_input["nlpeval_store"])
        cache = getattr(config, "cache", None)
        if cache is not None and not self.options.no_cache:
            with suppress(OSError):  # a cache that cannot be written costs speed, never a result
                return Path(cache.mkdir("nlpeval"))
        self._own_folder = Path(tempfile.mkdtemp(prefix="nlpeval-"))
        return self._own_folder

    def suites(self, path: Path) -> list[Suite]:
        """Return the suites of a configuration.

        Raises:
            ConfigError: with every mistake in it.
        """
        if path not in self._suites:
            options = self.options
            try:
                self._suites[path] = load_suites(
                    path, profile=options.profile, root=self._root, informational=options.informational
                )
            except ConfigError as error:
                self._suites[path] = error
        found = self._suites[path]
        if isinstance(found, ConfigError):
            raise found
        return found

    def cases(self, suite: Suite, cases: tuple[Case, ...]) -> list[CaseResult]:
        """Return the results of some cases of a suite."""
        return list(evaluate_cases(suite.recipe, cases, self.store, explain=bool(self.options.targets)).cases)

    def result(self, suite: Suite, *, explain: bool = False) -> SuiteResult:
        """Return the result of a whole suite, with explanations if `explain`, or if a report will want them."""
        key = suite.config, suite.name
        found = self._results.get(key)
        if found is None or (explain and not found.is_explained):
            explain = explain or bool(self.options.targets)
            found = self._results[key] = evaluate(suite, explain=explain, store=self.store)
        return found

    def close(self) -> None:
        """Close the store, and remove the folder of this run."""
        self.store.close()
        if self._own_folder is not None:
            shutil.rmtree(self._own_folder, ignore_errors=True)

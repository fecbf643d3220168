"""The fixture `nlpeval` of hand-written tests."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest

from pytest_nlpeval.config.adhoc import Spot, suite_of_call, suite_of_paths, suite_of_test
from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.config.content import Given
from pytest_nlpeval.config.finding import find_configs, is_config
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.pytest_plugin.hooks import Hooks
from pytest_nlpeval.pytest_plugin.judging import Judging, failure_lines
from pytest_nlpeval.pytest_plugin.state import State
from pytest_nlpeval.run.case import collector_paused
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.postponed import Postponed
from pytest_nlpeval.run.results import Reports, SuiteResult, report
from pytest_nlpeval.task import Task
from pytest_nlpeval.wording import nearest, printable

_JUDGING = "nlpeval-judging"

P = ParamSpec("P")
T = TypeVar("T")


class Scorer:
    """What a test can ask for: scores of files or output in memory, and judgements. Paths are relative to the rootdir."""

    def __init__(self, session: pytest.Session, state: State, judging: Judging) -> None:
        self._session = session
        self._root = state.root
        self._state = state
        self._judging = judging

    def score(
        self,
        task: str | Task,
        *,
        options: Mapping[str, Any] | None = None,
        explain: bool = False,
        **files: Given,
    ) -> SuiteResult:
        """Return the scores of a system's output against gold; see `pytest_nlpeval.score`."""
        __tracebackhide__ = True
        suite = _told(suite_of_paths, task, files, options or {}, self._root)
        result = Engine(store=self._state.store, explain=explain).evaluate(suite)
        self._judging.show(result)
        return result

    def judge(self, suite: str, *, config: str | os.PathLike[str] | None = None, **files: Given) -> SuiteResult:
        """Judge a suite of a configuration by what the test gives for some of its roles (`system=…`), and return the result.

        `suite` is the suite's name, `name/system` where the configuration has several systems. `files` gives a path or a content for each
        role, as `pytest_nlpeval.score` takes them, with paths relative to the configuration; where gold has a file for each document, a
        mapping from documents to contents. Roles that are not given are read as the configuration says. Without `config`, the
        configurations in the rootdir are searched, then all below it.

        Raises:
            pytest.fail.Exception: if a file has errors or a gate does not hold, with all of them.
            ConfigError: if there is no such suite, or if what is given does not fit it.
        """
        __tracebackhide__ = True
        return self._judged(_told(suite_of_test, _told(self._suite, suite, config), files))

    def check(
        self,
        task: str | Task,
        *,
        gates: Mapping[str, Any] | None = None,
        baseline: str | os.PathLike[str] | None = None,
        options: Mapping[str, Any] | None = None,
        rules: Mapping[str, str] | None = None,
        name: str = "",
        was: str | None = None,
        **files: Given,
    ) -> SuiteResult:
        """Judge a system's output by gates that the test sets, without a configuration, and return the result.

        `gates`, `options`, `rules` and `baseline` are what they are in a configuration. `files` gives a path or a content for each role, as
        `pytest_nlpeval.score` takes them. `name` is what reports and the baseline file call it, by default the test's name; `was` is its
        name in the baseline file, if that is another one.

        Raises:
            pytest.fail.Exception: if a file has errors or a gate does not hold, with all of them.
            ConfigError: if the call has mistakes, with all of them.
        """
        __tracebackhide__ = True
        node, item = self._test()
        label, line = (item.location[0], item.location[1]) if item else (node.partition("::")[0], 0)
        own = item.name if item else task.name if isinstance(task, Task) else task
        name = name or re.sub(r"[^\w .+-]+", "-", own).strip("-. +")[:100]
        entry = {"name": name, "gates": dict(gates or {}), "was": was, "baseline": baseline and os.fspath(baseline)}
        entry |= {"options": dict(options or {}), "rules": dict(rules or {})}
        chosen = replace(self._state.choices, profile=None, default_baseline=None)
        spot = Spot(label.replace(os.sep, "/"), (line or 0) + 1, chosen)
        return self._judged(_told(suite_of_call, task, files, entry, self._root, spot))

    def report(self, results: Sequence[SuiteResult]) -> Reports:
        """Return the report of some results; see `pytest_nlpeval.report`."""
        return report(results)

    def _judged(self, suite: Suite) -> SuiteResult:
        """Evaluate a suite, note its result for the run, and fail the test if it does not pass."""
        __tracebackhide__ = True
        if self._judging.has(suite):
            cure = "give each a `name`" if suite.config is None else "give each a test"
            raise _mistake(
                "config.name", f'the test has judged "{suite.name}" already: reports cannot tell the two apart; {cure}'
            )
        result = self._evaluated(suite)
        node, _ = self._test()
        self._judging.note(node, result)
        if lines := failure_lines(result):
            pytest.fail("\n".join(lines), pytrace=False)
        self._judging.show(result)
        return result

    @collector_paused()
    def _evaluated(self, suite: Suite) -> SuiteResult:
        """Evaluate a suite, with explanations if it fails. Python's collector would walk what is postponed again and again."""
        engine = Engine(None, self._state.store, self._state.options.explains, postponed=Postponed())
        result = engine.evaluate(suite)
        return result if result.outcome == "ok" or result.is_explained else engine.explained(result)

    def _test(self) -> tuple[str, pytest.Item | None]:
        """Return the id of the test that runs, and the test; a fixture of a whole session runs for its first test."""
        node = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
        return node, next((item for item in self._session.items if item.nodeid == node), None)

    def _suite(self, name: str, config: str | os.PathLike[str] | None) -> Suite:
        """Return the suite of that name, read anew: the test may just have written its files."""
        known: list[str] = []
        for configs in self._configurations(config):
            suites = [suite for path in configs for suite in self._state.load(path)]
            if found := [suite for suite in suites if suite.name == name]:
                return self._only(found)
            known += (suite.name for suite in suites)
        raise _mistake("config.name", f'no suite "{name}" in the configurations of {self._root}; {nearest(name, known)}')

    def _only(self, suites: Sequence[Suite]) -> Suite:
        if len(suites) > 1:
            labels = ", ".join(suite.label for suite in suites)
            raise _mistake("config.name", f'{labels} have a suite "{suites[0].name}" each; name one with `config=`')
        return suites[0]

    def _configurations(self, config: str | os.PathLike[str] | None) -> Iterator[list[Path]]:
        """Yield the configurations to search: the one that is named; or else those in the rootdir, then all others below it."""
        if config is not None:
            yield [self._root / config]
            return
        patterns = self._state.options.patterns
        own = sorted(path for path in self._root.iterdir() if is_config(path.name, patterns) and path.is_file())
        yield own
        yield [path for path in find_configs(self._root, patterns=patterns) if path not in own]


def _told(function: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Call a function such that a mistake of the test's call is told at that call, without the lines of this package."""
    __tracebackhide__ = True
    try:
        return function(*given, **named)
    except NlpevalError as error:
        raise error.with_traceback(None) from None


def _mistake(code: str, message: str) -> ConfigError:
    return ConfigError((Problem(code, "error", "", None, None, "", printable(message)),))


def scorer_of(session: pytest.Session) -> Scorer:
    """Return what the tests of a run ask; without `--nlpeval` every test counts anew."""
    manager = session.config.pluginmanager
    hooks = manager.get_plugin("nlpeval-session")
    if isinstance(hooks, Hooks):
        return Scorer(session, hooks.state, hooks.judging)
    judging = manager.get_plugin(_JUDGING) or Judging()
    if not manager.has_plugin(_JUDGING):
        manager.register(judging, _JUDGING)
    return Scorer(session, State(session.config, stores=False), judging)

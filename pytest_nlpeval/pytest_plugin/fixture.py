"""The fixture `nlpeval` of hand-written tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.config.content import Given
from pytest_nlpeval.pytest_plugin.hooks import Hooks
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.task import Task


class Scorer:
    """Scores files relative to `folder`, with the run's evidence store if it has one."""

    def __init__(self, folder: Path, store: EvidenceStore | None) -> None:
        self._folder = folder
        self._store = store

    def score(
        self,
        task: str | Task,
        *,
        options: Mapping[str, Any] | None = None,
        explain: bool = False,
        **files: Given,
    ) -> SuiteResult:
        """Return the scores of a system's files against gold; see `pytest_nlpeval.score`."""
        suite = suite_of_paths(task, files, options or {}, self._folder)
        return Engine(store=self._store, explain=explain).evaluate(suite)


def scorer_of(config: pytest.Config) -> Scorer:
    """Return the scorer of a run; without `--nlpeval` it counts anew each time."""
    hooks = config.pluginmanager.get_plugin("nlpeval-session")
    return Scorer(config.rootpath, hooks.state.store if isinstance(hooks, Hooks) else None)

"""Scores files without a configuration: `nlpeval score`, the Python function and the pytest fixture."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_nlpeval.configuration import CONFIG_KINDS, ConfigError
from pytest_nlpeval.engine import SuiteResult, evaluate
from pytest_nlpeval.formats.json_schema import check_schema, nearest
from pytest_nlpeval.formats.yaml import Marked, Place
from pytest_nlpeval.paths import DOC, Pattern
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.store import EvidenceStore
from pytest_nlpeval.suite import Recipe, Suite, find_cases
from pytest_nlpeval.task import Task
from pytest_nlpeval.tasks import load_task, task_names

Paths = Mapping[str, str | os.PathLike[str]]


def score(task: str | Task, *, options: Mapping[str, Any] | None = None, **files: str | os.PathLike[str]) -> SuiteResult:
    """Return the scores of a system's files against gold.

    `files` gives a path per role of the task (`gold=…, system=…`): a file, a pattern with `{doc}`, or a folder, whose files then pair
    by name. The result's `scores` go by measure; `result["accuracy"]` is a value.

    Raises:
        ConfigError: if task, roles, options or patterns are wrong. Errors inside the files are in the result.
    """
    return evaluate(adhoc_suite(task, files, options or {}, Path.cwd()))


def adhoc_suite(task: str | Task, files: Paths, options: Mapping[str, Any], folder: Path) -> Suite:
    """Return a suite without configuration or gates for these files; relative paths start from `folder`.

    Raises:
        ConfigError: as `score` does.
    """
    log = ProblemLog("score", CONFIG_KINDS)
    found = named_task(task, log)
    values = checked_options(found, options, log) if found else None
    patterns = _patterns(found, values, files, folder, log) if found else {}
    if log.has_errors or found is None:
        raise ConfigError(log.problems())
    return Suite(found.name, "", Recipe(found, values), find_cases(patterns, folder), folder)


def named_task(task: str | Task, log: ProblemLog) -> Task | None:
    """Return the task itself; None with a problem in the log if none has that name."""
    if isinstance(task, Task):
        return task
    try:
        return load_task(task)
    except KeyError:
        log.add("config.task", f'no task "{task}"; {nearest(task, task_names())}')
        return None


def checked_options(task: Task, options: Mapping[str, Any], log: ProblemLog) -> Any:
    """Return the task's options, None with problems in the log if they break its schema."""
    check_schema(Marked(dict(options), {(): Place(0, 0)}), task.options_schema, (), "config.option", log)
    return None if log.count("config.option") else task.options(**options)


def _patterns(task: Task, options: Any, files: Paths, folder: Path, log: ProblemLog) -> dict[str, Pattern]:
    roles = {role.name: role for role in task.roles}
    for name in files:
        if name not in roles:
            log.add("config.key", f'the task {task.name} has no role "{name}"; {nearest(name, roles)}')
    for name in task.needed(options):
        if name not in files:
            log.add("config.key", f'the task {task.name} needs "{name}": {roles[name].summary}')
    gold = _pattern(os.fspath(files["gold"]), folder) if "gold" in files else None
    paired = gold is not None and gold.has_doc
    patterns = {name: _pattern(os.fspath(files[name]), folder, paired=paired) for name in roles if name in files}
    for name, pattern in patterns.items():
        if gold and name == "system" and pattern.has_doc != gold.has_doc:
            log.add("config.path", "gold and system must both be files, both folders, or both patterns with {doc}")
        elif gold and pattern.has_doc and not gold.has_doc:
            log.add("config.path", f"{name} is a folder or has {{doc}}, but gold is a file")
    if gold and gold.has_doc and not gold.documents():
        log.add("config.path", f'no gold file matches "{files["gold"]}"')
    return patterns


def _pattern(text: str, folder: Path, *, paired: bool = True) -> Pattern:
    """Return the pattern of a file, a pattern or, where files are `paired` by name, a folder."""
    is_folder = paired and DOC not in text and os.path.isdir(folder / text)  # noqa: PTH112 - never raises
    return Pattern(folder, f"{text.rstrip('/')}/{DOC}" if is_folder else text)


class Scorer:
    """The fixture `nlpeval`: `score` as above, relative to `folder`, with the run's evidence store."""

    def __init__(self, folder: Path, store: EvidenceStore) -> None:
        self._folder = folder
        self._store = store

    def score(
        self, task: str | Task, *, options: Mapping[str, Any] | None = None, **files: str | os.PathLike[str]
    ) -> SuiteResult:
        """Return the scores of a system's files against gold; see `pytest_nlpeval.score`."""
        return evaluate(adhoc_suite(task, files, options or {}, self._folder), store=self._store)

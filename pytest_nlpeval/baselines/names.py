"""Names of suites in configurations: which suites there are, and how one was called whose files another configuration has."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import Any

from pytest_nlpeval.config.document_groups import own_options
from pytest_nlpeval.config.meaning import Fields, mapping, paths_of, suite_names
from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json_schema import is_valid
from pytest_nlpeval.formats.yaml import YAML_KINDS, read_yaml
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import OptionsError, Task

Patterns = Mapping[str, str]
"""The pattern of each role."""


_once_for_all_suites = lru_cache(maxsize=8)
"""A configuration is as long as there are suites: what each of them asks of its text is worked out once."""


@_once_for_all_suites
def entries_of(text: bytes) -> Sequence[Fields] | None:
    """Return the entries under `suites` of a configuration that nobody checked; None if it is not well-formed."""
    document = read_yaml(Source("", text), ProblemLog("", YAML_KINDS))
    if document is None:
        return None
    listed = mapping(document.value).get("suites")
    return [mapping(entry) for entry in listed] if isinstance(listed, list) else []


@_once_for_all_suites
def names_of(text: bytes) -> frozenset[str]:
    """Return the names of all suites, whatever their task."""
    return frozenset(name for entry in entries_of(text) or () for name in suite_names(entry).values())


def patterns_of(text: bytes, task: Task, folder: PurePosixPath) -> Mapping[str, Patterns]:
    """Return the patterns of each suite of a task by its name; `folder` is that of the configuration."""
    return _patterns_in(text, folder)(task.name, tuple(role.name for role in task.roles))


@_once_for_all_suites
def _patterns_in(text: bytes, folder: PurePosixPath) -> Callable[[str, tuple[str, ...]], Mapping[str, Patterns]]:
    """Return what gives the patterns of a task with these roles: once for each task, in whatever order suites have theirs."""

    @cache
    def of_task(task: str, roles: tuple[str, ...]) -> Mapping[str, Patterns]:
        return {
            name: {role: os.path.normpath(folder / path) for role, path in paths_of(entry, roles, system).items()}
            for entry in reversed(entries_of(text) or ())  # of one name the first counts
            if entry.get("task") == task
            for system, name in suite_names(entry).items()
        }

    return of_task


def options_of(text: bytes, names: Sequence[str]) -> Fields:
    """Return the options of the first of these suites that there is, as they are written."""
    by_name = _options_of(text)
    return next((by_name[name] for name in names if name in by_name), {})


@_once_for_all_suites
def _options_of(text: bytes) -> Mapping[str, Fields]:
    return {
        name: own_options(mapping(entry.get("options")))
        for entry in reversed(entries_of(text) or ())
        for name in suite_names(entry).values()
    }


def options_to_read(task: Task, today: Fields, earlier: Fields) -> Any:
    """Return the task's options for files of then: those that say how files are read are of then, all others of now.

    None if they are today's, or would not fit the task.
    """
    given: Mapping[str, Any] = {name: value for name, value in today.items() if name not in task.reading}
    given = {**given, **{name: earlier[name] for name in task.reading if name in earlier}}
    given = task.of_then(given, earlier) if task.of_then else given
    if given == today:
        return None
    if not is_valid(given, task.options_schema):
        return None
    try:
        return task.options(**given)
    except OptionsError:
        return None


class FormerNames:
    """How suites were called in an earlier configuration that has their files under another name.

    The name of a suite that there still is, among `names`, is not counted. A suite was called like the one that had its system's files, or
    else like one that had its gold, unless the system's files of that are another suite's today.

    >>> one, two = {"gold": "g", "system": "one"}, {"gold": "g", "system": "two"}
    >>> FormerNames({"new": one}, {"old": one}, {"new"}).of("new"), FormerNames({"new": two}, {"old": one}, {"new"}).of("new")
    ('old', 'old')
    >>> FormerNames({"a": one, "b": two}, {"old": one}, {"a", "b"}).of("b"), FormerNames({"b": one}, {"a": one}, {"a", "b"}).of("b")
    ('', '')
    """

    def __init__(self, today: Mapping[str, Patterns], earlier: Mapping[str, Patterns], names: Collection[str]) -> None:
        """Look for the files of the earlier suites once: a configuration may have hundreds of new ones."""
        self._today = today
        self._by_system: dict[str, str] = {}
        self._by_gold: dict[str, str] = {}
        taken = {patterns.get("system") for patterns in today.values()}
        for former, patterns in earlier.items():
            if former in names:
                continue
            if "system" in patterns:
                self._by_system.setdefault(patterns["system"], former)
            if "gold" in patterns and patterns.get("system") not in taken:
                self._by_gold.setdefault(patterns["gold"], former)

    def of(self, name: str) -> str:
        """Return how a suite of today was called; "" if no other had its files."""
        own = self._today.get(name, {})
        of_system = self._by_system.get(own["system"], "") if "system" in own else ""
        return of_system or (self._by_gold.get(own["gold"], "") if "gold" in own else "")


def former_names(text: bytes, earlier: bytes, task: Task, folder: PurePosixPath) -> FormerNames:
    """Return how the suites of a task were called in an earlier text of their configuration."""
    return _former_names_in(text, earlier, folder)(task.name, tuple(role.name for role in task.roles))


@_once_for_all_suites
def _former_names_in(text: bytes, earlier: bytes, folder: PurePosixPath) -> Callable[[str, tuple[str, ...]], FormerNames]:
    """Return what gives the former names of the suites of a task with these roles."""

    @cache
    def of_task(task: str, roles: tuple[str, ...]) -> FormerNames:
        today, before = (_patterns_in(each, folder)(task, roles) for each in (text, earlier))
        return FormerNames(today, before, names_of(text))

    return of_task

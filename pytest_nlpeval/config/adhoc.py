"""Suites without a configuration: of paths that are given by role, or of files of one role that are to be checked alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pytest_nlpeval.config.checks import CONFIG_KINDS, ConfigError, check_options, check_pattern, check_roles, find_task
from pytest_nlpeval.config.suite import Case, File, Recipe, Suite, find_cases
from pytest_nlpeval.files import label
from pytest_nlpeval.formats.yaml import Marked, Place
from pytest_nlpeval.patterns import DOC, Pattern
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Task
from pytest_nlpeval.wording import nearest

Paths = Mapping[str, str | os.PathLike[str]]


def suite_of_paths(task: str | Task, files: Paths, options: Mapping[str, Any], folder: Path) -> Suite:
    """Return a suite without configuration or gates: `files` gives a file, a pattern with `{doc}` or a folder for each role.

    Files of folders pair by name. Relative paths start from `folder`.

    Raises:
        ConfigError: if task, roles, options or patterns are wrong.
    """
    log = ProblemLog("", CONFIG_KINDS)
    recipe = _recipe(task, options, log)
    patterns: Mapping[str, Pattern] = {}
    if recipe is not None:
        check_roles(recipe.task, recipe.options, files, partial(_say, log))
        patterns = _patterns(recipe.task, files, folder, log)
    if log.has_errors or recipe is None:
        raise ConfigError(log.problems())
    return Suite(recipe.task.name, "", recipe, find_cases(recipe.task, patterns, folder), folder)


def suite_of_role(task: str | Task, role: str, paths: Iterable[Path], options: Mapping[str, Any], folder: Path) -> Suite:
    """Return a suite whose cases have files of one role alone: they are read and checked, and cannot be scored.

    Raises:
        ConfigError: if task, role or options are wrong.
    """
    log = ProblemLog("", CONFIG_KINDS)
    recipe = _recipe(task, options, log)
    if recipe is not None and role not in (names := [role_of.name for role_of in recipe.task.roles]):
        log.add("config.key", f'the task {recipe.task.name} has no role "{role}"; {nearest(role, names)}')
    if log.has_errors or recipe is None:
        raise ConfigError(log.problems())
    files = dict.fromkeys(File(str(folder / path), label(folder / path, folder)) for path in paths)
    return Suite(recipe.task.name, "", recipe, tuple(Case(file.label, {role: file}) for file in files), folder)


def _recipe(task: str | Task, options: Mapping[str, Any], log: ProblemLog) -> Recipe | None:
    if (loaded := find_task(task, partial(_say, log))) is None:
        return None
    return Recipe(loaded, check_options(loaded, Marked(dict(options), {(): Place(0, 0)}), (), options, log))


def _say(log: ProblemLog, code: str, message: str, *_steps: str | int | None) -> None:
    """Log a mistake of a call, which has no place in a file."""
    log.add(code, message)


def _patterns(task: Task, files: Paths, folder: Path, log: ProblemLog) -> dict[str, Pattern]:
    reference = task.reference(files)
    if reference not in files:
        return {}
    gold = _pattern(os.fspath(files[reference]), folder)
    given = [role.name for role in task.roles if role.name in files]
    patterns = {name: _pattern(os.fspath(files[name]), folder, paired=gold.has_doc) for name in given}
    for name, pattern in patterns.items():
        check_pattern(name, pattern, (reference, gold), partial(_say, log))
    return patterns


def _pattern(text: str, folder: Path, *, paired: bool = True) -> Pattern:
    """Return the pattern of a file, a pattern or, where files are `paired` by name, a folder."""
    is_folder = paired and DOC not in text and os.path.isdir(folder / text)  # noqa: PTH112 - never raises
    return Pattern(folder, f"{text.rstrip('/')}/{DOC}" if is_folder else text)

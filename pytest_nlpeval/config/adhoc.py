"""Suites without a configuration: of paths that are given by role, or of files of one role that are to be checked alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pytest_nlpeval.config import content
from pytest_nlpeval.config.checks import CONFIG_KINDS, ConfigError, check_options, check_pattern, check_roles, find_task
from pytest_nlpeval.config.content import Content, Given
from pytest_nlpeval.config.suite import Case, Contents, File, Recipe, Suite, find_cases
from pytest_nlpeval.files import label
from pytest_nlpeval.formats.yaml import Marked, Place
from pytest_nlpeval.patterns import DOC, Pattern
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Task
from pytest_nlpeval.wording import nearest

Files = Mapping[str, Given]
"""What is given for each role."""


def suite_of_paths(task: str | Task, files: Files, options: Mapping[str, Any], folder: Path) -> Suite:
    """Return a suite without configuration or gates: `files` gives a file, a pattern with `{doc}`, a folder or content for each role.

    Files of folders pair by name. Relative paths start from `folder`. Text without a line break is a path; see `content.content_of` for
    what content may be. Where gold has a file or a content for each document, a mapping has the content of each document of its role.

    Raises:
        ConfigError: if task, roles, options or patterns are wrong.
    """
    log = ProblemLog("", CONFIG_KINDS)
    recipe = _recipe(task, options, log)
    patterns: Mapping[str, Pattern | Contents] = {}
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


def _patterns(task: Task, files: Files, folder: Path, log: ProblemLog) -> dict[str, Pattern | Contents]:
    reference = task.reference(files)
    if reference not in files:
        return {}
    has_documents = content.has_documents(files[reference])
    gold = _source_of(reference, files[reference], folder, log, paired=True, has_documents=has_documents)
    patterns: dict[str, Pattern | Contents] = {}
    paired = has_documents if gold is None else gold.has_doc
    for name in (role.name for role in task.roles if role.name in files):
        source = gold if name == reference else _source_of(name, files[name], folder, log, paired=paired, has_documents=paired)
        if source and gold:
            patterns[name] = source
            check_pattern(name, source, (reference, gold), partial(_say, log))
    return patterns


def _source_of(
    role: str, given: Given, folder: Path, log: ProblemLog, *, paired: bool, has_documents: bool
) -> Pattern | Contents | None:
    """Return the pattern or the content that a role is given as; None with problems in the log if it is neither."""
    if content.is_path(given):
        return _pattern(os.fspath(given), folder, paired=paired)
    return contents_of(role, given, partial(log.add, "config.content"), has_documents=has_documents)


def contents_of(role: str, given: Given, say: Callable[[str], None], *, has_documents: bool) -> Contents | None:
    """Return the content of a role, with `has_documents` by document if it is a mapping; None after saying what is wrong with it."""
    by_document = has_documents and isinstance(given, Mapping)
    contents: dict[str, Content] = {}
    mistakes = (
        [f"{role}: expected the names of documents as keys, got {key!r}" for key in given if not _is_name(key)]
        if by_document
        else []
    )
    for document, part in given.items() if by_document else [("", given)]:
        try:
            contents[document] = content.content_of(part)
        except content.ContentError as error:
            place = f"{role}[{json.dumps(str(document))}]" if by_document else role
            mistakes.append(f"{place}{'' if str(error).startswith('[') else ': '}{error}")
    for mistake in mistakes:
        say(mistake)
    return None if mistakes else Contents(role, contents if by_document else contents[""])


def _is_name(key: object) -> bool:
    return isinstance(key, str) and bool(key)


def _pattern(text: str, folder: Path, *, paired: bool = True) -> Pattern:
    """Return the pattern of a file, a pattern or, where files are `paired` by name, a folder."""
    is_folder = paired and DOC not in text and os.path.isdir(folder / text)  # noqa: PTH112 - never raises
    return Pattern(folder, f"{text.rstrip('/')}/{DOC}" if is_folder else text)

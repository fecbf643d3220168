"""Suites without a configuration: of paths that are given by role, or of files of one role that are to be checked alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pytest_nlpeval.config import content
from pytest_nlpeval.config.checks import CONFIG_KINDS, ConfigError, Say, check_options, check_pattern, check_roles, find_task
from pytest_nlpeval.config.content import Content, Given
from pytest_nlpeval.config.document_groups import document_groups
from pytest_nlpeval.config.entry import Surroundings, read_suite
from pytest_nlpeval.config.suite import Case, Choices, Contents, File, Recipe, Suite, file_of, find_cases
from pytest_nlpeval.files import label
from pytest_nlpeval.formats.yaml import Marked, Place
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.patterns import DOC, Pattern
from pytest_nlpeval.problems import Problem, ProblemLog
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
        patterns = _patterns(recipe, files, folder, log)
    if log.has_errors or recipe is None:
        raise ConfigError(log.problems())
    groups = document_groups(options, folder, folder)
    return Suite(recipe.task.name, "", recipe, find_cases(recipe.task, patterns, folder), folder, groups=groups)


@light_dataclass(frozen=True, slots=True)
class Spot:
    """Where a call stands that judges: the `label` and `line` of a test, and what the user `chose` for its run."""

    label: str
    line: int
    chosen: Choices


def suite_of_call(task: str | Task, files: Files, entry: Mapping[str, Any], folder: Path, spot: Spot) -> Suite:
    """Return a suite with gates and without configuration: `entry` has what an entry under `suites` would say besides task and files.

    Paths are relative to `folder`.

    Raises:
        ConfigError: with every mistake of the call, at its spot.
    """
    log = ProblemLog(spot.label, CONFIG_KINDS)
    mistakes: list[Problem] = []
    try:
        suite = suite_of_paths(task, files, entry.get("options") or {}, folder)
    except ConfigError as error:
        mistakes += (replace(problem, path=spot.label, line=spot.line) for problem in error.problems)
    stand_in = {role: role for role in files if role != "system"}
    fields = {key: value for key, value in {**stand_in, **entry, "task": task, "judged_by": "test"}.items() if value is not None}
    around = Surroundings(folder / spot.label, folder, Marked(fields, {(): Place(spot.line, 0)}), spot.chosen)
    read = read_suite(around, (), fields, log)
    known = {(problem.code, problem.message) for problem in mistakes}
    mistakes += (problem for problem in log.problems() if (problem.code, problem.message) not in known)
    if mistakes:
        raise ConfigError(tuple(mistakes), folder)
    return replace(read[0], cases=suite.cases, recipe=replace(read[0].recipe, root=None), config=None, judged_by_test=False)


def suite_of_test(suite: Suite, files: Files) -> Suite:
    """Return a suite of a configuration with what a test gives for some of its roles, ready to be judged.

    Its documents are those that gold has, and those that are given.

    Raises:
        ConfigError: if a role is none of the task's, or if what is given does not fit the suite.
    """
    task, folder = suite.recipe.task, suite.config.parent if suite.config else suite.root
    log = ProblemLog(suite.label, CONFIG_KINDS)
    given: dict[str, Pattern | Contents] = {}
    ends = _endings(suite.recipe)
    for role, content_or_path in files.items():
        if role not in (names := [role_of.name for role_of in task.roles]):
            log.add("config.key", f'the task {task.name} has no role "{role}"; {nearest(role, names)}', suite.line)
            continue
        say = partial(_say_at, log, suite.line)
        pattern_of = partial(_pattern, folder, ends[role], paired=suite.by_document)
        source = _source_of(role, content_or_path, pattern_of, say, has_documents=suite.by_document)
        if source and role in _BY_DOCUMENT and source.has_doc != suite.by_document:
            kind = "one for each document" if suite.by_document else "one file"
            cure = "give a mapping from the names of documents to contents" if suite.by_document else "give one content"
            say("config.content", f"gold of {suite.name} is {kind}: {cure} for {role}")
        elif source:
            known = next((case.files[role].path for case in suite.cases if role in case.files), "")
            given[role] = replace(source, path=known) if isinstance(source, Contents) else source
    has_system = "system" in given or all("system" in case.files for case in suite.cases)
    if not has_system and not log.has_errors:
        log.add("config.key", f'{suite.name} needs "system": give what the system says', suite.line)
    if log.has_errors:
        raise ConfigError(log.problems(), suite.root)
    return replace(suite, cases=tuple(_cases_of_test(suite, given)), judged_by_test=False)


_BY_DOCUMENT = ("gold", "system")


def _cases_of_test(suite: Suite, given: Mapping[str, Pattern | Contents]) -> Iterator[Case]:
    by_name = {case.name: case for case in suite.cases}
    names = set(by_name)
    reference = suite.recipe.task.reference(_roles_of(suite))
    if suite.by_document and given.keys() & {reference, "system"}:  # files that are given otherwise make no documents
        of_gold = given[reference].documents() if reference in given else _with_file(suite, reference)
        of_system = given["system"].documents() if "system" in given else _with_file(suite, "system")
        names = {*of_gold, *of_system}
    for name in sorted(names):
        own = by_name[name].files if name in by_name else _missing_files(suite, name)
        yield Case(name, {**own, **{role: file_of(source, name, suite.root) for role, source in given.items()}})


def _with_file(suite: Suite, role: str) -> Iterator[str]:
    """Yield the documents that have a file of a role."""
    files = ((case.name, case.files.get(role)) for case in suite.cases)
    return (name for name, file in files if file and os.path.lexists(file.path))


def _roles_of(suite: Suite) -> Collection[str]:
    return suite.cases[0].files if suite.cases else ()


def _missing_files(suite: Suite, document: str) -> dict[str, File]:
    """Return the files of a document that only the content of a test has."""
    return {role: File("", f'{role}["{document}"]', Content(None)) for role in _roles_of(suite)}


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


def _say_at(log: ProblemLog, line: int, code: str, message: str, *_steps: str | int | None) -> None:
    log.add(code, message, line)


def _say(log: ProblemLog, code: str, message: str, *_steps: str | int | None) -> None:
    """Log a mistake of a call, which has no place in a file."""
    log.add(code, message)


def _patterns(recipe: Recipe, files: Files, folder: Path, log: ProblemLog) -> dict[str, Pattern | Contents]:
    task = recipe.task
    reference = task.reference(files)
    if reference not in files:
        return {}
    say = partial(_say, log)
    has_documents = content.has_documents(files[reference])
    ends = _endings(recipe)
    gold = _source_of(
        reference, files[reference], partial(_pattern, folder, ends[reference], paired=True), say, has_documents=has_documents
    )
    patterns: dict[str, Pattern | Contents] = {}
    paired = has_documents if gold is None else gold.has_doc
    for name in (role.name for role in task.roles if role.name in files):
        pattern_of = partial(_pattern, folder, ends[name], paired=paired)
        source = gold if name == reference else _source_of(name, files[name], pattern_of, say, has_documents=paired)
        if source and gold:
            patterns[name] = source
            check_pattern(name, source, (reference, gold), say)
    return patterns


def _endings(recipe: Recipe) -> dict[str, str]:
    """Return how the files of each role end in a folder that is given for it; "" for any."""
    roles, options = recipe.task.roles, recipe.options
    return {role.name: role.ending(options) if role.ending and options is not None else "" for role in roles}


def _source_of(
    role: str, given: Given, pattern_of: Callable[[str], Pattern], say: Say, *, has_documents: bool
) -> Pattern | Contents | None:
    """Return the pattern or the content that a role is given as; None after saying what is wrong with it."""
    if content.is_path(given):
        return pattern_of(os.fspath(given))
    return _contents_of(role, given, partial(say, "config.content"), has_documents=has_documents)


def _contents_of(role: str, given: Given, say: Callable[[str], None], *, has_documents: bool) -> Contents | None:
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


def _pattern(folder: Path, ending: str, text: str, *, paired: bool) -> Pattern:
    """Return the pattern of a file, a pattern or, where files are `paired` by name, the files of a folder with some ending."""
    is_folder = paired and DOC not in text and os.path.isdir(folder / text)  # noqa: PTH112 - never raises
    return Pattern(folder, f"{text.rstrip('/')}/{DOC}{ending}" if is_folder else text)

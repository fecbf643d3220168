"""A suite as it was at a revision of git: the system's files of then, against today's gold, options and rules."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pytest_nlpeval.baselines.git import Blob, GitError, Repository
from pytest_nlpeval.config.suite import Case, File, Suite
from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.yaml import YAML_KINDS, read_yaml
from pytest_nlpeval.patterns import DOC, Pattern
from pytest_nlpeval.problems import ProblemLog

_LFS = b"version https://git-lfs.github.com/spec/"
_MOST_LINKS = 10

Listing = Mapping[str, Blob]
"""The files of a commit by their paths from the top of the repository."""

Paths = dict[str, dict[str, str]]
"""By document and role, a path from the top of the repository."""

Fingerprint = frozenset[tuple[str, str, str, str]]
"""Document, role, the name of the file's object, and the ending of its name."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A suite at a `commit`; its cases are the documents of today for which the system had a file then.

    `is_new` says that the configuration of then has no such suite. `added` are the documents of today without such a file, `vanished`
    those that had gold and system files then and are not in today's suite.
    """

    commit: str
    suite: Suite
    is_new: bool = False
    added: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()


@contextmanager
def earlier_suite(suite: Suite, revision: str) -> Iterator[Earlier]:
    """Give a suite as it was at a revision, with its files in a folder of their own for as long as the context lasts.

    Raises:
        GitError: if the revision, or what the suite needs of it, cannot be had; with what to do.
    """
    repository = repository_of(suite)
    commit = repository.commit(revision)
    found = _files_then(suite, repository, commit)
    if found is None:
        yield Earlier(commit, replace(suite, cases=()), is_new=True)
        return
    today = {case.name for case in suite.cases}
    gold = found.patterns.get("gold", "")
    had_gold = _documents(suite, {"gold": gold}, found.files) if DOC in gold else {}
    with tempfile.TemporaryDirectory(prefix="nlpeval-") as place:
        cases = _restored(suite, found, repository, commit, Path(place))
        recipe = replace(suite.recipe, root=None)  # the files of then lie elsewhere
        yield Earlier(
            commit,
            replace(suite, cases=tuple(cases), recipe=recipe),
            added=tuple(sorted(today - found.paths.keys())),
            vanished=tuple(sorted(found.paths.keys() & had_gold.keys() - today)),
        )


def repository_of(suite: Suite) -> Repository:
    """Return the repository that a suite's configuration lies in; `GitError` if there is none."""
    if suite.config is None:
        raise GitError("a suite without configuration has no past")
    return Repository.around(suite.config.parent)


def fingerprint(suite: Suite, repository: Repository, commit: str) -> Fingerprint | None:
    """Return what a suite's score at a commit depends on beside today's gold: two commits with equal ones need not both be scored.

    None if the configuration of then has no such suite.

    Raises:
        GitError: if what the suite needs of the commit cannot be had; with what to do.
    """
    found = _files_then(suite, repository, commit)
    if found is None:
        return None
    today = {case.name for case in suite.cases}
    return frozenset(
        (name, role, _target(path, found.files, repository), PurePosixPath(path).suffix)
        for name, paths in found.paths.items()
        if name in today
        for role, path in paths.items()
    )


def places_of(suite: Suite, repository: Repository) -> list[str]:
    """Return the paths, from the top, whose commits may have changed a suite: its configuration's, and where that ever had system files."""
    config = _config_of(suite, repository)
    places = {config}
    for commit in repository.commits([config]):
        with suppress(GitError):  # a configuration that could not be read then named no files
            patterns = _patterns_of_then(suite, repository, commit.name, repository.files(commit.name, config))
            places |= {Pattern(Path(), text).fixed_folder.as_posix() for text in _of_system(suite, patterns or {}).values()}
    return sorted(place for place in places if PurePosixPath(place).parts[:1] != ("..",))


class _FilesThen(NamedTuple):
    """A commit's files, the suite's patterns by role, and the paths of the system's files by document and role."""

    files: Listing
    patterns: Mapping[str, str]
    paths: Paths


def _files_then(suite: Suite, repository: Repository, commit: str) -> _FilesThen | None:
    """Return the files of a suite at a commit; None if the configuration of then does not have it."""
    files = repository.files(commit)
    patterns = _patterns_of_then(suite, repository, commit, files)
    if patterns is None:
        return None
    found = _documents(suite, _of_system(suite, patterns), files)
    paths = {name: by_role for name, by_role in found.items() if "system" in by_role}
    if not paths:
        raise GitError(_why_none(suite, repository, commit, patterns["system"], files))
    return _FilesThen(files, patterns, paths)


def _config_of(suite: Suite, repository: Repository) -> str:
    """Return the path of a suite's configuration from the top."""
    return os.path.relpath(suite.config or "", repository.top.resolve())


def _patterns_of_then(suite: Suite, repository: Repository, commit: str, files: Listing) -> dict[str, str] | None:
    config = _config_of(suite, repository)
    texts = _paths_of_then(suite, repository, commit, config, files)
    return None if texts is None else {role: _at(PurePosixPath(config).parent, text) for role, text in texts.items()}


def _of_system(suite: Suite, patterns: Mapping[str, str]) -> dict[str, str]:
    return {role: path for role, path in patterns.items() if suite.recipe.task.role(role).side == "system"}


def _at(folder: PurePosixPath, text: str) -> str:
    return os.path.normpath(folder / text)


def _paths_of_then(suite: Suite, repository: Repository, commit: str, config: str, files: Listing) -> dict[str, str] | None:
    """Return the suite's paths by role, as the configuration of then gives them; None if that does not have the suite."""
    if config not in files or files[config].is_submodule:
        return None
    (text,) = repository.contents([_target(config, files, repository)])
    document = read_yaml(Source(config, text), ProblemLog(config, YAML_KINDS))
    if document is None:
        raise GitError(f"{config} at {commit[:12]} is not well-formed YAML: its suites are unknown; name another revision")
    listed = document.value.get("suites") if isinstance(document.value, dict) else None
    for entry in listed if isinstance(listed, list) else []:
        if isinstance(entry, dict) and entry.get("task") == suite.recipe.task.name:
            system = _system_of(entry, suite)
            if system is not None:
                return _by_role(entry, suite, system)
    return None


def _system_of(entry: Mapping[str, Any], suite: Suite) -> str | None:
    """Return the name that the suite's system has in an entry, "" if it has none; None if the entry is another suite's."""
    systems = list(entry["system"]) if isinstance(entry.get("system"), dict) else [""]
    name = entry.get("name")
    names = {f"{name}/{system}" if len(systems) > 1 else name: system for system in systems}
    return names.get(suite.name)


def _by_role(entry: Mapping[str, Any], suite: Suite, system: str) -> dict[str, str]:
    given = {role.name: entry.get(role.name) for role in suite.recipe.task.roles}
    chosen = {role: value.get(system) if isinstance(value, dict) else value for role, value in given.items()}
    return {role: text for role, text in chosen.items() if isinstance(text, str)}


def _documents(suite: Suite, patterns: Mapping[str, str], files: Listing) -> Paths:
    """Return the files of then by document and role; a path without `{doc}` serves every document of today."""
    found: Paths = {}
    for role, text in patterns.items():
        if DOC in text:
            pattern = Pattern(Path(), text)
            matches = ((pattern.match(path), path) for path in files)
        else:
            matches = ((case.name, text) for case in suite.cases if text in files)
        for name, path in matches:
            if name is not None:
                found.setdefault(name, {})[role] = path
    return found


def _restored(suite: Suite, found: _FilesThen, repository: Repository, commit: str, place: Path) -> Iterator[Case]:
    """Yield the cases of today that the system had files for, with these, written to `place`, and with none of the system's of today."""
    files, then = found.files, found.paths
    kept = [case for case in suite.cases if case.name in then]
    paths = list(dict.fromkeys(path for case in kept for path in then[case.name].values()))
    written: dict[str, File] = {}
    for rank, (path, data) in enumerate(
        zip(paths, repository.contents(_target(path, files, repository) for path in paths), strict=True)
    ):
        if data.startswith(_LFS):
            raise GitError(
                f"{path} at {commit[:12]} is a pointer of Git LFS: git does not have the file itself; use a baseline file "
                "(`nlpeval baseline update`)"
            )
        copy = place / f"{rank}{PurePosixPath(path).suffix}"
        copy.write_bytes(data)
        written[path] = File(str(copy), f"{commit[:12]}:{path}")
    for case in kept:
        todays = {role: file for role, file in case.files.items() if suite.recipe.task.role(role).side == "gold"}
        yield Case(case.name, todays | {role: written[path] for role, path in then[case.name].items()})


def _target(path: str, files: Listing, repository: Repository) -> str:
    """Return the name of the object that a path leads to, through links inside the repository."""
    at = path
    for _ in range(_MOST_LINKS):
        blob = files.get(at)
        if blob is None or blob.is_submodule:
            raise GitError(f"{path} is a link that leads out of the repository's files; put the file in its place")
        if not blob.is_link:
            return blob.name
        (text,) = repository.contents([blob.name])
        at = _at(PurePosixPath(at).parent, os.fsdecode(text))
    raise GitError(f"{path} is a link that leads to no file; put the file in its place")


def _why_none(suite: Suite, repository: Repository, commit: str, pattern: str, files: Listing) -> str:
    """Return why the system has no file at a commit."""
    inside = (name for name, blob in files.items() if blob.is_submodule and PurePosixPath(pattern).is_relative_to(name))
    if submodule := next(inside, ""):
        return f"{pattern} lies in the submodule {submodule}, another repository; use a baseline file (`nlpeval baseline update`)"
    today = next((case.files["system"].path for case in suite.cases if "system" in case.files), None)
    if today is not None and repository.ignores(today):
        return (
            f"git ignores {PurePosixPath(today).name}, so it has no earlier ones; use a baseline file (`nlpeval baseline update`)"
        )
    return f"no file matches {pattern} at {commit[:12]}; name a revision that has the system's files"

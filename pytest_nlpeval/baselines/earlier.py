"""A suite as it was at a revision of git: the system's files of then, against today's gold, options and rules."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

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
    if suite.config is None:
        raise GitError("a suite without configuration has no past")
    repository = Repository.around(suite.config.parent)
    commit = repository.commit(revision)
    files = repository.files(commit)
    folder = PurePosixPath(os.path.relpath(suite.config.parent, repository.top.resolve()))
    texts = _paths_of_then(suite, repository, commit, _at(folder, suite.config.name), files)
    if texts is None:
        yield Earlier(commit, replace(suite, cases=()), is_new=True)
        return
    sides = {role.name: role.side for role in suite.recipe.task.roles}
    patterns = {role: _at(folder, text) for role, text in texts.items()}
    then = _documents(suite, {role: path for role, path in patterns.items() if sides[role] == "system"}, files)
    if not then:
        raise GitError(_why_none(suite, repository, commit, patterns["system"], files))
    today = {case.name for case in suite.cases}
    had_gold = _documents(suite, {"gold": patterns["gold"]}, files) if DOC in patterns.get("gold", "") else {}
    with tempfile.TemporaryDirectory(prefix="nlpeval-") as place:
        cases = _restored(suite.cases, then, files, repository, commit, Path(place))
        recipe = replace(suite.recipe, root=None)  # the files of then lie elsewhere
        yield Earlier(
            commit,
            replace(suite, cases=tuple(cases), recipe=recipe),
            added=tuple(sorted(today - then.keys())),
            vanished=tuple(sorted(then.keys() & had_gold.keys() - today)),
        )


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


def _restored(
    cases: Sequence[Case], then: Paths, files: Listing, repository: Repository, commit: str, place: Path
) -> Iterator[Case]:
    """Yield the cases of today that the system had files for, with these, written to `place`."""
    kept = [case for case in cases if case.name in then]
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
        yield Case(case.name, {**case.files, **{role: written[path] for role, path in then[case.name].items()}})


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

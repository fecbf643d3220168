"""The source `git:REVISION`: the system's files as a revision has them, evaluated with today's gold, options and rules.

Where the gold side of the revision is not today's, cases have that, too: an old output is read with the gold that it answers.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pytest_nlpeval.baselines.checkout import with_facts
from pytest_nlpeval.baselines.circumstances import with_unchanged
from pytest_nlpeval.baselines.git import GitError, Repository, object_name
from pytest_nlpeval.baselines.names import entries_of, former_names, options_of, options_to_read, patterns_of
from pytest_nlpeval.baselines.tree import Tree
from pytest_nlpeval.config.suite import Baseline, Case, Earlier, File, Suite
from pytest_nlpeval.files import FILE_KINDS, LFS, read_source
from pytest_nlpeval.formats.yaml import MAX_BYTES
from pytest_nlpeval.numbers import short_commit
from pytest_nlpeval.patterns import DOC, Pattern
from pytest_nlpeval.problems import NoAnswerError, ProblemLog
from pytest_nlpeval.runs import Evaluate, Run
from pytest_nlpeval.writing import temporary_folder

Paths = dict[str, dict[str, str]]
"""By document and role, a path from the top of the repository."""

Fingerprint = frozenset[tuple[str, str, str, str]]
"""Document, role, the name of the file's object, and the ending of the file's name."""


def run_of(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Run:
    """Return the run of a suite at the revision that a baseline names; without evidence, and with the reason, if it cannot be had.

    Its cases are today's documents for which the system had a file at the revision. `added` are those for which it had none, `vanished`
    the documents that had gold and system files at the revision and are not in today's suite.
    """
    try:
        repository = repository_of(suite)
        commit = repository.commit(baseline.name)
        files = files_at(suite, repository, commit)
        if files is None and suite.is_of_test:
            reason = (
                f"{baseline.text} has no output of the system, which a test gives; name a baseline file (`{suite.acceptance}`)"
            )
            return Run(baseline.text, commit, reason=reason)
        if files is None:
            reason = f"the suite is new: {baseline.text} does not have it"
            return Run(baseline.text, commit, reason=reason, is_new=True, former=_former_name(suite, Tree.of(repository, commit)))
        return with_facts(run_with(suite, files, evaluate, baseline.text), repository)
    except (GitError, NoAnswerError) as error:
        return Run(baseline.text, reason=f"{baseline.text}: {error}")


def run_with(suite: Suite, files: FilesAt, evaluate: Evaluate, source: str) -> Run:
    """Return the run of a suite with the files of a commit; `source` says what the run is of.

    Raises:
        GitError: if git does not have one of the files, or they cannot be written.
    """
    with _folder_of_files() as folder:
        cases = tuple(_restored(suite, files, folder))
        recipe = replace(suite.recipe, root=None)  # the restored files lie outside it
        earlier = replace(suite, cases=cases, recipe=recipe)
        run = with_unchanged(evaluate(earlier), suite, earlier)
    today = {case.name for case in suite.cases}
    added, vanished = today - files.paths.keys(), files.paths.keys() & files.documents_with_gold() - today
    added_names, vanished_names = tuple(sorted(added)), tuple(sorted(vanished))
    run = replace(run, source=source, commit=files.tree.commit, added=added_names, vanished=vanished_names)
    return replace(run, reason=run.why_none)


@contextmanager
def _folder_of_files() -> Iterator[Path]:
    """Give a temporary folder for the files of a commit."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(temporary_folder())
        except OSError as error:
            raise _unwritable(error, "a temporary folder") from None
        yield folder


def _unwritable(error: OSError, place: str) -> GitError:
    return GitError(f"its files cannot be written to {place} ({error.strerror}); make room, or let TMPDIR name another folder")


def repository_of(suite: Suite) -> Repository:
    """Return the repository that a suite's configuration lies in; `GitError` if there is none."""
    if suite.config is None:
        raise GitError("a suite without configuration has no past")
    return Repository.around(suite.config.parent)


def places_of(suite: Suite, repository: Repository) -> list[str]:
    """Return the paths, from the top, whose commits may have changed a suite.

    These are the configuration's, the folders where it ever had the system's files, and the links that led there.
    """
    config = _config_of(suite, repository)
    folders: set[str] = set()
    links, sought = {config}, 0
    while len(links) > sought:  # another commit may let the same link lead elsewhere
        sought = len(links)
        for commit in repository.commits(sorted(links)):
            with suppress(GitError):  # a configuration that could not be read named no files
                tree = Tree.of(repository, commit.name)
                patterns = _of_system(suite, _patterns_at(suite, tree) or {}).values()
                for path in (config, *(Pattern(Path(), text).fixed_folder.as_posix() for text in patterns)):
                    *passed, target = tree.trail(path)
                    links |= {*passed}
                    folders |= {target or "."}
    return sorted(path for path in links | folders if PurePosixPath(path).parts[:1] != ("..",))


class FilesAt(NamedTuple):
    """The files of a commit, the suite's patterns by role, and the paths of the system's files, and of gold's, by document and role.

    `options` are those that the files are read with, None for today's.
    """

    tree: Tree
    patterns: Mapping[str, str]
    paths: Paths
    gold: Paths
    options: Any

    def documents_with_gold(self) -> set[str]:
        """Return the documents that have a gold file at the commit; none where one file serves all."""
        gold = self.patterns.get("gold", "")
        return set(self.tree.documents(gold)) if DOC in gold else set()

    def fingerprint(self, cases: Iterable[Case]) -> Fingerprint:
        """Return what the scores of cases depend on beside today's gold: two commits with equal ones need not both be scored.

        Raises:
            GitError: if one of the paths leads to no file.
        """
        return frozenset(
            (case.name, role, self.tree.blob(path).name, PurePosixPath(path).suffix)
            for case in cases
            for role, path in self.paths.get(case.name, {}).items()
        )


def files_at(suite: Suite, repository: Repository, commit: str) -> FilesAt | None:
    """Return the files of a suite at a commit; None if the configuration at the commit does not have the suite.

    Raises:
        GitError: if what the suite needs of the commit cannot be had; with what to do.
    """
    tree = Tree.of(repository, commit)
    patterns = _patterns_at(suite, tree)
    if patterns is None:
        return None
    of_system = _of_system(suite, patterns)
    paths = {name: by_role for name, by_role in _by_document(suite, tree, of_system).items() if "system" in by_role}
    if not paths:
        raise GitError(_why_no_file(suite, tree, patterns["system"]))
    try:
        gold = _by_document(suite, tree, {role: path for role, path in patterns.items() if role not in of_system})
    except GitError:  # gold that the revision cannot give is taken to be today's
        gold = {}
    options = options_to_read(suite.recipe.task, suite.given, options_of(_text_at(suite, tree), suite.names))
    return FilesAt(tree, patterns, paths, gold, options)


def _by_document(suite: Suite, tree: Tree, patterns: Mapping[str, str]) -> Paths:
    """Return the paths that a commit has for patterns by role."""
    paths: Paths = {}
    for role, pattern in patterns.items():
        for name, path in _paths(pattern, tree, suite.cases).items():
            paths.setdefault(name, {})[role] = path
    return paths


def _paths(pattern: str, tree: Tree, cases: Iterable[Case]) -> dict[str, str]:
    """Return the files of a pattern by document; without `{doc}` it serves every document of today."""
    if DOC in pattern:
        return tree.documents(pattern)
    return {case.name: pattern for case in cases} if tree.has(pattern) else {}


def _config_of(suite: Suite, repository: Repository) -> str:
    """Return the path of a suite's configuration from the top."""
    return os.path.relpath(suite.config or "", repository.top.resolve())


def _of_system(suite: Suite, patterns: Mapping[str, str]) -> dict[str, str]:
    return {role: path for role, path in patterns.items() if suite.recipe.task.role(role).side == "system"}


def _patterns_at(suite: Suite, tree: Tree) -> Mapping[str, str] | None:
    """Return the suite's patterns by role, from the top, as the configuration at a commit has them; None if that has no such suite."""
    suites = _suites_at(suite, tree)
    patterns = next((suites[name] for name in suite.names if name in suites), {})
    return patterns if "system" in patterns else None


def _suites_at(suite: Suite, tree: Tree) -> Mapping[str, Mapping[str, str]]:
    """Return the patterns, from the top, of all suites of the task in the configuration at a commit, by name."""
    folder = PurePosixPath(_config_of(suite, tree.repository)).parent
    return patterns_of(_text_at(suite, tree), suite.recipe.task, folder)


def _text_at(suite: Suite, tree: Tree) -> bytes:
    """Return the text of the configuration at a commit, none if it is not there."""
    config = _config_of(suite, tree.repository)
    if not tree.has(config) or tree.submodule(config):
        return b""
    text = _text_of(tree.repository, tree.blob(config).name)
    if entries_of(text) is None:
        raise GitError(
            f"{config} at {short_commit(tree.commit)} is not well-formed YAML: its suites are unknown; name another revision"
        )
    return text


@lru_cache(maxsize=8)
def _text_of(repository: Repository, name: str) -> bytes:
    """Return the object of this name, which never changes: nearly all commits of a history have the same configuration."""
    (text,) = repository.contents([name], MAX_BYTES)
    return text


def _former_name(suite: Suite, tree: Tree) -> str:
    """Return the name under which a commit has the files of a suite that is new by its name; "" if there is none."""
    if suite.config is None or not (source := read_source(suite.config, ProblemLog("", FILE_KINDS))):
        return ""
    folder = PurePosixPath(_config_of(suite, tree.repository)).parent
    return former_names(source.data, _text_at(suite, tree), suite.recipe.task, folder).of(suite.name)


def _restored(suite: Suite, files: FilesAt, folder: Path) -> Iterator[Case]:
    """Yield today's cases that the system had files for, with these, written to `folder`, and with none of today's system files."""
    kept = [case for case in suite.cases if case.name in files.paths]
    gold = {case.name: _other_gold(suite, case, files) for case in kept}
    every = (path for case in kept for path in (*files.paths[case.name].values(), *gold[case.name].values()))
    paths, commit, written = list(dict.fromkeys(every)), short_commit(files.tree.commit), {}
    for rank, (path, data) in enumerate(zip(paths, files.tree.contents(paths), strict=True)):
        if data.startswith(LFS):
            raise GitError(
                f"{path} at {commit} is a pointer of Git LFS: git does not have the file itself; use a baseline file "
                "(`nlpeval baseline update`)"
            )
        copy = folder / f"{rank}{PurePosixPath(path).suffix}"
        try:
            copy.write_bytes(data)
        except OSError as error:
            raise _unwritable(error, str(folder.parent)) from None
        written[path] = File(str(copy), f"{commit}:{path}")
    for case in kept:
        of_gold = {role: file for role, file in case.files.items() if suite.recipe.task.role(role).side == "gold"}
        own = {role: written[path] for role, path in files.paths[case.name].items()}
        earlier = {role: written[path] for role, path in gold[case.name].items()}
        yield Case(case.name, of_gold | own, Earlier(earlier, files.options or suite.recipe.options) if earlier else None)


def _other_gold(suite: Suite, case: Case, files: FilesAt) -> dict[str, str]:
    """Return the paths of a document's gold side at a commit by role; nothing if it is today's and read as today, or not all there."""
    paths = {role: path for role, path in files.gold.get(case.name, {}).items() if role in case.files}
    todays = {role for role, file in case.files.items() if suite.recipe.task.role(role).side == "gold"}
    is_same = files.options is None and all(_is_same(files.tree, path, case.files[role]) for role, path in paths.items())
    return {} if is_same or paths.keys() != todays else paths


def _is_same(tree: Tree, path: str, file: File) -> bool:
    """Whether a file of today has the bytes and the ending of one at a commit; also if either cannot be read, or git does not have it."""
    log = ProblemLog(file.label, FILE_KINDS)
    try:
        name = tree.blob(path).name
        source = file.read(log)
        if source is None or (name == object_name(source.data, name) and PurePosixPath(path).suffix == Path(file.path).suffix):
            return True
        (data,) = tree.contents([path])
    except GitError:
        return True
    return data.startswith(LFS) or (data == source.data and PurePosixPath(path).suffix == Path(file.path).suffix)


def _why_no_file(suite: Suite, tree: Tree, pattern: str) -> str:
    """Return why the system has no file at a commit."""
    if submodule := tree.submodule(pattern):
        return f"{pattern} lies in the submodule {submodule}, another repository; use a baseline file (`nlpeval baseline update`)"
    today = next((case.files["system"].path for case in suite.cases if "system" in case.files), None)
    if today is not None and tree.repository.ignores(today):
        return (
            f"git ignores {PurePosixPath(today).name}, so it has no earlier ones; use a baseline file (`nlpeval baseline update`)"
        )
    return f"no file matches {pattern} at {short_commit(tree.commit)}; name a revision that has the system's files"

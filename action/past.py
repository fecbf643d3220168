"""The two commits that a run compares: their files, and what their configurations say, those of submodules included."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from choice import Place, from_top, is_chosen, places
from configurations import Configured, configured, moved_below
from pytest_settings import configuration_paths, settings_file

from pytest_nlpeval.baselines.git import Blob, GitError, Repository
from pytest_nlpeval.baselines.tree import Tree

MODULES = ".gitmodules"


@dataclass(frozen=True, slots=True)
class Past:
    """The commits of the base and of today with their entries.

    `unknown` says what became of submodules whose commit of the base is not here, and of configurations that links lead away. `up` is the
    current folder relative to the top of the repository, `chosen` what the input `paths` chose at the base, from the top.
    """

    repository: Repository
    before: Tree
    after: Tree
    old: Sequence[Configured]
    new: Sequence[Configured]
    unknown: Sequence[str]
    up: str
    chosen: Sequence[Place]


def past(commit: str, given: Sequence[str]) -> Past:
    """Return today's commit and that of the base; `given` are the lines of the input `paths`.

    Raises:
        GitError: if an object is not there.
    """
    repository = Repository.around(Path.cwd())
    before, after = Tree.of(repository, commit), Tree.of(repository, repository.commit("HEAD"))
    up = os.path.relpath(Path.cwd().resolve(), repository.top)
    chosen = chosen_at(before, given, up)
    of_before, of_after = ([place.path for place in chosen_at(tree, given, up)] for tree in (before, after))
    old, new = configured(before, of_before), configured(after, of_after)
    patterns = settings_file(before, of_before)[1], settings_file(after, of_after)[1]
    named = {*configuration_paths(before, of_before), *configuration_paths(after, of_after)}
    unknown = list(_unfollowed(before, after, (config for config in named if is_chosen(config, chosen))))
    for module in _moved_submodules(before, after):
        _add_submodule(module, patterns, old, new, unknown)
    return Past(repository, before, after, old, new, unknown, up, chosen)


def chosen_at(tree: Tree, given: Sequence[str], up: str) -> list[Place]:
    """Return what the input `paths` chooses at a commit, where links may lead elsewhere than today."""

    def resolved(path: str) -> str:
        with suppress(GitError):  # leads nowhere at this commit
            return os.path.relpath(tree.resolved(os.path.normpath(os.path.join(up, path))) or ".", up)  # noqa: PTH118 - text
        return path

    return from_top(places(given, resolved), up)


def _unfollowed(before: Tree, after: Tree, configs: Iterable[str]) -> Iterator[str]:
    """Yield what became of configurations that links lead away from the repository's files: into a submodule that moved, or elsewhere."""
    for config in sorted(configs):
        was, now = away(before, config), away(after, config)
        if (was and was != now) or _FAR in (was, now):
            yield f"the configuration {config} led {was or 'nowhere else'}, leads {now or 'nowhere else'}"


_FAR = "along links that cannot be followed in a commit"


def away(tree: Tree, path: str) -> str:
    """Return where a path leads away from the repository's files at a commit, "" if to one of them, or to nothing."""
    try:
        module = tree.submodule(path)
    except GitError:
        return _FAR
    return f"into the submodule {module} at {tree.blobs[module].name[:12]}" if module and module != path else ""


class _Moved(NamedTuple):
    """A submodule, by its folder and by its path from the top of the outermost repository: what it was, and what it is, None if gone."""

    folder: Path
    path: str
    was: Blob
    now: Blob | None

    def __str__(self) -> str:
        """Return what became of it."""
        return (
            f"{self.path} is gone" if self.now is None else f"{self.path} was at {self.was.name[:12]}, is at {self.now.name[:12]}"
        )


def _moved_submodules(before: Tree, after: Tree, outer: str = "") -> Iterator[_Moved]:
    """Yield the submodules of the base that have another commit today, or none, or that are checked out in another way.

    `outer` is the path of the repository that has them, "" for the outermost.
    """
    same_way = before.blobs.get(MODULES) == after.blobs.get(MODULES)
    for path, was in before.blobs.items():
        now = after.blobs.get(path)
        now = now if now is not None and now.is_submodule else None
        folder = after.repository.top / path
        is_here = (folder / ".git").exists()
        if was.is_submodule and ((was != now and (is_here or now is None)) or not (same_way or is_here)):
            yield _Moved(folder, f"{outer}{path}", was, now)


def _add_submodule(
    moved: _Moved, patterns: tuple[Sequence[str], Sequence[str]], old: list[Configured], new: list[Configured], unknown: list[str]
) -> None:
    """Add the entries of a submodule, and of those in it, at both commits; or to `unknown` what became of it, if nobody can know.

    `patterns` are the names of configurations at both commits that pytest's settings of the outermost repository give.
    """
    try:
        before, after = _trees_of(moved)
        old += [moved_below(moved.path, entry) for entry in configured(before, further=patterns[0])]
        new += [moved_below(moved.path, entry) for entry in (configured(after, further=patterns[1]) if moved.now else ())]
    except GitError:
        unknown.append(f"the submodule {moved}")
        return
    for inner in _moved_submodules(before, after, f"{moved.path}/"):
        _add_submodule(inner, patterns, old, new, unknown)


def _trees_of(moved: _Moved) -> tuple[Tree, Tree]:
    """Return the files of a submodule at both commits; one that is gone has none today."""
    repository = Repository.around(moved.folder)
    if repository.top != moved.folder.resolve():
        raise GitError(f"{moved.path} is not checked out")
    before = Tree.of(repository, moved.was.name)
    return before, Tree.of(repository, moved.now.name) if moved.now else replace(before, blobs={}, links={}, folders={})

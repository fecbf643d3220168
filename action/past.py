"""The two commits that a run compares: their files, and what their configurations say, those of submodules included."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from choice import Place, from_top, places
from configurations import Configured, configured, moved_below

from pytest_nlpeval.baselines.git import Blob, GitError, Repository
from pytest_nlpeval.baselines.tree import Tree

MODULES = ".gitmodules"


@dataclass(frozen=True, slots=True)
class Past:
    """The commits of the base and of today with their entries.

    `unknown` says what became of submodules whose commit of the base is not here. `up` is the current folder relative to the top of the
    repository, `chosen` what the input `paths` chose at the base, from the top.
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
    old, new, unknown = configured(before, of_before), configured(after, of_after), []
    for module, was, now in _moved_submodules(before, after):
        try:
            entries = _of_submodule(repository, module, was, now)
        except GitError:
            unknown.append(f"{module} is gone" if now is None else f"{module} was at {was.name[:12]}, is at {now.name[:12]}")
            continue
        old += entries[0]
        new += entries[1]
    return Past(repository, before, after, old, new, unknown, up, chosen)


def chosen_at(tree: Tree, given: Sequence[str], up: str) -> list[Place]:
    """Return what the input `paths` chooses at a commit, where links may lead elsewhere than today."""

    def resolved(path: str) -> str:
        with suppress(GitError):  # leads nowhere at this commit
            return os.path.relpath(tree.resolved(os.path.normpath(os.path.join(up, path))) or ".", up)  # noqa: PTH118 - text
        return path

    return from_top(places(given, resolved), up)


def _moved_submodules(before: Tree, after: Tree) -> Iterator[tuple[str, Blob, Blob | None]]:
    """Yield the submodules of the base that have another commit today, or none, or that are checked out in another way."""
    same_way = before.blobs.get(MODULES) == after.blobs.get(MODULES)
    for path, was in before.blobs.items():
        now = after.blobs.get(path)
        now = now if now is not None and now.is_submodule else None
        is_here = (after.repository.top / path / ".git").exists()
        if was.is_submodule and ((was != now and (is_here or now is None)) or not (same_way or is_here)):
            yield path, was, now


def _of_submodule(outer: Repository, path: str, was: Blob, now: Blob | None) -> tuple[list[Configured], list[Configured]]:
    repository = Repository.around(outer.top / path)
    if repository.top != (outer.top / path).resolve():
        raise GitError(f"{path} is not checked out")
    old, new = (configured(Tree.of(repository, blob.name)) if blob else [] for blob in (was, now))
    return [moved_below(path, entry) for entry in old], [moved_below(path, entry) for entry in new]

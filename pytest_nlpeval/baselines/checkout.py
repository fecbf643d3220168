"""What git tells of a commit, and of the commit that is checked out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pytest_nlpeval.baselines.git import Commit, GitError, Repository


@dataclass(frozen=True, slots=True)
class Checkout:
    """The commit at HEAD, the branch ("" for none), and the name of the repository's folder; files may differ from the commit."""

    commit: Commit
    branch: str
    repository: str


def checkout_of(folders: Iterable[Path]) -> Checkout | None:
    """Return what is checked out around the first of the folders, None if there is no repository with a commit."""
    for folder in folders:
        try:
            repository = Repository.around(folder)
            (commit,) = repository.commits(last=1)
        except GitError:
            return None
        return Checkout(commit, repository.branch(), repository.top.name)
    return None


def facts_of(commit: str, repository: Repository) -> dict[str, str]:
    """Return subject, author and day of a commit, nothing if the repository does not have it."""
    try:
        (found,) = repository.commits(head=commit, last=1)
    except GitError:
        return {}
    return {"subject": found.subject, "author": found.author, "day": found.day}

"""What git tells of a commit, and of the commit that is checked out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pytest_nlpeval.baselines.git import Commit, GitError, Repository
from pytest_nlpeval.files import git_folder
from pytest_nlpeval.runs import Run


class Checkout(NamedTuple):
    """The commit at HEAD, the branch ("" for none), and the name of the repository's folder; files may differ from the commit."""

    commit: Commit
    branch: str
    repository: str


def checkout_of(folders: Iterable[Path]) -> Checkout | None:
    """Return what is checked out around the first of the folders, None if there is no repository with a commit."""
    for folder in folders:
        if git_folder(folder) is None:  # git need not be started to say so
            return None
        try:
            repository = Repository.around(folder)
            (commit,) = repository.commits(last=1)
        except GitError:
            return None
        return Checkout(commit, repository.branch(), repository.top.name)
    return None


def with_facts(run: Run, repository: Repository) -> Run:
    """Return a run with subject, author and day of its commit, as it is if the repository does not have that."""
    try:
        (found,) = repository.commits(head=run.commit, last=1)
    except GitError:
        return run
    return replace(run, subject=found.subject, author=found.author, day=found.day)

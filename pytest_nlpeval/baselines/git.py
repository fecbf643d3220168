"""Reads the past of a git repository: revisions, and their files. Asks git for objects only; index and work tree are never touched."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pytest_nlpeval.baselines.git_process import GitError, object_of, run_git, started
from pytest_nlpeval.files import MAX_BYTES, git_folder
from pytest_nlpeval.light_dataclasses import light_dataclass

__all__ = ["Blob", "Commit", "GitError", "Repository", "git_version", "is_tracked", "object_name"]

_MERGE_BASE = re.compile(r"merge-base\((?P<revision>.*)\)", re.DOTALL)

_NAME = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


class Blob(NamedTuple):
    """A file of a revision: its kind of entry (`100644`, `120000` for a link, `160000` for a submodule) and its object's name."""

    mode: str
    name: str

    @property
    def is_link(self) -> bool:
        """Whether the entry is a symbolic link."""
        return self.mode == "120000"

    @property
    def is_submodule(self) -> bool:
        """Whether the entry is another repository, whose files are not in this one."""
        return self.mode == "160000"


class Commit(NamedTuple):
    """A commit: its name, its day (`2026-01-31`, in the committer's time zone), the first line of its message, and its author."""

    name: str
    day: str
    subject: str
    author: str = ""


@light_dataclass(frozen=True, slots=True)
class Repository:
    """The git repository whose work tree has its top at `top`."""

    top: Path

    @classmethod
    def around(cls, folder: Path) -> Repository:
        """Return the repository that a folder lies in: that of the nearest folder with a `.git`, itself or one above.

        Raises:
            GitError: if there is none, or no git, or if git takes another folder for the top of the work tree.
        """
        top = git_folder(folder)
        nowhere = f"{folder} is in no git repository; name a baseline file instead"
        if top is None:
            run_git(folder, "--version")  # without git nobody can say what a repository is
            raise GitError(nowhere)
        done = run_git(top, "rev-parse", "--show-toplevel")
        if b"not a git repository" in done.stderr:
            raise GitError(nowhere)
        if b"must be run in a work tree" in done.stderr:
            raise GitError(
                f"git takes {top / '.git'} for a repository without work tree; `git config core.bare false` mends that"
            )
        named = Path(os.fsdecode(_output(top, done, "rev-parse").removesuffix(b"\n"))).resolve()
        if named != top:
            raise GitError(
                f"git takes {named} for the work tree of {top / '.git'}; take `core.worktree` out of its configuration "
                "(`git config --unset core.worktree`)"
            )
        return cls(top)

    def commit(self, revision: str) -> str:
        """Return the name of the commit that a revision means: any that git understands, or `merge-base(REVISION)` with HEAD.

        Raises:
            GitError: if there is none, with what to do.
        """
        based = _MERGE_BASE.fullmatch(revision)
        name = self._commit(based["revision"] if based else revision)
        if not based:
            return name
        common = _git(
            self.top, "merge-base", "HEAD", name, hint=partial(self._unknown, f"common commit of HEAD and {based['revision']}")
        )
        return common.decode().strip()

    def _commit(self, revision: str) -> str:
        hint = partial(self._unknown, f"commit {revision}")
        if not revision or "\0" in revision:
            raise GitError(hint())
        said = _git(self.top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", hint=hint)
        name = said.decode().strip()
        if not _NAME.fullmatch(name):  # `^HEAD` is what HEAD does not lead to
            raise GitError(hint())
        return name

    def _unknown(self, what: str) -> str:
        if self.is_shallow():
            return (
                f"there is no {what} in this shallow clone; fetch more of the history "
                "(`git fetch --unshallow`; with actions/checkout set `fetch-depth: 0`)"
            )
        return f"there is no {what} in this repository; fetch it (`git fetch origin`), or correct the name"

    def is_shallow(self) -> bool:
        """Whether the clone has only a part of the history."""
        return _git(self.top, "rev-parse", "--is-shallow-repository").strip() == b"true"

    def commits(self, paths: Iterable[str] = (), *, head: str = "HEAD", since: str = "", last: int | None = None) -> list[Commit]:
        """Return the commits that led to `head`, the newest first: of a merge, those of its first parent only.

        With `paths` (from the top), these are the commits that touched one of them, or something in it. With `since`, commits of that
        commit's own history are left out; with `last`, there are at most so many.

        Raises:
            GitError: if there is no commit yet.
        """
        chosen = [f"--max-count={last}"] if last is not None else []
        line = [f"{since}..{head}" if since else head]
        within = ["--", *(f":(literal){path}" for path in paths)] if paths else []
        listed = _git(
            self.top,
            *("rev-list", "--first-parent", "--encoding=UTF-8", "--format=%cI%x00%an%x00%s", *chosen, *line, *within),
            hint=lambda: "there is no commit here yet; commit the system's files",
        )
        lines = listed.decode(errors="replace").split("\n")[:-1]
        return [Commit(head.removeprefix("commit "), *_facts(facts)) for head, facts in zip(lines[::2], lines[1::2], strict=True)]

    def branch(self) -> str:
        """Return the name of the branch that is checked out, "" for none."""
        return run_git(self.top, "symbolic-ref", "--quiet", "--short", "HEAD").stdout.decode(errors="replace").strip()

    def is_cut_at(self, commit: str) -> bool:
        """Whether a commit is where the history of a shallow clone ends: its files are known, what it touched is not."""
        path = _git(self.top, "rev-parse", "--git-path", "shallow").decode().removesuffix("\n")
        try:
            return commit in (self.top / path).read_text(encoding="ascii").split()
        except FileNotFoundError:
            return False

    def files(self, commit: str, folder: str = "") -> dict[str, Blob]:
        """Return the files of a commit in and below a folder by their paths from the top, as git has them: links are not followed."""
        listed = _git(self.top, "ls-tree", "-r", "-z", "--full-tree", commit, *(["--", folder] if folder else []))
        blobs: dict[str, Blob] = {}
        for line in filter(None, listed.split(b"\0")):
            facts, _, path = line.partition(b"\t")
            mode, _, name = facts.decode().split(" ")
            blobs[os.fsdecode(path)] = Blob(mode, name)
        return blobs

    def contents(self, names: Iterable[str], limit: int = MAX_BYTES) -> Iterator[bytes]:
        """Yield the bytes of objects, in the order of their names.

        Raises:
            GitError: if one is not there (in a partial clone, say), or has more bytes than the limit, none of which is read then.
        """
        with started(self.top, "cat-file", "--batch", stderr=subprocess.DEVNULL) as process:
            for name in names:
                yield object_of(process, name, limit)

    def ignores(self, path: str) -> bool:
        """Whether git ignores a file of the work tree."""
        return run_git(self.top, "check-ignore", "--quiet", "--no-index", "--", path).returncode == 0


def git_version(folder: Path) -> str:
    """Return what git says of its version: `git version 2.47.3`.

    Raises:
        GitError: if git cannot be run.
    """
    return _git(folder, "--version").decode(errors="replace").strip()


def is_tracked(path: Path) -> bool:
    """Whether git has a file of the work tree in its index, something below it, or another repository in its place; without git, no."""
    folder = path.parent.resolve()
    top = git_folder(folder)  # git is asked there: the path's own folder may have the files of a repository
    if top is None:
        return False
    try:
        return bool(_git(top, "ls-files", "--cached", "-z", "--", f":(literal){os.path.relpath(folder / path.name, top)}"))
    except (GitError, OSError):
        return False


def object_name(data: bytes, like: str) -> str:
    """Return the name that git gives a file of these bytes, in a repository where another file's name is `like` this one.

    >>> object_name(b"", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    digest = hashlib.sha1 if len(like) == len("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391") else hashlib.sha256
    return digest(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _facts(text: str) -> tuple[str, str, str]:
    when, author, subject = text.split("\0", 2)
    return when[: len("2026-01-31")], subject, author


def _git(folder: Path, *arguments: str, hint: Callable[[], str] = str) -> bytes:
    """Return what git prints; `GitError` with the hint, or else with git's own words, if it fails: only then is the hint worked out."""
    return _output(folder, run_git(folder, *arguments), arguments[0], hint)


def _output(folder: Path, done: subprocess.CompletedProcess[bytes], command: str, hint: Callable[[], str] = str) -> bytes:
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        if "dubious ownership" in said:
            cure = f"`git config --global --add safe.directory {folder}`"
            raise GitError(f"git refuses to read {folder}, which belongs to somebody else; {cure}")
        raise GitError(hint() or f"git {command} failed: {said}")
    return done.stdout

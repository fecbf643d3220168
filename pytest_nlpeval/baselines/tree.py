"""The files of a commit as a work tree would have them: symbolic links among them, of files and of folders, are followed."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path, PurePosixPath

from pytest_nlpeval.baselines.git import Blob, GitError, Repository
from pytest_nlpeval.files import MAX_BYTES
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.patterns import DOC, Pattern

MOST_LINKS = 40
"""How many links a path may lead through, as on Linux."""


LONGEST_LINK = 1 << 16
"""How many bytes the text of a link may have; no system makes longer ones."""


@light_dataclass(frozen=True, slots=True)
class Tree:
    """The files of a commit. `blobs` has them by path from the top, `links` the text of those that are links, `folders` the names in each.

    All paths that are asked for begin at the top of the repository, too, and may lead through links.
    """

    repository: Repository
    commit: str
    blobs: Mapping[str, Blob]
    links: Mapping[str, str]
    folders: Mapping[str, Collection[str]]

    @classmethod
    @lru_cache(maxsize=2)  # every suite of a run asks for those of the same commit, which never change
    def of(cls, repository: Repository, commit: str) -> Tree:
        """Return the files of a commit, given by the name of its object; `GitError` if an object is not there."""
        blobs = repository.files(commit)
        folders: defaultdict[str, set[str]] = defaultdict(set)
        for path in blobs:
            while path:
                folder, _, name = path.rpartition("/")
                if name in folders[folder]:
                    break  # and so are all folders above
                folders[folder].add(name)
                path = folder  # noqa: PLW2901 - from the file up to the top
        links = [path for path, blob in blobs.items() if blob.is_link]
        texts = repository.contents((blobs[path].name for path in links), LONGEST_LINK) if links else ()
        return cls(repository, commit, blobs, dict(zip(links, map(os.fsdecode, texts), strict=True)), folders)

    def trail(self, path: str) -> list[str]:
        """Return the links that a path leads through, and in the end where it leads: a file, a folder, or nothing.

        Raises:
            GitError: if that is outside the repository, or if there are too many links, perhaps in a circle.
        """
        ahead = list(PurePosixPath(path).parts[::-1])
        here: list[str] = []
        passed: list[str] = []
        while ahead:
            part = ahead.pop()
            here = here[:-1] if part == ".." and here != [".."] * len(here) else [*here, part]
            if (link := "/".join(here)) in self.links:
                passed.append(link)
                if len(passed) > MOST_LINKS:
                    raise _no_file(path, "to no file")
                here.pop()
                ahead += PurePosixPath(self.links[link]).parts[::-1]
            if passed and (part == "/" or here[:1] == [".."]):
                raise _no_file(path)
        return [*passed, "/".join(here)]

    def resolved(self, path: str) -> str:
        """Return where a path leads; `GitError` as for `trail`."""
        return self.trail(path)[-1]

    def blob(self, path: str) -> Blob:
        """Return the file that a path leads to; `GitError` if it leads to none."""
        blob = self.blobs.get(self.resolved(path))
        if blob is None or blob.is_submodule:
            raise _no_file(path)
        return blob

    def contents(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Iterator[bytes]:
        """Yield the bytes of the files that paths lead to; `GitError` if one leads to none, or has more than the limit."""
        return self.repository.contents((self.blob(path).name for path in paths), limit)

    def submodule(self, path: str) -> str:
        """Return the submodule that a path leads into, "" if it leads into none."""
        target = PurePosixPath(self.resolved(path))
        folders = (str(folder) for folder in (target, *target.parents))
        return next((folder for folder in folders if folder in self.blobs and self.blobs[folder].is_submodule), "")

    def documents(self, pattern: str) -> dict[str, str]:
        """Return the path of each document that a pattern with `{doc}` has a file for.

        Raises:
            GitError: if a folder of the pattern is a link that leads to none.
        """
        paths = {doc: pattern.replace(DOC, doc) for doc in Pattern(Path(), pattern).documents(self.names_in)}
        return {doc: path for doc, path in paths.items() if not self._is_folder(path)}

    def has(self, path: str) -> bool:
        """Whether there is a file at a path, or a link."""
        folder, _, name = path.rpartition("/")
        return name in self.names_in(folder) and not self._is_folder(path)

    def names_in(self, folder: str) -> Collection[str]:
        """Return the names in a folder, none for what is no folder; `GitError` if a link leads to nothing."""
        *links, target = self.trail(folder)
        if links and target not in self.folders and target not in self.blobs:
            raise _no_file(folder)
        return self.folders.get(target, ())

    def _is_folder(self, path: str) -> bool:
        try:
            return self.resolved(path) in self.folders
        except GitError:
            return False  # reading the file says so


def _no_file(path: str, where: str = "out of the repository's files") -> GitError:
    return GitError(f"{os.path.normpath(path)} is a link that leads {where}; put the file in its place")

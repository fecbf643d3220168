"""Where a configuration may read, what its files are called, and which gold and system files belong together."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath, PurePosixPath
from typing import NamedTuple

DOC = "{doc}"
_PLACEHOLDER = re.compile(r"\{(\w*)\}")


def repository_root(config: Path) -> Path:
    """Return the folder of the git repository that a configuration lies in; its own folder if there is none."""
    folder = config.parent.resolve()
    return next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), folder)


def is_inside(path: Path, root: Path) -> bool:
    """Whether a path, after following all links, is `root` (itself without links) or lies below it.

    A loop of links leads nowhere: what counts is where it lies, and reading it fails.
    """
    folder, name = os.path.split(path)
    try:
        if name in ("", os.curdir, os.pardir) or "\0" in name or path.is_symlink():
            return Path(os.path.realpath(path)).is_relative_to(root)
        real = _real_folder(folder, root)
        return real.is_inside or Path(real.path, name).is_relative_to(root)
    except (OSError, ValueError):  # a NUL character
        return False


class _Folder(NamedTuple):
    """Where a folder lies: its path without links, and whether that is `root` or below it."""

    path: str
    is_inside: bool


@lru_cache(maxsize=256)
def _real_folder(folder: str, root: Path) -> _Folder:
    """Look up a folder: most files of a suite lie in few."""
    path = os.path.realpath(folder)
    return _Folder(path, Path(path).is_relative_to(root))


def label(path: Path, root: Path) -> str:
    """Return what messages call a file: its path relative to `root` where it lies below it, with `/`."""
    folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - keeps links, and takes out `..`
    return _label_of_folder(folder, root) + name


@lru_cache(maxsize=256)
def _label_of_folder(folder: str, root: Path) -> str:
    """Return what stands before a file's name: the path of its folder with a `/` behind it, nothing for `root` itself."""
    path = PurePath(folder)
    if path.is_relative_to(root):
        return "".join(f"{part}/" for part in path.relative_to(root).parts)
    return path.as_posix().rstrip("/") + "/"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A path relative to `folder` in which `{doc}` stands for a document's name (one or more characters of one path component)."""

    folder: Path
    text: str

    @property
    def has_doc(self) -> bool:
        """Whether the pattern names one file per document."""
        return DOC in self.text

    @property
    def unknown_placeholders(self) -> list[str]:
        """What stands in braces and is not `{doc}`."""
        return [f"{{{name}}}" for name in _PLACEHOLDER.findall(self.text) if name != "doc"]

    @property
    def fixed_folder(self) -> Path:
        """The folder that holds all files of the pattern: its path up to the first component with `{doc}`, or to the file."""
        parts = PurePosixPath(self.text).parts
        fixed = next((rank for rank, part in enumerate(parts) if DOC in part), len(parts) - 1)
        return self.folder.joinpath(*parts[:fixed])

    def path(self, doc: str) -> Path:
        """Return the path of a document's file."""
        return self.folder / self.text.replace(DOC, doc)

    def documents(self) -> dict[str, Path]:
        """Return the files (or whatever else stands there) that match, by document name, in any order. Reads folders only."""
        found = {(self.folder, ""): None}
        for part in PurePosixPath(self.text).parts:
            found = dict.fromkeys(step for folder, doc in found for step in _steps(folder, doc, part))
        return {doc: path for path, doc in found}


def _steps(folder: Path, doc: str, part: str) -> Iterator[tuple[Path, str]]:
    if DOC not in part or doc:
        path = folder / part.replace(DOC, doc)
        if os.path.lexists(path):
            yield path, doc
        return
    pieces = [re.escape(piece) for piece in part.split(DOC)]
    expression = re.compile(pieces[0] + "(?P<doc>.+)" + "(?P=doc)".join(pieces[1:]), re.DOTALL)
    try:
        names = os.listdir(folder)  # noqa: PTH208 - the names are enough
    except OSError:
        return
    for name in names:
        if match := expression.fullmatch(name):
            yield folder / name, match["doc"]

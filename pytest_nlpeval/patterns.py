"""Patterns: which files a suite has, one for each document."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath

from pytest_nlpeval.light_dataclasses import light_dataclass

DOC = "{doc}"
_PLACEHOLDER = re.compile(r"\{(\w*)\}")

NamesIn = Callable[[str], Collection[str]]
"""Gives the names of what lies in a folder, links followed; nothing for what is no folder."""


@light_dataclass(frozen=True, slots=True)
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
        """Whatever is in braces and is not `{doc}`."""
        return [f"{{{name}}}" for name in _PLACEHOLDER.findall(self.text) if name != "doc"]

    @property
    def fixed_folder(self) -> Path:
        """The folder that holds all files of the pattern: its path up to the first component with `{doc}`, or to the file."""
        parts = PurePosixPath(self.text).parts
        fixed = next((rank for rank, part in enumerate(parts) if DOC in part), len(parts) - 1)
        return self.folder.joinpath(*parts[:fixed])

    def path(self, doc: str) -> str:
        """Return the path of a document's file."""
        return os.path.join(self.folder, self.text.replace(DOC, doc))  # noqa: PTH118 - text; see `files.start_of`

    def documents(self, names_in: NamesIn | None = None) -> Iterator[str]:
        """Yield the name of each document that has a file (or whatever else is there), in any order. Reads folders only.

        `names_in` gives the names in a folder of something else than this machine's file system. Hidden files, backups of editors and the
        like are left out, unless the pattern begins or ends as they do.
        """
        steps: Iterator[tuple[str, str]] = iter([(str(self.folder), "")])
        for part in PurePosixPath(self.text).parts:
            steps = _further(steps, part, names_in)
        return (doc for _, doc in steps)


def _further(steps: Iterator[tuple[str, str]], part: str, names_in: NamesIn | None) -> Iterator[tuple[str, str]]:
    """Yield where a part of a pattern leads from each path and document name that the parts before it led to."""
    for folder, doc in steps:
        if DOC in part and not doc:
            documents = ((name, _document(name, part)) for name in (names_in or _names_on_disk)(folder))
            yield from ((os.path.join(folder, name), doc) for name, doc in documents if doc)  # noqa: PTH118 - text
        else:
            name = part.replace(DOC, doc)
            path = os.path.join(folder, name)  # noqa: PTH118 - text
            if (name == os.pardir or name in names_in(folder)) if names_in else os.path.lexists(path):
                yield path, doc


def _names_on_disk(folder: str) -> Collection[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - the names are enough
    except OSError:
        return ()


def _document(name: str, part: str) -> str:
    """Return the document that stands for `{doc}` if a part of a pattern is to give this name; "" for none."""
    match = _expression(part).fullmatch(name)
    return match["doc"] if match and not _is_litter(name, part) else ""


@lru_cache(maxsize=256)
def _expression(part: str) -> re.Pattern[str]:
    pieces = [re.escape(piece) for piece in part.split(DOC)]
    return re.compile(pieces[0] + "(?P<doc>.+)" + "(?P=doc)".join(pieces[1:]), re.DOTALL)


_BACKUPS = ("~", ".bak", ".orig", ".swp")


def _is_litter(name: str, part: str) -> bool:
    """Whether a file is hidden, an editor's backup or a file manager's own, unless the pattern is written for such files."""
    is_hidden = name.startswith(".") and not part.startswith(".")
    is_backup = any(name.endswith(end) and not part.endswith(end) for end in _BACKUPS)
    return is_hidden or is_backup or (name[0] == name[-1] == "#") or name in ("Thumbs.db", "desktop.ini")

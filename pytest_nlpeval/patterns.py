"""Patterns: which files a suite has, one for each document."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path, PurePosixPath

DOC = "{doc}"
_PLACEHOLDER = re.compile(r"\{(\w*)\}")


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

    def match(self, path: str) -> str | None:
        """Return the document whose file a path is, relative to the pattern's folder; None if the pattern does not fit the path.

        >>> Pattern(Path(), "gold/{doc}/{doc}.xml").match("gold/a/a.xml"), Pattern(Path(), "{doc}.xml").match("gold/a.xml")
        ('a', None)
        """
        doc = ""
        parts, names = PurePosixPath(self.text).parts, PurePosixPath(path).parts
        if len(names) != len(parts):
            return None
        for part, name in zip(parts, names, strict=True):
            doc = doc or _document(name, part) if DOC in part else doc
            if name != part.replace(DOC, doc):
                return None
        return doc

    def documents(self) -> Iterator[str]:
        """Yield the name of each document that has a file (or whatever else is there), in any order. Reads folders only.

        Hidden files, backups of editors and the like are left out, unless the pattern begins or ends as they do.
        """
        reached: Iterable[tuple[str, str]] = [(str(self.folder), "")]
        for part in PurePosixPath(self.text).parts:
            reached = chain.from_iterable(map(partial(_reached, part), reached))
        return (doc for _, doc in reached)


def _reached(part: str, start: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the paths to which a part of a pattern leads from a path, each with its document; "" as long as no part has named one."""
    folder, doc = start
    if DOC not in part or doc:
        path = os.path.join(folder, part.replace(DOC, doc))  # noqa: PTH118
        if os.path.lexists(path):
            yield path, doc
        return
    try:
        names = os.listdir(folder)  # noqa: PTH208 - the names are enough
    except OSError:
        return
    for name in names:
        if doc := _document(name, part):
            yield os.path.join(folder, name), doc  # noqa: PTH118


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
    """Whether a file is hidden, an editor's backup or a file manager's own, and the part of the pattern is not written for such files."""
    is_hidden = name.startswith(".") and not part.startswith(".")
    is_backup = any(name.endswith(end) and not part.endswith(end) for end in _BACKUPS)
    return is_hidden or is_backup or (name[0] == name[-1] == "#") or name in ("Thumbs.db", "desktop.ini")

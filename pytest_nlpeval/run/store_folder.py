"""Where an evidence store may lie: not where a checkout brought it along, nor where a link leads to something else."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pytest_nlpeval.problems import NoAnswerError
from pytest_nlpeval.run.store_key import NoKeyError, store_key

ENDS = ("", "-wal", "-shm", "-journal")
"""What the names of SQLite's files end with: of the database itself, and of those that it keeps beside."""

_OPENED = "/dev/fd"
"""Where systems that have it list the files that a process has open."""

_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""How journals of SQLite begin, and those end that name another."""

_OURS = re.compile(r"\.gitignore|evidence-\d+\.sqlite(-\w+)?|[0-9a-f]{2}")
"""The names of a store's files, and of the folders of an older format."""


class NotAStoreError(ValueError):
    """A folder holds files that are no store's: it belongs to somebody else."""


class UnfitStoreError(Exception):
    """A store that is not used; the message says why, and what to do."""


def store_folder(folder: Path, file: str) -> Path:
    """Make the folder of a store whose database is `file`, with a `.gitignore` that keeps it out of the repository; return its path.

    Raises:
        NotAStoreError: if the folder holds a file that is no store's.
        UnfitStoreError: if the store is not to be used, or has no key.
        OSError: if it cannot be made.
    """
    folder = usable_folder(folder, file)
    folder.mkdir(parents=True, exist_ok=True)
    if foreign := next((path.name for path in folder.iterdir() if not _OURS.fullmatch(path.name)), ""):
        raise NotAStoreError(foreign)
    marker = folder / ".gitignore"
    try:
        with marker.open("x", encoding="utf-8") as stream:  # never through a link
            stream.write("*\n")
    except FileExistsError:
        pass
    return folder


def usable_folder(folder: Path, file: str) -> Path:
    """Return the absolute path of a store's folder, which need not be there yet.

    Raises:
        UnfitStoreError: if the store is not to be used, or has no key.
    """
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 - keeps links, and takes out `..`
    require_own_files(folder, file)
    try:
        if os.path.lexists(folder / file):
            from pytest_nlpeval.baselines.git import is_tracked

            if is_tracked(folder):
                raise UnfitStoreError(
                    f"{folder} is tracked by git, so whoever wrote the commit wrote it; take it out: `git rm -r --cached`"
                )
        store_key()
    except (NoAnswerError, NoKeyError) as error:
        raise UnfitStoreError(str(error)) from None
    return folder


def require_own_files(folder: Path, file: str) -> None:
    """Require that a store's files are regular ones, or not there, and that no link of the repository leads to them.

    A folder in the place of a file does no harm: SQLite refuses it.

    Raises:
        UnfitStoreError: if they are not.
    """
    for path in _within_repository(folder):
        if path.is_symlink():
            raise UnfitStoreError(f"{path} is a link; put a folder in its place")
    for name in (*(f"{file}{end}" for end in ENDS), ".gitignore"):
        path = folder / name
        try:
            facts = path.lstat()
        except (FileNotFoundError, NotADirectoryError):  # or not any more: another run may have closed it just now
            continue
        if not (stat.S_ISREG(facts.st_mode) or stat.S_ISDIR(facts.st_mode)):
            raise UnfitStoreError(f"{path} is no regular file; remove it")
        if stat.S_ISREG(facts.st_mode) and facts.st_nlink > 1:
            raise UnfitStoreError(f"{path} is a hard link: another name leads to the same file; remove it")
    _require_own_journal(folder / f"{file}-journal")


def opened_files() -> set[tuple[int, int, int]]:
    """Return what this process has open, each by its number here, its device and its number there; nothing where that cannot be listed."""
    opened = set()
    for name in os.listdir(_OPENED) if os.path.isdir(_OPENED) else ():  # noqa: PTH112, PTH208 - numbers
        with suppress(OSError):  # that of the list itself is closed
            facts = os.fstat(int(name))
            opened.add((int(name), facts.st_dev, facts.st_ino))
    return opened


def require_own_opened(folder: Path, file: str, before: set[tuple[int, int, int]]) -> None:
    """Require that a store's database is among what this process has opened since, and that no link leads to it.

    SQLite follows a link that comes between `require_own_files` and its opening of the file, and writes nothing until it is asked to.

    Raises:
        UnfitStoreError: if it is not.
        OSError: if it is gone.
    """
    path = folder / file
    facts = path.lstat()
    require_own_files(folder, file)
    opened = {(device, number) for _, device, number in opened_files() - before}
    if os.path.isdir(_OPENED) and (facts.st_dev, facts.st_ino) not in opened:  # noqa: PTH112
        raise UnfitStoreError(f"{path} became a link while it was opened; run again")


def _require_own_journal(path: Path) -> None:
    """Require that a journal names no journal of several databases: SQLite would delete whatever file that name is of.

    Such a journal ends with the name, its length and sum, and these bytes. Those of a store never do: it is one database.
    """
    try:
        with path.open("rb") as stream:
            stream.seek(-len(_JOURNAL), os.SEEK_END)
            names_another = stream.read() == _JOURNAL
    except OSError:  # there is none, or a folder, or it is shorter
        return
    if names_another:
        raise UnfitStoreError(f"{path} is no journal of a store: it names another file, which SQLite would delete; remove it")


def _within_repository(folder: Path) -> Iterator[Path]:
    """Yield the folder and those above it that a checkout may have made: up to the top of the repository, or to the current folder.

    Elsewhere only the folder itself may not be a link: that `/tmp` is one is the machine's affair.
    """
    yield folder
    above = list(folder.parents)
    tops = [*(path for path in above if os.path.lexists(path / ".git")), *(path for path in above if path == Path.cwd())]
    if tops:
        yield from above[: above.index(tops[0])]

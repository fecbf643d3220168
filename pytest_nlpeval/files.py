"""Files: their paths and what messages call them, their bytes, and the schemas of this project."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, BinaryIO

from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.problems import Kind, ProblemLog


def repository_root(config: Path) -> Path:
    """Return the folder of the git repository that a configuration lies in; its own folder if there is none."""
    return git_folder(config.parent) or config.parent.resolve()


def git_folder(folder: Path) -> Path | None:
    """Return the nearest folder with a `.git`, itself or one above, without links; None if there is none."""
    here = folder.resolve()
    return next((above for above in (here, *here.parents) if (above / ".git").exists()), None)


def is_inside(path: str | Path, root: Path) -> bool:
    """Whether a path, after following all links, is `root` (itself without links) or lies below it.

    A loop of links leads nowhere. It counts as lying where it is, and reading it fails.
    """
    return _below(real_path(path), root) is not None


def real_path(path: str | Path) -> str | None:
    """Return where a path leads after following all links; None for one that no file can have, or whose link goes meanwhile."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # a NUL character
        return None


def _below(real: str | None, root: Path) -> str | None:
    """Return a path without links relative to `root`; None if it is not inside."""
    start = start_of(root)
    return real[len(start) :] if real is not None and f"{real}{os.sep}".startswith(start) else None


def is_of_git(path: str | Path) -> bool:
    """Whether a path, after following all links, is a `.git` or lies below one: files that may hold tokens.

    A work tree below a `.git`, which has a `.git` of its own, is not meant.
    """
    return _lies_in_git(real_path(path))


def _lies_in_git(real: str | None) -> bool:
    if real is None:
        return False
    above, sign, below = f"{real}{os.sep}".casefold().rpartition(f"{os.sep}.git{os.sep}")
    if not sign:
        return False
    start = len(above) + len(sign)
    inner = git_folder(Path(real).parent) if below else None
    return inner is None or len(start_of(inner)) <= start


def label(path: str | Path, root: Path) -> str:
    """Return what messages call a file: its path relative to `root` where it lies below it, with `/`."""
    absolute = os.path.abspath(path)  # noqa: PTH100 - keeps links, and takes out `..`
    return absolute.removeprefix(start_of(root)).replace(os.sep, "/")


def start_of(folder: Path) -> str:
    """Return how all paths below a folder begin.

    Paths are text here: a suite may have 100,000, and making a `Path` takes as long as reading a small file.
    """
    return os.path.join(folder, "")  # noqa: PTH118 - text


MAX_BYTES = 1 << 30
_MORE_BYTES = 1 << 16

MOST_PARTS = 10_000_000
"""How many lines a file that is scored may have, and how many objects and lists of JSON.

What a file takes in memory depends on these more than on its bytes: a line of one letter is an item, as a long one is. Of the shortest
lines there are, gold's and the system's together take 280 bytes (`labels`), 390 (`text`), 840 (`ranking`) or 1,250 (`coref`, a mention on
each), as `benchmarks/shortest_lines.py` measures, and two objects of JSON no more. So two files of ten million take 3 to 13 GB, which
16 GB hold, as runners of GitHub have.
"""

_BEFORE_JSON = b"\xef\xbb\xbf \t\r\n"

LFS = b"version https://git-lfs.github.com/spec/"
"""What a pointer of Git LFS begins with, which stands in the place of a file."""

IS_POINTER = (
    "is a pointer of Git LFS, and the file itself is not here; fetch it with `git lfs pull`, in a workflow with `lfs: true` at "
    "actions/checkout"
)

FILE_KINDS = {
    "file.missing": Kind("error", "the file does not exist, or Git LFS has not fetched it", fixed=True),
    "file.not-regular": Kind("error", "a folder, pipe or device is where a file is expected", fixed=True),
    "file.unreadable": Kind("error", "the operating system refuses to read the file", fixed=True),
    "file.too-large": Kind("error", f"the file has more than {MAX_BYTES:,} bytes", fixed=True),
    "file.too-many-parts": Kind(
        "error", f"the file has more than {MOST_PARTS:,} lines, or objects and lists of JSON", fixed=True
    ),
    "file.swapped": Kind("error", "gold and system are readable as each other", fixed=True),
    "file.outside": Kind("error", "the path leaves the root folder or leads into .git, perhaps through a link", fixed=True),
}


@frozen_dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file, and its `label` in messages: its path, relative to the root if it lies inside.

    `path` is where the bytes were read, None if that was not a file; `root` is the folder that the file must lie in, if any. `name` is
    the file's name where the label is not, for content in memory. The `format` of bytes that were made of Python objects (`lines`, `jsonl`
    or `json`) goes before what the name says, and before any option.
    """

    label: str
    data: bytes
    path: str | Path | None = None
    root: Path | None = None
    format: str = ""
    name: str | None = None

    @property
    def suffix(self) -> str:
        """How the name ends, in lower case: `.tsv`."""
        return os.path.splitext(self.label if self.name is None else self.name)[1].lower()  # noqa: PTH122 - text

    def pieces(self, size: int) -> Iterator[bytes]:
        """Yield the bytes in pieces of a size, at least one piece."""
        return (self.data[start : start + size] for start in range(0, max(len(self.data), 1), size))

    def reader(self, size: int) -> Callable[[], Iterator[bytes]]:
        """Return a function that yields the bytes once more, in pieces of a size.

        For a file it keeps no bytes, but reads them again, as far as that is possible.
        """
        return partial(self.pieces, size) if self.path is None else partial(_pieces, self.path, self.root, size)


def size_of(path: str | Path) -> int:
    """Return how many bytes a file has; 0 if it cannot be told."""
    try:
        return os.stat(path).st_size  # noqa: PTH116 - of a hundred thousand files, a path's own method shows
    except (OSError, ValueError):
        return 0


class _UnfitError(Exception):
    """A file that is not to be read: the code of the problem, and its message."""


def read_source(
    path: str | Path, log: ProblemLog, limit: int = MAX_BYTES, where: str = "", root: Path | None = None, cure: str = ""
) -> Source | None:
    """Return the file's bytes, or None with a problem in the log. Never reads from a pipe or device, nor beyond `limit`.

    With `root` (itself without links) no file outside is read, even if a link is put in the way while this function works. `cure` ends the
    message about a file that does not exist.
    """
    try:
        with _opened(path, root, limit) as (stream, size):
            return Source(log.path, _whole(stream, size, limit), path, root)
    except _UnfitError as problem:
        code, message = problem.args
        log.add(code, message, where=where)
    except FileNotFoundError:
        log.add("file.missing", f"does not exist{cure}", where=where)
    except (OSError, ValueError) as error:
        log.add("file.unreadable", f"cannot be read: {_why(error)}", where=where)
    return None


def with_few_parts(source: Source, log: ProblemLog, where: str = "") -> Source | None:
    """Return a source that is to be scored, or None with a problem in the log if it has more than `MOST_PARTS`.

    Its bytes are there, and nothing has been made of them yet, which would take many times as much room.
    """
    if len(source.data) <= MOST_PARTS:  # nearly every file: it cannot have more parts than bytes
        return source
    is_json = source.data[:_MORE_BYTES].lstrip(_BEFORE_JSON).startswith((b"{", b"["))
    for parts, marks in {"lines": b"\n", **({"objects and lists": b"{["} if is_json else {})}.items():
        number = sum(map(source.data.count, marks))
        if number > MOST_PARTS:
            cure = "split it into documents, one file each, and write {doc} into the path"
            log.add("file.too-many-parts", f"has {number:,} {parts}; at most {MOST_PARTS:,} are read; {cure}", where=where)
            return None
    return source


def _whole(stream: BinaryIO, size: int, limit: int) -> bytes:
    data = stream.read(size)
    while more := stream.read(_MORE_BYTES):  # the file has grown, or its size was not known
        data += more
        if len(data) > limit:
            raise _UnfitError("file.too-large", f"has more than {limit:,} bytes; no more are read")
    if data.startswith(LFS):
        raise _UnfitError("file.missing", IS_POINTER)
    return data


def _pieces(path: str | Path, root: Path | None, size: int) -> Iterator[bytes]:
    with suppress(_UnfitError, OSError, ValueError), _opened(path, root, MAX_BYTES) as (stream, _):
        while piece := stream.read(size):
            yield piece


@contextmanager
def _opened(path: str | Path, root: Path | None, limit: int) -> Iterator[tuple[BinaryIO, int]]:
    """Open a file that may be read, with `root` only a file inside it; also give its size."""
    real = real_path(path)
    if _lies_in_git(real):
        raise _UnfitError("file.outside", "lies in .git, which belongs to git; name another file")
    with ExitStack() as stack:
        folder, name = (None, os.fspath(path)) if root is None else _located(real, root, stack)
        yield stack.enter_context(_opened_in(folder, name, limit))


def _located(real: str | None, root: Path, stack: ExitStack) -> tuple[int | None, str]:
    """Return the folder of a file below `root`, open as long as the stack, and the file's name in it; its path has no links."""
    target = _below(real, root)
    if target is None:
        raise _UnfitError("file.outside", f"leads out of the root folder {root} through a link")
    if os.open not in os.supports_dir_fd:  # on Windows, where making links takes a privilege
        return None, os.fspath(root / target)
    *parts, name = [part for part in target.split(os.sep) if part] or [os.curdir]  # noqa: PTH206 - text
    return stack.enter_context(_folder_below(root, parts)), name


@contextmanager
def _folder_below(root: Path, parts: Iterable[str]) -> Iterator[int]:
    """Open a folder below `root` step by step, and follow no link.

    The path has been resolved. But somebody who may write there can replace a folder by a link before it is opened.
    """
    flags = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY
    folder = os.open(root, flags)
    try:
        for part in parts:
            inner = os.open(part, flags | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


@contextmanager
def _opened_in(folder: int | None, name: str, limit: int) -> Iterator[tuple[BinaryIO, int]]:
    """Open a file; in an open `folder`, only a file that is no link. Its nature is checked before it is opened, and again after."""
    _require_fit(os.stat(name, dir_fd=folder, follow_symlinks=folder is None), limit)
    with open(name, "rb", opener=partial(_open, folder=folder)) as stream:
        yield stream, _require_fit(os.fstat(stream.fileno()), limit)


def _open(name: str, flags: int, folder: int | None) -> int:
    if folder is not None:
        flags |= os.O_NOFOLLOW
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0), dir_fd=folder)  # opening a pipe would wait until somebody writes


def _require_fit(status: os.stat_result, limit: int) -> int:
    """Return the size of a file that may be read; raise for any other. A link passes: opening what has become one fails."""
    if stat.S_ISDIR(status.st_mode):
        raise _UnfitError(
            "file.not-regular", "is a folder; expected a file; for one file per document, write {doc}: folder/{doc}.xml"
        )
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)):
        raise _UnfitError("file.not-regular", "is not a regular file; expected a file")
    if status.st_size > limit:
        raise _UnfitError("file.too-large", f"has {status.st_size:,} bytes; at most {limit:,} are read")
    return status.st_size


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno is not None:
        return f"{os.strerror(error.errno)} ({errno.errorcode.get(error.errno, error.errno)})"
    return str(error)


def nature(data: bytes) -> str:
    """Return what a file that is neither UTF-8 text nor XML seems to be by its first bytes; "" if they tell nothing."""
    if data.startswith(b"PK\x03\x04") and b"[Content_Types].xml" in data:
        return "an Office document; save it as CSV, or as text, in UTF-8"
    signatures = {
        b"\x1f\x8b": "gzip-compressed data; decompress it first",
        b"PK\x03\x04": "a zip archive; unpack it first",
        b"BZh": "bzip2-compressed data; decompress it first",
        b"\xfd7zXZ": "xz-compressed data; decompress it first",
        b"\x28\xb5\x2f\xfd": "zstd-compressed data; decompress it first",
        b"%PDF": "a PDF document",
        b"PAR1": "Parquet data; write it as CSV or JSON Lines",
        b"ARROW1": "Arrow data; write it as CSV or JSON Lines",
        b"\xff\xfe": "UTF-16 text; save it as UTF-8",
        b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    }
    return next((name for start, name in signatures.items() if data.startswith(start)), "")


def schema_path(name: str) -> Path:
    """Return the path of a DTD or JSON Schema of this project.

    In a wheel `schemas/` lies inside the package, in a checkout or an editable install beside it. A missing file is a
    `FileNotFoundError`: a broken installation.
    """
    package = Path(__file__).parent
    for folder in (package / "schemas", package.parent / "schemas"):
        if (path := folder / name).is_file():
            return path
    raise FileNotFoundError(f"schema {name} is not part of this installation of pytest-nlpeval")


@cache
def json_schema(name: str) -> Any:
    """Return a JSON Schema of this project, parsed."""
    return json.loads(schema_path(name).read_bytes())

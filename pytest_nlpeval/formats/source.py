"""Reads the bytes of a file that may be missing, no file at all, or far too large."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from pytest_nlpeval.problems import Kind, ProblemLog

MAX_BYTES = 1 << 30

FILE_KINDS = {
    "file.missing": Kind("error", "the file does not exist", fixed=True),
    "file.not-regular": Kind("error", "a folder, pipe or device stands where a file is expected", fixed=True),
    "file.unreadable": Kind("error", "the operating system refuses to read the file", fixed=True),
    "file.too-large": Kind("error", f"the file has more than {MAX_BYTES:,} bytes", fixed=True),
    "file.outside": Kind("error", "the path leaves the root folder, perhaps through a link", fixed=True),
}


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file, and the `label` that messages call it by (its path, relative to the root where it lies inside)."""

    label: str
    data: bytes


def read_source(path: Path, log: ProblemLog, limit: int = MAX_BYTES, where: str = "") -> Source | None:
    """Return the file's bytes, or None with a problem in the log. Never opens a pipe or device, never reads beyond `limit`."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
            log.add("file.not-regular", f"is {kind}; expected a file", where=where)
            return None
        if status.st_size > limit:
            log.add("file.too-large", f"has {status.st_size:,} bytes; at most {limit:,} are read", where=where)
            return None
        with path.open("rb") as stream:
            return Source(log.path, stream.read(status.st_size or limit))
    except FileNotFoundError:
        log.add("file.missing", "does not exist", where=where)
        return None
    except (OSError, ValueError) as error:
        log.add("file.unreadable", f"cannot be read: {_why(error)}", where=where)
        return None


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno is not None:
        return f"{os.strerror(error.errno)} ({errno.errorcode.get(error.errno, error.errno)})"
    return str(error)


def nature(data: bytes) -> str:
    """Say what a file that is no UTF-8 text or XML seems to be ("" if nothing comes to mind)."""
    signatures = {
        b"\x1f\x8b": "gzip-compressed data; decompress it first",
        b"PK\x03\x04": "a zip archive; unpack it first",
        b"BZh": "bzip2-compressed data; decompress it first",
        b"\xfd7zXZ": "xz-compressed data; decompress it first",
        b"\x28\xb5\x2f\xfd": "zstd-compressed data; decompress it first",
        b"%PDF": "a PDF document",
        b"\xff\xfe": "UTF-16 text; save it as UTF-8",
        b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    }
    return next((name for start, name in signatures.items() if data.startswith(start)), "")

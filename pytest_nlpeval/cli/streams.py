"""The command's standard streams, which are its own: what code of other packages prints stands in no report, and takes no stream away."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

from pytest_nlpeval.wording import printable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_own: dict[str, TextIO] = {}
"""The streams that the command keeps for itself, by their names in `sys`."""


def out() -> TextIO:
    """Return the standard output."""
    return _own.get("stdout") or sys.stdout


def err() -> TextIO:
    """Return the standard error."""
    return _own.get("stderr") or sys.stderr


def keep() -> None:
    """Keep both streams of this process for the command; what anybody else writes from now on goes to the standard error.

    That of Python's code is printable there, line by line. Programs that it starts, and C code, write to the standard error as they like.
    """
    if _own:
        return
    for name, handle in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        stream.flush()
        _own[name] = open(  # noqa: SIM115 - a handle, which stays open
            os.dup(handle), "w", encoding=stream.encoding, errors="backslashreplace", closefd=False
        )
    os.dup2(2, 1)
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(io.BufferedWriter(_Told()), "utf-8", "backslashreplace", line_buffering=True) for _ in range(2)
    )


class _Told(io.RawIOBase):
    """A stream of bytes that are text, each line of which is printed on the standard error."""

    def writable(self) -> bool:
        """Return that it can be written to."""
        return True

    def fileno(self) -> int:
        """Return the handle of the standard error, for programs that are to write there."""
        return 2

    def write(self, data: ReadableBuffer, /) -> int:
        """Print text; without a line end behind it, what follows continues the line."""
        text = bytes(data).decode(errors="backslashreplace")
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        err().write("\n".join(map(printable, lines)))
        err().flush()
        return len(bytes(data))

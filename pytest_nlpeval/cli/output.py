"""Prints what a person or a program reads; the only place that writes to the standard streams."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from pytest_nlpeval.cli.process import drop, unwritable
from pytest_nlpeval.cli.progress import BAR
from pytest_nlpeval.cli.streams import err, out
from pytest_nlpeval.cli.usage import UsageError

if TYPE_CHECKING:
    from pytest_nlpeval.reports.blocks import Block, Look

_COMMAND = re.compile(r"^([^\S\n]*)::|##\[", re.MULTILINE)
"""The two spellings of a command of GitHub's runner: `::` first in a line, `##[` anywhere."""


def prepare() -> None:
    """Make the standard streams take any text: a character that their encoding lacks is spelt out."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def show(text: str, stream: TextIO | None = None) -> None:
    """Print text with its line ends, on the standard output unless another stream is given."""
    show_all((text,), stream)


def present(blocks: Sequence[Block], stream: TextIO | None = None) -> None:
    """Print lines and tables: on a terminal in colours and as wide as it is, elsewhere as plain text, always the same."""
    stream = stream or out()
    if stream.isatty():
        from pytest_nlpeval.cli.terminal import coloured

        show(coloured(blocks, stream), stream)
    else:
        from pytest_nlpeval.reports.blocks import plain

        show(plain(blocks), stream)


def show_all(pieces: Iterable[str], stream: TextIO | None = None) -> None:
    """Print a text piece by piece; a progress bar goes away before.

    If the reader goes away, as `head` does, the rest of the output is dropped, and the command goes on to its verdict. So it is with
    a standard error that cannot be written.

    Raises:
        UsageError: if the standard output cannot be written: its disk is full, say.
    """
    BAR.finish()
    stream = stream or out()
    try:
        stream.writelines(pieces)
        stream.flush()
    except BrokenPipeError:
        drop(stream)
    except OSError as error:
        drop(stream)
        if stream is not err():
            raise UsageError(unwritable(error)) from None


def show_report(pieces: Iterable[str]) -> None:
    """Print a report on the standard output; a CI runner, which reads all that is printed, finds no command in it."""
    show_all(map(_disarmed, pieces))


def _disarmed(text: str) -> str:
    r"""Return text in which no line begins with `::`, and nothing is `##[`: spelt `:\u003a` and `#\u0023[`, which are the same in JSON."""
    return _COMMAND.sub(lambda spelling: rf"{spelling[1]}:\u003a" if spelling[1] is not None else r"#\u0023[", text)


def tell(text: str, look: Look = "") -> None:
    """Print a line on the standard error."""
    from pytest_nlpeval.reports.blocks import Said

    present([Said(text, look)], err())

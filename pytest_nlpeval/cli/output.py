"""Prints what a person or a program reads; the only place that writes to the standard streams."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO


def prepare() -> None:
    """Make the standard streams take any text: what their encoding lacks is spelt out."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def show(text: str, stream: TextIO | None = None) -> None:
    """Print text that ends its lines itself, on the standard output unless another stream is given."""
    show_all((text,), stream)


def show_all(pieces: Iterable[str], stream: TextIO | None = None) -> None:
    """Print a text piece by piece.

    A reader may go away at any time, as `head` does: then the rest of the output is dropped, and the command goes on to its verdict.
    """
    stream = stream or sys.stdout
    try:
        stream.writelines(pieces)
        stream.flush()
    except BrokenPipeError:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def tell(text: str) -> None:
    """Print a line on the standard error."""
    show(f"{text}\n", sys.stderr)

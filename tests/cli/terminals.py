"""Runs the command in a terminal of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from unicodedata import combining, east_asian_width

from tests.support import HANG

PATIENT = (
    sys.executable,
    "-c",
    "import sys; from pytest_nlpeval.cli import main, progress; progress.PATIENCE = 3600; sys.exit(main())",
)
"""The command, with a progress bar that does not come, however slow the machine is."""

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_terminal(
    folder: Path,
    *arguments: str,
    columns: int = 80,
    program: Sequence[str] = PATIENT,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Run the command in `folder`, in a terminal of so many columns; return its exit code and all that the terminal was sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    usual = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CI")
    }
    variables = {**usual, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **(environment or {})}
    with subprocess.Popen(
        [*program, *arguments], cwd=folder, env=variables, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as process:
        os.close(theirs)
        sent = b""
        while chunk := _read(ours):
            sent += chunk
        os.close(ours)
        return process.wait(HANG), sent.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # so Linux says that nobody has the other end open any more
        return b""


def bare(text: str) -> str:
    """Return a text without the codes for colours and the cursor."""
    return _ESCAPE.sub("", text)


def width(line: str) -> int:
    """Return how many columns of a terminal a line takes."""
    return sum((east_asian_width(sign) in "WF") + 1 for sign in line if not combining(sign))

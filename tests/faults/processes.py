"""Processes to be disturbed: the command in a session of its own, and who is left of it in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_nlpeval.cli import workers
from tests.support import EAGER_COMMAND, HANG, make_suite
from tests.unit.run.test_engine import EXEMPLAR, RIGHT, gold, system

WITH_WORKERS = (*EAGER_COMMAND, "run", "--jobs", "2")
"""The command with two workers, however little there is to do."""

needs_workers = pytest.mark.skipif(workers._processors() < 2, reason="there are no workers where there is one processor")


@contextmanager
def running(folder: Path, arguments: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """Start a program in a session of its own; whatever is left of the session in the end is killed."""
    ignored = (signal.SIGINT, signal.SIGHUP)  # by a shell in what it starts in the background, and by nohup
    before = {number: signal.signal(number, signal.SIG_DFL) for number in ignored}
    try:
        process = subprocess.Popen(
            arguments,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    try:
        with process:
            yield process
    finally:
        for left in members(process.pid):
            os.kill(left, signal.SIGKILL)


def make_long_suite(folder: Path, names: int = 300, rows: int = 20_000) -> None:
    """Write a suite of names of one large file, so many that whatever disturbs its run comes in the middle."""
    make_suite(folder, "f1: 0.5", golds={"d": gold(rows)}, runs={"d": system(*[RIGHT] * rows)}, **EXEMPLAR)
    for side in ("gold", "system"):
        for rank in range(names):
            os.link(folder / side / "d.tsv", folder / side / f"d{rank}.tsv")


def members(session: int) -> list[int]:
    """The processes of a session that live, in the order in which they began: those that have ended and wait to be noticed do not."""
    started = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                facts = (folder / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(facts[3]) == session and facts[0] not in "ZX":
                started.append((int(facts[19]), int(folder.name)))
    return [process for _, process in sorted(started)]


def catches(process: subprocess.Popen[str], number: signal.Signals) -> bool:
    """Whether a process has a handler for a signal."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    (caught,) = (int(line.split()[1], 16) for line in text.splitlines() if line.startswith("SigCgt:"))
    return bool(caught >> (number - 1) & 1)


def await_that(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.005)

"""An interrupt ends the command and its workers at once, with one line and nothing half-written."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.faults.processes import await_that, catches, make_long_suite, members, needs_workers, running
from tests.support import COMMAND

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are watched in /proc")


@pytest.mark.parametrize(
    ("jobs", "processes"), [pytest.param("1", 1, id="alone"), pytest.param("2", 4, id="workers", marks=needs_workers)]
)
def test_an_interrupt_of_all_processes_says_one_line(tmp_path: Path, jobs: str, processes: int) -> None:
    """Two workers come with the tracker of what they share, and the server that forks them: with one worker, there are four processes."""
    make_long_suite(tmp_path)
    with running(tmp_path, [*COMMAND, "run", "--jobs", jobs, "--no-cache", "--report", "json:report.json"]) as process:
        await_that(lambda: process.poll() is not None or catches(process, signal.SIGTERM), "the command takes signals")
        await_that(lambda: process.poll() is not None or len(members(process.pid)) >= processes, "all processes are there")
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate()
    assert process.returncode == 130
    assert error == "nlpeval: interrupted\n"
    assert not (tmp_path / "report.json").exists()

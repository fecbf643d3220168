"""An interrupt ends the command and its workers at once, with one line and nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import COMMAND, make_suite
from tests.unit.run.test_engine import EXEMPLAR, RIGHT, gold, system


@pytest.fixture(autouse=True)
def _interrupts_are_not_ignored() -> Iterator[None]:
    """A shell makes what it starts in the background ignore interrupts, and processes inherit it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_of_all_processes_says_one_line(tmp_path: Path, jobs: str) -> None:
    golds, runs = {"d": gold(100_000)}, {"d": system(*[RIGHT] * 100_000)}
    make_suite(tmp_path, "f1: 0.5", golds=golds, runs=runs, **EXEMPLAR)
    for side in ("gold", "system"):  # names of one file, so many that the interrupt always comes in the middle
        for rank in range(300):
            os.link(tmp_path / side / "d.tsv", tmp_path / side / f"d{rank}.tsv")
    arguments = [*COMMAND, "run", "--jobs", jobs, "--no-cache", "--report", "json:report.json"]
    with subprocess.Popen(
        arguments, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        time.sleep(2)
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert "Traceback" not in error
    assert process.returncode == 130
    assert error.splitlines()[-1] == "nlpeval: interrupted"
    assert not (tmp_path / "report.json").exists()

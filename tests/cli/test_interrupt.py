"""An interrupt ends the command and its workers at once, with one line and nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.unit.run.test_suite import RIGHT, YAML, build, gold, system


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_of_all_processes_says_one_line(tmp_path: Path, jobs: str) -> None:
    config = YAML.replace("gates: {f1: 0.5, recall: {max: 0.9}}", "gates: {f1: 0.5}")
    build(tmp_path, {"d": (gold(100_000), system(*[RIGHT] * 100_000))}, config)
    for side in ("gold", "system"):  # names of one file, so many that the interrupt always comes in the middle
        for rank in range(300):
            os.link(tmp_path / side / "d.tsv", tmp_path / side / f"d{rank}.tsv")
    command = [sys.executable, "-c", "from pytest_nlpeval.cli import main; raise SystemExit(main())", "run", "--jobs", jobs]
    arguments = [*command, "--no-cache", "--report", "json:report.json"]
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

"""An interrupt ends the command and its workers at once, with one line and nothing half-written."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.faults.processes import await_that, catches, make_long_suite, members, needs_workers, running
from tests.support import COMMAND, apart

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


@pytest.mark.parametrize("seconds", [0, 60])
def test_the_line_is_said_once_however_long_tidying_takes(tmp_path: Path, seconds: int) -> None:
    """What the interrupted code holds, such as the lock of a progress bar, may never come free."""
    program = f"""
import os, signal, time
from pytest_nlpeval.cli import process, progress
process.PATIENCE = 0.1
progress.wipe = lambda: time.sleep({seconds})
process.as_process(lambda: os.kill(os.getpid(), signal.SIGTERM))
"""
    ended = apart(tmp_path, [sys.executable, "-c", program])
    assert (ended.code, ended.out, ended.err) == (143, "", "nlpeval: terminated\n")


def test_a_thread_that_fails_while_the_process_ends_says_nothing(tmp_path: Path) -> None:
    """That of a pool of workers does where the signal has ended these, too: what it closes is closed already."""
    program = """
import os, signal
from threading import Thread
from pytest_nlpeval.cli import process, progress

def fail():
    thread = Thread(target=os.close, args=(-1,))
    thread.start()
    thread.join()

progress.wipe = fail
process.as_process(lambda: os.kill(os.getpid(), signal.SIGHUP))
"""
    ended = apart(tmp_path, [sys.executable, "-c", program])
    assert (ended.code, ended.out, ended.err) == (129, "", "nlpeval: hung up\n")


def test_an_interrupt_before_signals_have_their_handlers_shows_no_traceback(tmp_path: Path) -> None:
    program = """
import os, signal, sys
from pytest_nlpeval.cli import main

def interrupt(event, details):
    if event == "import" and details[0] == "pytest_nlpeval.cli.process":
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
main()
"""
    ended = apart(tmp_path, [sys.executable, "-c", program, "tasks"])
    assert (ended.code, ended.out, ended.err) == (-signal.SIGINT, "", "")

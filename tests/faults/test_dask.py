"""`--executor dask`: a real local cluster, workers that die or lack something, a scheduler that goes away."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest

from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.run.executors import named_executor
from tests.support import COMMAND, HALF, HANG, RIGHT, Ended, apart, make_suite, write

distributed = pytest.importorskip("distributed", reason="needs the extra dask")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    runs = {name: HALF if name in "bd" else RIGHT for name in "abcdefgh"}
    return make_suite(tmp_path, "accuracy: 0.9", "coverage: 0.5", runs=runs)


DASK = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0", "DASK_DISTRIBUTED__ADMIN__TICK__LIMIT": "1h"}
"""A task whose worker dies once is not tried again."""


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask's, until the end of the test."""
    with (folder / f"{arguments[0]}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{arguments[0]}", *arguments[1:]],
            cwd=folder, env={**os.environ, **DASK}, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            yield process
        finally:
            process.kill()  # a worker that sleeps in a document does not end of its own
            process.wait()


@pytest.fixture
def scheduler(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes], ExitStack]]:
    """A scheduler of Dask with its address, and what workers are added to."""
    with ExitStack() as stack:
        process = stack.enter_context(
            running(folder, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", "dask.json")
        )
        file = folder / "dask.json"
        _wait(lambda: file.exists() and bool(file.read_text().strip()))
        yield json.loads(file.read_text())["address"].removeprefix("tcp://"), process, stack


def _wait(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + HANG
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.1)


def add_worker(folder: Path, address: str, stack: ExitStack, preload: str = "") -> None:
    write(folder, {"preload.py": preload or "\n"})
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--preload", str(folder / "preload.py"))
    stack.enter_context(running(folder, "worker", f"tcp://{address}", *options))
    _wait(lambda: b"Registered to" in (folder / "worker.log").read_bytes())


def run_on(address: str, folder: Path, *arguments: str) -> Ended:
    return apart(folder, [*COMMAND, "run", f"--executor=dask://{address}", *arguments])


Scheduler = tuple[str, subprocess.Popen[bytes], ExitStack]


def test_what_becomes_of_calls_is_told_by_the_command_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a call that is cancelled at the end, now and then, Dask's loop would log a traceback."""
    monkeypatch.setattr(distributed, "Client", Mock(side_effect=OSError))
    logger = logging.getLogger("tornado.application")
    monkeypatch.setattr(logger, "level", logging.ERROR)
    with pytest.raises(NlpevalError, match="no scheduler of Dask answers"), named_executor("dask://127.0.0.1:1"):
        pass
    assert not logger.isEnabledFor(logging.ERROR)


def test_a_local_cluster_gives_the_same(folder: Path) -> None:
    elsewhere = apart(folder, [*COMMAND, "run", "--executor=dask", "--report=json:there.json"])
    here = apart(folder, [*COMMAND, "run", "--no-cache", "--report=json:here.json"])
    assert (elsewhere.code, elsewhere.out, elsewhere.err) == (here.code, here.out, here.err)
    assert (folder / "there.json").read_bytes() == (folder / "here.json").read_bytes()


def test_no_scheduler_and_no_worker(folder: Path, scheduler: Scheduler) -> None:
    address, process, _ = scheduler
    ended = run_on(address, folder)
    assert (ended.code, f"has no workers; start some with `dask worker {address}`" in ended.err) == (2, True), ended.all
    process.kill()
    process.wait()
    ended = run_on(address, folder)
    assert (ended.code, "no scheduler of Dask answers for dask://" in ended.err) == (2, True), ended.all


@pytest.mark.parametrize(
    ("preload", "said"),
    [
        (
            "import os, pytest_nlpeval.run.executors as e\ne.Program.here = classmethod(lambda _: os._exit(1))\n",
            "lost documents (KilledWorker: ",
        ),
        (
            "import pytest_nlpeval.config.suite as s\ns.read_source = lambda path, log, **_: log.add('file.missing', 'does not exist')\n",
            "is here, and a worker of dask://",
        ),
        ("import pytest_nlpeval.run.executors as e\ne.__version__ = '0.0'\n", "has pytest-nlpeval 0.0 on Python "),
    ],
    ids=["dying", "blind", "old"],
)
def test_workers_that_cannot_do_it(folder: Path, scheduler: Scheduler, preload: str, said: str) -> None:
    address, _, stack = scheduler
    add_worker(folder, address, stack, preload)
    ended = run_on(address, folder, "--report=json:r.json")
    assert (ended.code, ended.out) == (2, ""), ended.all
    assert said in ended.err
    assert not (folder / "r.json").exists()


def test_a_scheduler_that_goes_while_it_is_needed(folder: Path, scheduler: Scheduler) -> None:
    address, process, stack = scheduler
    add_worker(
        folder, address, stack,
        "import time, pathlib, pytest_nlpeval.run.executors as e\n"
        "e.Program.here = classmethod(lambda _: (pathlib.Path('begun').touch(), time.sleep(600)))\n",
    )  # fmt: skip
    going = subprocess.Popen(
        [*COMMAND, "run", f"--executor=dask://{address}"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    _wait((folder / "begun").exists)
    process.kill()
    process.wait()
    out, err = going.communicate(timeout=HANG)
    assert (going.returncode, out) == (2, b""), err
    assert b"lost documents" in err
    assert b"Traceback" not in err

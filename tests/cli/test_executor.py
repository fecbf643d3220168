"""`--executor`: the workers of another engine count, and the result is that of one process; what goes wrong there is a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.run.executors import CheckedExecutor
from tests.support import HALF, RIGHT, command, make_suite, write

Capture = pytest.CaptureFixture[str]

FACTORIES = """
import os
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

def processes():
    return ProcessPoolExecutor(2)

def threads():
    return ThreadPoolExecutor(2)

class _Dying(ProcessPoolExecutor):
    def submit(self, *_):
        return super().submit(os._exit, 1)

def dying():
    return _Dying(1)

class _Raising(Executor):
    def __init__(self, error):
        self.error = error
    def submit(self, *_):
        future = Future()
        future.set_exception(self.error)
        return future

def unlike():
    return _Raising(ModuleNotFoundError("No module named 'pytest_nlpeval'"))

def cancelling():
    executor = _Raising(None)
    def submit(*_):
        future = Future()
        future.cancel()
        return future
    executor.submit = submit
    return executor

def closed():
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    return executor

class _Elsewhere(ThreadPoolExecutor):
    '''Workers with another program, or without some of the files.'''
    def submit(self, done, program, function, cases):
        from dataclasses import replace
        if self.is_old:
            return super().submit(done, program._replace(package="0.0"), function, cases)
        moved = [
            replace(case, files={role: replace(file, path=file.path.replace("system", "nowhere")) for role, file in case.files.items()})
            for case in cases
        ]
        return super().submit(done, program, function, moved)

def old():
    executor = _Elsewhere(1)
    executor.is_old = True
    return executor

def blind():
    executor = _Elsewhere(1)
    executor.is_old = False
    return executor

def ending():
    raise SystemExit(0)

def ending_at_once():
    os._exit(0)

class _Ending(Executor):
    def submit(self, *_):
        os._exit(0)

def failing():
    raise RuntimeError("no queue")

def nothing():
    return None
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    runs = {name: HALF if name in "bd" else RIGHT for name in "abcdefgh"}
    make_suite(tmp_path, "accuracy: 0.9", "coverage: 0.5", runs=runs)
    write(tmp_path, {"engines.py": FACTORIES})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    path = list(sys.path)
    yield tmp_path
    sys.path[:] = path
    sys.modules.pop("engines", None)


@pytest.mark.parametrize("name", ["processes", "threads"])
def test_an_executor_of_ones_own_gives_the_same(folder: Path, capfd: Capture, name: str) -> None:
    elsewhere = command(capfd, "run", f"--executor=engines:{name}", "--report=json:there.json")
    here = command(capfd, "run", "--no-cache", "--report=json:here.json")
    assert (elsewhere.code, elsewhere.out) == (here.code, here.out) == (1, here.out)
    assert (folder / "there.json").read_bytes() == (folder / "here.json").read_bytes()


@pytest.mark.usefixtures("folder")
def test_a_shard_is_counted_by_an_executor(capfd: Capture) -> None:
    command(capfd, "run", "--shard=1/2", "--report=evidence:here.json")
    assert command(capfd, "run", "--shard=1/2", "--report=evidence:there.json", "--executor=engines:threads").code == 0
    assert Path("there.json").read_bytes() == Path("here.json").read_bytes()


@pytest.mark.usefixtures("folder", "no_end")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("engines:dying", "executor.failed: engines:dying lost documents (BrokenProcessPool: "),
        ("engines:unlike", "executor.failed: a worker of engines:unlike cannot do the work (ModuleNotFoundError: "),
        ("engines:cancelling", "executor.failed: engines:cancelling lost documents (CancelledError)"),
        ("engines:closed", "executor.failed: engines:closed lost documents (RuntimeError: cannot schedule"),
        ("engines:old", "executor.version: a worker of engines:old has pytest-nlpeval "),
        ("engines:blind", "system/a.txt is here, and a worker of engines:blind does not see it"),
        ("engines:failing", "executor.unavailable: engines:failing gives no executor: RuntimeError: no queue"),
        ("engines:ending", "code of another package ended the run (SystemExit: 0); nothing of it counts"),
        ("engines:ending_at_once", "code of another package ended the run (SystemExit: 0); nothing of it counts"),
        ("engines:_Ending", "code of another package ended the run (SystemExit: 0); nothing of it counts"),
        ("engines:nothing", "an object of the class NoneType"),
        ("engines:gone", "executor.unavailable: engines:gone gives no executor: AttributeError"),
        ("no_such_module:f", "executor.unavailable: no_such_module:f gives no executor: ModuleNotFoundError"),
        ("engines", '"engines" is no executor; expected dask, dask://HOST:PORT, or MODULE:FACTORY'),
        ("redis://x", "gives no executor"),
    ],
)
def test_what_goes_wrong_is_a_sentence_and_no_verdict(capfd: Capture, name: str, said: str) -> None:
    ended = command(capfd, "run", f"--executor={name}", "--report=json:r.json")
    assert (ended.code, ended.out) == (2, ""), ended.all
    assert said in ended.err
    assert not Path("r.json").exists()


class Waiting(Executor):
    """Does nothing with what it is given."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        self.futures.append(Future())
        return self.futures[-1]


@pytest.mark.parametrize("is_lost", [False, True])
def test_what_nobody_waits_for_is_cancelled_unless_the_other_executor_fails(*, is_lost: bool) -> None:
    """A pool that breaks ends its futures in a thread, where one that is cancelled meanwhile is a traceback."""
    inner = Waiting()
    executor = CheckedExecutor(inner, "engines:waiting")
    first, second = (executor.submit(len, ()) for _ in range(2))
    if is_lost:
        inner.futures[0].set_exception(BrokenProcessPool())
        with pytest.raises(NlpevalError):
            first.result()
    second.cancel()
    assert inner.futures[1].cancelled() is not is_lost


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_nowhere_is_the_systems_fault(folder: Path, capfd: Capture) -> None:
    (folder / "system/c.txt").unlink()
    ended = command(capfd, "run", "--executor=engines:threads")
    assert (ended.code, "system/c.txt: file.missing" in ended.out) == (1, True), ended.all


@pytest.mark.usefixtures("folder")
def test_jobs_are_of_this_machine(capfd: Capture) -> None:
    ended = command(capfd, "run", "--executor=engines:threads", "--jobs=2")
    assert (ended.code, "--jobs is of this machine" in ended.err) == (2, True)


@pytest.mark.usefixtures("folder")
def test_without_dask_the_extra_is_named(capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ended = command(capfd, "run", "--executor=dask")
    assert (ended.code, 'pip install "pytest-nlpeval[dask]"' in ended.err) == (2, True)

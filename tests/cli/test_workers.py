"""Worker processes: used where they save time, and giving what one process gives."""

from __future__ import annotations

import itertools
import multiprocessing.process
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_nlpeval import foreign_process, left_behind, load_suites
from pytest_nlpeval.cli import pool as module
from pytest_nlpeval.cli import workers
from pytest_nlpeval.cli.pool import Workers
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.cli.workers import evaluate_all
from pytest_nlpeval.config.suite import Case, Recipe, Suite
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import CaseResult, Part
from tests.support import make_suite
from tests.unit.run.test_engine import EXEMPLAR, RIGHT, WRONG, gold, system


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """Six documents of which one is wrong, and a gate that does not hold."""
    runs = dict.fromkeys("abcde", system(RIGHT, RIGHT)) | {"f": system(RIGHT, WRONG)}
    make_suite(tmp_path, "f1: 1", golds=dict.fromkeys("abcdef", gold(2)), runs=runs, **EXEMPLAR)
    (suite,) = load_suites(tmp_path / "nlpeval.yaml")
    return suite


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Workers are started after the second batch, whatever they save; how many is noted."""
    noted: list[int] = []
    pool = module._pool

    def noting(jobs: int) -> ProcessPoolExecutor:
        noted.append(jobs)
        return pool(jobs)

    for name in ("TRIAL", "LEAST_GAIN"):
        monkeypatch.setattr(module, name, -1.0)
    monkeypatch.setattr(module, "_start_up", lambda: -1.0)
    monkeypatch.setattr(module, "_pool", noting)
    monkeypatch.setattr(workers, "_processors", lambda: 2)
    return noted


@pytest.mark.parametrize("jobs", [2, 0, 100])
def test_workers_give_the_same_report(suite: Suite, tmp_path: Path, eager: list[int], jobs: int) -> None:
    alone = report_of(evaluate_all([suite, suite], 1, None))
    assert eager == []
    assert report_of(evaluate_all([suite, suite], jobs, EvidenceStore(tmp_path / "store"))) == alone
    assert eager == [2]  # once for both suites, and for the second look at what failed
    assert alone.suites[0].explanations is not None


def test_a_worker_ends_with_the_process_that_started_it(
    tmp_path: Path, no_end: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It watches that process in a thread from its first moment: one that was killed ends nobody, and removes nothing."""
    watching: list[Callable[[], None]] = []

    def thread(target: Callable[..., None], args: tuple[object, ...], **_: object) -> SimpleNamespace:
        return SimpleNamespace(start=lambda: watching.append(partial(target, *args)))

    done: list[str] = []
    shared = tmp_path / "shared"
    shared.mkdir()
    monkeypatch.setattr(left_behind, "Thread", thread)
    monkeypatch.setattr(left_behind, "_ending_with_parent", set())
    monkeypatch.setattr(multiprocessing.process, "parent_process", lambda: SimpleNamespace(join=lambda: done.append("waited")))
    monkeypatch.setattr(multiprocessing.process, "current_process", lambda: SimpleNamespace(_config={"tempdir": str(shared)}))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(foreign_process, "_watched", set())  # it is a worker from then on
    monkeypatch.setattr(module, "keep", lambda: None)  # the streams are those of the tests
    for _ in range(2):
        module._begin_worker()
    assert foreign_process._watched == {os.getpid()}
    (watch,) = watching
    with pytest.raises(no_end, match="1"):
        watch()
    assert (done, shared.exists()) == (["waited"], False)


def test_a_worker_that_is_just_started_when_another_dies_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool does not know of it when it ends the others, and then waits for it: a server that is killed has another started."""
    done: list[str] = []
    pool: Any = SimpleNamespace(shutdown=lambda **_: done.append("waited"))
    monkeypatch.setattr(multiprocessing, "active_children", lambda: [SimpleNamespace(terminate=lambda: done.append("ended"))])
    with suppress(BrokenProcessPool), Workers(2, set()) as workers:
        workers._pool = pool
        raise BrokenProcessPool
    assert done == ["ended", "waited"]


def test_what_is_cancelled_here_is_not_cancelled_in_the_pool() -> None:
    """A pool whose processes end sets the results of all that it has left, and stumbles over what is cancelled."""
    inner: list[Future[int]] = [Future() for _ in range(4)]
    first, second, third, fourth = outer = [module._apart(future) for future in inner]
    assert first.cancel()
    assert inner[3].cancel()
    for future in inner[:2]:
        assert future.set_running_or_notify_cancel()
        future.set_result(7)
    inner[2].set_exception(ValueError("broken"))
    assert (second.result(), str(third.exception())) == (7, "broken")
    assert [future.cancelled() for future in outer] == [True, False, False, True]
    assert fourth.done()


def test_spawned_workers_give_the_same_report(suite: Suite, eager: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_method", lambda: "spawn")
    assert report_of(evaluate_all([suite], 2, None)) == report_of(evaluate_all([suite], 1, None))
    assert eager == [2]


def test_one_processor_has_no_workers(suite: Suite, eager: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_processors", lambda: 1)
    evaluate_all([suite], 2, None)
    assert eager == []


def test_a_small_suite_is_done_here(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_pool", None)  # starting workers would be a TypeError
    milliseconds = itertools.count()
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: next(milliseconds) / 1000, process_time=lambda: 0.4))
    (result,) = evaluate_all([suite], 2, None)
    assert result.outcome == "failed"


@pytest.mark.parametrize(
    ("spent", "left", "jobs", "pays"),
    [
        (module.TRIAL / 2, 10**6, 2, False),  # not known yet
        (1.0, 0, 2, False),
        (1.0, 5, 2, False),
        (1.0, 71, 2, True),  # of 0.71 s of work 0.4 s are done until workers are there, and of the rest they save a half
        (1.0, 60, 2, False),
        (1.0, 60, 8, True),
    ],
)
def test_workers_are_started_where_they_save_time(
    monkeypatch: pytest.MonkeyPatch, spent: float, left: int, jobs: int, pays: bool
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(module, "_start_server", started.append)
    monkeypatch.setattr(module, "_start_up", lambda: 0.4)
    workers = Workers(jobs, {"cat", "of another package"})
    workers.expect(left)
    workers._spent, workers._done = spent, 100
    assert not workers._pays()  # the server has to start first
    cat = [f"pytest_nlpeval.tasks.cat{module}" for module in ("", ".counting", ".config_file", ".reading")]
    assert started == ([["pytest_nlpeval.cli.fork_server", "pytest_nlpeval.run.budget", *cat]] if pays else [])
    workers._spent += 0.4
    assert workers._pays() == pays


def die_in_a_worker(_: Recipe, cases: Sequence[Case], **__: object) -> Part:
    """End the process, if it is a worker."""
    if multiprocessing.parent_process() is not None:
        os._exit(3)
    return Part(tuple(CaseResult(case.name, {}, None, "ok") for case in cases), None)


def test_a_worker_that_dies_is_a_message(suite: Suite, eager: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_nlpeval.run.engine.evaluate_cases", die_in_a_worker)
    with pytest.raises(UsageError, match="a worker process died"):
        evaluate_all([suite], 2, None)
    assert eager == [2]


def sleep(seconds: Sequence[int]) -> None:
    time.sleep(sum(seconds))


def test_an_interrupt_ends_workers_at_once(suite: Suite, eager: list[int]) -> None:
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Workers(2, ()) as workers:  # noqa: PT012 - what is interrupted
        workers.expect(4)
        for seconds in (0, 0, 3600, 3600):
            workers.submit(sleep, [seconds])
        raise KeyboardInterrupt
    assert eager == [2]
    assert time.monotonic() - started < 1800
    assert not multiprocessing.active_children()


def test_an_interrupt_before_there_are_workers(suite: Suite) -> None:
    with pytest.raises(KeyboardInterrupt), Workers(2, ()):
        raise KeyboardInterrupt


BEGINNING = """
from multiprocessing import get_context, set_forkserver_preload, util
set_forkserver_preload({preload})
context = get_context("forkserver")
lock = context.Lock()
context.Process(target=print).start()  # the server runs from here on
worker = context.Process(target=print, args=(lock,))
dump = context.reducer.dump
context.reducer.dump = lambda *given: (dump(*given), util._run_finalizers(0))  # the lock's name is gone before the worker has it
worker.start()
worker.join()
"""


@pytest.mark.skipif("forkserver" not in multiprocessing.get_all_start_methods(), reason="no such server here")
@pytest.mark.parametrize(("preload", "is_told"), [([], True), (["pytest_nlpeval.cli.fork_server"], False)])
def test_a_worker_whose_parent_ends_meanwhile_begins_in_silence(preload: list[str], is_told: bool) -> None:
    ended = subprocess.run([sys.executable, "-c", BEGINNING.format(preload=preload)], capture_output=True, text=True, check=False)
    assert ("FileNotFoundError" in ended.stderr) is is_told
    assert is_told or ended.stderr == ""

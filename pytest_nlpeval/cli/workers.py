"""Evaluates suites here or in worker processes, and shows on a terminal how far it is."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from pytest_nlpeval.cli.output import show
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.run.suite import Progress, evaluate
from pytest_nlpeval.wording import printable


def evaluate_all(suites: Sequence[Suite], jobs: int, store: EvidenceStore | None, *, explain: bool = False) -> list[SuiteResult]:
    """Return the results of all suites, explained if `explain`, or where a gate does not hold: then a person wants to know why.

    Raises:
        UsageError: if a worker dies.
    """
    try:
        with _executor(jobs) as executor:
            return [_evaluate(suite, executor, store, explain=explain) for suite in suites]
    except BrokenProcessPool:
        raise UsageError("a worker process died (out of memory?); try fewer --jobs") from None


def _evaluate(suite: Suite, executor: Executor | None, store: EvidenceStore | None, *, explain: bool) -> SuiteResult:
    result = evaluate(suite, executor, explain=explain, store=store, progress=_progress(suite.name))
    if not explain and any(verdict.verdict == "failed" for verdict in result.verdicts):
        return evaluate(suite, executor, explain=True, store=store, progress=_progress(suite.name))
    return result


@contextmanager
def _executor(jobs: int) -> Iterator[Executor | None]:
    if jobs == 1:
        yield None
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the workers inherit it: an interrupt is for this process alone
        try:
            for _ in range(jobs):
                pool.submit(_start_worker)
        finally:
            signal.signal(signal.SIGINT, before)
        yield pool


def _start_worker() -> None:
    """Do nothing, in a worker that has to be started for it."""


def _progress(name: str) -> Progress | None:
    """Return what shows how many documents are done, on a terminal only; it says nothing in the first half second."""
    if not sys.stderr.isatty():
        return None
    started = shown = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if done == total:
            show("\r\x1b[K", sys.stderr)
        elif now - started > 0.5 and now - shown > 0.1:
            shown = now
            show(f"\r{printable(name)}: {done:,} of {total:,} documents\x1b[K", sys.stderr)

    return progress

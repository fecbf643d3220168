"""Evaluates suites here or in worker processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from pytest_nlpeval.cli.progress import BAR
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.run.engine import Engine, is_produced
from pytest_nlpeval.run.postponed import Postponed
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import Part


def evaluate_all(
    suites: Sequence[Suite],
    jobs: int,
    store: EvidenceStore | None,
    *,
    parts: Sequence[Part] | None = None,
    executor: str = "",
    **choices: bool,
) -> list[SuiteResult]:
    """Return the results of all suites, with explanations where the engine's `choices` want them, or the text report tells of items.

    `jobs` is the number of processes, at most; 0 stands for that of the processors. `parts` are what is counted already of each suite,
    with explanations; None if nothing is. `executor` names one that counts in place of processes of this machine.

    Raises:
        UsageError: if a worker dies.
    """
    with engine_of(suites, jobs, store, executor=executor, **choices) as engine:
        given = [None] * len(suites) if parts is None else parts
        return [_evaluate(suite, engine, part) for suite, part in zip(suites, given, strict=True)]


@contextmanager
def engine_of(
    suites: Sequence[Suite],
    jobs: int,
    store: EvidenceStore | None,
    *,
    executor: str = "",
    **choices: bool,
) -> Iterator[Engine]:
    """Give the engine that evaluates these suites, here or in worker processes, and shows how far it is; see `evaluate_all`.

    `choices` are fields of the `Engine`: `explain`, `digests`, `only_gated` and `only_reported`.
    """
    if executor:
        from pytest_nlpeval.run.executors import named_executor

        if jobs != 1:
            raise UsageError("--jobs is of this machine; with --executor, start as many workers there as you want")
        with named_executor(executor) as elsewhere:  # whose workers may not share the file of a store
            yield Engine(elsewhere, None, progress=BAR.watch, postponed=None, **choices)
        return
    cases = sum(len(suite.cases) for suite in suites)
    jobs = min(jobs or sys.maxsize, _processors(), cases)
    if jobs <= 1:
        yield Engine(None, store, progress=BAR.watch, postponed=None, **choices)
        return
    from concurrent.futures import BrokenExecutor

    from pytest_nlpeval.cli.pool import Workers

    try:
        with Workers(jobs, {suite.recipe.task.name for suite in suites}) as workers:
            workers.expect(cases)
            yield Engine(workers, store, progress=BAR.watch, postponed=None, **choices)
    except (BrokenExecutor, EOFError):
        raise UsageError("a worker process died (out of memory?); try fewer --jobs") from None


def _evaluate(suite: Suite, engine: Engine, part: Part | None) -> SuiteResult:
    """Return the result of a suite, with explanations if the engine wants them, or the text report tells of items.

    That tells what changed since the baseline, and what is wrong in a suite that fails. A suite without a baseline mostly passes: it is
    explained behind its gates, of what was counted here mostly without counting it again.
    """
    explain = engine.explain or suite.baseline is not None or is_produced(suite)
    engine = replace(engine, explain=explain, postponed=None if explain or engine.executor else Postponed())
    whole = engine.count(suite, [part]) if part else None
    result = engine.evaluate(suite, whole if explain or whole is None else whole.unexplained())
    if explain or result.outcome == "ok":
        return result
    if engine.executor is not None:
        from pytest_nlpeval.cli.pool import Workers

        if isinstance(engine.executor, Workers):
            engine.executor.expect(len(suite.cases))
    return engine.explained(result, whole)


def _processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

"""A suite to its result: its cases evaluated, here or by workers, merged, scored and judged."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from functools import partial

from pytest_nlpeval.config.suite import Case, Recipe, Suite
from pytest_nlpeval.files import size_of
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.run.case import collector_paused, evaluate_cases
from pytest_nlpeval.run.conclusion import conclude
from pytest_nlpeval.run.past import Then, past_of
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import Part, Run

Progress = Callable[[int, int], None]
"""Is called with the numbers of cases done and in all."""


@collector_paused()
def evaluate(
    suite: Suite,
    executor: Executor | None = None,
    *,
    explain: bool = False,
    store: EvidenceStore | None = None,
    progress: Progress | None = None,
) -> SuiteResult:
    """Return the result of a suite: every case read, validated and counted, all measures scored, all gates judged.

    `executor` may be any `concurrent.futures.Executor`; without one, cases are done here. The result does not depend on it. With
    `explain`, the results of cases say why units are not right, which costs time where much is wrong. `store` keeps evidence for
    files that do not change.

    Raises:
        NlpevalError: if the task cannot cross to the executor's processes.
    """
    parts = parts_of(suite, executor, explain=explain, store=store, progress=progress)
    return conclude(suite, parts, compared_with(suite, executor, explain=explain, store=store, progress=progress))


def compared_with(
    suite: Suite,
    executor: Executor | None = None,
    *,
    explain: bool = False,
    store: EvidenceStore | None = None,
    progress: Progress | None = None,
) -> Run | None:
    """Return what the suite is compared with, evaluated as the suite is; None if it has no baseline."""

    def then(earlier: Suite) -> Then:
        whole = Part.of(parts_of(earlier, executor, explain=explain, store=store, progress=progress))
        broken = tuple(sorted(result.name for result in whole.cases if result.outcome != "ok"))
        wrong = {result.name: result.explanations for result in whole.cases if result.explanations is not None}
        return Then(whole.evidence, broken, wrong if explain else None)

    return past_of(suite, suite.baseline, then) if suite.baseline else None


def parts_of(
    suite: Suite,
    executor: Executor | None = None,
    *,
    explain: bool = False,
    store: EvidenceStore | None = None,
    progress: Progress | None = None,
) -> list[Part]:
    """Return what `evaluate` concludes from: what became of the cases, batch by batch."""
    if executor is not None and not isinstance(executor, ThreadPoolExecutor):
        _require_crossing(suite.recipe)
    work = partial(evaluate_cases, suite.recipe, store=store, explain=explain)
    parts: list[Part] = []
    done = 0
    for part in _each(work, batches(suite.cases), executor):
        parts.append(part)
        done += len(part.cases)
        if progress:
            progress(done, len(suite.cases))
    return parts


def _require_crossing(recipe: Recipe) -> None:
    try:
        pickle.dumps(recipe)
    except Exception as error:  # pickle raises whatever the parts of a task raise
        message = (
            f"the task {recipe.task.name} cannot cross to worker processes: {error}; install it under the entry-point group "
            f"`nlpeval.tasks`, so that workers load it by its name, or use one process"
        )
        raise NlpevalError((Problem("task.worker", "error", "", None, None, "", message),)) from error


MOST_BYTES = 1 << 20
BATCHES = 64


def batches(cases: Sequence[Case]) -> Iterator[tuple[Case, ...]]:
    """Yield all cases in batches of at most `MOST_BYTES` of files, and of a share in `BATCHES` of the cases, but at least one.

    A batch is of consecutive names, so that the evidence of two never interleaves.
    """
    most = max(1, len(cases) // BATCHES)
    batch: list[Case] = []
    size = 0
    for case in sorted(cases, key=lambda case: case.name):
        more = sum(size_of(file.path) for file in case.files.values())
        if batch and (len(batch) == most or size + more > MOST_BYTES):
            yield tuple(batch)
            batch, size = [], 0
        batch.append(case)
        size += more
    if batch:
        yield tuple(batch)


def _each(work: Callable[[Sequence[Case]], Part], parts: Iterator[Sequence[Case]], executor: Executor | None) -> Iterator[Part]:
    """Yield what some work gives for each of the parts, in any order."""
    if executor is None:
        yield from map(work, parts)
        return
    futures = [executor.submit(work, part) for part in parts]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def known_gates(suite: Suite, result: SuiteResult | None = None) -> tuple[Gate, ...]:
    """Return the suite's gates; `result` is needed if the gates depend on its files.

    An entry without measure is a gate of that name: judging it says what is wrong.
    """
    measures = suite.measures(None) if result is None else result.measures
    gates, idle = suite.gates(measures)
    return suite.gates([*measures, *(entry.pattern for entry in idle)])[0] if idle else gates

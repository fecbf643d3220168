"""The engine: from a suite to its result. Cases are evaluated here or by workers, merged, scored and judged."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pytest_nlpeval.baselines import run_of
from pytest_nlpeval.config.suite import Baseline, Case, Recipe, Suite
from pytest_nlpeval.foreign import TaskError, blamed, said_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.run.budget import evaluate_in_budget_of
from pytest_nlpeval.run.case import collector_paused, evaluate_cases
from pytest_nlpeval.run.conclusion import at_suite, checked, conclude, unconcluded, with_changes
from pytest_nlpeval.run.counting import failed_in_all, united
from pytest_nlpeval.run.grouping import with_groups
from pytest_nlpeval.run.postponed import Postponed
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import Part, Run
from pytest_nlpeval.shelf import MOST, Shelf

if TYPE_CHECKING:
    from concurrent.futures import Executor

Progress = Callable[[int, int], None]
"""Is called with the numbers of cases done and in all."""


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
    return Engine(executor, store, explain, lambda _: progress).evaluate(suite)


@light_dataclass(frozen=True, slots=True)
class Engine:
    """Evaluates suites: `executor`, `store` and `explain` are those of `evaluate`.

    `progress` takes the name of a suite and returns a function, which is called with the number of cases done and of all cases; or None.
    With `digests`, cases tell those of their files. With `only_gated`, measures that no gate judges have neither intervals nor tests: where
    nobody asks for a report of all measures, nobody reads them. With `only_reported`, a suite that is compared with no baseline has the
    explanations that a report keeps of it, and no others: the documents share one budget, in their order. `postponed` keeps what explains
    documents that are counted here and not explained, until `explained` asks for it.
    """

    executor: Executor | None = None
    store: EvidenceStore | None = None
    explain: bool = False
    progress: Callable[[str], Progress | None] = lambda _: None
    digests: bool = False
    only_gated: bool = False
    only_reported: bool = False
    postponed: Postponed | None = None

    @collector_paused()
    def evaluate(self, suite: Suite, whole: Part | None = None) -> SuiteResult:
        """Return the result of a suite; `whole` is what became of its cases, where they are counted already."""
        whole = whole or self.count(suite)
        try:
            with blamed(suite.recipe.task):
                baseline = self.run_of(suite, suite.baseline) if suite.baseline else None
                return conclude(suite, whole, baseline, only_gated=self.only_gated, store=self.store)
        except TaskError as error:
            return unconcluded(suite, whole, error)

    @collector_paused()
    def check(self, suite: Suite) -> SuiteResult:
        """Return a result that tells what is wrong with a suite's files; nothing is scored, compared or judged."""
        whole = self.count(suite)
        try:
            with blamed(suite.recipe.task):
                return checked(suite, whole)
        except TaskError as error:
            return unconcluded(suite, whole, error)

    @collector_paused()
    def explained(self, result: SuiteResult, whole: Part | None = None) -> SuiteResult:
        """Return a result with explanations: its cases say why units are not right, its comparison what changed.

        Cases that are not `postponed` are counted once more; nothing is scored or judged again. `whole`, if given, is what became of the
        cases, explained. If what the task gives cannot be worked with, the result stays without explanations, and says so.
        """
        try:
            with blamed(result.suite.recipe.task):
                return self._explained(result, whole)
        except TaskError as error:
            return replace(result, problems=(*result.problems, at_suite(result.suite, error)))

    def _explained(self, result: SuiteResult, whole: Part | None) -> SuiteResult:
        engine = replace(self, explain=True)
        explained = {case.name: case for case in (whole or engine.count(result.suite)).cases}
        cases = tuple(
            replace(case, explanations=explained[case.name].explanations)
            if explained[case.name].outcome == case.outcome
            else explained[case.name]  # the task fails in explaining it
            for case in result.cases
        )
        comparison, baseline = result.comparison, result.suite.baseline
        if comparison and baseline and comparison.baseline.wrong is None:
            then = engine.run_of(result.suite, baseline)
            comparison = replace(comparison, baseline=replace(comparison.baseline, wrong=then.wrong))
            result = replace(result, problems=tuple(dict.fromkeys((*result.problems, *then.problems))))
        return with_changes(replace(result, cases=cases, comparison=comparison))

    @collector_paused()
    def run(self, suite: Suite) -> Run:
        """Return what becomes of a suite's files of some time, neither scored nor judged.

        They are counted on this machine: those of a commit are written to a folder here.
        """
        executor = self.executor
        if executor is not None:
            from pytest_nlpeval.run.executors import CheckedExecutor

            executor = None if isinstance(executor, CheckedExecutor) else executor
        engine = replace(self, executor=executor, postponed=None)
        return Run.of(suite.name, engine.count(suite))

    def run_of(self, suite: Suite, baseline: Baseline) -> Run:
        """Return the run of a suite's files at a baseline, evaluated as today's files are; without evidence if these cannot be had."""
        return run_of(suite, baseline, self.run)

    def count(self, suite: Suite, parts: Iterable[Part] | None = None) -> Part:
        """Return what becomes of all cases, merged from `parts` if given, with the groups of documents."""
        whole = self.merged(suite, parts)
        try:
            with blamed(suite.recipe.task):
                return with_groups(suite, (within(Shelf(MOST), whole) if self.has_budget(suite) else whole).numbered())
        except TaskError as error:
            return failed_in_all(suite.recipe, suite.cases, whole.cases, error)

    def has_budget(self, suite: Suite) -> bool:
        """Whether no more explanations of a suite need be made than its report keeps."""
        return self.only_reported and suite.baseline is None

    @collector_paused()
    def merged(self, suite: Suite, parts: Iterable[Part] | None = None) -> Part:
        """Return what becomes of the cases, which need not be all of the suite's; the progress is told after each part."""
        progress, done, collected = self.progress(suite.name), 0, []
        for part in self._parts(suite) if parts is None else parts:
            collected.append(part)
            done += len(part.cases)
            if progress:
                progress(done, len(suite.cases))
        return united(suite.recipe, suite.cases, collected)

    def _parts(self, suite: Suite) -> Iterator[Part]:
        """Yield what becomes of the cases, batch by batch, in any order."""
        work = partial(evaluate_cases, suite.recipe, store=self.store, explain=self.explain, digests=self.digests)
        if self.executor is None:
            work, shelf = partial(work, postponed=self.postponed), Shelf(MOST)
            for batch in batches(suite.cases):
                if self.has_budget(suite):
                    yield within(shelf, work(batch, full=shelf.full))
                else:
                    yield work(batch)
            return
        from concurrent.futures import ThreadPoolExecutor, as_completed

        if self.explain and self.has_budget(suite):
            work = partial(evaluate_in_budget_of, os.urandom(16).hex(), suite.recipe, store=self.store, digests=self.digests)
        if not isinstance(self.executor, ThreadPoolExecutor):
            _require_crossing(suite.recipe)
        futures = [self.executor.submit(work, batch) for batch in batches(suite.cases)]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            for future in futures:
                future.cancel()


def is_produced(suite: Suite) -> bool:
    """Whether programs make the suite's output: to count again a document whose program failed is to run that program again."""
    return any(case.production is not None for case in suite.cases)


def within(shelf: Shelf, part: Part) -> Part:
    """Return a part with those explanations alone that a shelf of the whole suite takes, in the order of the documents."""
    cases = sorted(part.cases, key=lambda case: case.name)
    return replace(
        part,
        cases=tuple(
            case if case.explanations is None else replace(case, explanations=case.explanations.on(shelf)) for case in cases
        ),
    )


def _require_crossing(recipe: Recipe) -> None:
    try:
        pickle.dumps(recipe)
    except Exception as error:  # pickle raises whatever the parts of a task raise
        message = (
            f"the task {recipe.task.name} cannot cross to worker processes: {said_of(error)}; install it under the entry-point group "
            f"`nlpeval.tasks`, so that workers load it by its name, or use one process"
        )
        raise NlpevalError((Problem("task.worker", "error", "", None, None, "", message),)) from error


MOST_BYTES = 4 << 20
"""Of how many bytes of files a batch is at most. Under pytest a batch is an item, and each item costs xdist's workers milliseconds."""

BATCHES = 64
"""Into how many batches cases are divided at least, if there are so many cases: so many processes can share them."""


def batches(cases: Sequence[Case]) -> Iterator[tuple[Case, ...]]:
    """Yield all cases in batches of at most `MOST_BYTES` of files, and of a share in `BATCHES` of the cases, but at least one.

    A batch is of consecutive names, so that the evidence of two never interleaves. A file that a command makes has no size: it may be there
    for one process, and not yet for another.
    """
    most_cases = max(1, len(cases) // BATCHES)
    batch: list[Case] = []
    size = 0
    for case in sorted(cases, key=lambda case: case.name):
        case_size = sum(file.size for role, file in case.files.items() if role != "system" or case.production is None)
        if batch and (len(batch) == most_cases or size + case_size > MOST_BYTES):
            yield tuple(batch)
            batch, size = [], 0
        batch.append(case)
        size += case_size
    if batch:
        yield tuple(batch)

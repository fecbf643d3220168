"""A suite to its result: its cases evaluated, here or by workers, merged, scored and judged."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from functools import partial

from pytest_nlpeval import __version__
from pytest_nlpeval.config.suite import Case, Recipe, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.files import size_of
from pytest_nlpeval.gates import Entry, Gate, beyond_range, judge
from pytest_nlpeval.measures import Measure, Sample, Score
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.results import CaseResult, Part, SuiteResult
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.wording import nearest, plural

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
    return conclude(suite, parts_of(suite, executor, explain=explain, store=store, progress=progress))


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

VALIDATED_ONLY = "validated only, no gold"
"""The note to a suite that has something else instead of gold."""


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


def conclude(suite: Suite, parts: Collection[Part]) -> SuiteResult:
    """Return the suite's result from what became of its cases, in any order: merge, score, judge."""
    found = {case.name: case for part in parts for case in part.cases}
    cases = tuple(found[case.name] for case in suite.cases)
    tables = [part.evidence for part in parts if part.evidence is not None]
    evidence = Evidence.merge(tables) if tables else None
    columns = tuple(evidence.columns) if evidence else ()
    measures = suite.measures(columns) if evidence is not None or not suite.only_validates else ()
    reason = _why_unjudged(suite, cases)
    if reason or evidence is None:
        scores = {measure.name: Score(None, reason) for measure in measures}
    else:
        sample = Sample(evidence)
        scores = {measure.name: measure.score(sample) for measure in measures}
    gates, problems = _gates(suite, measures, judged=not reason)
    verdicts = tuple(verdict for gate in gates for verdict in judge(gate, scores.get(gate.measure) or Score(None, reason)))
    notes = _notes(suite, None if reason else evidence)
    return SuiteResult(suite, cases, evidence, scores, gates, verdicts, _signature(suite, columns), problems, notes)


def _notes(suite: Suite, evidence: Evidence | None) -> tuple[str, ...]:
    task = suite.recipe.task
    own = task.notes(evidence, suite.recipe.options, tuple(suite.cases[0].files)) if task.notes and evidence is not None else ()
    return (*([VALIDATED_ONLY] if suite.only_validates else ()), *own)


def _why_unjudged(suite: Suite, cases: Sequence[CaseResult]) -> str:
    bad = [case for case in cases if case.outcome != "ok"]
    if not cases:
        return "the suite has no documents"
    if not bad:
        return ""
    errors = (next(problem for problem in case.all_problems() if problem.severity == "error") for case in bad[:3])
    shown = ", ".join(f"{problem.place}: {problem.code}" for problem in errors) + (", …" if len(bad) > 3 else "")
    have = "has errors in its" if len(bad) == 1 else "have errors in their"
    return f"{len(bad):,} of {plural(len(suite.cases), 'document')} {have} files ({shown})"


def _gates(suite: Suite, measures: Sequence[Measure], *, judged: bool) -> tuple[tuple[Gate, ...], tuple[Problem, ...]]:
    """Return the gates, and a problem for each entry that no measure can answer to, now that the files are read.

    While files have errors it is not known which measures there are: what matches none then stands for itself.
    """
    names = [measure.name for measure in measures]
    gates, idle = suite.gates(names)
    if judged:
        entries = [(entry, beyond_range(entry, measures)) for layer in suite.layers for entry in layer]
        mistakes = (_mistake(suite, entry, "config.gate", message) for entry, message in entries if message)
        return gates, (*(_no_measure(suite, entry, names) for entry in idle), *mistakes)
    return suite.gates([*names, *(entry.pattern for entry in idle)])[0], ()


def _no_measure(suite: Suite, entry: Entry, names: Sequence[str]) -> Problem:
    if any(map(entry.matches, names)):
        message = f'"{entry.pattern}" sets no bound, and its measures have none; give `min` or `max`'
    else:
        message = f'these files have no measure "{entry.pattern}"; {nearest(entry.pattern, names)}'
    return _mistake(suite, entry, "config.measure", message)


def _mistake(suite: Suite, entry: Entry, code: str, message: str) -> Problem:
    return Problem(code, "error", suite.label, entry.line, entry.column, f"gates of {suite.name}", message)


def _signature(suite: Suite, columns: Collection[str]) -> str:
    recipe = suite.recipe
    facts = dict(recipe.task.signature(recipe.options, columns))
    facts |= {f"rule:{code}": rule for code, rule in sorted(recipe.rules.items())}
    parts = [recipe.task.name, *(f"{name}:{value}" for name, value in facts.items()), f"v:{__version__}"]
    return "|".join(parts)


def known_gates(suite: Suite, result: SuiteResult | None = None) -> tuple[Gate, ...]:
    """Return the suite's gates; `result` is needed if the gates depend on its files.

    An entry without measure is a gate of that name: judging it says what is wrong.
    """
    names = [measure.name for measure in suite.measures(None)] if result is None else list(result.scores)
    gates, idle = suite.gates(names)
    return suite.gates([*names, *(entry.pattern for entry in idle)])[0] if idle else gates

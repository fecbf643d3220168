"""A suite to its result: its cases evaluated, here or by workers, merged, scored and judged."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed

from pytest_nlpeval import __version__
from pytest_nlpeval.config.checks import SUITE_KINDS
from pytest_nlpeval.config.suite import Recipe, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.gates import Entry, Gate, Standing, beyond_range, judge
from pytest_nlpeval.measures import Measure, Sample, Score
from pytest_nlpeval.problems import NlpevalError, Problem, ProblemLog
from pytest_nlpeval.run.advice import raised_thresholds, weak_gates
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.comparison import compare, intervals
from pytest_nlpeval.run.past import Past, Then, past_of
from pytest_nlpeval.run.results import CaseResult, SuiteResult
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
    if executor is not None and not isinstance(executor, ThreadPoolExecutor):
        _require_crossing(suite.recipe)
    total = len(suite.cases)
    found: dict[str, CaseResult] = {}
    for results in _batches(suite, executor, store, explain=explain):
        found |= {result.name: result for result in results}
        if progress:
            progress(len(found), total)
    cases = [found[case.name] for case in suite.cases]
    return conclude(suite, cases, _past(suite, executor, store, explain=explain))


def _past(suite: Suite, executor: Executor | None, store: EvidenceStore | None, *, explain: bool) -> Past | None:
    """Return what the suite is compared with, if anything."""

    def then(earlier: Suite) -> Then:
        results = [result for part in _batches(earlier, executor, store, explain=explain) for result in part]
        parts = [result.evidence for result in results if result.evidence is not None]
        wrong = {result.name: result.explanations for result in results if result.explanations is not None}
        broken = tuple(sorted(result.name for result in results if result.evidence is None))
        return Then(Evidence.merge(parts) if parts else None, broken, wrong if explain else None)

    return past_of(suite, suite.baseline, then) if suite.baseline else None


def _require_crossing(recipe: Recipe) -> None:
    try:
        pickle.dumps(recipe)
    except Exception as error:  # pickle raises whatever the parts of a task raise
        message = (
            f"the task {recipe.task.name} cannot cross to worker processes: {error}; install it under the entry-point group "
            f"`nlpeval.tasks`, so that workers load it by its name, or use one process"
        )
        raise NlpevalError((Problem("task.worker", "error", "", None, None, "", message),)) from error


BATCHES = 64

VALIDATED_ONLY = "validated only, no gold"
"""The note to a suite that has something else instead of gold."""


def _batches(
    suite: Suite, executor: Executor | None, store: EvidenceStore | None, *, explain: bool
) -> Iterator[list[CaseResult]]:
    size = max(1, len(suite.cases) // BATCHES) if executor else 1
    parts = [suite.cases[start : start + size] for start in range(0, len(suite.cases), size)]
    if executor is None:
        for part in parts:
            yield evaluate_cases(suite.recipe, part, store, explain=explain)
        return
    futures = [executor.submit(evaluate_cases, suite.recipe, part, store, explain=explain) for part in parts]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def conclude(suite: Suite, cases: Sequence[CaseResult], past: Past | None = None) -> SuiteResult:
    """Return the suite's result from those of its cases: merge, score, compare with the past, judge."""
    parts = [case.evidence for case in cases if case.evidence is not None]
    evidence = Evidence.merge(parts) if parts else None
    columns = tuple(evidence.columns) if evidence else ()
    measures = suite.measures(columns) if evidence is not None or not suite.only_validates else ()
    reason = _why_unjudged(suite, cases)
    gates, problems = _gates(suite, measures, judged=not reason)
    if reason or evidence is None:
        scores = {measure.name: Score(None, reason) for measure in measures}
        standings = {gate.measure: Standing(scores.get(gate.measure) or Score(None, reason)) for gate in gates}
        verdicts = tuple(verdict for gate in gates for verdict in judge(gate, standings[gate.measure]))
        notes = _notes(suite, None)
        return SuiteResult(suite, tuple(cases), evidence, scores, gates, verdicts, _signature(suite, columns), problems, notes)
    sample = Sample(evidence)
    scores = {measure.name: measure.score(sample) for measure in measures}
    ends = intervals(evidence, measures, suite.statistics)
    comparison = compare(evidence, measures, scores, gates, past, suite.statistics) if past else None
    if comparison is not None:
        comparison = comparison.with_changes({case.name: case.explanations for case in cases if case.explanations is not None})
    alone = {name: Standing(score) for name, score in scores.items()}
    compared = comparison.standings if comparison else alone
    verdicts = tuple(
        verdict for gate in gates for verdict in judge(gate, compared.get(gate.measure) or Standing(Score(None, reason)))
    )
    said = (*_notes(suite, evidence), *(comparison.sentences() if comparison else ()))
    said += (*weak_gates(verdicts), *raised_thresholds(verdicts, ends))
    return SuiteResult(
        suite,
        tuple(cases),
        evidence,
        scores,
        gates,
        verdicts,
        _signature(suite, columns),
        (*problems, *_vanished(suite, past)),
        said,
        ends,
        comparison,
    )


def _vanished(suite: Suite, past: Past | None) -> Iterator[Problem]:
    """Yield a problem if documents of the baseline are gone."""
    if past is None or not past.vanished:
        return
    names = ", ".join(past.vanished[:3]) + (", …" if len(past.vanished) > 3 else "")
    message = (
        f"{plural(len(past.vanished), 'document')} of {past.source} ({names}) had results and are no longer in the suite; restore them, "
        "or accept it with `rules: {baseline.vanished: warning}`"
    )
    log = ProblemLog(suite.label, SUITE_KINDS, suite.recipe.rules)
    log.add("baseline.vanished", message, suite.line or None, None, suite.name)
    yield from log.problems()


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


def known_gates(suite: Suite, store: EvidenceStore | None = None) -> tuple[Gate, ...]:
    """Return the suite's gates, reading its files only if nothing else tells which there are.

    An entry without measure is a gate of that name: judging it says what is wrong.
    """
    if suite.gates_depend_on_files:
        result = evaluate(suite, store=store)
        names = list(result.scores)
    else:
        names = [measure.name for measure in suite.measures(None)]
    gates, idle = suite.gates(names)
    return suite.gates([*names, *(entry.pattern for entry in idle)])[0] if idle else gates

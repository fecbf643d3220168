"""What a suite's cases come to: scored, compared with the baseline, judged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_nlpeval import __version__
from pytest_nlpeval.conditions import Standing
from pytest_nlpeval.config.checks import SUITE_KINDS
from pytest_nlpeval.config.selection import PART
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.foreign import TaskError, is_guarded, muted, silenced
from pytest_nlpeval.gates import (
    Entry,
    Gate,
    Verdict,
    beyond_range,
    groups_mistake,
    guard_mistake,
    judge,
    like_per_cent,
    matching,
    measures_with_groups,
)
from pytest_nlpeval.measures import Measure, Sample, Score
from pytest_nlpeval.metrics.pairing import resampled_by
from pytest_nlpeval.numbers import BEYOND_CHANCE
from pytest_nlpeval.problems import Problem, ProblemLog
from pytest_nlpeval.run.advice import lopsided, tighter_thresholds, weak_gates, without_value
from pytest_nlpeval.run.copies import copied_gold
from pytest_nlpeval.run.grouping import told_groups
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.run.signature import RULE, Signature
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import CaseResult, Part, Run
from pytest_nlpeval.wording import files_have_errors, plural

if TYPE_CHECKING:
    from pytest_nlpeval.metrics.intervals import Interval
    from pytest_nlpeval.run.against_baseline import Comparison
    from pytest_nlpeval.run.guarding import Findings
    from pytest_nlpeval.run.item_changes import Change

LEFT_TO_TESTS = "left to a test (`judged_by: test`), which gives the system's output: run `pytest --nlpeval`"
"""Why nobody but a test judges a suite."""

VALIDATED_ONLY = "validated only, no gold"
"""The note to a suite that has something else instead of gold."""


def conclude(
    suite: Suite, whole: Part, baseline: Run | None = None, *, only_gated: bool = False, store: EvidenceStore | None = None
) -> SuiteResult:
    """Return the suite's result from the results of its cases, in any order; `baseline` is the run that it is compared with, if any.

    With `only_gated`, measures that no gate judges have neither intervals nor tests. `store` keeps intervals for evidence that does not
    change.
    """
    cases, evidence = _in_order(suite, whole), whole.evidence
    columns = tuple(evidence.columns) if evidence else ()
    told = told_groups(suite, evidence)
    suite, failures = _without_failures(suite, evidence) if evidence and is_guarded(suite.recipe.task) else (suite, {})
    measures, reason = _measures(suite, evidence), _why_not(suite, cases) or told.error
    gates, problems = _gates(suite, measures, judged=not reason)
    problems += (*failures.values(), *told.problems)
    signature = _signature(suite, columns)
    if reason or evidence is None:
        scores = {measure.name: Score(None, reason) for measure in measures}
        verdicts = _verdicts(gates, _standings(gates, scores, reason), {})
        return with_changes(SuiteResult(suite, cases, evidence, scores, gates, verdicts, signature, problems))
    sample = Sample(evidence)
    scores = {measure.name: measure.score(sample) for measure in measures}
    intervals: Mapping[str, Interval] = {}
    comparison = None
    # Imports stand where they are used: a suite without gates mostly needs no interval, and one without a baseline no test.
    if baseline or ((gates or not only_gated) and suite.statistics.confidence is not None):
        from pytest_nlpeval.run.chance import Chance
        from pytest_nlpeval.run.group_falls import gates_of_groups
        from pytest_nlpeval.run.remembered_chance import RememberedChance

        judged = [*gates, *gates_of_groups(gates, measures)]
        chance = Chance.of(evidence, suite.statistics, judged, only_gated=only_gated)
        intervals = RememberedChance(chance, suite.recipe, store).intervals(evidence, measures)
    if baseline:
        from pytest_nlpeval.run.against_baseline import compare
        from pytest_nlpeval.run.gold_changes import gold_problems, unless_incomparable

        changed_gold = gold_problems(suite, baseline)
        problems += (*baseline.problems, *changed_gold)
        baseline = unless_incomparable(baseline, changed_gold)
        comparison = compare(evidence, measures, scores, gates, baseline, chance)
    guarded: Findings = {}
    if _has_guards(gates):
        from pytest_nlpeval.run.guarding import findings

        guarded, mistakes = findings(suite, evidence, measures, gates, baseline)
        problems += mistakes
    counted = scores.keys() - failures.keys()
    verdicts = _verdicts(gates, _standings(gates, scores, reason, comparison, counted), guarded)
    problems += tuple(_hopeless(suite, gates, measures, comparison)) if comparison else ()
    return with_changes(
        SuiteResult(suite, cases, evidence, scores, gates, verdicts, signature, problems, (), intervals, comparison)
    )


def checked(suite: Suite, whole: Part) -> SuiteResult:
    """Return what is wrong with a suite's files, and with its gates as far as files tell; nothing is scored or judged."""
    cases, evidence = _in_order(suite, whole), whole.evidence
    told = told_groups(suite, evidence)
    reason = _why_not(suite, cases) or told.error
    gates, problems = _gates(suite, _measures(suite, evidence), judged=not reason)
    problems += told.problems
    if evidence is not None and not reason and _has_guards(gates):
        from pytest_nlpeval.run.guarding import problems_of_lists

        problems += problems_of_lists(suite, evidence, gates)
    signature = _signature(suite, tuple(evidence.columns) if evidence else ())
    return _noted(SuiteResult(suite, cases, evidence, {}, gates, (), signature, problems), _facts)


def gates_to_judge(suite: Suite, whole: Part) -> tuple[Gate, ...]:
    """Return the gates of a suite whose files tell its measures, before anything is scored.

    If the task fails in telling them, an entry stands for itself, as in the result.
    """
    try:
        return known_gates(suite, _measures(suite, whole.evidence))
    except TaskError:
        return known_gates(suite, ())


def _has_guards(gates: Iterable[Gate]) -> bool:
    return any(True for gate in gates for _ in gate.guards())


def _in_order(suite: Suite, whole: Part) -> tuple[CaseResult, ...]:
    by_name = {case.name: case for case in whole.cases}
    return tuple(by_name[case.name] for case in suite.cases)


def _measures(suite: Suite, evidence: Evidence | None) -> tuple[Measure, ...]:
    """Return the measures of a suite whose files come to this evidence."""
    if evidence is None:
        return () if suite.only_validates else suite.measures_of()
    return suite.measures_of(evidence)


def unconcluded(suite: Suite, whole: Part, error: TaskError) -> SuiteResult:
    """Return the suite's result where the task fails in scoring it: no scores, and no gate that holds."""
    cases = _in_order(suite, whole)
    quiet = replace(suite, recipe=replace(suite.recipe, task=silenced(suite.recipe.task)))
    failure, gates = at_suite(suite, error), known_gates(quiet, ())
    verdicts = _verdicts(gates, _standings(gates, {}, failure.message), {})
    return SuiteResult(quiet, cases, None, {}, gates, verdicts, _signature(quiet, ()), (failure,))


def _without_failures(suite: Suite, evidence: Evidence) -> tuple[Suite, dict[str, Problem]]:
    """Return a suite whose measures all can be scored: those that fail have no value; and a problem for each of them, by name."""
    sample = Sample(evidence)
    failures: dict[str, Problem] = {}
    for measure in suite.measures_of(evidence):
        try:
            measure.score(sample)
        except TaskError as error:
            failures[measure.name] = at_suite(suite, error)
    if not failures:
        return suite, {}
    task = muted(suite.recipe.task, {name: problem.message for name, problem in failures.items()})
    return replace(suite, recipe=replace(suite.recipe, task=task)), failures


def at_suite(suite: Suite, error: TaskError) -> Problem:
    """Return what a task that fails says, at the suite's place."""
    return replace(error.problems[0], path=suite.label, line=suite.line or None, where=suite.name)


def with_changes(result: SuiteResult) -> SuiteResult:
    """Return a result with its notes and, if both runs say why units are wrong, with what changed against the baseline."""
    comparison, wrong = result.comparison, result.run.wrong
    if comparison and wrong and comparison.common and comparison.baseline.wrong is not None:
        from pytest_nlpeval.run.item_changes import changes

        changed = changes(comparison.baseline.wrong, wrong, comparison.common, _fall(result, comparison.baseline))
        result = replace(result, comparison=replace(comparison, changes=changed))
    return _noted(result, _notes)


def _noted(result: SuiteResult, notes: Callable[[SuiteResult], Iterator[str]]) -> SuiteResult:
    try:
        return replace(result, notes=tuple(notes(result)))
    except TaskError as error:  # the scores are as good without notes
        return replace(result, problems=(*result.problems, at_suite(result.suite, error)))


def _fall(result: SuiteResult, baseline: Run) -> Callable[[Change], float] | None:
    """Return what changes of a suite are sorted by; None for nothing."""
    before, now = baseline.evidence, result.evidence
    if before is None or now is None or not result.suite.recipe.task.falls:
        return None
    from pytest_nlpeval.run.falls import fall_of

    return fall_of(result.suite.recipe.task, result.suite.measures(tuple(now.columns)), before, now)


def _standings(
    gates: Sequence[Gate],
    scores: Mapping[str, Score],
    reason: str,
    comparison: Comparison | None = None,
    counted: Collection[str] = (),
) -> dict[str, Standing]:
    """Return what each gate is judged by; `counted` are the measures whose score follows from counts, whether it is a value or not."""
    compared = comparison.standings if comparison else {}
    standings = {
        gate.measure: compared.get(gate.measure) or Standing(scores.get(gate.measure) or Score(None, reason)) for gate in gates
    }
    return {name: replace(standing, is_counted=name in counted) for name, standing in standings.items()}


def _verdicts(gates: Sequence[Gate], standings: Mapping[str, Standing], guarded: Findings) -> tuple[Verdict, ...]:
    may_lack = any(standing.score.value is not None for standing in standings.values())
    return tuple(
        verdict
        for gate in gates
        for verdict in judge(gate, standings[gate.measure], guarded.get(gate.measure), may_lack=may_lack)
    )


def _hopeless(suite: Suite, gates: Sequence[Gate], measures: Sequence[Measure], comparison: Comparison) -> Iterator[Problem]:
    """Yield a problem for the first gate whose level no test of a drop can reach; it names how many others there are."""
    if comparison.hopeless:
        from pytest_nlpeval.run.group_falls import gates_of_groups
        from pytest_nlpeval.run.hypotheses import MOST_RESAMPLES

        every = (*gates, *gates_of_groups(gates, measures))
        first = next(gate for gate in every if gate.measure == comparison.hopeless[0])
        more = f", and of {plural(len(comparison.hopeless) - 1, 'other measure')}" if len(comparison.hopeless) > 1 else ""
        message = (
            f"no drop of {first.measure}{more} can be {BEYOND_CHANCE} at alpha {first.alpha:g} after the adjustment for all "
            f"gates of the suite, in {MOST_RESAMPLES:,} resamples; raise `alpha`, or give it to fewer measures"
        )
        yield Problem("config.alpha", "error", suite.label, first.line or None, None, f"gates of {suite.name}", message)


def _facts(result: SuiteResult) -> Iterator[str]:
    """Yield what must be known of a suite's files."""
    suite, evidence, task = result.suite, result.evidence, result.suite.recipe.task
    if suite.selection:
        yield f"{PART} ({suite.selection}): it says nothing of any other"
    if suite.judged_by_test:
        yield LEFT_TO_TESTS
    if suite.only_validates:
        yield VALIDATED_ONLY
    if evidence is not None and not result.failed_cases and task.notes:
        yield from task.notes(evidence, suite.recipe.options, tuple(suite.cases[0].files))


def _notes(result: SuiteResult) -> Iterator[str]:
    """Yield what must be known of a suite besides its scores: of its files, of the comparison, and advice on its gates."""
    suite, evidence = result.suite, result.evidence
    yield from _facts(result)
    if evidence is None or result.failed_cases:
        return
    if result.comparison:
        yield from result.comparison.sentences()
    yield from copied_gold(result)
    yield from lopsided(evidence, resampled_by(evidence, suite.statistics.resample))
    yield from without_value(result.verdicts)
    yield from weak_gates(result.verdicts)
    yield from tighter_thresholds(result.verdicts, result.intervals, len(evidence.units))


def _why_not(suite: Suite, cases: Sequence[CaseResult]) -> str:
    """Return why no gate of a suite can be judged, "" if they can."""
    return _why_unjudged(cases) or (LEFT_TO_TESTS if suite.judged_by_test else "")


def _why_unjudged(cases: Sequence[CaseResult]) -> str:
    if not cases:
        return "the suite has no documents"
    bad = sorted((case for case in cases if case.outcome != "ok"), key=lambda case: case.name)
    errors = (next(problem for problem in case.all_problems() if problem.severity == "error") for case in bad)
    return files_have_errors(len(cases), len(bad), [problem.citation for problem in errors])


def known_gates(suite: Suite, measures: Sequence[Measure] | None = None) -> tuple[Gate, ...]:
    """Return the suite's gates; its `measures` are needed if the gates depend on its files.

    An entry without measure is a gate of that name: judging it says what is wrong.
    """
    measures = suite.measures(None) if measures is None else measures
    gates, idle = suite.gates(measures)
    return suite.gates([*measures, *(entry.pattern for entry in idle)])[0] if idle else gates


def _gates(suite: Suite, measures: Sequence[Measure], *, judged: bool) -> tuple[tuple[Gate, ...], tuple[Problem, ...]]:
    """Return the gates, and a problem for each entry that no measure can answer to, now that the files are read.

    While files have errors, nobody knows which measures there are: an entry that matches no measure then stands for itself.
    """
    if not judged:
        return known_gates(suite, measures), ()
    gates, idle = suite.gates(measures)
    measures_of, grouped = matching(measures), measures_with_groups(measures)
    entries = [(entry, _mistake_in(entry, measures_of(entry), measures, grouped)) for layer in suite.layers for entry in layer]
    mistakes = (_mistake(suite, entry, "config.gate", message) for entry, message in entries if message)
    return gates, (*(_no_measure(suite, entry, measures) for entry in idle), *mistakes, *_doubtful(suite, measures))


def _mistake_in(entry: Entry, its_own: Sequence[Measure], measures: Sequence[Measure], grouped: Collection[str]) -> str:
    return beyond_range(entry, its_own) or guard_mistake(entry, its_own, measures) or groups_mistake(entry, its_own, grouped)


def _doubtful(suite: Suite, measures: Sequence[Measure]) -> Iterator[Problem]:
    """Yield a warning for each entry that calls a measure by a name that it had, or whose threshold seems to be meant in per cent."""
    log = ProblemLog(suite.label, SUITE_KINDS, suite.recipe.rules)
    measures_of = matching(measures)
    for entry in (entry for layer in suite.layers for entry in layer):
        for name in [measure.name for measure in measures_of(entry) if entry.is_former(measure)][:1]:
            message = f'"{entry.pattern}" is called "{name}" now; write that'
            log.add("gate.renamed", message, entry.line, entry.column, f"gates of {suite.name}")
        if message := like_per_cent(entry, measures_of(entry)):
            log.add("config.gate", message, entry.line, entry.column, f"gates of {suite.name}")
    return iter(log.problems())


def _no_measure(suite: Suite, entry: Entry, measures: Sequence[Measure]) -> Problem:
    if any(map(entry.matches, measures)):
        message = f'"{entry.pattern}" sets no bound, and its measures have none; give `min` or `max`'
    else:
        hint = suite.recipe.task.hint(suite.recipe.options, entry.pattern, [measure.name for measure in measures])
        message = f'these files have no measure "{entry.pattern}"; {hint}'
    return _mistake(suite, entry, "config.measure", message)


def _mistake(suite: Suite, entry: Entry, code: str, message: str) -> Problem:
    return Problem(code, "error", suite.label, entry.line, entry.column, f"gates of {suite.name}", message)


def _signature(suite: Suite, columns: Collection[str]) -> Signature:
    recipe = suite.recipe
    rules = {f"{RULE}:{code}": rule for code, rule in sorted(recipe.rules.items())}
    facts = {**recipe.task.signature(recipe.options, columns), **rules}
    return Signature.of(recipe.task.name, [*facts.items(), ("v", __version__)])

"""What a suite's cases come to: merged, scored, compared with the past, judged."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pytest_nlpeval import __version__
from pytest_nlpeval.conditions import Standing
from pytest_nlpeval.config.checks import SUITE_KINDS
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.gates import Entry, Gate, Verdict, beyond_range, judge
from pytest_nlpeval.measures import Measure, Sample, Score
from pytest_nlpeval.problems import Problem, ProblemLog
from pytest_nlpeval.run.advice import raised_thresholds, weak_gates
from pytest_nlpeval.run.against_baseline import Comparison, compare, intervals
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.runs import CaseResult, Part, Run
from pytest_nlpeval.wording import nearest, plural

VALIDATED_ONLY = "validated only, no gold"
"""The note to a suite that has something else instead of gold."""


def conclude(suite: Suite, parts: Collection[Part], past: Run | None = None) -> SuiteResult:
    """Return the suite's result from what became of its cases, in any order; `past` is what it is compared with, if anything."""
    whole = Part.of(parts)
    found = {case.name: case for case in whole.cases}
    cases = tuple(found[case.name] for case in suite.cases)
    evidence = whole.evidence
    columns = tuple(evidence.columns) if evidence else ()
    measures = suite.measures(columns) if evidence is not None or not suite.only_validates else ()
    reason = _why_unjudged(suite, cases)
    gates, problems = _gates(suite, measures, judged=not reason)
    signature = _signature(suite, columns)
    if reason or evidence is None:
        scores = {measure.name: Score(None, reason) for measure in measures}
        verdicts = _verdicts(gates, scores, None, reason)
        return SuiteResult(suite, cases, evidence, scores, gates, verdicts, signature, problems, _notes(suite, None))
    sample = Sample(evidence)
    scores = {measure.name: measure.score(sample) for measure in measures}
    ends = intervals(evidence, measures, gates, suite.statistics)
    comparison = _comparison(suite, cases, compare(evidence, measures, scores, gates, past, suite.statistics)) if past else None
    verdicts = _verdicts(gates, scores, comparison, reason)
    notes = (*_notes(suite, evidence), *(comparison.sentences() if comparison else ()))
    notes += (*weak_gates(verdicts), *raised_thresholds(verdicts, ends, len(evidence.units)))
    problems += tuple(_vanished(suite, past)) if past else ()
    return SuiteResult(suite, cases, evidence, scores, gates, verdicts, signature, problems, notes, ends, comparison)


def _comparison(suite: Suite, cases: Sequence[CaseResult], comparison: Comparison) -> Comparison:
    """Return the comparison with what changed, if anybody asked why units are wrong."""
    wrong = {case.name: case.explanations for case in cases if case.explanations is not None}
    return comparison.with_changes(wrong) if len(wrong) == len(suite.cases) else comparison


def _verdicts(
    gates: Sequence[Gate], scores: Mapping[str, Score], comparison: Comparison | None, reason: str
) -> tuple[Verdict, ...]:
    compared = comparison.standings if comparison else {}
    alone = {gate.measure: Standing(scores.get(gate.measure) or Score(None, reason)) for gate in gates}
    return tuple(verdict for gate in gates for verdict in judge(gate, compared.get(gate.measure) or alone[gate.measure]))


def _vanished(suite: Suite, past: Run) -> Iterator[Problem]:
    """Yield a problem if documents of the baseline are gone."""
    if past.vanished:
        names = ", ".join(past.vanished[:3]) + (", …" if len(past.vanished) > 3 else "")
        message = (
            f"{plural(len(past.vanished), 'document')} of {past.source} ({names}) had results and are no longer in the suite; "
            "restore them, or accept it with `rules: {baseline.vanished: warning}`"
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
    gates, idle = suite.gates(measures)
    if judged:
        entries = [(entry, beyond_range(entry, measures)) for layer in suite.layers for entry in layer]
        mistakes = (_mistake(suite, entry, "config.gate", message) for entry, message in entries if message)
        return gates, (*(_no_measure(suite, entry, measures) for entry in idle), *mistakes, *_renamed(suite, measures))
    return suite.gates([*measures, *(entry.pattern for entry in idle)])[0], ()


def _renamed(suite: Suite, measures: Sequence[Measure]) -> Iterator[Problem]:
    """Yield a warning for each entry that calls a measure by a name that it had."""
    log = ProblemLog(suite.label, SUITE_KINDS, suite.recipe.rules)
    for entry in (entry for layer in suite.layers for entry in layer):
        for name in [measure.name for measure in measures if entry.is_former(measure)][:1]:
            message = f'"{entry.pattern}" is called "{name}" now; write that'
            log.add("gate.renamed", message, entry.line, entry.column, f"gates of {suite.name}")
    return iter(log.problems())


def _no_measure(suite: Suite, entry: Entry, measures: Sequence[Measure]) -> Problem:
    if any(map(entry.matches, measures)):
        message = f'"{entry.pattern}" sets no bound, and its measures have none; give `min` or `max`'
    else:
        message = (
            f'these files have no measure "{entry.pattern}"; {nearest(entry.pattern, [measure.name for measure in measures])}'
        )
    return _mistake(suite, entry, "config.measure", message)


def _mistake(suite: Suite, entry: Entry, code: str, message: str) -> Problem:
    return Problem(code, "error", suite.label, entry.line, entry.column, f"gates of {suite.name}", message)


def _signature(suite: Suite, columns: Collection[str]) -> str:
    recipe = suite.recipe
    facts = dict(recipe.task.signature(recipe.options, columns))
    facts |= {f"rule:{code}": rule for code, rule in sorted(recipe.rules.items())}
    parts = [recipe.task.name, *(f"{name}:{value}" for name, value in facts.items()), f"v:{__version__}"]
    return "|".join(parts)

"""The engine: a case to its result, a suite to its result. pytest, the command, workers and the Python API all come here."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from pytest_nlpeval import __version__
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.formats.json_schema import nearest
from pytest_nlpeval.formats.source import FILE_KINDS, Source, read_source
from pytest_nlpeval.gates import Entry, Gate, Verdict, judge
from pytest_nlpeval.measures import Sample, Score
from pytest_nlpeval.paths import is_inside
from pytest_nlpeval.problems import Problem, ProblemLog
from pytest_nlpeval.store import EvidenceStore, digest
from pytest_nlpeval.suite import Case, Recipe, Suite
from pytest_nlpeval.task import Explanations

Outcome = Literal["ok", "failed", "set-up"]
"""How a case or suite went: `failed` is the system's fault, `set-up` the user's (gold, configuration); the latter is worse."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of one document: its evidence, unless a file has errors; the problems by role; why units are wrong."""

    name: str
    evidence: Evidence | None
    problems: Mapping[str, tuple[Problem, ...]]
    explanations: Explanations
    outcome: Outcome

    def all_problems(self) -> tuple[Problem, ...]:
        """Return the problems of all files, in the order of the task's roles."""
        return tuple(problem for problems in self.problems.values() for problem in problems)


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What became of a suite. `evidence` is None if nothing could be counted; `scores` go by measure, in the task's order.

    `problems` are those of the suite itself: gates that its files leave without a measure.
    """

    suite: Suite
    cases: tuple[CaseResult, ...]
    evidence: Evidence | None
    scores: Mapping[str, Score]
    gates: tuple[Gate, ...]
    verdicts: tuple[Verdict, ...]
    signature: str
    problems: tuple[Problem, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """`set-up` if a gold-side file or the configuration is wrong, `failed` if a system file is or a gate does not hold."""
        outcomes = {case.outcome for case in self.cases}
        if self.problems or "set-up" in outcomes:
            return "set-up"
        held = all(verdict.holds or verdict.informational for verdict in self.verdicts)
        return "ok" if held and "failed" not in outcomes else "failed"

    @property
    def failed_cases(self) -> list[CaseResult]:
        """The cases that have an error in some file."""
        return [case for case in self.cases if case.outcome != "ok"]

    def all_problems(self) -> tuple[Problem, ...]:
        """Return the suite's own problems and those of all cases; those of a file that serves several cases once."""
        return tuple(dict.fromkeys((*self.problems, *(problem for case in self.cases for problem in case.all_problems()))))

    def __getitem__(self, measure: str) -> float:
        """Return a measure's value.

        Raises:
            KeyError: if there is no such measure.
            ValueError: if it has no value, with the reason.
        """
        score = self.scores[measure]
        if score.value is None:
            raise ValueError(f"{measure} has no value: {score.reason}")
        return score.value


def evaluate(
    suite: Suite,
    executor: Executor | None = None,
    *,
    store: EvidenceStore | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SuiteResult:
    """Return the result of a suite: every case read, validated and counted, all measures scored, all gates judged.

    `executor` may be any `concurrent.futures.Executor`; without one, cases are done here. The result does not depend on it. `store`
    keeps evidence for files that do not change; `progress` is called with the numbers of cases done and in all.
    """
    return conclude(suite, list(_results(suite, executor, store, progress)))


def _results(
    suite: Suite,
    executor: Executor | None,
    store: EvidenceStore | None,
    progress: Callable[[int, int], None] | None,
) -> Iterator[CaseResult]:
    total = len(suite.cases)
    found: dict[str, CaseResult] = {}
    for results in _batches(suite, executor, store):
        found |= {result.name: result for result in results}
        if progress:
            progress(len(found), total)
    return (found[case.name] for case in suite.cases)


BATCHES = 64


def _batches(suite: Suite, executor: Executor | None, store: EvidenceStore | None) -> Iterator[list[CaseResult]]:
    size = max(1, len(suite.cases) // BATCHES) if executor else 1
    parts = [suite.cases[start : start + size] for start in range(0, len(suite.cases), size)]
    if executor is None:
        for part in parts:
            yield evaluate_cases(suite.recipe, part, store)
        return
    futures = [executor.submit(evaluate_cases, suite.recipe, part, store) for part in parts]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def evaluate_cases(recipe: Recipe, cases: Sequence[Case], store: EvidenceStore | None = None) -> list[CaseResult]:
    """Return the results of some cases; what a worker runs."""
    return [evaluate_case(recipe, case, store) for case in cases]


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the garbage collector from walking documents again and again: they have no cycles, reference counts free them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_collector_paused()
def evaluate_case(recipe: Recipe, case: Case, store: EvidenceStore | None = None) -> CaseResult:
    """Read and validate the files of a case and count; a case whose files did not change comes from the store."""
    sources, unread = _read(recipe, case)
    key = digest(recipe, sources) if store is not None and not unread else ""
    stored = store.get(key) if store is not None and key else None
    restored = _restored(recipe, case, stored) if stored is not None else None
    if restored is not None:
        return restored
    result = _count(recipe, case, sources, unread)
    if store is not None and key:
        store.put(key, _entry(result))
    return result


def _read(recipe: Recipe, case: Case) -> tuple[dict[str, Source], dict[str, tuple[Problem, ...]]]:
    sources: dict[str, Source] = {}
    unread: dict[str, tuple[Problem, ...]] = {}
    for role, file in case.files.items():
        log = ProblemLog(file.label, FILE_KINDS)
        source = None
        if recipe.root is not None and not is_inside(file.path, recipe.root):
            log.add(
                "file.outside",
                f"leads out of the root folder {recipe.root} through a link",
                where=f"{role} of {case.name}",
            )
        else:
            source = read_source(file.path, log, where=f"{role} of {case.name}")
        if source is None:
            unread[role] = log.problems()
        else:
            sources[role] = source
    return sources, unread


def _count(recipe: Recipe, case: Case, sources: dict[str, Source], unread: Mapping[str, tuple[Problem, ...]]) -> CaseResult:
    task, options = recipe.task, recipe.options
    documents: dict[str, Any] = {}
    problems: dict[str, tuple[Problem, ...]] = {}
    logs: dict[str, ProblemLog] = {}
    for role in task.roles:
        if role.name in unread:
            problems[role.name] = unread[role.name]
        if role.name in sources:
            source = sources.pop(role.name)  # its bytes are not needed any longer, and may be many
            log = logs[role.name] = ProblemLog(source.label, task.problems, recipe.rules)
            document = role.read(source, documents, options, log)
            del source
            if document is not None:
                documents[role.name] = document
            problems[role.name] = log.problems()
    if len(documents) < len(case.files):
        return CaseResult(case.name, None, problems, Explanations(), _outcome(recipe, problems))
    counted = task.count(documents, options, logs["system"])
    evidence = counted.evidence.named(case.name)
    problems["system"] = logs["system"].problems()
    outcome = _outcome(recipe, problems)
    return CaseResult(case.name, evidence if outcome == "ok" else None, problems, counted.explanations, outcome)


def _outcome(recipe: Recipe, problems: Mapping[str, tuple[Problem, ...]]) -> Outcome:
    bad = [(role, problem) for role, found in problems.items() for problem in found if problem.severity == "error"]
    if any(recipe.task.role(role).side == "gold" or problem.code == "file.outside" for role, problem in bad):
        return "set-up"
    return "failed" if bad else "ok"


def _entry(result: CaseResult) -> dict[str, Any]:
    return {
        "evidence": result.evidence.to_json() if result.evidence else None,
        "problems": {role: [problem.to_json() for problem in found] for role, found in result.problems.items()},
        "explanations": result.explanations.to_json(),
    }


def _restored(recipe: Recipe, case: Case, entry: Any) -> CaseResult | None:
    """Return the result that an entry describes, None if it describes none (another program's file, say)."""
    try:
        problems = {
            role: tuple(Problem.from_json(problem, case.files[role].label) for problem in found)
            for role, found in entry["problems"].items()
        }
        evidence = Evidence.from_json(entry["evidence"]).named(case.name) if entry["evidence"] else None
        explanations = Explanations.from_json(entry["explanations"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    outcome = _outcome(recipe, problems)
    return CaseResult(case.name, evidence, problems, explanations, outcome) if (evidence is None) == (outcome != "ok") else None


def conclude(suite: Suite, cases: Sequence[CaseResult]) -> SuiteResult:
    """Return the suite's result from those of its cases: merge, score, judge."""
    parts = [case.evidence for case in cases if case.evidence is not None]
    evidence = Evidence.merge(parts) if parts else None
    columns = tuple(evidence.columns) if evidence else ()
    measures = suite.measures(columns)
    reason = _why_unjudged(suite, cases)
    if reason or evidence is None:
        scores = {measure.name: Score(None, reason) for measure in measures}
    else:
        sample = Sample(evidence)
        scores = {measure.name: measure.score(sample) for measure in measures}
    gates, problems = _gates(suite, scores, judged=not reason)
    verdicts = tuple(verdict for gate in gates for verdict in judge(gate, scores.get(gate.measure) or Score(None, reason)))
    return SuiteResult(suite, tuple(cases), evidence, scores, gates, verdicts, _signature(suite, columns), problems)


def _why_unjudged(suite: Suite, cases: Sequence[CaseResult]) -> str:
    bad = [case.name for case in cases if case.outcome != "ok"]
    if not cases:
        return "the suite has no documents"
    if not bad:
        return ""
    names = ", ".join(bad[:3]) + (", …" if len(bad) > 3 else "")
    return f"{len(bad):,} of {len(suite.cases):,} documents have errors in their files ({names})"


def _gates(suite: Suite, scores: Mapping[str, Score], *, judged: bool) -> tuple[tuple[Gate, ...], tuple[Problem, ...]]:
    """Return the gates, and a problem for each entry that no measure answers to, now that the files are read.

    While files have errors it is not known which measures there are: what matches none then stands for itself.
    """
    names = list(scores)
    gates, idle = suite.gates(names)
    if judged:
        return gates, tuple(_no_measure(suite, entry, names) for entry in idle)
    return suite.gates([*names, *(entry.pattern for entry in idle)])[0], ()


def _no_measure(suite: Suite, entry: Entry, names: Sequence[str]) -> Problem:
    if any(map(entry.matches, names)):
        message = f'"{entry.pattern}" sets no bound, and its measures have none; give `min` or `max`'
    else:
        message = f'these files have no measure "{entry.pattern}"; {nearest(entry.pattern, names)}'
    where = f"gates of {suite.name}"
    return Problem("config.measure", "error", suite.label, entry.line, entry.column, where, message)


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

"""A case to its result: its files are read, validated and counted, or what the evidence store knows of them is taken."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pytest_nlpeval.config.suite import Case, Recipe
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.files import FILE_KINDS, Source, read_source
from pytest_nlpeval.problems import Problem, ProblemLog
from pytest_nlpeval.run.results import CaseResult, Outcome
from pytest_nlpeval.run.store import EvidenceStore, digest


def evaluate_cases(
    recipe: Recipe, cases: Sequence[Case], store: EvidenceStore | None = None, *, explain: bool = False
) -> list[CaseResult]:
    """Return the results of some cases; what a worker runs."""
    return [evaluate_case(recipe, case, store, explain=explain) for case in cases]


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
def evaluate_case(recipe: Recipe, case: Case, store: EvidenceStore | None = None, *, explain: bool = False) -> CaseResult:
    """Return the result of a case, with explanations if `explain`; for files that did not change it comes from the store."""
    sources, unread = _read(recipe, case)
    key = digest(recipe, sources) if store is not None and not unread else ""
    stored = store.get(key) if store is not None and key else None
    restored = _restored(recipe, case, stored) if stored is not None else None
    if restored is not None and (restored.explanations is not None or not explain):
        return restored
    result = _count(recipe, case, sources, unread, explain=explain)
    if store is not None and key:
        store.put(key, _entry(result))
    return result


def _read(recipe: Recipe, case: Case) -> tuple[dict[str, Source], dict[str, tuple[Problem, ...]]]:
    sources: dict[str, Source] = {}
    unread: dict[str, tuple[Problem, ...]] = {}
    for role, file in case.files.items():
        log = ProblemLog(file.label, FILE_KINDS)
        where = f"{role} of {case.name}" if case.name != file.label else ""
        source = read_source(file.path, log, where=where, root=recipe.root)
        if source is None:
            unread[role] = log.problems()
        else:
            sources[role] = source
    return sources, unread


def _count(
    recipe: Recipe, case: Case, sources: dict[str, Source], unread: Mapping[str, tuple[Problem, ...]], *, explain: bool
) -> CaseResult:
    task, options = recipe.task, recipe.options
    documents: dict[str, Any] = {}
    problems: dict[str, tuple[Problem, ...]] = {}
    logs: dict[str, ProblemLog] = {}
    for role in task.roles:
        if role.name in unread:
            problems[role.name] = unread[role.name]
        if role.name in sources:
            log = logs[role.name] = ProblemLog(sources[role.name].label, {**task.problems, **FILE_KINDS}, recipe.rules)
            document = role.read(sources[role.name], documents, options, log)
            if document is not None:
                documents[role.name] = document
                del sources[role.name]  # the bytes are not needed any longer, and may be many
            problems[role.name] = log.problems()
    reference = task.reference(case.files)
    if not documents.keys() & {reference, "system"} and _are_swapped(recipe, sources, reference):
        log = ProblemLog(sources[reference].label, FILE_KINDS)
        log.add("file.swapped", f"{reference} and system are each readable as the other; are their paths swapped?")
        problems |= {reference: log.problems(), "system": ()}  # all that is wrong with either follows from this
    sources.clear()  # those with errors
    if len(documents) < len(case.files) or not documents.keys() >= set(task.needed(options, documents)):
        return CaseResult(case.name, None, problems, Explanations() if explain else None, _outcome(recipe, problems))
    counted = task.count(documents, options, logs["system"])
    evidence = counted.evidence.named(case.name)
    problems["system"] = logs["system"].problems()
    outcome = _outcome(recipe, problems)
    explanations = Explanations.of(counted.explanations) if explain else None
    return CaseResult(case.name, evidence if outcome == "ok" else None, problems, explanations, outcome)


def _are_swapped(recipe: Recipe, sources: Mapping[str, Source], reference: str) -> bool:
    """Whether the gold file can be read as a system file and the other way round; asked only if neither can be read as what it is."""
    if not {reference, "system"} <= sources.keys():
        return False
    task = recipe.task
    logs = (ProblemLog("", task.problems, recipe.rules) for _ in range(2))
    exchanged = ((reference, sources["system"]), ("system", sources[reference]))
    return all(
        task.role(role).read(file, {}, recipe.options, log) is not None for (role, file), log in zip(exchanged, logs, strict=True)
    )


def _outcome(recipe: Recipe, problems: Mapping[str, tuple[Problem, ...]]) -> Outcome:
    bad = [(role, problem) for role, found in problems.items() for problem in found if problem.severity == "error"]
    if any(recipe.task.role(role).side == "gold" or problem.code == "file.outside" for role, problem in bad):
        return "set-up"
    return "failed" if bad else "ok"


def _entry(result: CaseResult) -> dict[str, Any]:
    return {
        "evidence": result.evidence.to_json() if result.evidence else None,
        "problems": {role: [problem.to_json() for problem in found] for role, found in result.problems.items()},
        "explanations": result.explanations.to_json() if result.explanations else None,
    }


def _restored(recipe: Recipe, case: Case, entry: Any) -> CaseResult | None:
    """Return the result that an entry describes, None if it describes none (another program's file, say)."""
    try:
        problems = {
            role: tuple(Problem.from_json(problem, case.files[role].label) for problem in found)
            for role, found in entry["problems"].items()
        }
        evidence = Evidence.from_json(entry["evidence"]).named(case.name) if entry["evidence"] else None
        explanations = Explanations.from_json(entry["explanations"]) if entry["explanations"] else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    outcome = _outcome(recipe, problems)
    return CaseResult(case.name, evidence, problems, explanations, outcome) if (evidence is None) == (outcome != "ok") else None

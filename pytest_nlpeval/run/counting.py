"""From the files of a case to what becomes of it: they are read, validated and counted."""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import tee
from typing import Any, NamedTuple

from pytest_nlpeval.config.suite import Case, Recipe
from pytest_nlpeval.explanations import Entry, Explanations
from pytest_nlpeval.files import FILE_KINDS, Source
from pytest_nlpeval.foreign import TaskError, blamed
from pytest_nlpeval.problems import Problem, ProblemLog
from pytest_nlpeval.run.reading import Read
from pytest_nlpeval.runs import CaseResult, Outcome, Part
from pytest_nlpeval.task import Documents


@dataclass(slots=True)
class Reading:
    """What was read of a case's files, by role: the documents, the problems, and the log of each file."""

    documents: dict[str, Any] = field(default_factory=dict)
    problems: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    logs: dict[str, ProblemLog] = field(default_factory=dict)


def read_documents(recipe: Recipe, case: Case, files: Read) -> Reading | CaseResult:
    """Return the documents of a case, read in the order of the task's roles; or the case's result if there is nothing to count.

    The bytes are dropped as soon as they are read.
    """
    (sources, unread), task, reading = files, recipe.task, Reading()
    for role in task.roles:
        if role.name in unread:
            reading.problems[role.name] = unread[role.name]
        if role.name in sources:
            log = reading.logs[role.name] = ProblemLog(sources[role.name].label, {**task.problems, **FILE_KINDS}, recipe.rules)
            try:
                document = role.read(sources[role.name], reading.documents, recipe.options, log)
            except TaskError as error:
                reading.problems[role.name] = _with_failure(log, error)
                sources.clear()
                return CaseResult(case.name, reading.problems, Explanations(), outcome_of(recipe, reading.problems))
            if document is not None:
                reading.documents[role.name] = document
                del sources[role.name]  # the bytes are not needed any longer, and may be many
            reading.problems[role.name] = log.problems()
    documents, reference = reading.documents, task.reference(case.files)
    if not documents.keys() & {reference, "system"} and _are_swapped(recipe, sources, reference):
        log = ProblemLog(sources[reference].label, FILE_KINDS)
        log.add("file.swapped", f"{reference} and system are each readable as the other; are their paths swapped?")
        reading.problems |= {reference: log.problems(), "system": ()}  # all that is wrong with either follows from this
    sources.clear()  # those with errors
    if len(documents) < len(case.files) or not documents.keys() >= set(task.needed(recipe.options, documents)):
        return CaseResult(case.name, reading.problems, Explanations(), outcome_of(recipe, reading.problems))
    return reading


FEW = 10
"""So many explanations of a case are made for the store, although nobody wants them yet: the report that comes later need not count it."""


class Later(NamedTuple):
    """What a task gives of a case from which its explanations can be made later; `log` is that of the system's file, if it was counted."""

    entries: Iterable[Entry] = ()
    log: ProblemLog | None = None

    @property
    def has_errors(self) -> bool:
        """Whether the system's file has errors, some of which the task may have told only in explaining it."""
        return self.log is not None and self.log.has_errors


@dataclass(slots=True)
class Explaining:
    """When the explanations of some cases are made: `at_once`, but for sorts that are `full`, or later, if anybody asks for them.

    `later` gets what those of each case can be made from, if they are not made at once; None drops that. `size` is how many bytes their
    files have together.
    """

    at_once: bool
    full: Container[Hashable] = ()
    later: dict[str, Later] | None = None
    size: int = 0

    def of(self, case: str, later: Later, *, keeps: bool = False) -> Explanations | None:
        """Return the explanations of a case; None if they are made later, but with `keeps` those that are few.

        Raises:
            TaskError: if the task fails in making them at once.
        """
        if self.at_once:
            return Explanations.of(later.entries, self.full)
        few = None
        if keeps:
            again, first = tee(later.entries)
            later = later._replace(entries=again)
            try:
                few = Explanations.of_few(first, FEW)
            except TaskError:  # who wants them will be told
                return None
        if self.later is not None:
            self.later[case] = later
        return few


def count_case(recipe: Recipe, case: Case, files: Read, explaining: Explaining, *, keeps: bool = False) -> Part:
    """Return what becomes of a case, with its explanations if they are made at once; a case that the store keeps has few ones, too."""
    reading = read_documents(recipe, case, files)
    if isinstance(reading, CaseResult):
        return Part((replace(reading, explanations=explaining.of(case.name, Later(), keeps=keeps)),), None)
    return count_documents(recipe, case, reading, reading.documents, explaining, keeps=keeps)


def count_documents(
    recipe: Recipe, case: Case, reading: Reading, documents: Documents, explaining: Explaining, *, keeps: bool = False
) -> Part:
    """Return what becomes of a case whose documents can be counted; whatever counting says joins the problems of the system's file."""
    log = reading.logs["system"]
    try:
        counted = recipe.task.count(documents, recipe.options, log)
        explanations = explaining.of(case.name, Later(counted.explanations, log), keeps=keeps)
    except TaskError as error:
        problems = reading.problems | {"system": _with_failure(log, error)}
        explanations = explaining.of(case.name, Later())
        return Part((CaseResult(case.name, problems, explanations, outcome_of(recipe, problems)),), None)
    problems = reading.problems | {"system": log.problems()}
    outcome = outcome_of(recipe, problems)
    evidence = counted.evidence.named(case.name) if outcome == "ok" else None
    return Part((CaseResult(case.name, problems, explanations, outcome),), evidence)


def count_together(recipe: Recipe, cases: Sequence[Case], files: Sequence[Read], explaining: Explaining) -> Part | None:
    """Return what becomes of cases that the task counts at once; None if they must be counted one by one.

    Raises:
        TaskError: if the task fails in counting them so.
    """
    if recipe.task.count_together is None or any(unread for _, unread in files):
        return None
    of_cases = {case.name: sources for case, (sources, _) in zip(cases, files, strict=True)}
    kinds = {**recipe.task.problems, **FILE_KINDS}
    logs = {
        name: {role: ProblemLog(source.label, kinds, recipe.rules) for role, source in sources.items()}
        for name, sources in of_cases.items()
    }
    if not all(sources.keys() >= set(recipe.task.needed(recipe.options, sources)) for sources in of_cases.values()):
        return None
    together = recipe.task.count_together(of_cases, recipe.options, logs)
    if together is None or any(log.has_errors for of_case in logs.values() for log in of_case.values()):
        return None
    explanations = {name: explaining.of(name, Later(each, logs[name]["system"])) for name, each in together.explanations.items()}
    problems = {name: {role: log.problems() for role, log in of_case.items()} for name, of_case in logs.items()}
    results = tuple(CaseResult(name, problems[name], explanations[name], "ok") for name in of_cases)
    return Part(results, together.evidence)


def failed(recipe: Recipe, case: Case, part: Part, error: TaskError) -> Part:
    """Return what becomes of a case, counted by itself, that the task fails to count with its neighbours; errors in its files stay."""
    (result,) = part.cases
    if result.outcome != "ok":
        return part
    role = "system" if "system" in case.files else next(iter(case.files))
    problems = {**result.problems, role: (*result.problems.get(role, ()), *_located(error, case.files[role].label))}
    return Part((replace(result, problems=problems, outcome=outcome_of(recipe, problems)),), None)


def united(recipe: Recipe, cases: Iterable[Case], parts: Collection[Part]) -> Part:
    """Return one part of all; where what the task counted cannot be merged, no case has evidence, and each says so."""
    try:
        with blamed(recipe.task):
            return Part.of(parts)
    except TaskError as error:
        return failed_in_all(recipe, cases, [result for part in parts for result in part.cases], error)


def failed_in_all(recipe: Recipe, cases: Iterable[Case], results: Iterable[CaseResult], error: TaskError) -> Part:
    """Return what becomes of cases with these results, where what the task gives of all of them cannot be worked with."""
    by_name = {case.name: case for case in cases}
    return Part.of([failed(recipe, by_name[result.name], Part((result,), None), error) for result in results])


def _with_failure(log: ProblemLog, error: TaskError) -> tuple[Problem, ...]:
    """Return the problems of a file at which a function of the task failed."""
    return (*log.problems(), *_located(error, log.path))


def _located(error: TaskError, path: str) -> tuple[Problem, ...]:
    return tuple(replace(problem, path=path) for problem in error.problems)


def _are_swapped(recipe: Recipe, sources: Mapping[str, Source], reference: str) -> bool:
    """Whether the gold file can be read as a system file, and the system file as gold; to be asked if neither file is fit for its role."""
    if not {reference, "system"} <= sources.keys():
        return False
    task = recipe.task
    logs = (ProblemLog("", task.problems, recipe.rules) for _ in range(2))
    exchanged = ((reference, sources["system"]), ("system", sources[reference]))
    try:
        return all(
            task.role(role).read(file, {}, recipe.options, log) is not None
            for (role, file), log in zip(exchanged, logs, strict=True)
        )
    except TaskError:  # a guess of ours is not to blame for
        return False


_SET_UP = ("file.outside", "task.failed")
"""The codes of errors that no output of the system is to blame for, in whatever file."""


def outcome_of(recipe: Recipe, problems_by_role: Mapping[str, tuple[Problem, ...]]) -> Outcome:
    """Return how a case went, from the problems of its files."""
    errors = [
        (role, problem) for role, problems in problems_by_role.items() for problem in problems if problem.severity == "error"
    ]
    if any(recipe.task.role(role).side == "gold" or problem.code in _SET_UP for role, problem in errors):
        return "set-up"
    return "failed" if errors else "ok"

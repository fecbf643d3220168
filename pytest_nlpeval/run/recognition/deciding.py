"""Decides what files are: every task guesses, its readers confirm, and the likeliest guess that they confirm is taken."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.config.checks import require_task
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.recognition.neighbours import samples_of
from pytest_nlpeval.run.recognition.sides import Paths, pairs_of
from pytest_nlpeval.task import SURE, Guess
from pytest_nlpeval.tasks import load_task, task_names

MOST_READ = 3
"""How many documents are read to confirm a guess."""

_NAME_IT = ", and name the task of these files meanwhile: nlpeval score TASK --gold … --system …, nlpeval init … --task TASK"

_SAME = 0.05
"""Confidences that differ by less are equal."""


@light_dataclass(frozen=True)
class Call:
    """A way to score files: a task, its options, and a path for each role; `confidence` and `why` are the task's.

    `problems` are the errors that its readers find, if they do not confirm the guess. `name` is the system's, where there are several.
    """

    task: str
    options: Mapping[str, Any]
    files: Mapping[str, str]
    confidence: float
    why: str
    name: str = ""
    problems: tuple[Problem, ...] = field(default=(), compare=False)

    @cached_property
    def key(self) -> str:
        """What two calls that do the same have in common."""
        return json.dumps([self.task, self.options, self.files], sort_keys=True, default=str)

    def suite(self, folder: Path) -> Suite:
        """Return the suite without a configuration; `ConfigError` if the task does not take the options or files."""
        return suite_of_paths(self.task, self.files, self.options, folder)


@light_dataclass(frozen=True)
class Decision:
    """What one pair of files is: the call that was `chosen`; None if `rivals` are equally likely, or nothing was recognised.

    `others` are what it could be, too, but is less likely to be; `refused` are guesses that the task's readers did not confirm, the
    likeliest first. `unasked` has what went wrong in tasks that could not guess.
    """

    pair: Paths
    chosen: Call | None = None
    rivals: tuple[Call, ...] = ()
    others: tuple[Call, ...] = ()
    refused: tuple[Call, ...] = ()
    unasked: tuple[Problem, ...] = ()

    @property
    def failures(self) -> tuple[Problem, ...]:
        """What went wrong in the tasks themselves, whose the files may be."""
        read = (problem for call in self.refused for problem in call.problems if problem.code == "task.failed")
        return (*self.unasked, *read)

    @property
    def confidence(self) -> float:
        """The confidence of what was chosen, or of the rivals; 0 for nothing."""
        return max((call.confidence for call in (self.rivals or (self.chosen,)) if call), default=0)

    @property
    def is_broken(self) -> bool:
        """Whether the files surely are of a task whose readers find errors in them: whatever else they could be is a bad guess."""
        return bool(self.refused) and self.refused[0].confidence >= SURE > self.confidence


@light_dataclass(frozen=True)
class Given:
    """What a user says beforehand: the names of the only tasks to ask (none for all), options, and files by role."""

    tasks: Collection[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)


def recognised(gold: str, system: str, folder: Path, given: Given | None = None) -> list[Decision]:
    """Return what the files of two paths are, pair by pair; relative paths start from `folder`, none if no files belong together.

    Where files surely are of a task and have errors, and nothing else is sure, no weaker guess is taken: it would score what nobody meant.
    Of several pairs those that nothing was recognised in are left out, and so are those with a file that plays another role in a likelier
    pair: the text beside brat's annotations is not a gold file of its own. Where a task fails, a pair stays, with nothing chosen.
    """
    decisions = [decision_on(pair, folder, given or Given()) for pair in pairs_of(gold, system, folder)]
    broken = [replace(one, chosen=None, rivals=()) for one in decisions if one.is_broken]
    clear = sorted((one for one in decisions if one.chosen or one.rivals), key=lambda one: one.confidence, reverse=True)
    is_wrong = broken and all(one.confidence < SURE for one in decisions)
    kept = broken if is_wrong else _without_reuse(clear) or decisions
    pairs = {one.pair for one in kept}
    return [*kept, *(replace(one, chosen=None, rivals=()) for one in decisions if one.failures and one.pair not in pairs)]


def _without_reuse(decisions: Iterable[Decision]) -> list[Decision]:
    kept: list[Decision] = []
    roles: dict[str, set[str]] = {}
    for decision in decisions:
        call = decision.chosen or decision.rivals[0]
        if all(roles.get(path, {role}) == {role} for role, path in call.files.items()):
            kept.append(decision)
            for role, path in call.files.items():
                roles.setdefault(path, set()).add(role)
    return sorted(kept, key=lambda decision: decision.pair)


def decision_on(pair: Paths, folder: Path, given: Given) -> Decision:
    """Return what a pair of files is."""
    unasked: list[Problem] = []
    guessed = sorted(_calls(pair, folder, given, unasked), key=lambda call: call.confidence)
    calls = {call.key: call for call in guessed}
    read = [_confirmed(call, pair, folder) for call in calls.values()]
    likely = sorted((call for call in read if not call.problems), key=lambda call: -call.confidence)
    refused = tuple(sorted((call for call in read if call.problems), key=lambda call: -call.confidence))
    if not likely:
        return Decision(pair, refused=refused, unasked=tuple(unasked))
    rivals = tuple(call for call in likely if call.confidence > likely[0].confidence - _SAME)
    others = tuple(likely[len(rivals) :])
    chosen = rivals[0] if len(rivals) == 1 else None
    return Decision(pair, chosen, () if chosen else rivals, others, refused, tuple(unasked))


def _calls(pair: Paths, folder: Path, given: Given, unasked: list[Problem]) -> Iterable[Call]:
    """Yield the guesses of all tasks; what goes wrong in one of them is put among the `unasked`, and costs only its own."""
    samples = samples_of(pair, folder)
    for name in (given.tasks or task_names()) if samples else ():
        try:
            recognise: Callable[..., Iterable[Guess]] | None = require_task(name).recognise
            guesses = list(recognise(samples)) if recognise else []
        except NlpevalError as error:  # its package cannot be imported, or it fails
            unasked += (replace(problem, path=pair.gold, message=problem.message + _NAME_IT) for problem in error.problems)
            continue
        for guess in _agreeing(guesses, given):
            options, files = {**guess.options, **given.options}, {**_files(guess, pair), **given.files}
            if files.get("gold") == files["system"] and not (_tells_sides(options) or _is_only_asked(name)):
                continue
            yield Call(name, options, files, guess.confidence, guess.why, pair.name)


def _tells_sides(options: Mapping[str, Any]) -> bool:
    """Whether an option is given by side: without any, a file would be compared with itself. Guesses never part what both sides share."""
    return any(isinstance(value, dict) and value.keys() and value.keys() <= {"gold", "system"} for value in options.values())


def _is_only_asked(task: str) -> bool:
    """Whether the gold files of a task have no answers, so that one file may be both."""
    return any(role.name == "gold" and role.is_question for role in load_task(task).roles)


def _agreeing(guesses: list[Guess], given: Given) -> list[Guess]:
    """Return the guesses whose options are none but those that are given; all, if each has another value of one."""
    return [
        guess for guess in guesses if all(guess.options.get(name, value) == value for name, value in given.options.items())
    ] or guesses


def _files(guess: Guess, pair: Paths) -> dict[str, str]:
    """Return the files by role; the pair's first file is gold unless the guess gives it another role."""
    files = {role: sample.path for role, sample in guess.files.items()}
    gold = {} if pair.gold in files.values() else {"gold": pair.gold}
    return {**gold, **files, "system": pair.system}


def _confirmed(call: Call, pair: Paths, folder: Path) -> Call:
    """Return the call, with the errors that the task's readers find in the first documents that both sides have."""
    try:
        suite = call.suite(folder)
    except NlpevalError as error:  # it does not take them, or the task fails
        return replace(call, problems=error.problems)
    cases = [case for case in suite.cases if not pair.docs or case.name in pair.docs][:MOST_READ]
    results = evaluate_cases(suite.recipe, cases).cases
    errors = (problem for result in results for problem in result.all_problems() if problem.severity == "error")
    return replace(call, problems=tuple(errors))


@light_dataclass(frozen=True)
class Found:
    """Files that were recognised, of one task, with the same options and gold: a call for each of their systems."""

    calls: tuple[Call, ...]
    others: tuple[Call, ...]

    def files(self) -> dict[str, str | dict[str, str]]:
        """Return the files by role: one path, or one for each system where these have different ones."""
        if len(self.calls) == 1:
            return dict(self.calls[0].files)
        by_role = {role: {call.name: call.files[role] for call in self.calls} for role in self.calls[0].files}
        return {role: paths if len(set(paths.values())) > 1 else next(iter(paths.values())) for role, paths in by_role.items()}


def grouped(decisions: Sequence[Decision]) -> list[Found]:
    """Return what was decided, the systems that answer the same gold in the same way together."""
    groups: dict[str, list[Decision]] = {}
    for decision in decisions:
        if call := decision.chosen:
            sides = {role.name: role.side for role in load_task(call.task).roles}
            shared = {role: path for role, path in call.files.items() if sides[role] == "gold"}
            key = json.dumps([call.task, call.options, shared, sorted(call.files)], sort_keys=True, default=str)
            groups.setdefault(key, []).append(decision)
    return [
        Found(tuple(one.chosen for one in group if one.chosen), tuple(call for one in group for call in one.others))
        for group in groups.values()
    ]

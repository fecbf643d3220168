"""The commands where files are recognised: `nlpeval score GOLD SYSTEM`, `nlpeval init GOLD SYSTEM`, `nlpeval init` where files lie."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_nlpeval.cli.output import present, show, tell
from pytest_nlpeval.cli.streams import err, out
from pytest_nlpeval.cli.task_options import task_options
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.cli.workers import evaluate_all
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.problems import Problem, problem_lines
from pytest_nlpeval.reports.blocks import Said, problem_blocks
from pytest_nlpeval.reports.found import FoundSuite, call_text, configuration, suite_name
from pytest_nlpeval.run.recognition.deciding import Call, Decision, Found, Given, grouped, recognised
from pytest_nlpeval.run.recognition.describing import described, unreadable
from pytest_nlpeval.run.recognition.searching import are_exchanged, likely_pairs
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.task import LIKELY
from pytest_nlpeval.wording import plural

_MOST_CALLS = 10
_MOST_PROBLEMS = 5


Failures = tuple[Problem, ...]
"""What went wrong in tasks that were asked: the files may be theirs."""


def suites_of(
    names: Sequence[str], roles: Mapping[str, Path], options: Mapping[str, Any], folder: Path
) -> tuple[list[Suite], Failures]:
    """Return the suites, one per system, of the files that two paths name, and tell what they are.

    Raises:
        UsageError: if they are nothing that a task knows, or may be one thing as well as another.
    """
    gold, system = _two(names)
    if taken := {"gold", "system"} & roles.keys():
        raise UsageError(f"--{min(taken)} is given, and {gold} and {system} besides; with --gold and --system name the task")
    given = Given(options=options, files={role: str(path) for role, path in roles.items()})
    found, failures = _all_found(gold, system, folder, given)
    if len(found) > 1:
        texts = [call_text(call) for one in found for call in one.calls]
        raise UsageError(f"{gold} and {system} hold {plural(len(found), 'suite')}; score one of them:", _first(texts))
    for line in _said(found[0]):
        tell(line)
    calls = found[0].calls
    suites = [call.suite(folder) for call in calls]
    if len(calls) == 1:
        return suites, failures
    systems = zip(suites, calls, strict=True)
    return [replace(suite, name=f"{call.task}/{call.name}", system=call.name) for suite, call in systems], failures


def init_with_files(options: argparse.Namespace, folder: Path) -> tuple[str, Failures]:
    """Return a configuration of the files that two paths name, and tell what they are."""
    gold, system = _two(options.names)
    given = Given([options.task] if options.task else [], task_options(options.option))
    return _configuration(*_all_found(gold, system, folder, given), folder)


def init_where_files_lie(folder: Path) -> tuple[str | None, Failures]:
    """Return a configuration of all files of gold and systems in a folder that are recognised; None if there are none.

    On a terminal the user is asked about each suite. Elsewhere what is clear is taken, and what is not is told.

    Raises:
        UsageError: if the user wants none of them.
        TaskError: if a task fails, and no other recognises any.
    """
    chosen: list[Found] = []
    failures: list[Problem] = []
    unwanted = 0
    for gold, system in likely_pairs(folder):
        decisions = recognised(gold, system, folder)
        failures += _failures(decisions)
        for decision in decisions:
            if decision.rivals:
                decisions = [*(one for one in decisions if one is not decision), *_asked_which(decision)]
        if not any(decision.chosen for decision in decisions):
            tell(
                f"nlpeval: {gold} and {system} are left out: no task recognises them; see `nlpeval init {gold} {system}`",
                "warning",
            )
        found = grouped(decisions)
        wanted = [one for one in found if _is_wanted(one)]
        unwanted += len(found) - len(wanted)
        chosen += wanted
    if unwanted and not chosen:
        raise UsageError("nothing was chosen, and nothing was written")
    if failures and not chosen:
        raise TaskError(_once(failures))
    return _configuration(chosen, _once(failures), folder) if chosen else (None, ())


def _two(names: Sequence[str]) -> tuple[str, str]:
    if len(names) != 2:
        raise UsageError(f"expected two paths, gold's and the system's, but got {len(names)}; a folder may hold several systems")
    return names[0], names[1]


def _failures(decisions: Iterable[Decision]) -> Failures:
    return _once(problem for decision in decisions for problem in decision.failures)


def _once(problems: Iterable[Problem]) -> Failures:
    """Return the first problem with each message: of many files it is mostly the same."""
    first: dict[str, Problem] = {}
    for problem in problems:
        first.setdefault(problem.message, problem)
    return tuple(first.values())


def _all_found(gold: str, system: str, folder: Path, given: Given) -> tuple[list[Found], Failures]:
    """Return what two paths hold; raise if any of it may be one thing as well as another, or if it is nothing."""
    _require_files(gold, system, folder)
    if are_exchanged(gold, system):
        raise UsageError(f"{gold} is called like output and {system} like gold; name gold first, or say --gold and --system")
    decisions = recognised(gold, system, folder, given)
    failures = _failures(decisions)
    for decision in decisions:
        if decision.rivals:
            calls = [call_text(call) for call in decision.rivals]
            failed = problem_lines(failures, folder)
            raise UsageError(f"{_pair(decision)} may be one thing as well as another; say which:", [*calls, *failed])
    found = grouped(decisions)
    if failures and not found:
        raise TaskError(failures)
    if not found:
        raise _exchanged(gold, system, folder, given) or _not_recognised(gold, system, decisions, folder)
    return found, failures


def _require_files(*paths_and_folder: Any) -> None:
    *paths, folder = paths_and_folder
    for path in paths:
        if "{doc}" not in path and not os.path.exists(folder / path):  # noqa: PTH110 - never raises
            hint = "; after a task's name, files are given as --gold and --system" if path == paths[0] else ""
            raise UsageError(f"{path} does not exist{hint}")


def _pair(decision: Decision) -> str:
    return f"{decision.pair.gold} and {decision.pair.system}"


def _exchanged(gold: str, system: str, folder: Path, given: Given) -> UsageError | None:
    """Return the error where files are surely what they seem to be if gold and system change places."""
    calls = [one.chosen for one in recognised(system, gold, folder, given) if one.chosen]
    if not calls or calls[0].confidence < LIKELY:
        return None
    return UsageError(f"{gold} seems to be the system's and {system} gold; name gold first:", [call_text(calls[0])])


def _not_recognised(gold: str, system: str, decisions: Sequence[Decision], folder: Path) -> UsageError:
    """Return the error where nothing was recognised: what was likeliest, with its readers' errors, or what the files seem to be."""
    if not decisions:
        return UsageError(f"no file of {gold} belongs to one of {system} by its name; write patterns with {{doc}}, or name files")
    pair = decisions[0].pair
    if problems := unreadable(pair, folder):
        return UsageError(f"{gold} and {system} cannot be read:", problems)
    refused = sorted((call for one in decisions for call in one.refused), key=lambda call: -call.confidence)
    if refused:
        lines = [call_text(refused[0]), *_lines_of(refused[0].problems)]
        return UsageError(
            f"{gold} and {system} cannot be read as what they seem to be; likeliest, and what is wrong then:", lines
        )
    known = "`nlpeval tasks` lists what is known; name the task and what it needs: nlpeval score TASK --gold … --system …"
    return UsageError(f"{gold} and {system} are nothing that a task recognises; {known}", described(pair, folder))


def _lines_of(problems: Sequence[Problem]) -> list[str]:
    lines = problem_lines(problems)
    more = [f"… and {len(lines) - _MOST_PROBLEMS:,} more"] if len(lines) > _MOST_PROBLEMS else []
    return lines[:_MOST_PROBLEMS] + more


def _first(calls: Sequence[str]) -> list[str]:
    more = [f"… and {len(calls) - _MOST_CALLS:,} more"] if len(calls) > _MOST_CALLS else []
    return [*calls[:_MOST_CALLS], *more]


def _said(found: Found) -> Iterator[str]:
    """Yield what was decided, call by call, and what the files could be, too."""
    first = found.calls[0]
    yield f"nlpeval: read as {first.task}: {first.why}"
    yield from (f"  {call_text(call)}" for call in found.calls[:_MOST_CALLS])
    if found.others:
        yield "nlpeval: less likely:"
        yield from (f"  {line}" for line in _first([call_text(call) for call in found.others]))


def _is_terminal() -> bool:
    return sys.stdin.isatty() and out().isatty()


def _asked(question: str) -> str:
    """Return what the user answers on the terminal; "n" if there is no more to read."""
    show(question)
    line = sys.stdin.readline()
    return line.strip().lower() if line else "n"


def _is_wanted(found: Found) -> bool:
    if not _is_terminal():
        return True
    present([Said(line) for line in _said(found)])
    return _asked("Put it into the configuration? [Y/n] ") in ("", "y", "yes")


def _asked_which(decision: Decision) -> list[Decision]:
    """Return the decision of a user among calls that are equally likely; none off a terminal, which is told."""
    calls = [call_text(call) for call in decision.rivals]
    if not _is_terminal():
        tell(f"nlpeval: {_pair(decision)} may be one thing as well as another, and are left out; say which:", "warning")
        for line in calls:
            tell(f"  {line}")
        return []
    numbered = [Said(f"  {rank} {line}") for rank, line in enumerate(calls, 1)]
    present([Said(f"{_pair(decision)} may be one thing as well as another:"), *numbered])
    answer = _asked(f"Which one? [1-{len(calls)}, nothing for none] ")
    wanted: list[Call] = [call for rank, call in enumerate(decision.rivals, 1) if answer == str(rank)]
    return [replace(decision, chosen=call, rivals=()) for call in wanted]


def _configuration(found: Sequence[Found], failures: Failures, folder: Path) -> tuple[str, Failures]:
    """Return a configuration of what was found, after scoring it once; what was decided, and errors in files, are told.

    Suites of a task that fails are left out, for no gates could be set by their scores; the failure joins the others.

    Raises:
        TaskError: if no suite is left.
    """
    suites: dict[str, FoundSuite] = {}
    for one in found:
        if not _is_terminal() or len(found) == 1:
            present([Said(line) for line in _said(one)])
        with closing(EvidenceStore()) as store:
            results = evaluate_all([call.suite(folder) for call in one.calls], 1, store)
        errors = [problem for result in results for problem in result.all_problems() if problem.severity == "error"]
        if failed := [problem for problem in errors if problem.code == "task.failed"]:
            failures = _once([*failures, *failed])
            continue
        present([*problem_blocks(problem_lines(errors, folder))], err())
        name = suite_name(one, suites)
        suites[name] = FoundSuite(name, one, results)
    if not suites:
        raise TaskError(failures)
    return configuration(list(suites.values())), failures

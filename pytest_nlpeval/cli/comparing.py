"""`nlpeval compare`: outputs side by side."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from pytest_nlpeval.cli.delivery import deliver
from pytest_nlpeval.cli.output import present
from pytest_nlpeval.cli.streams import err
from pytest_nlpeval.cli.suites import load_all, statistics_of, store_of
from pytest_nlpeval.cli.usage import USAGE, UsageError
from pytest_nlpeval.cli.workers import engine_of
from pytest_nlpeval.config.meaning import source_of
from pytest_nlpeval.config.selection import chosen, require_chosen
from pytest_nlpeval.config.suite import Baseline, Suite
from pytest_nlpeval.foreign import blamed
from pytest_nlpeval.problems import NlpevalError, problem_lines
from pytest_nlpeval.reports.blocks import problem_blocks
from pytest_nlpeval.reports.kinds import COMPARE
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run.conclusion import LEFT_TO_TESTS
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.gold_changes import gold_problems, unless_incomparable
from pytest_nlpeval.run.measure_choice import chosen_measures, measures_of, unknown_measures, with_groups
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.run.side_by_side import compare_outputs
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import Run
from pytest_nlpeval.wording import nearest

MOST = 20
"""How many outputs can be compared: each two of them are."""


class _BadFilesError(Exception):
    """A system of now whose files have errors."""

    def __init__(self, result: SuiteResult) -> None:
        super().__init__(result.suite.name)
        self.result = result


def compare(options: argparse.Namespace) -> int:
    """Compare systems, revisions and baseline files of a suite."""
    wanted, options.suites = options.suites, []  # the systems beside a chosen one may be compared with it
    suites = load_all(options, [options.baseline or "none", *options.names], **statistics_of(options) | {"baseline": "none"})
    options.suite, options.outputs = _suite_and_outputs(suites, wanted, options.names)
    with closing(store_of(options)) as store:
        return _compare(suites, options, store)


def _suite_and_outputs(suites: Sequence[Suite], wanted: Sequence[str], names: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the name of the suite that is compared, and what is compared: the first of `names` is the suite's if none is `wanted`."""
    if not wanted:
        if not names:
            raise UsageError(f"name the suite to compare: {', '.join(dict.fromkeys(suite.base for suite in suites))}")
        return names[0], names[1:]
    require_chosen(suites, wanted)
    of_choice = chosen(suites, wanted)
    bases = list(dict.fromkeys(suite.base for suite in of_choice))
    if len(bases) > 1:
        raise UsageError(f"compare takes one suite; --suite chose {', '.join(bases)}")
    return of_choice[0].name if len(of_choice) == 1 else bases[0], names


def _compare(suites: Sequence[Suite], options: argparse.Namespace, store: EvidenceStore) -> int:
    systems = _systems_of(options.suite, suites)
    names = _names(systems, options)
    for name in names:  # sources of other packages are announced before workers are there
        source_of(name)
    try:
        with engine_of(systems[:1] * len(names), options.jobs, store, explain=True, executor=options.executor) as engine:
            outputs = _outputs(systems, names, options.suite, engine)
    except _BadFilesError as error:
        problems = problem_lines(error.result.all_problems(), error.result.suite.root)
        present([*problem_blocks(problems)], err())
        return USAGE if error.result.outcome == "set-up" else 1
    suite = replace(systems[0], name=options.suite)
    measures = measures_of(suite, [output.evidence for output in outputs if output.evidence is not None])
    for name in unknown_measures(options.measure, measures):
        raise UsageError(f'{suite.name} has no measure "{name}"; {nearest(name, [measure.name for measure in measures])}')
    shown = chosen_measures(suite, measures, options.measure)
    shown = shown if options.measure else with_groups(shown, measures)
    with blamed(suite.recipe.task):
        compared = compare_outputs(suite, outputs, shown)
    deliver(COMPARE, compared, options.report, Setting())
    return 0


def _systems_of(name: str, suites: Sequence[Suite]) -> list[Suite]:
    """Return the systems of the suite of that name, `suite` or `suite/system`; of the latter that system first.

    Where several configurations have one of that name, that of the current folder is meant.
    """
    chosen = [suite for suite in suites if name in (suite.name, suite.base)]
    if not chosen:
        names = dict.fromkeys(either for suite in suites for either in (suite.base, suite.name))
        raise UsageError(f'there is no suite "{name}" here; {nearest(name, names)}')
    places = ", ".join(dict.fromkeys(suite.label for suite in chosen))
    here = [suite for suite in chosen if suite.config and suite.config.resolve().parent == Path.cwd().resolve()]
    chosen = here or chosen
    if len({suite.config for suite in chosen}) > 1:
        raise UsageError(f"several configurations have a suite {name} ({places}); change to the folder of the one that is meant")
    systems = [suite for suite in suites if suite.config == chosen[0].config and suite.base == chosen[0].base]
    return [*chosen, *(suite for suite in systems if suite not in chosen)]


def _names(systems: Sequence[Suite], options: argparse.Namespace) -> list[str]:
    """Return what is to be compared, at least two: a single one is compared with what the system says now."""
    names = [*([options.baseline] if options.baseline not in (None, "none") else []), *options.outputs]
    if not names:
        names = [suite.system or suite.name for suite in systems]
    elif len(names) == 1:
        own = _own(systems, options.suite)
        names.append(own.system or own.name)
    if len(names) < 2:
        raise UsageError(f"{options.suite} has one system; name what it is compared with: git:REVISION, or a baseline file")
    if twice := [name for name, number in Counter(names).items() if number > 1]:
        raise UsageError(f"{twice[0]} would be compared with itself; name another system, git:REVISION or baseline file")
    if len(names) > MOST:
        raise UsageError(f"{len(names)} outputs are too many to compare each two; expected at most {MOST}")
    return names


def _own(systems: Sequence[Suite], name: str) -> Suite:
    """Return the one system that a suite's name means; `UsageError` if there are several."""
    if len(systems) > 1 and name != systems[0].name:
        choices = ", ".join(suite.name for suite in systems)
        raise UsageError(f"{name} has several systems; say which one is meant: {choices}")
    return systems[0]


def _outputs(systems: Sequence[Suite], names: Sequence[str], own: str, engine: Engine) -> list[Run]:
    """Return what is to be compared; `own` is the name of the suite that revisions and files are of.

    Raises:
        UsageError: with all that cannot be had.
        NlpevalError: if the task fails in an output.
        _BadFilesError: if the files of a system have errors.
    """
    runs = [replace(_output(systems, name, own, engine), source=name) for name in names]
    if failures := tuple(problem for run in runs for problem in run.problems):
        raise NlpevalError(failures)
    if missing := [run.reason for run in runs if run.evidence is None]:
        raise UsageError("; ".join(missing))
    return runs


def _output(systems: Sequence[Suite], name: str, own: str, engine: Engine) -> Run:
    for suite in systems:
        if name in (suite.system, suite.name):
            if suite.judged_by_test:
                raise UsageError(f"what the system of {suite.name} says is {LEFT_TO_TESTS}; compare baseline files, or revisions")
            bare = replace(suite, layers=(), baseline=None, statistics=replace(suite.statistics, confidence=None))  # counts alone
            result = engine.evaluate(bare)
            if result.failed_cases or result.evidence is None:
                raise _BadFilesError(result)
            failures = tuple(problem for problem in result.problems if problem.code == "task.failed")
            return replace(result.run, failures={suite.name: failures})
    baseline = Baseline.of(name, Path.cwd(), systems[0].root)
    if baseline is None or (baseline.file and (not os.path.lexists(path := baseline.file.path) or Path(path).is_dir())):
        names = [suite.system or suite.name for suite in systems]
        raise UsageError(f'"{name}" is no system of the suite, no git:REVISION, and no file here; {nearest(name, names)}')
    suite = _own(systems, own)
    run = engine.run_of(suite, baseline)
    return unless_incomparable(run, gold_problems(suite, run))

"""The commands that score files; each returns the exit code."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from pytest_nlpeval.cli.delivery import deliver
from pytest_nlpeval.cli.opening import open_page, with_page
from pytest_nlpeval.cli.suites import load_all, require_other_files, statistics_of, store_of
from pytest_nlpeval.cli.task_options import task_options
from pytest_nlpeval.cli.usage import EXIT_CODES, UsageError, system_missing
from pytest_nlpeval.cli.workers import engine_of, evaluate_all
from pytest_nlpeval.config.production import Making
from pytest_nlpeval.config.suite import Choices, Suite
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.reports import EVIDENCE
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.document import configured_folders, report_of
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.runs import Part
from pytest_nlpeval.tasks import task_names


def run(options: argparse.Namespace) -> int:
    """Run the suites of configurations and judge their gates; of a shard, count its documents."""
    choices = {
        "profile": options.profile,
        "informational": options.informational,
        "default_baseline": options.default_baseline,
        **statistics_of(options),
    }
    made = {"produce": Making(os.urandom(16).hex(), keeps=not options.no_cache)} if options.produce else {}
    suites = load_all(options, **choices, **made)
    if options.shard or any(target.format == EVIDENCE for target in options.report):
        from pytest_nlpeval.cli.sharding import run_shard

        return run_shard(suites, Choices(**choices), options)
    return judged(suites, options)


def judged(suites: Sequence[Suite], options: argparse.Namespace, parts: Sequence[Part] | None = None) -> int:
    """Evaluate suites and judge their gates, deliver the report, and return the exit code; `parts` are what is counted already of each."""
    options.report = with_page(options.report) if options.open else options.report
    explain = bool(options.report or options.save_baseline)
    compares = bool(options.since) or any(suite.baseline for suite in suites)
    with closing(store_of(options)) as store:
        results = evaluate_all(
            suites,
            options.jobs,
            store if store.folder or compares else None,  # without a folder, only a comparison reads what is stored
            explain=explain,
            only_gated=not explain,  # no more is printed
            only_reported=not options.save_baseline,  # which keeps those of each document
            parts=parts,
            executor=options.executor,
        )
        document = _document(results, is_written=explain)
        if options.since and not document.passed:
            from pytest_nlpeval.cli.since import with_steps  # which needs what histories do

            with engine_of(suites, 1, store, explain=False) as engine:
                document = with_steps(document, results, options.since, engine)
    code = _concluded(document, results, options, brief=True)
    if options.save_baseline:
        from pytest_nlpeval.cli.baselining import save  # which needs what reads baseline files

        save(results, options.save_baseline)
    if options.open:
        open_page(options.report)
    return code


def score(options: argparse.Namespace) -> int:
    """Score files without a configuration."""
    given = task_options(options.option)
    failures: tuple[Problem, ...] = ()
    if len(options.names) == 1:
        from pytest_nlpeval.config.adhoc import suite_of_paths

        _require_no_file(options.names[0])
        suites = [suite_of_paths(options.names[0], options.roles, given, Path.cwd())]
    else:
        from pytest_nlpeval.cli.recognition import suites_of

        _require_no_task(options.names)
        suites, failures = suites_of(options.names, options.roles, given, Path.cwd())
    require_other_files(options, suites)
    with closing(store_of(options)) as store:
        kept = store if store.folder else None  # what this process keeps for itself, nobody would read
        results = evaluate_all(suites, options.jobs, kept, explain=True, only_reported=True, executor=options.executor)
    code = _concluded(_document(results, is_written=bool(options.report)), results, options, brief=False)
    if failures:
        raise NlpevalError(failures)
    return code


def _require_no_file(name: str) -> None:
    """Refuse a file in place of a task: whoever names gold alone wants the two recognised."""
    if name not in task_names() and os.path.exists(name):  # noqa: PTH110 - never raises
        raise system_missing("score", name, "task")


def _require_no_task(names: Sequence[str]) -> None:
    """Refuse files behind a task, where none is called like it: its files are named by their roles."""
    task, gold, system = [*names, "SYSTEM"][:3]
    if task in task_names() and not os.path.exists(task):  # noqa: PTH110 - never raises
        call = f"nlpeval score {task} --gold {shlex.quote(gold)} --system {shlex.quote(system)}"
        raise UsageError(f"the files of the task {task} are named by their roles:", [call])


def _document(results: Sequence[SuiteResult], *, is_written: bool) -> Report:
    """Return the report of a run. Where all suites hold and none has a baseline, nobody reads of the commit unless it `is_written`."""
    if not is_written and all(result.outcome == "ok" and result.suite.baseline is None for result in results):
        return report_of(results)
    from pytest_nlpeval.baselines.checkout import checkout_of  # which needs what runs git

    return report_of(results, checkout=checkout_of(configured_folders(results)))


def _concluded(document: Report, results: Sequence[SuiteResult], options: argparse.Namespace, *, brief: bool) -> int:
    """Deliver the report of a run, and return the exit code."""
    deliver(RUN, document, options.report, Setting([result.suite.root for result in results], brief=brief))
    return max(EXIT_CODES[suite.outcome] for suite in document.suites)

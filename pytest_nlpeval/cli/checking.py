"""The command `validate`, which needs nothing of what scores files and reports scores."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_nlpeval.cli.output import present
from pytest_nlpeval.cli.suites import load_all
from pytest_nlpeval.cli.task_options import task_options
from pytest_nlpeval.cli.usage import EXIT_CODES, USAGE, UsageError
from pytest_nlpeval.cli.workers import engine_of
from pytest_nlpeval.problems import problem_lines
from pytest_nlpeval.reports.blocks import Said, problem_blocks
from pytest_nlpeval.wording import plural


def validate(options: argparse.Namespace) -> int:
    """Check files: those of configurations, or files of one role of a task."""
    if options.task:
        from pytest_nlpeval.config.adhoc import suite_of_role

        if options.suites:
            raise UsageError("--suite chooses among the suites of configurations; with --task there are none")
        if not options.paths:
            raise UsageError("expected files to check, and --role if they are not the system's")
        role = options.role or "system"
        suites = [suite_of_role(options.task, role, options.paths, task_options(options.option), Path.cwd())]
        what, of = f"{role} file", f" of {suites[0].name}"
    else:
        if options.role or options.option:
            raise UsageError("--role and --option are about single files of a task: nlpeval validate --task TASK FILE…")
        suites, what, of = load_all(options), "document", ""
    with engine_of(suites, options.jobs, None, explain=False, executor=options.executor) as engine:
        results = [engine.check(suite) for suite in suites]
    for result in results:
        problems = problem_blocks(problem_lines(result.all_problems(), result.suite.root))
        present([*problems, *(Said(f"{result.suite.name}: {note}") for note in result.notes)])
    cases = [case for result in results for case in result.cases]
    wrong = sum(case.outcome != "ok" for case in cases)
    present([Said(f"{plural(len(cases), what)}{of} checked, {wrong:,} with errors", "bad" if wrong else "good")])
    errors = (problem for result in results for problem in result.problems if problem.severity == "error")
    codes = [EXIT_CODES[case.outcome] for case in cases] + [USAGE for _ in errors]
    return max(codes, default=0)

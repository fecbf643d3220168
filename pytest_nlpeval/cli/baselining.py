"""The command `baseline`, and what writes the baseline that a run is to keep."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from pytest_nlpeval.cli.output import present, tell
from pytest_nlpeval.cli.suites import load_all, require_measures, store_of
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.cli.workers import evaluate_all
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.reports.blocks import Said
from pytest_nlpeval.run.baseline_update import Update, saved, shown_baseline, updates
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import number, plural


def baseline(options: argparse.Namespace) -> int:
    """Write the baseline files of configurations, after showing what that changes, or show what is in them."""
    suites = load_all(options, baseline=options.baseline)
    if options.action == "show":
        return _show_baselines(suites, options.measure)
    with closing(store_of(options)) as store:
        results = evaluate_all(
            [replace(suite, layers=()) for suite in suites], options.jobs, store, explain=True, executor=options.executor
        )
    changes = updates(results, suites)
    present([Said(line) for update in changes for line in update.lines])
    _write(changes)
    present([Said(f"{update.label} written; commit it", "good") for update in changes])
    return 0


def _write(updates: Sequence[Update]) -> None:
    for update in updates:
        try:
            update.write()
        except OSError as error:
            raise UsageError(f"{update.label} cannot be written: {error.strerror}") from None


def _show_baselines(suites: Sequence[Suite], wanted: Sequence[str]) -> int:
    shown = [shown_baseline(suite, wanted) for suite in suites]
    require_measures(wanted, [measure for each in shown for measure in each.measures])
    for said, differences, values, left_out, _ in shown:
        more = [Said(f"  … and {plural(left_out, 'more measure')}: --measure '*' shows all")] if left_out else []
        present(
            [
                Said(said, "title"),
                *(Said(f"  not comparable: {fact}", "warning") for fact in differences),
                *(Said(f"  {name} {number(value)}") for name, value in values),
                *more,
            ]
        )
    return 0


def save(results: Sequence[SuiteResult], path: Path) -> None:
    """Write the evidence of results to a baseline file, and tell it."""
    saving = saved(results, path)
    _write([saving])
    tell(f"{saving.label} written", "good")  # a report may be on the standard output

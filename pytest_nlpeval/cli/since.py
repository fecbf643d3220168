"""Since when suites that failed are as bad as they are: what `nlpeval run --since` looks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_nlpeval.baselines.git import GitError
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.numbers import TOLERANCE
from pytest_nlpeval.reports.digest import suite_digest
from pytest_nlpeval.reports.model import Report, SuiteReport
from pytest_nlpeval.reports.since import PointReport, SinceReport
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.history import History, Step, last_step
from pytest_nlpeval.run.past import history_of
from pytest_nlpeval.run.results import SuiteResult

MOST_COMMITS = 50
"""How many commits that changed a suite's files are looked at."""


def with_steps(report: Report, results: Sequence[SuiteResult], since: str, engine: Engine) -> Report:
    """Return a report in which each suite that failed tells at which commit after `since` the measure that failed most fell last.

    Raises:
        UsageError: if git cannot tell, with what to do.
    """
    try:
        suites = [_with_step(suite, result, since, engine) for suite, result in zip(report.suites, results, strict=True)]
    except GitError as error:
        raise UsageError(str(error)) from None
    return replace(report, suites=tuple(suites), arguments=(*report.arguments, "--since", since))


def _with_step(suite: SuiteReport, result: SuiteResult, since: str, engine: Engine) -> SuiteReport:
    worst = suite_digest(suite).worst
    if worst is None or worst.score.value is None:
        return suite
    past = history_of(
        replace(result.suite, baseline=None), engine.run, engine.store, [worst.measure], last=MOST_COMMITS, since=since
    )
    step = last_step(past, worst.measure, worst.score.value)
    return replace(suite, since=_told(step, worst.measure, _points(past, worst.measure, worst.score.value))) if step else suite


def _points(past: History, measure: str, today: float) -> tuple[PointReport, ...]:
    """Return the measure's value at each commit that has one, and that of files that are not committed, if it is another."""
    points = [
        PointReport(commit=point.commit.name, subject=point.commit.subject, date=point.commit.day, value=value)
        for point in past.points
        if measure in point.readings and (value := point.readings[measure].score.value) is not None
    ]
    is_committed = points and abs(points[-1].value - today) <= TOLERANCE
    return (*points, *([] if is_committed else [PointReport(value=today)]))


def _told(step: Step, measure: str, points: Sequence[PointReport]) -> SinceReport:
    facts = (
        {}
        if step.commit is None
        else {
            "commit": step.commit.name,
            "subject": step.commit.subject,
            "author": step.commit.author,
            "date": step.commit.day,
        }
    )
    return SinceReport(measure=measure, before=step.before, value=step.value, points=tuple(points), **facts)

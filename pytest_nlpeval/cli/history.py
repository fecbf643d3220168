"""`nlpeval history`: scores over commits. What scores is imported, and started, for suites that the store does not have the history of."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import cache
from typing import TYPE_CHECKING

from pytest_nlpeval.baselines.git import GitError
from pytest_nlpeval.cli.delivery import deliver
from pytest_nlpeval.cli.suites import load_all, require_measures, statistics_of, store_of
from pytest_nlpeval.cli.usage import USAGE, UsageError
from pytest_nlpeval.reports.kinds import HISTORY
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run.past import history_of

if TYPE_CHECKING:
    from pytest_nlpeval.measures import Measure
    from pytest_nlpeval.run.engine import Engine
    from pytest_nlpeval.run.history import History


def history(options: argparse.Namespace) -> int:
    """Show the scores of suites over the commits that changed their systems' files."""
    suites = load_all(options, **statistics_of(options))
    with closing(store_of(options)) as store, ExitStack() as stack:

        @cache
        def engine() -> Engine:
            from pytest_nlpeval.cli.workers import engine_of

            return stack.enter_context(engine_of(suites, options.jobs, store, explain=False))

        try:
            histories = [
                history_of(suite, lambda then: engine().run(then), store, options.measure, last=options.last, since=options.since)
                for suite in suites
            ]
        except GitError as error:
            raise UsageError(str(error)) from None
    if options.measure:
        require_measures(options.measure, [measure for history in histories for measure in _known(history)])
    deliver(HISTORY, histories, options.report, Setting())
    return USAGE if any(history.problems for history in histories) else 0


def _known(history: History) -> Iterator[Measure]:
    """Yield all measures that a suite may have, those that depend on its files among them, if a commit was scored."""
    yield from history.suite.measures(history.columns or None)
    yield from history.measures

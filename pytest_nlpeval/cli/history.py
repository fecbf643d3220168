"""`nlpeval history`: scores over commits. What scores is imported, and started, for suites that the store does not have the history of."""

from __future__ import annotations

import argparse
from contextlib import ExitStack, closing
from functools import cache
from typing import TYPE_CHECKING

from pytest_nlpeval.baselines.git import GitError
from pytest_nlpeval.cli.delivery import deliver
from pytest_nlpeval.cli.suites import load_all, require_measures, statistics_of, store_of
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.reports.kinds import HISTORY
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run.past import history_of

if TYPE_CHECKING:
    from pytest_nlpeval.run.engine import Engine


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
    measures = [measure for history in histories for measure in (*history.suite.measures(None), *history.measures)]
    require_measures(options.measure, measures)
    deliver(HISTORY, histories, options.report, Setting())
    return 0

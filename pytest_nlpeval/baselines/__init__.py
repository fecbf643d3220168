"""Where a baseline comes from: the system's files at a revision of git, a file of stored evidence, or what a package adds.

A further source is a module with a `Source`, and its line in `config.meaning.SOURCES` or an entry point of the group `nlpeval.baselines`.
"""

from __future__ import annotations

from collections.abc import Callable

from pytest_nlpeval.config.meaning import load_source
from pytest_nlpeval.config.suite import Baseline, Suite
from pytest_nlpeval.foreign import kept_running
from pytest_nlpeval.runs import Evaluate, Run

Source = Callable[[Suite, Baseline, Evaluate], Run]
"""Gives the run of a suite that a baseline names, for what has to be evaluated with the given function.

It never raises for what cannot be had: the run then has no evidence, and the reason.
"""


def run_of(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Run:
    """Return the run that a suite is compared with, from the source of its baseline."""
    with kept_running():
        source: Source = load_source(baseline.source)
        return source(suite, baseline, evaluate)

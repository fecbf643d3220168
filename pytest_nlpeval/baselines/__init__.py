"""Where a baseline comes from: the system's files at a revision of git, a file of stored evidence, or what a package adds.

A further source is a module with a `Source`, and its line in `config.meaning.SOURCES` or an entry point of the group `nlpeval.baselines`.
"""

from __future__ import annotations

from collections.abc import Callable

from pytest_nlpeval.config.meaning import SOURCES, load_source
from pytest_nlpeval.config.suite import Baseline, Suite
from pytest_nlpeval.foreign import failure_of
from pytest_nlpeval.foreign_process import called
from pytest_nlpeval.runs import Evaluate, Run

Source = Callable[[Suite, Baseline, Evaluate], Run]
"""Gives the run of a suite that a baseline names, for what has to be evaluated with the given function.

It never raises for what cannot be had: the run then has no evidence, and the reason.
"""


def run_of(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Run:
    """Return the run that a suite is compared with, from the source of its baseline.

    Whatever a source of another package raises is the reason why there is nothing to compare with; what `evaluate` raises stays that.
    """
    if baseline.source in SOURCES:
        source: Source = load_source(baseline.source)
        return source(suite, baseline, evaluate)
    ours: list[BaseException] = []

    def evaluated(then: Suite) -> Run:
        try:
            return evaluate(then)
        except BaseException as error:
            ours.append(error)
            raise

    try:
        with called():
            run = load_source(baseline.source)(suite, baseline, evaluated)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit would end the run with whatever it says
        if any(error is each for each in ours):
            raise
        return _failed(baseline, failure_of(error))
    return run if isinstance(run, Run) else _failed(baseline, f"it gives {type(run).__name__}, expected Run")


def _failed(baseline: Baseline, what: str) -> Run:
    return Run(baseline.text, reason=f"the source of {baseline.text} fails: {what}; tell whoever wrote it")

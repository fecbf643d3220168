"""Accepts the results of a run as the baseline: writes the baseline files if all documents ran."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.pytest_plugin.state import State
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import plural

OPTION = "--nlpeval-update-baseline"


class RefusedError(Exception):
    """The baseline files are not written; the message says why."""


def accept(
    state: State, suites: Sequence[Suite], ran: Mapping[tuple[str, str], int], judged: Sequence[SuiteResult] = ()
) -> list[str]:
    """Write the baseline files of the suites, and of those that tests `judged`; return lines that say what that changes.

    `ran` counts the documents that ran, by configuration and suite.

    Raises:
        RefusedError: if some documents did not run, if files have errors, or if a file cannot be written.
    """
    from pytest_nlpeval.run.baseline_update import updates

    partial = [suite for suite in suites if ran.get((str(suite.config), suite.name), 0) < len(suite.cases)]
    if partial:
        names = ", ".join(suite.name for suite in partial[:3]) + (", …" if len(partial) > 3 else "")
        message = f"not all documents of {plural(len(partial), 'suite')} ran ({names}); run without -k, --lf, -x and the like"
        raise RefusedError(f"{OPTION}: nothing is written: {message}")
    try:
        own = [state.result(suite, explain=True) for suite in suites if not suite.judged_by_test]
        written = updates([*own, *judged])
        for update in written:
            update.write()
    except NlpevalError as error:
        raise RefusedError(f"{OPTION}: nothing is written: {'; '.join(map(str, error.problems))}") from None
    except OSError as error:
        raise RefusedError(f"{OPTION}: {error.filename} cannot be written: {error.strerror}") from None
    return [line for update in written for line in (*update.lines, f"{update.label} written; commit it")]

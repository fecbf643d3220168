"""Accepts the results of a run as the baseline: writes the baseline files if all documents ran."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.problems import NlpevalError, NoAnswerError
from pytest_nlpeval.pytest_plugin.state import State
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import plural

OPTION = "--nlpeval-update-baseline"
SAVE_OPTION = "--nlpeval-save-baseline"


class RefusedError(Exception):
    """The baseline files are not written; the message says why."""


def accept(
    state: State, suites: Sequence[Suite], ran: Mapping[tuple[str, str], int], judged: Sequence[SuiteResult] = ()
) -> list[str]:
    """Write the baseline files of the suites, and of those that tests `judged`; return lines that say what that changes.

    With `--nlpeval-save-baseline`, write the results of all of them to that file, too. `ran` counts the documents that ran, by
    configuration and suite.

    Raises:
        RefusedError: if some documents did not run, if files have errors, or if a file cannot be written.
    """
    from pytest_nlpeval.run.baseline_update import saved, updates
    from pytest_nlpeval.run.own_input import why_unwritable

    options = state.options
    option = OPTION if options.updates_baseline else SAVE_OPTION
    partial = [suite for suite in suites if ran.get((str(suite.config), suite.name), 0) < len(suite.cases)]
    if partial:
        names = ", ".join(suite.name for suite in partial[:3]) + (", …" if len(partial) > 3 else "")
        message = f"not all documents of {plural(len(partial), 'suite')} ran ({names}); run without -k, --lf, -x and the like"
        raise RefusedError(f"{option}: nothing is written: {message}")
    if options.saves_baseline and (why := why_unwritable([], suites, Path(options.saves_baseline))):
        raise RefusedError(f"{option}: nothing is written: {why}")
    try:
        results = [*(state.result(suite, explain=True) for suite in suites if not suite.judged_by_test), *judged]
        accepted = updates(results) if options.updates_baseline else []
        saving = [saved(results, Path(options.saves_baseline))] if options.saves_baseline else []
        for update in (*accepted, *saving):
            update.write()
    except NlpevalError as error:
        raise RefusedError(f"{option}: nothing is written: {'; '.join(map(str, error.problems))}") from None
    except NoAnswerError as error:
        raise RefusedError(f"{option}: nothing is written: {error}") from None
    except OSError as error:
        raise RefusedError(f"{option}: {error.filename} cannot be written: {error.strerror}") from None
    lines = [line for update in accepted for line in (*update.lines, f"{update.label} written; commit it")]
    return [*lines, *(f"{update.label} written" for update in saving)]

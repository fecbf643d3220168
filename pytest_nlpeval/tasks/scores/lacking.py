"""Items that lack a result: a number counts instead, or they are left out, or they are problems."""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from pytest_nlpeval.tasks.scores.options import Options, Result
from pytest_nlpeval.tasks.scores.outcomes import Filling, Outcome
from pytest_nlpeval.tasks.scores.slots import Flags
from pytest_nlpeval.wording import plural, quoted

if TYPE_CHECKING:
    from pytest_nlpeval.tasks.scores.system import System

_TOLERANCE = 1e-12


def check_lacking(system: System, filling: Filling, options: Options) -> dict[str, Outcome]:
    """Return the values of each result with what counts instead of those that are not there; items that nothing helps are in the log."""
    outcomes = dict(system.outcomes)
    has_record = filling.counts > 0
    needs_record = np.zeros(len(has_record), np.bool_)
    for result in options.results:
        outcome = outcomes[result.name]
        if not outcome.lacks.any():
            pass
        elif result.missing is not None:
            outcomes[result.name] = _imputed(outcome, result, result.missing, filling)
        elif outcome.lacks.mean() <= result.skip + _TOLERANCE:
            outcomes[result.name] = replace(outcome, skipped=outcome.lacks)
            number = int(outcome.lacks.sum())
            message = f"{_shares(number, len(outcome.lacks))} lack {result.name}; the option skip leaves them out of it"
            filling.file.add("skipped", message)
        else:
            needs_record |= outcome.lacks & ~has_record
            _log_missing(system, outcome, result, filling)
        _check_enough(outcomes[result.name], result, filling)
    _log_without_record(needs_record, filling)
    return outcomes


def _shares(number: int, items: int) -> str:
    return f"{number:,} of {plural(items, 'item')}"


def _imputed(outcome: Outcome, result: Result, missing: float, filling: Filling) -> Outcome:
    number = int(outcome.lacks.sum())
    message = f"{_shares(number, len(outcome.lacks))} lack {result.name}; each missing value counts as {missing:g}"
    present = outcome.values[~outcome.absent]
    middle = median(np.sort(present).tolist()) if present.size else missing
    if missing > middle if result.better == "higher" else missing < middle:
        message += f", which is better than {middle:g}, the median of the values that are there: whoever gives no value gains"
    filling.file.add("imputed", message)
    return replace(outcome, values=np.where(outcome.absent, missing, outcome.values))


def _log_missing(system: System, outcome: Outcome, result: Result, filling: Filling) -> None:
    """Log the items that have a record and lack the result."""
    absent = filling.slots.counts(outcome.absent)
    first_row = filling.first_rows()
    errors = {int(filling.items[row]): system.errors[row] for row in sorted(system.errors, reverse=True)}
    cure = "complete the run; or say what counts instead by `missing`, or which share may be left out by `skip`"
    lacking = outcome.lacks & (filling.counts > 0)
    if result.skip:
        cure = f"complete the run: with skip at most {result.skip:g} of the items may lack it, and {outcome.lacks.mean():.4g} do"
    for item in np.flatnonzero(lacking).tolist():
        repeats = int(filling.slots.sizes[item])
        where = f" in {absent[item]:,} of {plural(repeats, 'repeat')}" if repeats > 1 else ""
        reason = f" (the record says {quoted(errors[item])})" if item in errors else ""
        filling.add("missing", int(first_row[item]), f"no value{where}{reason}; {cure}", result.name)


def _log_without_record(needs_record: Flags, filling: Filling) -> None:
    file = filling.file
    for item in np.flatnonzero(needs_record).tolist():
        cure = "or say what counts instead by `missing`, or which share may be left out by `skip`"
        file.add("missing-id", f"has no record for the item {quoted(filling.names[item])}; {file.conventions.advice}, {cure}")


def _check_enough(outcome: Outcome, result: Result, filling: Filling) -> None:
    """Log the items that have fewer values than a measure looks at."""
    least = result.least_repeats
    if least == 1:
        return
    few = np.flatnonzero(~outcome.skipped & (filling.slots.sizes < least)).tolist()
    first_row = filling.first_rows() if few else ()
    for item in few:
        values = plural(int(filling.slots.sizes[item]), "value")
        message = f"has {values} of {result.name}, of which a measure looks at {least}"
        if first_row[item] >= 0:
            filling.add("repeats", int(first_row[item]), message, result.name)
        else:
            filling.file.add("repeats", f"item {quoted(filling.names[item])}, {result.name}: {message}")

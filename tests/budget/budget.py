"""What workloads cost, compared with what is stored of them in `calls.json`."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.budget.counting import Calls, count_calls
from tests.budget.workloads import WORKLOADS

STORED = Path(__file__).with_name("calls.json")
RENEW = "`python -m tests.budget` stores what holds now"

SIZES = (1, 2, 4)
TOLERANCE = 0.1
"""By what share calls may differ from those stored: versions of Python and of libraries make up less."""

OF_FUNCTION = 0.75
"""By what share the calls of a function that is stored by name may differ: one that is called twice as often is beyond it.

Versions of Python differ by as much as half in single functions, of which 3.13 tells calls that 3.11 does not.
"""

OF_PROCESS = {"run.store_folder.opened_files"}
"""Functions whose calls depend on the process: this one looks at each file that is open."""

NAMED = 0.003
"""The share of all calls from which a function is stored by name."""


@dataclass(frozen=True)
class Cost:
    """The calls of a workload by its size, and of its largest size those of the functions that have most."""

    calls: Sequence[int]
    functions: Mapping[str, int]


def counted(name: str) -> list[Calls]:
    """Return the calls that a workload makes in each size."""
    return [_counted(name, size) for size in SIZES]


def _counted(name: str, size: int) -> Calls:
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        return count_calls(WORKLOADS[name](size))


def cost_of(calls: Sequence[Calls]) -> Cost:
    """Return what is stored of a workload."""
    totals, largest = [each.total() for each in calls], calls[-1]
    return Cost(totals, {name: number for name, number in sorted(largest.items()) if number >= NAMED * totals[-1]})


def stored() -> dict[str, Cost]:
    """Return the stored costs by workload."""
    return {name: Cost(**cost) for name, cost in json.loads(STORED.read_text(encoding="utf-8")).items()}


def differences(name: str, calls: Sequence[Calls], budget: Cost) -> list[str]:
    """Return a sentence for each size whose calls are beyond the tolerance, and where most of the difference comes from.

    Functions are compared as well: where most calls read options and write a report, units that are counted twice are within the tolerance
    of all.
    """
    said = []
    for size, each, before in zip(SIZES, calls, budget.calls, strict=True):
        if abs(each.total() - before) > TOLERANCE * before:
            change = each.total() / before - 1
            said.append(f"{name}, size {size}: {each.total():,} calls instead of {before:,} ({change:+.0%}); {RENEW}")
    least = OF_FUNCTION * NAMED * budget.calls[-1]
    changed = [
        function
        for function in {*cost_of(calls).functions, *budget.functions} - OF_PROCESS
        if abs(calls[-1][function] - (before := budget.functions.get(function, round(NAMED * budget.calls[-1]))))
        > max(OF_FUNCTION * before, least)
    ]
    if changed:
        said.append(f"{name}: {', '.join(sorted(changed))}: more or fewer calls by {OF_FUNCTION:.0%}; {RENEW}")
    return [*said, *_where(calls[-1], budget)] if said else []


def _where(calls: Calls, budget: Cost) -> list[str]:
    """Return the functions whose calls differ most from those stored; what is not stored of a function was less than the share `NAMED`."""
    least = int(NAMED * budget.calls[-1])
    named = {name for name, number in calls.items() if number >= least} | set(budget.functions)
    changes = {name: calls[name] - budget.functions.get(name, least) for name in named}
    largest = sorted(changes, key=lambda name: -abs(changes[name]))[:8]
    return [f"  {name}: {calls[name]:,} instead of {budget.functions.get(name, f'less than {least}')}" for name in largest]


def growth(name: str, calls: Sequence[Calls]) -> list[str]:
    """Return a sentence if the calls of a workload grow faster than its size, and where.

    From size 2 to 4 a linear cost grows by twice as much as from 1 to 2, a quadratic one by four times as much; what is there at any
    size, such as the reading of options, is in none of the two. A cost that is no more than a tenth of all is not looked at.
    """
    small, middle, large = (each.total() for each in calls)
    excess = (large - middle) - 2 * (middle - small)
    if excess <= TOLERANCE * min(middle - small, middle) + 0.02 * large:
        return []
    superlinear = {
        function: number - calls[1][function] - 2 * (calls[1][function] - calls[0][function])
        for function, number in calls[2].items()
    }
    worst = sorted(superlinear, key=lambda function: -superlinear[function])[:8]
    return [
        f"{name}: {small:,}, {middle:,} and {large:,} calls at sizes 1, 2 and 4, which is {excess:,} more than linear",
        *(f"  {function}: {calls[0][function]:,}, {calls[1][function]:,}, {calls[2][function]:,}" for function in worst),
    ]

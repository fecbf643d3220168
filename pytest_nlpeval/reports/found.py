"""What is said of files that were recognised: the calls that score them, and a configuration of them with gates."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import PurePosixPath

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import SHARE, Measure
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.numbers import exactly, figure
from pytest_nlpeval.reports.starter import entry, inline
from pytest_nlpeval.run.recognition.deciding import Call, Found
from pytest_nlpeval.run.recognition.searching import GOLD_NAMES
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.task import StarterGate
from pytest_nlpeval.wording import printable

_STEPS = 0.01
"""Thresholds of shares are whole hundredths."""


def call_text(call: Call) -> str:
    """Return the command that scores files as a call says."""
    roles = [f"--{role} {shlex.quote(path)}" for role, path in call.files.items()]
    options = [f"--option {shlex.quote(f'{name}={inline(value)}')}" for name, value in call.options.items()]
    return " ".join(["nlpeval score", call.task, *roles, *options])


@light_dataclass(frozen=True, slots=True)
class FoundSuite:
    """A suite of a new configuration: its `name`, the files that were found, and what their systems score today."""

    name: str
    found: Found
    results: Sequence[SuiteResult]


def configuration(suites: Sequence[FoundSuite]) -> str:
    """Return a configuration of suites whose files were recognised, with gates a little below today's intervals."""
    lines = ["# Suites of pytest-nlpeval. `nlpeval run` runs them, and so does `pytest --nlpeval`.", "version: 1", "suites:"]
    for suite in suites:
        lines += _lines(suite)
    return "".join(f"{line}\n" for line in lines)


def _lines(suite: FoundSuite) -> Iterator[str]:
    call = suite.found.calls[0]
    yield f"  - name: {inline(suite.name)}"
    yield from entry("    ", f"task: {call.task}", printable(call.why), is_active=True)
    for role, path in suite.found.files().items():
        if isinstance(path, str):
            yield f"    {role}: {inline(path)}"
        else:
            yield f"    {role}:"
            yield from (f"      {inline(name)}: {inline(own)}" for name, own in path.items())
    if call.options:
        yield "    options:"
        yield from (f"      {name}: {inline(value)}" for name, value in call.options.items())
    yield from _gates(suite.results)


def _gates(results: Sequence[SuiteResult]) -> Iterator[str]:
    gates = [
        (gate, measure) for gate, measure in _usual_gates(results[0]) if all(measure.name in each.scores for each in results)
    ]
    lines = [line for gate, measure in gates for line in _gate(gate, measure, results)]
    if any(not line.lstrip().startswith("#") for line in lines):
        yield "    gates:  # a little on the worse side of the intervals of today"
    elif lines:
        yield "    # gates: nothing that these files show limits a measure; put limits of your own"
    yield from lines


def _usual_gates(result: SuiteResult) -> list[tuple[StarterGate, Measure]]:
    """Return the gates that a new configuration of the task has, as far as their measures have values.

    Fewer than two are joined by the first other measure whose best value is known.
    """
    measures = {measure.name: measure for measure in result.measures if result.scores[measure.name].value is not None}
    usual = [(gate, measures[gate.measure]) for gate in result.suite.recipe.task.starter.gates if gate.measure in measures]
    taken = {measure.name for _, measure in usual}
    bounded = [
        each for each in measures.values() if each.better == "higher" and each.best_end is not None and each.name not in taken
    ]
    leading = [(StarterGate(measure.name, 0, measure.definition), measure) for measure in bounded[:1]]
    return usual if len(usual) > 1 else [*leading, *usual]


def _gate(gate: StarterGate, measure: Measure, results: Sequence[SuiteResult]) -> list[str]:
    values = [score.value for each in results if (score := each.scores[measure.name]).value is not None]
    intervals = [interval for each in results if (interval := each.intervals.get(measure.name))]
    if len(values) < len(results):
        return entry("      ", f"{inline(measure.name)}:", "not every system has a value", is_active=False)
    today = " to ".join(dict.fromkeys((figure(min(values)), figure(max(values)))))
    bound = proposed(measure, intervals) if len(intervals) == len(results) else None
    if bound is None:
        said = f"{today} today; no interval that a limit could be taken from: put one of your own"
        return entry("      ", f"{inline(measure.name)}:", said, is_active=False)
    return entry("      ", f"{inline(measure.name)}: {exactly(bound)}", f"{today} today; {gate.meaning}", is_active=True)


def proposed(measure: Measure, intervals: Sequence[Interval]) -> float | None:
    """Return a threshold a little on the worse side of all intervals of a measure, those of several systems.

    None if an interval has no width, which shows nothing, or if no value could be worse than the threshold.
    """
    if not all(interval.low < interval.high for interval in intervals):
        return None
    if measure.better == "higher":
        end = min(interval.low for interval in intervals)
        bound = _beside(end, _step(measure, intervals), math.floor)
        return bound if bound > measure.range.low else None
    end = max(interval.high for interval in intervals)
    bound = _beside(end, _step(measure, intervals), math.ceil)
    return bound if bound < measure.range.high else None


def _step(measure: Measure, intervals: Sequence[Interval]) -> float:
    """Return the step of thresholds: a hundredth of shares, else the power of ten below the widths of the intervals."""
    if measure.range == SHARE:
        return _STEPS
    width = max(interval.high - interval.low for interval in intervals)
    return 10.0 ** (math.floor(math.log10(width)) - 1)


def _beside(end: float, step: float, towards: Callable[[float], int]) -> float:
    """Return the first multiple of a step that lies beyond an end of an interval, or another step further if it is the end itself."""
    away = 1 if towards is math.ceil else -1
    steps = towards(round(end / step, 9))
    bound = steps * step
    return round(bound if abs(bound - end) > step / 1000 else bound + away * step, 12)


def suite_name(found: Found, taken: Collection[str]) -> str:
    """Return a name for a suite that is not taken: that of its gold file, or of the folder or task where that says nothing."""
    files = found.calls[0].files
    gold = PurePosixPath(files.get("gold") or next(iter(files.values())))
    candidates = ["" if "{doc}" in gold.name else gold.stem, gold.parent.name, gold.parent.parent.name]
    named = [name for name in (re.sub(r"[^\w.+-]+|^\W+|\W+$", "-", text).strip("-.+") for text in candidates) if name]
    name = next((name for name in named if name.casefold() not in _SAY_NOTHING), found.calls[0].task)
    names = (name, *(f"{name}-{rank}" for rank in range(2, len(taken) + 3)))
    return next(each for each in names if each not in taken)


_SAY_NOTHING = GOLD_NAMES | {"data", "dev", "test", "input"}
"""Names of files and folders that do not tell one suite from another."""

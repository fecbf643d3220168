"""The measures of a run as github-action-benchmark takes them: https://github.com/benchmark-action/github-action-benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pytest_nlpeval.reports.model import GateReport, Report, SuiteReport
from pytest_nlpeval.reports.view import named_suites
from pytest_nlpeval.wording import harmless, number


def benchmark(report: Report, better: Literal["higher", "lower"]) -> list[dict[str, Any]]:
    """Return an entry for each measure of which a higher or a lower value is better: a file has one direction.

    The tools `customBiggerIsBetter` and `customSmallerIsBetter` of that action read a list of such entries.
    Of a suite these are the measures that gates judge, of one without gates all measures of everything. A measure without value has no
    entry. `name` is the suite and the measure, `unit` the measure's name, `range` its interval, `extra` the gates, their verdicts and the
    suite's notes.
    """
    return [
        _entry(name, suite, measure, gates)
        for name, suite in named_suites(report)
        for measure, gates in _gates_of_measures(suite).items()
        if suite.score(measure).value is not None and suite.score(measure).better == better
    ]


def _gates_of_measures(suite: SuiteReport) -> Mapping[str, Sequence[GateReport]]:
    """Return the measures that have entries, each with its gates."""
    gates: dict[str, list[GateReport]] = {}
    for gate in suite.gates:
        if gate.measure in suite.scores:
            gates.setdefault(gate.measure, []).append(gate)
    return gates or {name: () for name, score in suite.scores.items() if not score.group}


def _entry(name: str, suite: SuiteReport, measure: str, gates: Iterable[GateReport]) -> dict[str, Any]:
    score = suite.score(measure)
    low, high = score.shown("low"), score.shown("high")
    interval = {"range": f"{number(low)} to {number(high)}"} if low is not None and high is not None else {}
    extra = "\n".join(map(harmless, (*(f"{gate.bound}: {gate.verdict}" for gate in gates), *suite.notes)))
    return {
        "name": harmless(f"{name}: {measure}"),
        "unit": harmless(measure),
        "value": score.value,
        **interval,
        **({"extra": extra} if extra else {}),
    }

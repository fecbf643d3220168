"""Gated measures as rows, one for each measure with all its limits, and the counts of gates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from pytest_nlpeval.conditions import DEFAULT_ALPHA
from pytest_nlpeval.numbers import TOLERANCE, difference, figure, interval, p_value
from pytest_nlpeval.reports.digest_parts import GateCounts, Limit, MeasureRow
from pytest_nlpeval.reports.model import GateReport, ScoreReport, SuiteReport

Verdict = Literal["failed", "unjudged", "informational", "passed"]

_ORDER: Sequence[Verdict] = ("failed", "unjudged", "informational", "passed")


def counts_of(gates: Iterable[GateReport]) -> GateCounts:
    """Return how many conditions count, failed, are unjudged, and how many informational ones do not hold."""
    listed = list(gates)
    own = [gate.verdict for gate in listed if not gate.informational]
    informational = sum(gate.informational and gate.verdict != "passed" for gate in listed)
    return GateCounts(len(own), own.count("failed"), own.count("unjudged"), informational)


def measure_rows(suite: SuiteReport) -> list[MeasureRow]:
    """Return a row for each gated measure, the worst first."""
    gates: dict[str, list[GateReport]] = {}
    for gate in suite.gates:
        gates.setdefault(gate.measure, []).append(gate)
    rows = [measure_row(name, _score(suite, name, own), own) for name, own in gates.items()]
    return worst_first(rows, _parts(suite))


def worst_first(rows: Iterable[MeasureRow], parts: Collection[str] = ()) -> list[MeasureRow]:
    """Return rows in the order in which every format shows them: failed, unjudged, informational, passed.

    Measures of everything come before those of a group; `parts` are groups that no name tells. Among equals the measure that dropped
    most comes first, then it goes by name.
    """
    return sorted(rows, key=lambda row: _rank(row, parts))


def badness(rows: Iterable[MeasureRow]) -> tuple[bool, float]:
    """Return what sorts failed suites by their rows: the greatest drop of a measure that fails first, suites without any drop last."""
    drop = max((row.relative_drop for row in rows if row.fails), default=0.0)
    return drop <= 0, -drop


def _parts(suite: SuiteReport) -> frozenset[str]:
    """Return the labels of the wrong items of a suite that failed, and what these items belong to.

    Nobody explains a suite that passed unless a report is written, and the order must not depend on that.
    """
    if suite.outcome == "ok":
        return frozenset()
    entries = [entry.explanation for entry in suite.explained.first]
    labels = (label for entry in entries if entry.pair for label in entry.pair)
    return frozenset((*labels, *(entry.group for entry in entries))) - {""}


def _score(suite: SuiteReport, measure: str, gates: Sequence[GateReport]) -> ScoreReport:
    """Return the score of a gated measure; of one that the report has no score of, what its gates say."""
    if measure in suite.scores:
        return suite.scores[measure]
    told = next((gate for gate in gates if not gate.is_guard), None)
    if told is None:
        return ScoreReport(value=None)
    return ScoreReport(value=told.value, reason=told.reason, baseline=told.baseline, drop=told.drop, p=told.p)


def _rank(row: MeasureRow, parts: Collection[str]) -> tuple[int, bool, float, str]:
    group = row.score.group
    is_of_part = group in parts or group.startswith(("group.", "task."))
    return _ORDER.index(row.verdict), is_of_part, -row.relative_drop, row.measure


def measure_row(measure: str, score: ScoreReport, gates: Sequence[GateReport] = ()) -> MeasureRow:
    """Return the row of a measure with its gates."""
    limits = sorted((limit_of(gate) for gate in gates), key=lambda limit: (not limit.gate.fails, limit.verdict == "passed"))
    bounds = [gate.threshold for gate in gates if gate.bounds_value]
    drop = score.shown("drop")
    ends = (score.drop_low, score.drop_high) if drop is not None else (score.shown("low"), score.shown("high"))
    p = next((gate.p_adjusted for gate in gates if gate.p_adjusted is not None), score.p)
    return MeasureRow(
        measure,
        _verdict(gates),
        figure(score.value, bounds),
        figure(score.shown("baseline")),
        difference(drop),
        interval(*ends),
        p_value(p) if drop is None or abs(drop) > TOLERANCE else "",
        limits,
        score,
        is_beyond_chance(score, gates),
    )


def is_beyond_chance(score: ScoreReport, gates: Iterable[GateReport] = ()) -> bool | None:
    """Whether a drop is more than chance explains: p, adjusted where a gate adjusts it, is at most alpha; None if nobody tested it."""
    judged = [gate for gate in gates if gate.p_adjusted is not None]
    if judged:
        return all((gate.p_adjusted or 0.0) <= (gate.alpha or DEFAULT_ALPHA) for gate in judged)
    return None if score.p is None else score.p <= DEFAULT_ALPHA


def _verdict(gates: Iterable[GateReport]) -> Verdict:
    verdicts: set[Verdict] = {_verdict_of(gate) for gate in gates}
    return next((verdict for verdict in _ORDER if verdict in verdicts), "passed")


def _verdict_of(gate: GateReport) -> Verdict:
    return "informational" if gate.informational and gate.verdict != "passed" else gate.verdict


def limit_of(gate: GateReport) -> Limit:
    """Return what a condition asks, with the distance from it."""
    return Limit(gate.bound, distance_words(gate), gate.verdict, gate.reason if _has_reason(gate) else "", gate)


def _has_reason(gate: GateReport) -> bool:
    """Whether a condition's reason says more than its distance: why it is unjudged, why it holds although it is not met, or which units."""
    return gate.is_guard or gate.groups is not None or gate.verdict != "failed" or gate.distance is None


def distance_words(gate: GateReport) -> str:
    """Return how far the value is from the limit: `short by 0.146`, `over by 0.2`, `0.012 to spare`; "" if nobody can say."""
    distance = gate.distance
    if distance is None or distance != distance or abs(distance) == float("inf"):  # noqa: PLR0124 - a NaN differs from itself
        return ""
    if gate.verdict == "unjudged":
        return ""
    if distance < -TOLERANCE or (gate.verdict == "failed" and abs(distance) <= TOLERANCE):
        return f"{'short' if gate.condition == 'min' else 'over'} by {difference(abs(distance))}"
    return f"{difference(abs(distance))} to spare"

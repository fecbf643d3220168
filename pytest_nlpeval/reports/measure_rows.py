"""The measures of a suite as the HTML page shows them: values on a scale, thresholds, and the change against the baseline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pytest_nlpeval.reports.grids import bar
from pytest_nlpeval.reports.model import GateReport, ScoreReport, SuiteReport
from pytest_nlpeval.wording import number


class ScaleBar(NamedTuple):
    """A value drawn on a scale: where the bar, the interval and the marks begin and how long they are, in percent; "" for none."""

    start: str
    length: str
    low: str
    width: str
    thresholds: Sequence[str]
    baseline: str


class MeasureRow(NamedTuple):
    """A measure: its value and interval, or the reason why there is no value; what is demanded; and how it compares.

    `drop` is by how much it is worse than the baseline's, `change` says so in words. `verdict` is "" without a gate, else that of the worst
    of its conditions; `fails` says whether one makes the run fail.
    """

    measure: str
    value: float | None
    low: float | None
    high: float | None
    reason: str
    bar: ScaleBar | None
    bounds: Sequence[str]
    verdict: str
    fails: bool
    baseline: float | None
    drop: float | None
    change: str


class MeasureGroup(NamedTuple):
    """Measures that belong together."""

    name: str
    rows: Sequence[MeasureRow]


def measure_groups(suite: SuiteReport) -> list[MeasureGroup]:
    """Return the measures of a suite: those with gates, the failing ones first, then the rest by their groups."""
    gates: dict[str, list[GateReport]] = {}
    for gate in sorted(suite.gates, key=lambda gate: not gate.fails):
        gates.setdefault(gate.measure, []).append(gate)
    scores = suite.scores
    groups: dict[str, list[MeasureRow]] = {}
    for name in dict.fromkeys((*(name for name in gates if name in scores), *scores)):
        group = "with gates" if name in gates else scores[name].group
        groups.setdefault(group, []).append(_row(name, scores[name], gates.get(name, ())))
    return [MeasureGroup(name, rows) for name, rows in groups.items()]


def _row(name: str, score: ScoreReport, gates: Sequence[GateReport]) -> MeasureRow:
    drop = score.shown("drop")
    return MeasureRow(
        name,
        score.value,
        score.shown("low"),
        score.shown("high"),
        score.reason,
        scale_bar(score, [gate.threshold for gate in gates if gate.bounds_value]),
        [gate.bound for gate in gates],
        _verdict(gates),
        any(gate.fails for gate in gates),
        score.shown("baseline"),
        drop,
        "" if drop is None else change_words(drop, score.p),
    )


def _verdict(gates: Iterable[GateReport]) -> str:
    """Return the worst verdict of some conditions."""
    verdicts = {gate.verdict for gate in gates}
    return next((verdict for verdict in ("failed", "unjudged", "passed") if verdict in verdicts), "")


def change_words(drop: float, p: float | None = None) -> str:
    """Return how much worse or better a value is than before.

    >>> change_words(0.02, 0.2148)
    'worse by 0.0200, p = 0.215'
    """
    if not drop:
        return "the same"
    chance = "" if p is None else f", p = {p:.3g}"
    return f"{'worse' if drop > 0 else 'better'} by {number(abs(drop))}{chance}"


def scale_bar(score: ScoreReport, thresholds: Sequence[float] = (), ends: tuple[float, float] | None = None) -> ScaleBar | None:
    """Return the bar of a score between two ends: 0 and 1 for shares, else 0 and the greatest number that is to be drawn.

    There is no bar without a value, nor for a single number that is no share.
    """
    value = score.value
    if value is None:
        return None
    marks = [mark for mark in (score.low, score.high, score.baseline, *thresholds) if mark is not None]
    if ends is None:
        is_share = type(value) is not int and all(0 <= mark <= 1 for mark in (value, *marks))
        if not is_share and not marks:
            return None
        ends = (0.0, 1.0) if is_share else (min(0.0, value, *marks), max(0.0, value, *marks))
    low, high = ends
    drawn = bar(value, low, high)

    def place(mark: float | None) -> str:
        if mark is None or high <= low:
            return ""
        return f"{100 * (min(high, max(low, mark)) - low) / (high - low):.1f}"

    least, greatest = place(score.low), place(score.high)
    width = f"{float(greatest) - float(least):.1f}" if least and greatest else ""
    return ScaleBar(drawn.start, drawn.length, least, width, [place(mark) for mark in thresholds], place(score.baseline))

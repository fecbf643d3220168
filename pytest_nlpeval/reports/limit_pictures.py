"""Small pictures of gated measures: today's value with its interval, the baseline's, and what the limits let pass, on one axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor
from typing import NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.reports.digest_parts import MeasureRow
from pytest_nlpeval.reports.drawing import Scale, Tick, round_step
from pytest_nlpeval.reports.model import GateReport, ScoreReport

WIDTH, HEIGHT = 300, 26
"""Of a picture, in its own units."""

MARGIN = 8
"""At either end of the axis."""


class LimitMark(NamedTuple):
    """A limit: its place, and the side of it that fails, with the x and the width of that side; a drop that is allowed has no such side."""

    x: str
    is_of_drop: bool
    zone: str
    zone_width: str


@light_dataclass(frozen=True, slots=True)
class LimitPicture:
    """Where things lie; "" for what there is not. `ends` are the numbers at the ends of an axis that this picture alone has."""

    today: str
    low: str
    high: str
    baseline: str
    limits: Sequence[LimitMark]
    ticks: Sequence[Tick]
    has_own_axis: bool


class LimitPictures(NamedTuple):
    """The marks of the axis that rows share, and a picture for each row; None for a single point, which shows nothing."""

    ticks: Sequence[Tick]
    pictures: Sequence[LimitPicture | None]


def limit_pictures(rows: Sequence[MeasureRow]) -> LimitPictures:
    """Return the pictures of rows: shares of which more is better have one axis, every other measure has its own."""
    marks = [_marks(row) for row in rows]
    common = [mark for row, own in zip(rows, marks, strict=True) if _is_common(row.score) for mark in own]
    scale = _scale(common, is_share=True)
    pictures = [
        _picture(row, scale if is_common else _scale(own, is_share=row.score.kind == "share"), is_common=is_common)
        if len(set(own)) > 1
        else None
        for row, own in zip(rows, marks, strict=True)
        for is_common in [_is_common(row.score)]
    ]
    return LimitPictures(scale.ticks() if common else [], pictures)


def _is_common(score: ScoreReport) -> bool:
    return score.kind == "share" and score.better == "higher"


def _marks(row: MeasureRow) -> list[float]:
    """Return the numbers that a row's picture has."""
    score = row.score
    if score.value is None:
        return []
    drawn = (score.value, score.low, score.high, score.baseline, *(place for place, _ in _places(row)))
    return [mark for mark in drawn if mark is not None]


def _places(row: MeasureRow) -> list[tuple[float, GateReport]]:
    """Return where each limit of a row lies on the measure's axis, each once."""
    places = {
        (place, gate.bounds_value): gate
        for gate in (limit.gate for limit in row.limits)
        if (place := _place(gate, row.score)) is not None
    }
    return [(place, gate) for (place, _), gate in places.items()]


def _place(gate: GateReport, score: ScoreReport) -> float | None:
    """Return the value at which a gate begins to fail; None if it is no value of the measure."""
    if gate.bounds_value:
        return gate.threshold
    if score.baseline is None or gate.condition not in ("max_drop", "max_drop_relative"):
        return None
    drop = gate.threshold * (abs(score.baseline) if gate.condition == "max_drop_relative" else 1)
    return score.baseline - drop if score.better == "higher" else score.baseline + drop


def _scale(marks: Iterable[float], *, is_share: bool) -> Scale:
    """Return the scale of an axis a little longer than its marks need, to the next round number; that of shares ends at 0 and 1."""
    marks = list(marks) or [0.0, 1.0]
    width = max(marks) - min(marks)
    step = round_step((width or 1.0) / 3)
    low, high = floor(min(marks) / step) * step, ceil(max(marks) / step) * step
    if is_share:
        low, high = max(0.0, low), min(1.0, high)
    return Scale(low, high if high > low else low + 1, MARGIN, WIDTH - MARGIN)


def _picture(row: MeasureRow, scale: Scale, *, is_common: bool) -> LimitPicture:
    score = row.score

    def place(mark: float | None) -> str:
        return "" if mark is None else scale.place(mark)

    return LimitPicture(
        place(score.value),
        place(score.low),
        place(score.high),
        place(score.baseline),
        [_limit_mark(scale.place(at), gate) for at, gate in _places(row)],
        scale.ticks(),
        not is_common,
    )


def _limit_mark(x: str, gate: GateReport) -> LimitMark:
    if gate.condition == "min":
        return LimitMark(x, is_of_drop=False, zone="2", zone_width=f"{float(x) - 2:.1f}")
    if gate.condition == "max":
        return LimitMark(x, is_of_drop=False, zone=x, zone_width=f"{WIDTH - 2 - float(x):.1f}")
    return LimitMark(x, is_of_drop=True, zone="", zone_width="")

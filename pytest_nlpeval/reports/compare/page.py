"""The HTML page of `nlpeval compare`: scores of all systems side by side, their differences, and what changed between each two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_nlpeval.reports import TOOL
from pytest_nlpeval.reports.compare.blocks import (
    difference_of,
    group_sentence,
    is_beyond_chance,
    pair_sentence,
    statistics_of,
    system_notes,
)
from pytest_nlpeval.reports.drawing import picture
from pytest_nlpeval.reports.explanation_views import changed
from pytest_nlpeval.reports.grids import Drawn
from pytest_nlpeval.reports.items import Room
from pytest_nlpeval.reports.measure_rows import ScaleBar, scale_bar
from pytest_nlpeval.reports.model import ScoreReport
from pytest_nlpeval.reports.precision_recall import precision_recall
from pytest_nlpeval.reports.uncertainty import p_value, shown_ends
from pytest_nlpeval.run.side_by_side import Difference, Placing, Row, SideBySide
from pytest_nlpeval.wording import plural, signed

ScoreCell = tuple[Placing, float | None, float | None, ScaleBar | None]
"""A score of a system with the ends of its interval and its bar, None for none."""

DifferenceCells = tuple[str, str, str, str, str, str, str, str]
"""Measure, first and second system, difference, interval, p, adjusted p, and whether that is beyond chance, and then better or worse."""


def comparison_page(comparison: SideBySide) -> tuple[str, Mapping[str, Any]]:
    """Return the template of the page, and what it shows."""
    suite, systems = comparison.suite, [output.source for output in comparison.outputs]
    room = Room.of(len(comparison.pairings))
    return "comparison", {
        "title": f"{suite.name}: {plural(len(systems), 'system')} compared",
        "tool": f"{TOOL}; {statistics_of(comparison)}",
        "notes": list(system_notes(comparison.outputs)),
        "systems": systems,
        "measures": [(row.measure.name, _scores(row.entries)) for row in comparison.rows],
        "group_sentence": group_sentence(comparison.alpha) if len(systems) > 2 else "",
        "differences": [
            _difference(row, difference, comparison.alpha) for row in comparison.rows for difference in row.differences
        ],
        "drawings": _drawings(comparison.rows, systems),
        "pairs": [
            (pairing, pair_sentence(pairing, comparison.resampled), changed(pairing.changes, room.explanations, room.size))
            for pairing in comparison.pairings
        ],
    }


def _scores(entries: Sequence[Placing]) -> list[ScoreCell]:
    """Return the scores of a measure, with bars on one scale."""
    numbers = [number for entry in entries for number in (entry.score.value, *shown_ends(entry.interval, None))]
    marks = [number for number in numbers if number is not None]
    is_share = all(type(mark) is float and 0 <= mark <= 1 for mark in marks)
    scale = (0.0, 1.0) if is_share else (min(0.0, *marks), max(0.0, *marks))
    return [_score(entry, scale) for entry in entries]


def _score(entry: Placing, scale: tuple[float, float]) -> ScoreCell:
    value = entry.score.value
    low, high = shown_ends(entry.interval, value)
    return entry, low, high, scale_bar(ScoreReport(value=value, low=low, high=high), ends=scale)


def _difference(row: Row, difference: Difference, alpha: float) -> DifferenceCells:
    by, low, high = difference_of(row, difference)
    is_greater = (difference.difference or 0) > 0
    word = "better" if is_greater == (row.measure.better == "higher") else "worse"
    interval = f"{signed(low)} to {signed(high)}" if low is not None else ""
    chance = f"yes, {word}" if is_beyond_chance(difference, alpha) else "no"
    chances = p_value(difference.p), p_value(difference.p_adjusted)
    return row.measure.name, difference.first, difference.second, signed(by), interval, *chances, chance


def _drawings(rows: Sequence[Row], systems: Sequence[str]) -> Sequence[Drawn]:
    values = [{row.measure.name: row.entries[rank].score.value for row in rows} for rank in range(len(systems))]
    graphs = precision_recall(list(zip(systems, values, strict=True)))
    return [picture(graphs)] if graphs else []

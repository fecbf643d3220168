"""The HTML page of `nlpeval compare`: scores of all systems side by side, their differences, and what changed between each two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pytest_nlpeval.reports.compare.blocks import (
    chance_sentence,
    difference_of,
    group_sentence,
    p_value,
    pair_sentence,
    system_notes,
)
from pytest_nlpeval.reports.drawing import picture
from pytest_nlpeval.reports.explanation_views import Explained, changed
from pytest_nlpeval.reports.grids import Drawn
from pytest_nlpeval.reports.measure_rows import ScaleBar, scale_bar
from pytest_nlpeval.reports.model import ScoreReport
from pytest_nlpeval.reports.precision_recall import precision_recall
from pytest_nlpeval.reports.run.page import Room
from pytest_nlpeval.reports.view import Json, of_count
from pytest_nlpeval.run.item_changes import Changes
from pytest_nlpeval.wording import plural, signed


class SystemScore(NamedTuple):
    """A score of a system: the value with its interval, or the reason why there is none."""

    value: float | None
    low: float | None
    high: float | None
    bar: ScaleBar | None
    is_best: bool
    groups: str
    reason: str


class Difference(NamedTuple):
    """By how much a measure of the second system is greater than that of the first, in words for a cell each.

    `significant` says whether that is significant, and then whether it is better or worse.
    """

    measure: str
    first: str
    second: str
    difference: str
    interval: str
    p: str
    p_adjusted: str
    significant: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems: how much differs, and what changed from the first to the second."""

    key: str
    first: str
    second: str
    sentence: str
    changed: Explained


def comparison_html(report: Json) -> str:
    """Return the report of `nlpeval compare` as one HTML page."""
    from pytest_nlpeval.reports.markup import html

    systems = [system["name"] for system in report["systems"]]
    statistics = report["statistics"]
    room = Room.of(len(report["pairs"]))
    return html(
        "comparison",
        title=f"{report['suite']}: {plural(len(systems), 'system')} compared",
        tool=f"{report['tool']}; {chance_sentence(statistics)}",
        notes=[note for system in report["systems"] for note in system_notes(system)],
        systems=systems,
        measures=[(measure["measure"], _scores(measure)) for measure in report["measures"]],
        group_sentence=group_sentence(statistics) if len(systems) > 2 else "",
        differences=[
            _difference(measure, found, statistics["alpha"]) for measure in report["measures"] for found in measure["differences"]
        ],
        drawings=_drawings(report),
        pairs=[_pair(f"p{place}", pair, statistics["resampled"], room) for place, pair in enumerate(report["pairs"], 1)],
    )


def _scores(measure: Json) -> list[SystemScore]:
    """Return the scores of a measure, with bars on one scale."""
    ends = [score[end] for score in measure["scores"] for end in ("value", "low", "high") if score.get(end) is not None]
    is_share = all(isinstance(end, float) and 0 <= end <= 1 for end in ends)
    scale = (0.0, 1.0) if is_share else (min(0.0, *ends), max(0.0, *ends))
    return [
        SystemScore(
            score["value"],
            score.get("low"),
            score.get("high"),
            scale_bar(ScoreReport(value=score["value"], low=score.get("low"), high=score.get("high")), ends=scale),
            score.get("best", False),
            " ".join(score["groups"]),
            score.get("reason", ""),
        )
        for score in map(of_count, measure["scores"])
    ]


def _difference(measure: Json, found: Json, alpha: float) -> Difference:
    difference, low, high = difference_of(measure, found)
    is_greater = (found["difference"] or 0) > 0
    word = "better" if is_greater == (measure["better"] == "higher") else "worse"
    return Difference(
        measure["measure"],
        found["first"],
        found["second"],
        signed(difference),
        f"{signed(low)} to {signed(high)}" if low is not None else "",
        p_value(found.get("p")),
        p_value(found.get("p_adjusted")),
        f"yes, {word}" if found.get("p_adjusted", 1) <= alpha else "no",
    )


def _drawings(report: Json) -> Sequence[Drawn]:
    values: dict[str, dict[str, float | None]] = {system["name"]: {} for system in report["systems"]}
    for measure in report["measures"]:
        for score in measure["scores"]:
            values[score["system"]][measure["measure"]] = score["value"]
    graphs = precision_recall(list(values.items()))
    return [picture(graphs)] if graphs else []


def _pair(key: str, pair: Json, resampled: str, room: Room) -> Pair:
    return Pair(
        key,
        pair["first"],
        pair["second"],
        pair_sentence(pair, resampled),
        changed(Changes.from_json(pair["changes"]), room.explanations, room.size),
    )

"""What became worse, by kind: from the tallies of a report, or, without a baseline, from the counts of its explanations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pytest_nlpeval.reports.digest_parts import Growth, Kind
from pytest_nlpeval.reports.model import SuiteReport
from pytest_nlpeval.run.tallies import Tally

TITLES: Mapping[Literal["pair", "reason", "group", "document"], str] = {
    "group": "group",
    "pair": "gold → system",
    "reason": "reason",
    "document": "document",
}
"""What each sort of kinds is called, in the order in which they are shown."""

NO_LABEL = "nothing"
"""Stands for the label of a side that has none."""


def growth_of(suite: SuiteReport) -> list[Growth]:
    """Return what became worse; without a comparison how many items are wrong today of each reason. Nothing is told twice.

    A single document or reason says nothing that the suite's number of wrong items does not say, and is left out where something else is
    told.
    """
    if suite.changes is None or not suite.changes.by:
        counts = sorted(suite.explained.counts.items(), key=lambda pair: (-pair[1], pair[0]))
        return [Growth("reason", TITLES["reason"], [Kind(name, None, number) for name, number in counts])] if counts else []
    by = suite.changes.by
    told = [Growth(sort, title, [_kind(tally) for tally in by.get(sort, ())]) for sort, title in TITLES.items()]
    telling = [growth for growth in told if len(growth.kinds) > (growth.by in ("reason", "document"))]
    return telling or [growth for growth in told if growth.kinds and growth.by == "reason"]


def _kind(tally: Tally) -> Kind:
    name = tally.name or pair_name(tally.gold, tally.system)
    return Kind(name, tally.then, tally.today, tally.newly_wrong, tally.newly_right, tally.gold, tally.system)


def pair_name(gold: str, system: str) -> str:
    """Return what a pair of labels is called: `LOC → ORG`, `ORG → nothing`."""
    return f"{gold or NO_LABEL} → {system or NO_LABEL}"

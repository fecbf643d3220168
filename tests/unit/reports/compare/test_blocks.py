"""What a person reads of a comparison: how changes are told."""

from __future__ import annotations

from typing import Any

from pytest_nlpeval.reports.blocks import plain
from pytest_nlpeval.reports.compare.blocks import comparison_blocks
from tests.support import assert_clean

MISSED = {"unit": "1", "reason": "missed", "message": "no answer", "line": None}
SPURIOUS = {"unit": "2", "reason": "spurious", "message": "has \x1b[31m", "line": 3}


def change(sort: str, unit: str, before: dict[str, Any] | None, now: dict[str, Any] | None) -> dict[str, Any]:
    return {"case": "d", "unit": unit, "item": unit, "change": sort, "before": before, "now": now}


def told(*changes: dict[str, Any], **facts: int) -> list[str]:
    """The lines about what changed from `a` to `b`."""
    sorts = ("newly_wrong", "newly_right", "otherwise_wrong")
    counts = {sort: sum(found["change"] == sort for found in changes) for sort in sorts}
    units = {"paired": 9, "added": 0, "removed": 0, "differing": 3}
    document = {
        "suite": "s",
        "statistics": {"resamples": 10, "seed": 1, "resampled": "documents", "alpha": 0.05},
        "systems": [{"name": "a"}, {"name": "b"}],
        "measures": [],
        "pairs": [{"first": "a", "second": "b", "units": units, "changes": {"counts": counts, "first": list(changes), **facts}}],
    }
    text = plain(comparison_blocks(document))
    assert_clean(text)
    return text[text.index("from a to b") :].splitlines()


def test_newly_wrong_ones_come_first_with_both_sides_where_there_are_two() -> None:
    assert told(
        change("otherwise_wrong", "2", MISSED, SPURIOUS),
        change("newly_right", "1", {**MISSED, "passage": {"text": "Marked.", "gold": [[0, 6]], "system": []}}, None),
        change("newly_wrong", "", None, {**MISSED, "unit": "", "passage": {"text": "A passage.", "gold": [], "system": []}}),
    ) == [
        "from a to b: 3 of 9 documents differ, 1 newly wrong, 1 newly right, 1 otherwise wrong",
        "  newly wrong: d: missed: no answer",
        "      A passage.",
        "  newly right: d, unit 1: missed: no answer",
        "  otherwise wrong: d, unit 2: spurious: has \\x1b[31m (before: missed: no answer)",
    ]


def test_what_is_not_known_is_told() -> None:
    (line,) = told(uncertain=2)
    assert line.endswith("0 otherwise wrong; more is wrong in 2 documents than is kept")

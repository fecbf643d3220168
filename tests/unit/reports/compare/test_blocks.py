"""What a person reads of a comparison: how changes are told."""

from __future__ import annotations

from pytest_nlpeval.explanations import Passage
from pytest_nlpeval.reports.blocks import plain
from pytest_nlpeval.reports.compare.blocks import comparison_blocks
from pytest_nlpeval.run.item_changes import Change
from tests.support import assert_clean
from tests.unit.reports.compare.comparisons import MISSED, SPURIOUS, change, comparison, pairing


def told(*changes: Change, uncertain: int = 0) -> list[str]:
    """The lines about what changed from `a` to `b`."""
    text = plain(comparison_blocks(comparison(pairs=[pairing("a", "b", *changes, uncertain=uncertain)])))
    assert_clean(text)
    return text[text.index("from a to b") :].splitlines()


def test_newly_wrong_ones_come_first_with_both_sides_where_there_are_two() -> None:
    assert told(
        change("otherwise_wrong", "2", MISSED, SPURIOUS),
        change("newly_right", "1", MISSED._replace(passage=Passage("Marked.", ((0, 6),), ())), None),
        change("newly_wrong", "", None, MISSED._replace(passage=Passage("A passage.", (), ()))),
    ) == [
        "from a to b: 3 of 9 units differ, 1 added, 1 newly wrong, 1 newly right, 1 wrong in another way",
        "  newly wrong: d: missed: no answer",
        "      A passage.",
        "  newly right: d, unit 1: missed: no answer",
        "  wrong in another way: d, unit 2: spurious: has \\x1b[31m (baseline: missed: no answer)",
    ]


def test_what_is_not_known_is_told() -> None:
    (line,) = told(uncertain=2)
    assert line.endswith("0 wrong in another way; more is wrong in 2 documents than is kept")

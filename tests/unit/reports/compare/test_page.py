"""The page of `nlpeval compare`: scores side by side, differences, and what changed."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.reports import pieces
from pytest_nlpeval.reports.kinds import COMPARE
from pytest_nlpeval.run.side_by_side import Difference, Row
from pytest_nlpeval.wording import harmless
from tests.unit.reports.compare.comparisons import MISSED, SPURIOUS, change, comparison, pairing, placing, row
from tests.unit.reports.test_html import HOSTILE, cells, tree_of, words


def page(*rows: Row, **fields: Any) -> Any:
    return tree_of("".join(pieces("html", COMPARE, comparison(*rows, **fields))))


def test_systems_stand_side_by_side_with_bars_on_one_scale() -> None:
    found = page(
        row("f1", placing(0.5, "a", "b", ends=(0.25, 0.75), is_best=True), placing(None)),
        row("count", placing(40, "a"), placing(10, "b", ends=(0.0, 80.0))),
    )
    (scores, _) = found.xpath("//table")
    assert [words(cell) for cell in scores.xpath(".//thead//th")] == ["measure", "a", "b"]
    assert cells(scores.xpath("./tbody/tr")) == [
        "f1 ★ best: 0.50000.2500 to 0.7500 -nothing to score",
        "count 40 100 to 80",
    ]
    assert scores.xpath(".//*[local-name()='rect'][not(@class)]/@width") == ["50.0", "50.0", "12.5"]
    assert scores.xpath(".//*[local-name()='rect'][@class='interval']/@width") == ["50.0", "100.0"]
    assert "Letters" not in words(found)  # of two systems, the difference says all


def test_of_three_systems_the_groups_are_told() -> None:
    found = page(row("f1", *[placing(0.5, "a")] * 3), systems=("a", "b", "c"))
    assert [words(group) for group in found.xpath("//sup")] == ["a"] * 3
    assert "share a group's letter do not differ by more than chance explains (adjusted p above 0.05)" in words(found)


def test_differences_have_intervals_and_p_values() -> None:
    differences = [Difference("a", "b", 0.25, Interval(0.1, 0.4), 0.01, 0.02), Difference("a", "c", None, None, None, None)]
    found = page(row("f1", placing(None), placing(None), differences=differences))
    assert cells(found.xpath("//table")[-1].xpath("./tbody/tr")) == [
        "f1 a b +0.2500 +0.1000 to +0.4000 0.010 0.020 yes, better",
        "f1 a c - - - no",
    ]


@pytest.mark.parametrize(
    ("better", "difference", "told"),
    [("higher", 0.5, "better"), ("higher", -0.5, "worse"), ("lower", 3, "worse"), ("lower", -3, "better")],
)
def test_a_significant_difference_is_better_or_worse(better: Literal["higher", "lower"], difference: float, told: str) -> None:
    found = Difference("a", "b", difference, None, 0.01, 0.05)
    shown = page(row("m", placing(None), placing(None), differences=[found], better=better))
    assert words(shown.xpath("//table")[-1].xpath("./tbody/tr")[0][-1]) == f"yes, {told}"


def test_precision_and_recall_are_drawn() -> None:
    found = page(row("precision", placing(0.5), placing(0.75)), row("recall", placing(0.25), placing(1.0)))
    assert cells(found.xpath("//figure//tbody/tr")) == ["a all 0.250 0.500", "b all 1.000 0.750"]
    assert not page(row("f1", placing(0.5), placing(0.75))).xpath("//figure")


def test_changes_of_each_pair_are_explanations() -> None:
    found = (
        change("newly_right", "1", MISSED._replace(line=12), None),
        change("otherwise_wrong", "2", MISSED, SPURIOUS),
        change("newly_wrong", "3", None, MISSED),
    )
    shown = page(pairs=[pairing("a", "b", *found, more=7)])
    (section,) = shown.xpath("//section[@id='p1']")
    assert words(section.xpath("./h2")[0]) == "From a to b"
    assert "3 of 9 units differ, 1 added, 8 newly wrong" in words(section)
    assert [words(item) for item in section.xpath(".//article")] == [
        "newly wrong 3 missed d, unit 3 no answer",
        r"wrong in another way 2 spurious d, line 3 has \x1b[31m before: missed: no answer",
        "newly right 1 missed d, unit 1 before: no answer",
    ]
    assert [item.get("class") for item in section.xpath(".//article")] == [
        "item newly-wrong",
        "item wrong-in-another-way",
        "item newly-right",
    ]
    assert "7 more changes left out here." in words(section)  # 8 + 1 + 1 are counted, 3 are listed


def test_what_could_not_be_compared_is_told() -> None:
    (remark,) = page(a=("d7",)).xpath("//p[@class='remark']")
    assert words(remark) == "a: 1 document with errors in their files: d7"


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_text_from_files_appears_literally_and_harmlessly(text: str) -> None:
    entry = change("newly_wrong", text, None, MISSED._replace(message=text, gold=text))
    found = page(row("f1", placing(0.5), placing(0.5)), systems=(text, "b"), pairs=[pairing(text, "b", entry)])
    assert not found.xpath("//script | //img | //b | //@onerror | //@onload")
    assert harmless(text) in found.text_content()

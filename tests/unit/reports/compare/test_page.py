"""The page of `nlpeval compare`: scores side by side, differences, and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jsonschema
import pytest

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.reports.compare.page import comparison_html
from pytest_nlpeval.wording import printable
from tests.unit.reports.compare.test_blocks import MISSED, SPURIOUS, change
from tests.unit.reports.test_html import HOSTILE, cells, tree_of, words


def score(system: str, value: float | None, *groups: str, **fields: Any) -> dict[str, Any]:
    reason = {"reason": "nothing to score"} if value is None else {}
    return {"system": system, "value": value, "groups": list(groups), **reason, **fields}


def measure(name: str, *scores: dict[str, Any], differences: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"measure": name, "group": "", "better": "higher", "scores": list(scores), "differences": list(differences)}


def pair(first: str, second: str, *found: dict[str, Any], more: int = 0) -> dict[str, Any]:
    counts = {"newly_wrong": sum(one["change"] == "newly_wrong" for one in found) + more}
    units = {"paired": 9, "added": 1, "removed": 0, "differing": 3}
    return {"first": first, "second": second, "units": units, "changes": {"counts": counts, "first": list(found)}}


def page(
    *measures: dict[str, Any], systems: Sequence[str] = ("a", "b"), pairs: Sequence[dict[str, Any]] = (), **known: list[str]
) -> Any:
    """The page of some systems; `known` says of a system which of its documents are broken."""
    report = {
        "version": 1,
        "tool": "the tool",
        "suite": "dev",
        "task": "t",
        "statistics": {"resamples": 10, "seed": 1, "resampled": "units", "alpha": 0.05},
        "systems": [
            {"name": name, "documents": 1, "units": 9, **({"broken": known[name]} if name in known else {})} for name in systems
        ],
        "measures": list(measures),
        "pairs": list(pairs) or [pair(systems[0], systems[1])],
    }
    jsonschema.Draft202012Validator(json_schema("comparison.schema.json")).validate(report)
    return tree_of(comparison_html(report))


def test_systems_stand_side_by_side_with_bars_on_one_scale() -> None:
    found = page(
        measure("f1", score("a", 0.5, "a", "b", low=0.25, high=0.75, best=True), score("b", None)),
        measure("count", score("a", 40, "a"), score("b", 10, "b", low=0.0, high=80.0)),
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
    found = page(measure("f1", *(score(name, 0.5, "a") for name in "abc")), systems=("a", "b", "c"))
    assert [words(group) for group in found.xpath("//sup")] == ["a"] * 3
    assert "share a group's letter do not differ significantly (adjusted p above 0.05)" in words(found)


def test_differences_have_intervals_and_p_values() -> None:
    facts = {"low": 0.1, "high": 0.4, "p": 0.01, "p_adjusted": 0.02}
    differences = ({"first": "a", "second": "b", "difference": 0.25, **facts}, {"first": "a", "second": "c", "difference": None})
    found = page(measure("f1", differences=differences))
    assert cells(found.xpath("//table")[-1].xpath("./tbody/tr")) == [
        "f1 a b +0.2500 +0.1000 to +0.4000 0.01 0.02 yes, better",
        "f1 a c - - - no",
    ]


@pytest.mark.parametrize(
    ("better", "difference", "told"),
    [("higher", 0.5, "better"), ("higher", -0.5, "worse"), ("lower", 3, "worse"), ("lower", -3, "better")],
)
def test_a_significant_difference_is_better_or_worse(better: str, difference: float, told: str) -> None:
    found = {"first": "a", "second": "b", "difference": difference, "p": 0.01, "p_adjusted": 0.05}
    (row,) = page({**measure("m", differences=(found,)), "better": better}).xpath("//table")[-1].xpath("./tbody/tr")
    assert words(row[-1]) == f"yes, {told}"


def test_precision_and_recall_are_drawn() -> None:
    found = page(measure("precision", score("a", 0.5), score("b", 0.75)), measure("recall", score("a", 0.25), score("b", 1.0)))
    assert cells(found.xpath("//figure//tbody/tr")) == ["a all 0.2500 0.5000", "b all 1.0000 0.7500"]
    assert not page(measure("f1", score("a", 0.5), score("b", 0.75))).xpath("//figure")


def test_changes_of_each_pair_are_explanations() -> None:
    found = (
        change("newly_right", "1", {**MISSED, "line": 12}, None),
        change("otherwise_wrong", "2", MISSED, SPURIOUS),
        change("newly_wrong", "3", None, MISSED),
    )
    shown = page(measure("f1"), pairs=(pair("a", "b", *found, more=7),))
    (section,) = shown.xpath("//section[@id='p1']")
    assert words(section.xpath("./h2")[0]) == "From a to b"
    assert "3 of 9 units differ, 1 added, 8 newly wrong" in words(section)
    assert [words(item) for item in section.xpath(".//li")] == [
        "missed newly wrong d, unit 1 no answer",
        r"spurious otherwise wrong d, line 3 has \x1b[31m before: missed: no answer",
        "missed newly right d, unit 1 it was: no answer",
    ]
    assert [item.get("data-change") for item in section.xpath(".//li")] == ["newly wrong", "otherwise wrong", "newly right"]
    assert "5 more changes left out here." in words(section)  # 8 newly wrong ones are counted, 3 changes of any sort are listed


def test_what_could_not_be_compared_is_told() -> None:
    (remark,) = page(measure("f1"), a=["d7"]).xpath("//p[@class='remark']")
    assert words(remark) == "a: 1 document with errors in their files: d7"


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_text_from_files_appears_literally_and_harmlessly(text: str) -> None:
    entry = change("newly_wrong", text, None, {**MISSED, "message": text, "gold": text})
    found = page(measure("f1", score(text, 0.5), score("b", 0.5)), systems=(text, "b"), pairs=(pair(text, "b", entry),))
    assert not found.xpath("//script | //img | //b | //@onerror | //@onload")
    assert printable(text) in found.text_content()

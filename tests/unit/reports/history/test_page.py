"""The page of `nlpeval history`: lines with intervals, commits in numbers, and which let a score fall."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.reports.drawing import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from pytest_nlpeval.reports.history.page import MOST_LABELS, history_html
from pytest_nlpeval.wording import printable
from tests.unit.reports.test_html import HOSTILE, cells, tree_of, words


def score(value: float | None, **fields: Any) -> dict[str, Any]:
    return {"value": value, **({"reason": "nothing to score"} if value is None else {}), **fields}


def point(commit: str, found: dict[str, Any] | None, **fields: Any) -> dict[str, Any]:
    usual = {"commit": commit * 20, "day": "2024-05-01", "subject": f"Subject {commit}", "documents": 2}
    return {**usual, "scores": {} if found is None else {"f1": found}, **fields}


def page(*points: dict[str, Any], measures: tuple[str, ...] = ("f1",), **fields: Any) -> Any:
    statistics = {"confidence": 0.95, "resamples": 100, "seed": 1, "resampled": "units", "alpha": 0.05}
    suite = {
        "name": "dev",
        "task": "t",
        "statistics": statistics,
        "measures": [{"measure": name, "group": "", "better": "higher"} for name in measures],
        "points": list(points),
        **fields,
    }
    report = {"version": 1, "tool": "the tool", "suites": [suite]}
    jsonschema.Draft202012Validator(json_schema("history.schema.json")).validate(report)
    return tree_of(history_html(report))


def marks(found: Any, name: str) -> list[Any]:
    found_marks: list[Any] = found.xpath(f"//*[local-name()='svg'][@role='img']/*[starts-with(@class, '{name} ')]")
    return found_marks


def test_values_are_a_line_with_intervals_and_falls_have_another_mark() -> None:
    fell = score(0.25, low=0.0, high=0.5, drop=0.5, p=0.01, p_adjusted=0.02, fell=True)
    found = page(point("aa", score(0.75, low=0.5, high=1.0)), point("bb", fell))
    middle = (LEFT + WIDTH - RIGHT) / 2
    xs = [f"{(LEFT + middle) / 2:.1f}", f"{(middle + WIDTH - RIGHT) / 2:.1f}"]
    bottom, top = HEIGHT - BOTTOM, TOP
    ys = [f"{bottom - value * (bottom - top):.1f}" for value in (0.75, 0.25)]  # the intervals reach from 0 to 1
    first, second = marks(found, "dot")
    assert (first.get("cx"), first.get("cy")) == (xs[0], ys[0])
    assert second.get("transform") == f"translate({xs[1]} {ys[1]})"
    assert (first.get("class"), second.get("class")) == ("dot s0", "dot s1")
    assert first.text_content() == f"{'aa' * 6}, 2024-05-01, Subject aa: 0.7500 (0.5000 to 1.0000)"
    assert [line.get("d") for line in marks(found, "line")] == [f"M{xs[0]} {ys[0]}L{xs[1]} {ys[1]}"]
    assert [line.get("d")[: len(f"M{x} 344.0V")] for x, line in zip(xs, marks(found, "range"), strict=True)] == [
        f"M{xs[0]} {bottom - 0.5 * (bottom - top):.1f}V",
        f"M{xs[1]} {bottom:.1f}V",
    ]
    assert [words(item) for item in found.xpath("//ul[@class='legend']/li")] == ["value, with its interval", "fell significantly"]
    assert words(found.xpath("//h1")[0]) == "History of 1 suite over 2 commits: 1 significant fall"
    told = f"f1 fell with {'bb' * 6} (2024-05-01, Subject bb): 0.7500 -> 0.2500, adjusted p = 0.02"
    assert words(found.xpath("//p[@class='fell']")[0]) == told


def test_commits_are_told_in_numbers_too() -> None:
    drops = score(0.5, drop=0.25, p=0.3, p_adjusted=0.6, fell=False)
    found = page(point("aa", score(0.75)), point("bb", None, reason="no files"), point("cc", drops), point("dd", score(None)))
    (overview, table) = found.xpath("//table")
    assert cells(overview.xpath("./tbody/tr")) == ["dev f1 0.7500 0.5000 0"]
    assert cells(table.xpath("./tbody/tr")) == [
        f"{'aa' * 6} 2024-05-01 Subject aa 2 0.7500",
        f"{'bb' * 6} 2024-05-01 Subject bb 2 - no files",
        f"{'cc' * 6} 2024-05-01 Subject cc 2 0.5000 worse by 0.2500, p = 0.6",
        f"{'dd' * 6} 2024-05-01 Subject dd 2 - nothing to score",
    ]
    assert marks(found, "line") == []  # no two neighbours have a value
    assert len(marks(found, "dot")) == 2
    assert "no score fell significantly" in words(found.xpath("//h1")[0])


@pytest.mark.parametrize("number", [1, MOST_LABELS, MOST_LABELS + 1, 3 * MOST_LABELS + 1])
def test_few_commits_are_named_below_the_drawing(number: int) -> None:
    found = page(*[point(f"{place:02}", score(3.0)) for place in range(number)])
    shown = [text.text for text in found.xpath("//*[local-name()='text'][@y='364']")]
    step = next(step for step in range(1, number + 1) if number <= step * MOST_LABELS)
    assert shown == [(f"{place:02}" * 20)[:7] for place in range(0, number, step)]


def test_a_suite_without_commits_or_scores_says_so() -> None:
    assert "No commit has the suite" in words(page(measures=()))
    found = page(point("aa", None, reason="no files"), measures=(), cut="c" * 40)
    assert not found.xpath("//*[local-name()='svg'][@role='img']")
    assert "no files" in words(found.xpath("//details[@open]//table")[0])
    assert f"ends at {'c' * 12}; fetch more of it" in words(found)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_text_from_files_appears_literally_and_harmlessly(text: str) -> None:
    found = page(point("aa", score(0.5), subject=text, day=text), point("bb", None, reason=text), name=text)
    assert not found.xpath("//script | //img | //b | //@onerror | //@onload")
    assert [word in found.text_content() for word in (printable(text),)] == [True]

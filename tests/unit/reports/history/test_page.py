"""The page of `nlpeval history`: lines with intervals, commits in numbers, and which let a score fall."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from pytest_nlpeval.baselines.git import Commit
from pytest_nlpeval.conditions import Min
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.gates import Entry
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.reports import pieces
from pytest_nlpeval.reports.drawing import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from pytest_nlpeval.reports.history.document import history_json
from pytest_nlpeval.reports.history.page import MOST_LABELS, history_page
from pytest_nlpeval.reports.kinds import HISTORY
from pytest_nlpeval.run.history import Fall, History, Point, Reading
from pytest_nlpeval.runs import Run
from pytest_nlpeval.wording import harmless
from tests.unit.reports.compare.comparisons import measure, score, suite
from tests.unit.reports.test_html import HOSTILE, cells, tree_of, words


def reading(value: float | None, ends: tuple[float, float] | None = None, fall: Fall | None = None) -> Reading:
    return Reading(score(value), Interval(*ends) if ends else None, fall)


def point(commit: str, found: Reading | None, *, reason: str = "", **texts: str) -> Point:
    facts = {"day": "2024-05-01", "subject": f"Subject {commit}", **texts}
    return Point(Commit(commit * 20, **facts), Run("git", reason=reason), {} if found is None else {"f1": found}, 2)


def page(*points: Point, measures: tuple[str, ...] = ("f1",), cut: str = "", name: str = "dev") -> Any:
    histories = [History(suite(name), points, tuple(map(measure, measures)), "units", cut)]
    jsonschema.Draft202012Validator(json_schema("history.schema.json")).validate(history_json(histories))
    return tree_of("".join(pieces("html", HISTORY, histories)))


def marks(found: Any, name: str) -> list[Any]:
    found_marks: list[Any] = found.xpath(f"//*[local-name()='svg'][@role='img']/*[starts-with(@class, '{name} ')]")
    return found_marks


def test_values_are_a_line_with_intervals_and_falls_have_another_mark() -> None:
    fell = reading(0.25, (0.0, 0.5), Fall(0.5, p=0.01, p_adjusted=0.02))
    found = page(point("aa", reading(0.75, (0.5, 1.0))), point("bb", fell))
    middle = (LEFT + WIDTH - RIGHT) / 2
    xs = [f"{(LEFT + middle) / 2:.1f}", f"{(middle + WIDTH - RIGHT) / 2:.1f}"]
    bottom, top = HEIGHT - BOTTOM, TOP
    ys = [f"{bottom - value * (bottom - top):.1f}" for value in (0.75, 0.25)]  # the intervals reach from 0 to 1
    first, second = marks(found, "dot")
    assert (first.get("cx"), first.get("cy")) == (xs[0], ys[0])
    assert second.get("transform") == f"translate({xs[1]} {ys[1]})"
    assert (first.get("class"), second.get("class")) == ("dot s0", "dot s1")
    assert first.text_content() == f"{'a' * 7}, 2024-05-01, Subject aa: 0.7500 (0.5000 to 1.0000)"
    assert [line.get("d") for line in marks(found, "line")] == [f"M{xs[0]} {ys[0]}L{xs[1]} {ys[1]}"]
    assert [line.get("d")[: len(f"M{x} 344.0V")] for x, line in zip(xs, marks(found, "range"), strict=True)] == [
        f"M{xs[0]} {bottom - 0.5 * (bottom - top):.1f}V",
        f"M{xs[1]} {bottom:.1f}V",
    ]
    assert [words(item) for item in found.xpath("//ul[@class='legend']/li")] == ["value, with its interval", "fell beyond chance"]
    assert words(found.xpath("//h1")[0]) == "History of 1 suite over 2 commits: 1 fall beyond chance"
    told = f"f1 fell with {'b' * 7} (2024-05-01, Subject bb): 0.7500 → 0.2500, adjusted p = 0.020"
    assert words(found.xpath("//p[@class='fell']")[0]) == told


def test_the_limits_of_gates_are_lines() -> None:
    """The limit lies below all values, and the axis has room for it."""
    gated = replace(suite("dev"), layers=((Entry("f1", 3, 1, {"min": Min(0.25)}),),))
    readings = point("aa", reading(0.75)), point("bb", reading(0.5))
    drawn = history_page([History(gated, readings, (measure("f1"),), "units", "")])[1]["suites"][0].measures[0].picture
    (limit,) = drawn.references
    assert (limit.name, limit.is_limit) == ("limit ≥ 0.25", True)
    first, second = (float(dot.y) for dot in drawn.dots)
    assert float(limit.y) - second == pytest.approx(second - first, abs=0.2)  # 0.25 each
    assert not page(*readings).xpath("//*[contains(@class, 'limit')]")


def test_commits_are_told_in_numbers_too() -> None:
    drops = reading(0.5, fall=Fall(0.25, p=0.3, p_adjusted=0.6))
    found = page(point("aa", reading(0.75)), point("bb", None, reason="no files"), point("cc", drops), point("dd", reading(None)))
    (overview, table) = found.xpath("//table")
    assert cells(overview.xpath("./tbody/tr")) == ["dev f1 0.7500 0.5000 0"]
    assert cells(table.xpath("./tbody/tr")) == [
        f"{'a' * 7} 2024-05-01 Subject aa 2 0.7500",
        f"{'b' * 7} 2024-05-01 Subject bb 2 - no files",
        f"{'c' * 7} 2024-05-01 Subject cc 2 0.5000 worse by 0.2500, p = 0.6",
        f"{'d' * 7} 2024-05-01 Subject dd 2 - nothing to score",
    ]
    assert marks(found, "line") == []  # no two neighbours have a value
    assert len(marks(found, "dot")) == 2
    assert "no score fell beyond chance" in words(found.xpath("//h1")[0])


@pytest.mark.parametrize("number", [1, MOST_LABELS, MOST_LABELS + 1, 3 * MOST_LABELS + 1])
def test_few_commits_are_named_below_the_drawing(number: int) -> None:
    found = page(*[point(f"{place:02}", reading(3.0)) for place in range(number)])
    shown = [text.text for text in found.xpath("//*[local-name()='text'][@y='364']")]
    step = next(step for step in range(1, number + 1) if number <= step * MOST_LABELS)
    assert shown == [(f"{place:02}" * 20)[:7] for place in range(0, number, step)]


def test_a_suite_without_commits_or_scores_says_so() -> None:
    assert "No commit has the suite" in words(page(measures=()))
    found = page(point("aa", None, reason="no files"), measures=(), cut="c" * 40)
    assert not found.xpath("//*[local-name()='svg'][@role='img']")
    assert "no files" in words(found.xpath("//details[@open]//table")[0])
    assert f"ends at {'c' * 7}; fetch more of it" in words(found)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_text_from_files_appears_literally_and_harmlessly(text: str) -> None:
    found = page(point("aa", reading(0.5), subject=text, day=text), point("bb", None, reason=text), name=text)
    assert not found.xpath("//script | //img | //b | //@onerror | //@onload")
    assert harmless(text) in found.text_content()

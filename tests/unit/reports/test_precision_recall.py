from __future__ import annotations

import pytest

from pytest_nlpeval.graphs import Graph
from pytest_nlpeval.reports.precision_recall import LEVELS, MOST_NAMES, equal_f, precision_recall


def points(found: list[tuple[str, Graph]]) -> list[tuple[object, ...]]:
    return [(system, one.name, *one.points) for system, graph in found for one in graph.series if one.style == "points"]


def of(**values: float | None) -> dict[str, float | None]:
    return {name.replace("_", "."): value for name, value in values.items()}


@pytest.mark.parametrize("level", LEVELS)
def test_f_is_the_same_along_a_line(level: float) -> None:
    line = equal_f(level)
    assert [2 * p * r / (p + r) for r, p in line] == pytest.approx([level] * len(line))
    assert (line[0][1], line[-1][0]) == pytest.approx((1, 1))
    assert line == sorted(line)


def test_each_pair_of_precision_and_recall_is_a_point() -> None:
    scores = of(precision=0.25, recall=0.5, f1=1 / 3, muc_precision=1.0, muc_recall=0.125, coverage=1.0)
    found = precision_recall([("ours", scores), ("old", of(muc_precision=0.5, muc_recall=0.75, precision=None, recall=0.5))])
    assert points(found) == [
        ("ours", "all", (0.5, 0.25)),
        ("ours", "muc", (0.125, 1.0)),
        ("old", "muc", (0.75, 0.5)),
    ]
    assert len([one for one in found[0][1].series if one.style == "reference"]) == len(LEVELS)


def test_the_baselines_pair_stands_beside_todays() -> None:
    today = [
        ("ours", of(precision=0.25, recall=0.5, muc_precision=1.0, muc_recall=0.125)),
        ("new", of(precision=0.75, recall=0.5)),
    ]
    before = [of(precision=0.5, recall=0.625, link_precision=1.0, link_recall=1.0), of(precision=None, recall=None)]
    found = precision_recall(today, (), before)
    past = [(system, one.name, *one.points) for system, graph in found for one in graph.series if one.style == "baseline"]
    assert past == [("ours", "all", (0.625, 0.5))]  # of `link` there is nothing today, of the new system nothing before
    assert points(found) == points(precision_recall(today))


def test_without_a_pair_nothing_is_drawn() -> None:
    assert precision_recall([("ours", of(accuracy=0.5, precision=0.5))]) == []


def test_of_many_pairs_those_with_gates_are_drawn() -> None:
    many = of(**{f"t{place}_{side}": 0.5 for place in range(MOST_NAMES + 1) for side in ("precision", "recall")})
    assert [name for _, name, _ in points(precision_recall([("", many)]))] == [f"t{place}" for place in range(MOST_NAMES)]
    assert [name for _, name, _ in points(precision_recall([("", many)], {"t6.f1", "t2.recall"}))] == ["t2", "t6"]

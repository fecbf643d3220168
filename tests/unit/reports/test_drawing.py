from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_nlpeval.reports.drawing import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Area, Curve, Dot, Fact, Picture, Reference
from pytest_nlpeval.reports.grids import drawings
from tests.unit.reports.documents import suite, suite_report


def graph(
    *series: dict[str, Any], x: tuple[float, float] = (0, 1), y: tuple[float, float] = (0, 1), name: str = "g"
) -> dict[str, Any]:
    axes = {side: {"label": side.upper(), "low": low, "high": high} for side, (low, high) in (("x", x), ("y", y))}
    return {"name": name, "title": "T", "meaning": "It shows.", **axes, "series": list(series)}


def line(*points: tuple[float, float]) -> dict[str, Any]:
    return {"name": "line", "style": "line", "points": [list(point) for point in points]}


def dots(*points: tuple[float, float]) -> dict[str, Any]:
    return {"name": "dots", "style": "points", "points": [list(point) for point in points]}


def pictures(suites: Sequence[tuple[str, dict[str, Any]]]) -> list[Picture]:
    found = drawings([(name, suite_report(suite(**fields))) for name, fields in suites])
    assert all(isinstance(drawn, Picture) for drawn in found)
    return [drawn for drawn in found if isinstance(drawn, Picture)]


def test_points_lie_where_the_numbers_say() -> None:
    (found,) = pictures([("ours", {"graphs": [graph(line((0, 0), (1, 1)), dots((0.5, 0.25)))]})])
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
    path = f"M{left:.1f} {bottom:.1f}L{right:.1f} {top:.1f}"
    assert found.curves == [Curve(0, path, "ours, line", "", f"{right:.1f}", f"{top:.1f}")]
    assert found.dots == [Dot(0, f"{(left + right) / 2:.1f}", f"{bottom + (top - bottom) / 4:.1f}", "ours, dots: 0.5000, 0.2500")]
    assert found.facts == [Fact("ours", "line", 0, 0), Fact("ours", "line", 1, 1), Fact("ours", "dots", 0.5, 0.25)]


def test_a_long_line_is_told_at_places_that_are_evenly_spread() -> None:
    """A line has its last value up to the next point: at 0.5 the value is that of the point before."""
    points = [(place / 100, place / 200) for place in range(101) if not 45 <= place <= 50]
    (found,) = pictures([("ours", {"graphs": [graph(line(*points))]})])
    assert [(fact.x, fact.y) for fact in found.facts] == [
        (place / 100, place / 200) for place in (0, 10, 20, 30, 40, 44, 60, 70, 80, 90, 100)
    ]


def test_a_single_system_has_the_baselines_lines_too() -> None:
    both = graph({**line((0, 0), (1, 0.5)), "area": 0.25}, {**line((0, 0), (1, 1)), "style": "baseline", "area": 0.5})
    (alone,) = pictures([("today", {"graphs": [both]})])
    assert [(curve.past, curve.label) for curve in alone.curves] == [(False, "today, line"), (True, "today, line, baseline")]
    assert alone.has_past
    assert alone.areas == [Area("today", "line", 0.25), Area("today", "line, baseline", 0.5)]
    assert [fact.y for fact in alone.facts if fact.series == "line, baseline"] == [0, 1]


def test_of_several_systems_each_has_its_baselines_line_where_that_is_another() -> None:
    changed = graph(line((0, 0), (1, 0.5)), {**line((0, 0), (1, 1)), "style": "baseline"})
    same = graph(line((0, 0), (1, 0.5)), {**line((0, 0), (1, 0.5)), "style": "baseline"})
    (several,) = pictures([("a", {"graphs": [changed]}), ("b", {"graphs": [same]})])
    assert [(curve.system, curve.past) for curve in several.curves] == [(0, False), (0, True), (1, False)]
    assert [fact.system for fact in several.facts if fact.series == "line, baseline"] == ["a", "a"]
    (still,) = pictures([("a", {"graphs": [same]}), ("b", {"graphs": [same]})])
    assert not still.has_past


def test_a_single_point_of_the_baseline_is_a_point_with_the_way_to_todays() -> None:
    changed = graph(dots((0.25, 0.5)), {**dots((0.5, 1)), "style": "baseline"})
    same = graph(dots((0.25, 0.5)), {**dots((0.25, 0.5)), "style": "baseline"})
    (found,) = pictures([("a", {"graphs": [changed]}), ("b", {"graphs": [same]})])
    assert found.curves == []
    assert (found.has_past, found.has_past_dots) == (False, True)
    now, still, then = found.dots
    assert (now.past, still.past) == (False, False)
    label = "a, dots, baseline: 0.5000, 1"
    assert then == Dot(
        0, f"{(LEFT + WIDTH - RIGHT) / 2:.1f}", f"{TOP:.1f}", label, "", True, f"M{then.x} {then.y}L{now.x} {now.y}"
    )
    assert [fact for fact in found.facts if fact.series == "dots, baseline"] == [Fact("a", "dots, baseline", 0.5, 1)]


def test_points_say_of_how_many_items_they_tell() -> None:
    (found,) = pictures([("ours", {"graphs": [graph({**line((0, 0), (1, 1)), "sizes": [7, 3]})]})])
    assert [fact.size for fact in found.facts] == [7, 3]
    assert found.has_sizes


def test_the_graphs_of_one_name_are_one_picture() -> None:
    systems = [
        ("a", {"graphs": [graph(dots((0, 0))), graph(dots((1, 1)), name="h")]}),
        ("b", {}),
        ("c", {"graphs": [graph(dots((2, 1)), x=(0, 2))]}),
    ]
    first, second = pictures(systems)
    assert (first.systems, second.systems) == (["a", "c"], ["a"])
    assert [dot.system for dot in first.dots] == [0, 1]
    assert first.dots[1].x == f"{WIDTH - RIGHT:.1f}"  # the wider axis of the two
    assert pictures([]) == []


def test_what_lies_outside_an_axis_is_drawn_at_its_border() -> None:
    (found,) = pictures([("a", {"graphs": [graph(dots((-3, 7)))]})])
    assert [(dot.x, dot.y) for dot in found.dots] == [(f"{LEFT:.1f}", f"{TOP:.1f}")]


def test_marks_are_at_round_numbers() -> None:
    def labels(low: float, high: float) -> list[str]:
        (found,) = pictures([("a", {"graphs": [graph(x=(low, high))]})])
        return [tick.label for tick in found.x_ticks]

    assert labels(0, 1) == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert labels(0, 37) == ["0", "5", "10", "15", "20", "25", "30", "35"]
    assert labels(-0.3, 0.3) == ["-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"]
    assert labels(0.5, 1) == ["0.5", "0.6", "0.7", "0.8", "0.9", "1"]
    assert labels(3, 3)[0] == "3"  # an axis without length


def test_a_line_of_reference_is_drawn_once_and_belongs_to_nobody() -> None:
    chance = {"name": "chance", "style": "reference", "points": [[0, 0.5], [1, 0.5]]}
    (found,) = pictures([(name, {"graphs": [graph(chance, dots((0.5, 1)))]}) for name in ("a", "b")])
    middle = f"{(TOP + HEIGHT - BOTTOM) / 2:.1f}"
    right = f"{WIDTH - RIGHT:.1f}"
    assert found.references == [Reference("chance", f"M{LEFT:.1f} {middle}L{right} {middle}", right, middle)]
    assert found.curves == []
    assert [fact.series for fact in found.facts] == ["dots", "dots"]


def test_single_points_of_several_series_have_letters() -> None:
    def letters(*systems: list[dict[str, Any]]) -> tuple[list[str], list[tuple[str, str]]]:
        (found,) = pictures([(str(place), {"graphs": [graph(*series)]}) for place, series in enumerate(systems)])
        return [dot.letter for dot in found.dots], list(found.letters)

    one, other = ({**dots((0.5, place)), "name": name} for place, name in ((0.1, "x"), (0.9, "y")))
    assert letters([one, other], [other]) == (["a", "b", "b"], [("a", "x"), ("b", "y")])
    assert letters([one], [one]) == (["", ""], [])
    assert letters([one, {**dots((0, 0), (1, 1)), "name": "z"}]) == (["", "", ""], [])


def test_several_lines_of_a_system_have_letters_at_their_middle() -> None:
    first, second = ({**line((0, 0), (0.5, place), (1, 1)), "name": name} for place, name in ((0.25, "x"), (0.75, "y")))
    single = {**dots((0.5, 0.5)), "name": "run"}
    (found,) = pictures([("a", {"graphs": [graph(first, single)]}), ("b", {"graphs": [graph(second, first, single)]})])
    middle = f"{(LEFT + WIDTH - RIGHT) / 2:.1f}"
    assert [(curve.system, curve.letter, curve.x, curve.label) for curve in found.curves] == [
        (0, "a", middle, "a, x"),
        (1, "b", middle, "b, y"),
        (1, "a", middle, "b, x"),
    ]
    assert [dot.letter for dot in found.dots] == ["", ""]
    assert found.letters == [("a", "x"), ("b", "y")]

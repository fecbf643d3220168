from __future__ import annotations

from typing import Any

import pytest
from lxml import html

from pytest_nlpeval import Axis, Bars, Matrix
from pytest_nlpeval.reports.drawing import Picture
from pytest_nlpeval.reports.grids import HEATS, OPEN_BARS, SHADES, Bar, BarsView, MatrixView, bar, drawings
from tests.unit.reports.documents import document, render, suite, suite_report
from tests.unit.reports.test_drawing import dots, graph

LABELS = Matrix.of("labels", "Labels", "It shows.", "gold", "ours", {("a", "a"): 3, ("a", "b"): 1, ("b", "b"): 2, ("c", "a"): 0})
PARTS = Bars("parts", "Parts", "It shows.", Axis("accuracy"), (("x", 0.25), ("y", 1.0)))


def of(*named: tuple[str, list[dict[str, Any]]]) -> list[Any]:
    return drawings([(name, suite_report(suite(graphs=graphs))) for name, graphs in named])


def test_a_matrix_has_shares_of_its_rows_and_sums() -> None:
    (found,) = of(("ours", [LABELS.to_json()]))
    assert isinstance(found, MatrixView)
    (ours,) = found.systems
    assert [(row.name, row.total) for row in ours.rows] == [("a", 3 + 1), ("b", 2), ("c", 0)]
    assert [[cell.number for cell in row.cells] for row in ours.rows] == [[3, 1], [0, 2], [0, 0]]
    assert [[cell.shade for cell in row.cells] for row in ours.rows] == [
        [4, 2],
        [0, SHADES],
        [0, 0],
    ]  # 5 · 3/4 and 5 · 1/4, rounded up
    assert [[cell.is_same for cell in row.cells] for row in ours.rows] == [[True, False], [False, True], [False, False]]
    assert ours.totals == [3, 3]


def test_the_shade_of_a_change_is_its_share_of_the_greatest() -> None:
    """Changes of −8, +5, +2 and −1: 4 · 8/8, 4 · 5/8, 4 · 2/8 and 4 · 1/8, rounded up."""
    now, before = ((2, 7), (3, 9)), ((10, 2), (1, 10))
    matrix = Matrix("m", "M", "It shows.", "gold", "system", ("a", "b"), ("a", "b"), now, before)
    (found,) = of(("ours", [matrix.to_json()]))
    assert isinstance(found, MatrixView)
    cells = [cell for row in found.systems[0].rows for cell in row.cells]
    assert [cell.change for cell in cells] == [-8, 5, 2, -1]
    assert [cell.heat for cell in cells] == [HEATS, 3, 1, 1]
    assert [cell.is_worse for cell in cells] == [True, True, True, True]


def test_bars_of_several_systems_stand_side_by_side() -> None:
    other = Bars("parts", "Parts", "It shows.", Axis("accuracy", -1, 1), (("y", -0.5), ("z", 0.5)))
    (found,) = of(("ours", [PARTS.to_json()]), ("old", [other.to_json()]))
    assert isinstance(found, BarsView)
    assert (found.systems, found.folded) == (["ours", "old"], [])
    none = Bar(None, "", "")
    assert found.rows == [
        ("x", [Bar(0.25, "50.0", "12.5"), none]),
        ("y", [Bar(1.0, "50.0", "50.0"), Bar(-0.5, "25.0", "25.0")]),
        ("z", [none, Bar(0.5, "50.0", "25.0")]),
    ]


def test_of_many_bars_the_longest_of_any_system_come_first_and_the_rest_is_folded() -> None:
    names = [f"{place:03}" for place in range(2 * OPEN_BARS)]
    ours = Bars("b", "B", "It shows.", Axis("items", 0, 999), tuple((name, place) for place, name in enumerate(names[:-1])))
    old = Bars("b", "B", "It shows.", Axis("items", 0, 999), ((names[0], 999), (names[-1], 1)))
    (found,) = of(("ours", [ours.to_json()]), ("old", [old.to_json()]))
    assert [name for name, _ in (*found.rows, *found.folded)] == [names[0], *names[-2:1:-1], names[1], names[-1]]
    assert len(found.rows) == OPEN_BARS
    page = html.document_fromstring(render("html", document(suite(graphs=[ours.to_json()]))))
    assert [found.text_content() for found in page.xpath("//figure//summary")] == [f"{OPEN_BARS - 1} more rows"]
    assert len(page.xpath("//figure//tbody/tr")) == len(names) - 1


@pytest.mark.parametrize(
    ("value", "low", "high", "start", "length"),
    [
        (5, 0, 10, "0.0", "50.0"),
        (7, 5, 10, "0.0", "40.0"),
        (-7, -10, -5, "60.0", "40.0"),
        (99, 0, 10, "0.0", "100.0"),
        (1, 1, 1, "0.0", "0.0"),
    ],
)
def test_a_bar_begins_at_0_or_as_near_as_there_is_room(value: float, low: float, high: float, start: str, length: str) -> None:
    assert bar(value, low, high) == Bar(value, start, length)


def test_drawings_of_one_name_and_sort_are_one_and_in_the_order_of_the_report() -> None:
    curve = graph(dots((0, 0)), name="labels")
    found = of(("a", [LABELS.to_json(), curve]), ("b", [PARTS.to_json(), LABELS.to_json()]))
    assert list(map(type, found)) == [MatrixView, Picture, BarsView]
    assert [system.system for system in found[0].systems] == ["a", "b"]


def test_the_page_shows_them_as_tables() -> None:
    graphs = [LABELS.to_json(), PARTS.to_json()]
    found = html.document_fromstring(render("html", document(suite(graphs=graphs))))
    matrix, bars = found.xpath("//figure//table")
    rows = [[cell.text_content() for cell in row] for row in matrix.xpath(".//tr")]
    assert rows == [
        ["gold", "a", "b", "all"],
        ["a", "3", "1", "4"],
        ["b", "0", "2", "2"],
        ["c", "0", "0", "0"],
        ["all", "3", "3", "6"],
    ]
    assert [cell.text_content() for cell in matrix.xpath(".//td[contains(@class, 'same')]")] == ["3", "2"]
    assert [cell.text_content() for cell in bars.xpath(".//tbody//td")] == ["0.250", "1.000"]
    assert bars.xpath(".//tbody//*[local-name()='rect'][contains(@class, 'fill')]/@width") == ["25.0", "100.0"]


def test_cells_and_bars_stand_beside_the_baselines() -> None:
    before = [[4, 0, 0], [0, 2, 0], [0, 0, 0]]
    data = LABELS.to_json()
    matrix = {**data, "before": [row[: len(data["columns"]["names"])] for row in before[: len(data["rows"]["names"])]]}
    bars = PARTS.to_json()
    bars["bars"][0]["before"] = 0.75
    found = html.document_fromstring(render("html", document(suite(graphs=[matrix, bars]))))
    cells = found.xpath("//table[contains(@class, 'compared')]//td[contains(@class, 'heat')]")
    assert [cell.text_content() for cell in cells] == ["✗ −14 → 3", "✗ +10 → 1", "00", "02", "00", "00"]
    assert [cell.get("class") for cell in cells][:3] == ["num heat w4 same", "num heat w4", "num heat"]
    (table,) = found.xpath("//figure//table[@class='sortable']")
    assert [cell.text_content() for cell in table.xpath(".//thead//th")] == ["name", "today", "baseline"]
    assert [cell.text_content() for cell in table.xpath(".//tbody//td")] == ["0.250", "0.750", "1.000", "–"]

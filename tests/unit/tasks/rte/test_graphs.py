from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.graphs import Graph, Point, Series
from pytest_nlpeval.tasks.rte.graphs import RUN, SURER, graphs
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Options
from tests.unit.tasks.rte import files
from tests.unit.tasks.rte.files import FIVE, ROWS, Row, evidence_of, gold_text, row_evidence, values_of


def drawn(evidence: Evidence) -> dict[str, Graph]:
    return {graph.name: graph for graph in graphs(evidence, Options())}


def series(graph: Graph) -> dict[str, tuple[Point, ...]]:
    return {found.name: found.points for found in graph.series}


def close(points: Sequence[Point]) -> list[object]:
    return [pytest.approx(point, abs=1e-12) for point in points]


def test_the_worked_example() -> None:
    """In order of confidence the pairs are right, right, right, wrong, right."""
    found = drawn(evidence_of(gold_text(FIVE), files.RUN))
    assert list(found) == ["accuracy_by_coverage", "average_precision_by_coverage"]
    shares = [1 / 1, 2 / 2, 3 / 3, 3 / 4, 4 / 5]
    accuracy = series(found["accuracy_by_coverage"])
    assert list(accuracy[SURER]) == close([(place / 5, share) for place, share in enumerate(shares, 1)])
    assert accuracy[RUN] == ((5 / 5, 4 / 5),)
    precision = series(found["average_precision_by_coverage"])
    assert list(precision[SURER]) == close([(place / 5, sum(shares[:place]) / place) for place in range(1, 6)])
    assert list(precision[RUN]) == close([(1, sum(shares) / 5)])
    assert [found.style for found in found["accuracy_by_coverage"].series] == ["line", "points"]


@given(ROWS, ROWS, st.booleans())
def test_lines_end_at_the_runs_figures_and_cws_is_the_mean_height(rows: list[Row], others: list[Row], several: bool) -> None:
    """Of any run of edition 1, ties, partial runs and several documents included."""
    parts = [row_evidence(rows).named("a"), *([row_evidence(others).named("b")] if several else [])]
    evidence = Evidence.merge(parts)
    values, found = values_of(evidence), drawn(evidence)
    if values["accuracy"] is None:
        assert found == {}
        return
    accuracy, precision = (series(graph) for graph in found.values())
    assert list(accuracy[RUN]) == close([(values["coverage"], values["accuracy"])])  # type: ignore[list-item]
    assert list(precision[RUN]) == close([(values["coverage"], values["cws"])])  # type: ignore[list-item]
    for points in (accuracy, precision):
        assert list(points[SURER][-1:]) == close(points[RUN])
        assert [x for x, _ in points[SURER]] == [pytest.approx(k / len(evidence.units)) for k in range(1, len(points[SURER]) + 1)]
    assert sum(y for _, y in accuracy[SURER]) / len(accuracy[SURER]) == pytest.approx(values["cws"], abs=1e-12)


@given(ROWS)
def test_the_line_of_a_ranking_is_its_average_precision_cut_anywhere(rows: list[Row]) -> None:
    """Place k is the average precision of the first k pairs; before the first pair that entails there is none."""
    evidence = row_evidence(rows, LATER)
    found = drawn(evidence)
    judged = [place for place, row in enumerate(rows) if row.said is not None]
    expected: list[Point] = []
    for k in range(1, len(judged) + 1):
        cut = [Row(row.setting, row.holds, row.said if place in judged[:k] else None, "") for place, row in enumerate(rows)]
        value = values_of(row_evidence(cut, LATER))["average_precision"]
        if value is not None:
            expected.append((k / len(rows), value))
    graph = found.get("average_precision_by_coverage")
    assert (graph is not None) == bool(expected)
    if graph is not None:
        assert list(series(graph)[SURER]) == close(expected)
        assert list(series(graph)[RUN]) == close(expected[-1:])
    if judged:
        assert found["accuracy_by_coverage"].series == (Series(RUN, series(found["accuracy_by_coverage"])[RUN], "points"),)


def test_a_run_without_order_is_a_point() -> None:
    unsure = evidence_of(gold_text(FIVE), "1 TRUE\n3 TRUE\n")
    assert series(drawn(unsure)["accuracy_by_coverage"]) == {RUN: ((2 / 5, 1 / 2),)}
    assert "average_precision_by_coverage" not in drawn(unsure)
    rows = [Row("IR", True, True, ""), Row("IR", False, True, "")]
    assert list(drawn(row_evidence(rows, LATER, ranked=False))) == ["accuracy_by_coverage"]
    ranked = row_evidence(rows, LATER)
    assert list(drawn(Evidence.merge([ranked.named("a"), ranked.named("b")]))) == ["accuracy_by_coverage"]


def test_nothing_is_drawn_of_a_run_that_judges_nothing() -> None:
    assert drawn(row_evidence([Row("IR", True, None, "")], FIRST)) == {}

from __future__ import annotations

import pytest
from hypothesis import given

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.graphs import Bars, Drawing, Graph, Point
from pytest_nlpeval.tasks.qa.graphs import CALIBRATED, RUN, THRESHOLDS, graphs
from pytest_nlpeval.tasks.qa.options import Options
from tests.unit.tasks.qa.files import ANSWERS, NUMBERS, PREDICTIONS, evidence_of, runs, values_of


def drawn(evidence: Evidence, threshold: float = 1.0) -> dict[str, Drawing]:
    return {drawing.name: drawing for drawing in graphs(evidence, Options(threshold=threshold))}


def series(drawing: Drawing) -> dict[str, tuple[Point, ...]]:
    assert isinstance(drawing, Graph)
    return {found.name: found.points for found in drawing.series}


def test_the_worked_example() -> None:
    found = drawn(evidence_of(ANSWERS, PREDICTIONS, NUMBERS))
    assert list(found) == ["exact_by_threshold", "f1_by_threshold", "no_answer_calibration", "f1_by_kind"]
    f1, exact = series(found["f1_by_threshold"]), series(found["exact_by_threshold"])
    none, first, all_three = 1 / 3, (1 + 4 / 5) / 3, (1 + 4 / 5 - 1 + 1) / 3
    line = [(0, none), (0.2, none), (0.2, first), (0.9, first), (0.9, all_three), (1, all_three)]
    assert list(f1[THRESHOLDS]) == [pytest.approx(point) for point in line]
    assert list(f1[RUN]) == [pytest.approx((1, 3 / 5))]
    assert list(exact[RUN]) == [pytest.approx((1, 1 / 3))]
    calibration = series(found["no_answer_calibration"])
    assert list(calibration[CALIBRATED]) == [pytest.approx((0.2, 0 / 1)), pytest.approx((0.9, 1 / 2))]
    bars = found["f1_by_kind"]
    assert isinstance(bars, Bars)
    assert dict(bars.bars) == pytest.approx({"HasAns": (4 / 5 + 1) / 2, "NoAns": 0})


def test_without_numbers_there_are_bars_alone() -> None:
    assert list(drawn(evidence_of(ANSWERS, PREDICTIONS))) == ["f1_by_kind"]
    assert drawn(evidence_of({"1": ["x"]}, {"1": "x"})) == {}


def test_log_odds_have_an_axis_of_their_own_and_no_calibration() -> None:
    found = drawn(evidence_of(ANSWERS, PREDICTIONS, {"1": -10, "2": 10, "3": 0}), threshold=0)
    assert list(found) == ["exact_by_threshold", "f1_by_threshold", "f1_by_kind"]
    graph = found["f1_by_threshold"]
    assert isinstance(graph, Graph)
    assert (graph.x.low, graph.x.high) == (-10 - 0.05 * 20, 10 + 0.05 * 20)
    assert series(graph)[RUN][0][0] == 0
    far = drawn(evidence_of(ANSWERS, PREDICTIONS, {"1": 5, "2": 6, "3": 7}))
    assert RUN not in series(far["f1_by_threshold"])


def test_one_number_alone_has_an_axis() -> None:
    graph = drawn(evidence_of({"1": ["x"]}, {"1": "x"}, {"1": 7}))["f1_by_threshold"]
    assert isinstance(graph, Graph)
    assert (graph.x.low, graph.x.high) == (6, 8)


@given(run=runs())
def test_the_line_goes_through_the_best_score(run: tuple[dict[str, list[str]], dict[str, str], dict[str, float]]) -> None:
    evidence = evidence_of(*run)
    values = values_of(evidence)
    found = drawn(evidence)
    for score in ("exact", "f1"):
        line = series(found[f"{score}_by_threshold"])[THRESHOLDS]
        assert max(y for _, y in line) == pytest.approx(values[f"best.{score}"], abs=1e-12)

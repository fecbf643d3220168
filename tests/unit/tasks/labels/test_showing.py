"""What is shown of a result besides its scores: graphs, the native report, notes."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_nlpeval.problems import Rule
from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.labels.graphs import MOST_CURVES, MOST_DOTS, graphs
from pytest_nlpeval.tasks.labels.measures import notes, signature
from pytest_nlpeval.tasks.labels.native import native
from pytest_nlpeval.tasks.labels.options import options
from tests.unit.tasks.labels.files import Scored, scored, table

GOLD = table([(1, "pos", "x"), (2, "pos", "x"), (3, "neg", "y"), (4, "neu", "y")], "id label group")
SYSTEM = table(
    [(1, "pos", 0.75, 0.25, 0), (2, "neg", 0.25, 0.75, 0), (3, "neg", 0, 1, 0), (4, "pos", 1, 0, 0)], "id label pos neg neu"
)
BY_LABEL = {"pos": "pos", "neg": "neg", "neu": "neu"}


def drawn(found: Scored) -> dict[str, Any]:
    assert found.evidence is not None
    return {graph.name: graph for graph in graphs(found.evidence, options(**found.given))}


def test_labels_have_a_matrix() -> None:
    found = drawn(scored(GOLD, SYSTEM))
    assert list(found) == ["confusion", "support"]
    matrix = found["confusion"]
    assert (matrix.row_names, matrix.column_names) == (("neg", "neu", "pos"), ("neg", "pos"))
    assert matrix.numbers == ((1, 0), (0, 1), (1, 1))


def test_the_averaged_labels_have_bars() -> None:
    support = drawn(scored(GOLD, SYSTEM))["support"]
    assert (support.bars, support.axis.high) == ((("neg", 1), ("neu", 1), ("pos", 2)), 2)
    chosen = drawn(scored(GOLD, SYSTEM, {"labels.averaged": "off"}, averaged=["pos", "x", "neg"]))["support"]
    assert chosen.bars == (("pos", 2), ("x", 0), ("neg", 1))
    unjudged = drawn(scored(GOLD, table([(1, "neg")]), {"labels.missing-id": "off"}, labels=["pos", "neu", "neg"]))["support"]
    assert unjudged.bars == (("pos", 1), ("neu", 0), ("neg", 0))
    sets = drawn(scored("id\tlabels\n1\ta,b\n2\tb\n", "id\tlabels\n1\ta,c\n2\t\n", kind="labels"))["support"]
    assert sets.bars == (("a", 1), ("b", 2), ("c", 0))
    assert not drawn(scored("id\tlabels\n1\t\n", "id\tlabels\n1\t\n", kind="labels"))


def test_probabilities_have_curves() -> None:
    rules: dict[str, Rule] = {"labels.zero-probability": "off"}
    found = drawn(scored(GOLD, SYSTEM, rules, probability=BY_LABEL))
    roc, calibration = found["roc"], found["calibration"]
    assert [series.name for series in roc.series] == ["neg", "neu", "pos", "chance"]
    assert roc.series[2].points == ((0, 0), (1 / 2, 0), (1 / 2, 1 / 2), (1 / 2, 1), (1, 1))  # 1.0 neu, .75 pos, .25 pos, 0 neg
    assert calibration.series[0].points == ((0.75, 1 / 2), (1, 1 / 2))
    assert sum(calibration.series[0].sizes) == 4
    assert [series.style for series in calibration.series] == ["line", "reference"]


def test_the_area_below_a_curve_is_its_measure() -> None:
    result = scored(GOLD, SYSTEM, {"labels.zero-probability": "off"}, probability=BY_LABEL)
    curves = {series.name: series.points for series in drawn(result)["roc"].series}
    areas = {series.name: series.area for series in drawn(result)["roc"].series}
    for label in BY_LABEL:
        assert areas[label] == pytest.approx(result.values()[f"{label}.roc_auc"])
        steps = zip(curves[label], curves[label][1:], strict=False)
        area = sum((right[0] - left[0]) * (left[1] + right[1]) / 2 for left, right in steps)
        assert result.values()[f"{label}.roc_auc"] == pytest.approx(area)


def test_curves_are_few() -> None:
    rows = [(row, f"l{row % 12:02}") for row in range(24)]
    probability = {label: label for _, label in rows[:12]}
    system = table(
        [(row, label, *(int(label == other) for other in probability)) for row, label in rows],
        f"id label {' '.join(probability)}",
    )
    assert len(drawn(scored(table(rows), system, probability=probability))["roc"].series) == MOST_CURVES + 1


def test_groups_have_bars() -> None:
    bars = drawn(scored(GOLD, SYSTEM, group="group"))["groups"]
    assert bars.bars == (("x", 1 / 2), ("y", 1 / 2))
    scores = drawn(scored("id\tscore\tg\n1\t1\tx\n2\t3\tx\n", "id\tscore\n1\t2\n2\t6\n", kind="score", group="g"))["groups"]
    assert (scores.bars, scores.axis.label, scores.axis.high) == ((("x", 2.0),), "mae", 2.0)
    sets = drawn(scored("id\tlabels\tg\n1\ta\tx\n", "id\tlabels\n1\ta\n", kind="labels", group="g"))
    assert (list(sets), sets["groups"].bars) == (["support", "groups"], (("x", 1.0),))


def test_scores_are_points() -> None:
    rows = [(row, row / 2) for row in range(3 * MOST_DOTS)]
    found = drawn(scored(table(rows, "id score"), table(rows, "id score"), kind="score"))["scores"]
    assert len(found.series[0].points) == MOST_DOTS
    assert found.series[1].points == ((0, 0), (found.x.high, found.y.high))
    alike = drawn(scored("1\n1\n", "1\n1\n", None, ("g", "s"), kind="score"))["scores"]
    assert (alike.x.low, alike.x.high) == (1, 2)


def test_nothing_is_drawn_of_nothing() -> None:
    rules: dict[str, Rule] = {"labels.missing-id": "off"}
    nothing = scored(GOLD, "id\tlabel\n", rules)
    assert drawn(nothing) == {}
    assert nothing.evidence is not None
    assert list(notes(nothing.evidence, options(), ())) == [
        "0 of 4 items answered (coverage 0); the other measures are over these alone"
    ]


def test_all_answered_has_no_note() -> None:
    found = scored(GOLD, SYSTEM).evidence
    assert found is not None
    assert not list(notes(found, options(), ()))


def shown(found: Scored) -> list[str]:
    values = {name: None if value != value else value for name, value in found.values().items()}
    graphs = {name: graph.to_json() for name, graph in drawn(found).items()}
    return native(Reported(values, signature(options(**found.given), ()), 1, graphs)).splitlines()


def test_the_native_report() -> None:
    assert shown(scored(GOLD, SYSTEM, group="group")) == [
        "              precision    recall  f1-score   support",
        "",
        "         neg       0.50      1.00      0.67         1",
        "         neu                 0.00      0.00         1",
        "         pos       0.50      0.50      0.50         2",
        "",
        "    accuracy                           0.50         4",
        "   macro avg       0.33      0.50      0.39         4",
        "weighted avg       0.38      0.50      0.42         4",
    ]


def test_the_native_report_is_about_the_averaged_labels() -> None:
    """Of the four items one has another label in gold; of the system's three answers among these labels two are right."""
    system = table([(1, "pos"), (2, "neg"), (3, "neg"), (4, "neu")])
    rules: dict[str, Rule] = {"labels.averaged": "off"}
    lines = shown(scored(GOLD, system, rules, averaged=["pos", "x", "neg"]))
    assert [line.split() for line in lines[2:7]] == [
        ["pos", "1.00", "0.50", "0.67", "2"],
        ["x", "0"],
        ["neg", "0.50", "1.00", "0.67", "1"],
        [],
        ["micro", "avg", "0.67", "0.67", "0.67", "3"],
    ]
    assert shown(scored(GOLD, system, rules, averaged=["pos", "x", "neg"], profile="sklearn"))[3].split()[1:] == ["0.00"] * 3 + [
        "0"
    ]


def test_in_sklearn_the_native_report_is_about_the_labels_of_judged_items() -> None:
    """`neu` is that of an item without answer, `x` is in the option alone; rows are sorted."""
    gold, system = table([(1, "pos"), (2, "neg"), (3, "neu")]), table([(1, "pos"), (2, "pos")])
    lines = shown(scored(gold, system, {"labels.missing-id": "off"}, labels=["x", "pos", "neu", "neg"], profile="sklearn"))
    assert [line.split()[0] for line in lines[2:] if line] == ["neg", "pos", "accuracy", "macro", "weighted"]
    assert lines[6].split() == ["macro", "avg", "0.25", "0.50", "0.33", "2"]  # (0 + 1/2) / 2, (0 + 1) / 2, (0 + 2/3) / 2


@pytest.mark.parametrize("averaged", [["pos", "neg"], ["neu", "pos", "neg"]])
def test_accuracy_stands_for_the_micro_averages_of_all_labels_alone(averaged: list[str]) -> None:
    """Also where everything is right, so that figures do not tell."""
    titles = [line.split()[0] for line in shown(scored(GOLD, GOLD, averaged=averaged)) if line]
    assert titles[len(averaged) + 1 :] == ["micro" if len(averaged) == 2 else "accuracy", "macro", "weighted"]


def test_the_micro_averages_are_not_the_accuracy_where_unknown_labels_are_tolerated() -> None:
    lines = shown(scored(GOLD, SYSTEM, {"labels.unknown-label": "off"}, labels=["neg", "pos"]))
    assert [line.split() for line in lines[5:6]] == [["micro", "avg", "0.50", "0.67", "0.57", "3"]]  # 2 of 4, 2 of 3, 2·2/7


def test_the_native_report_of_sets_and_scores() -> None:
    sets = shown(scored("id\tlabels\n1\ta,b\n", "id\tlabels\n1\ta\n", kind="labels"))
    assert [line.split()[0] for line in sets if line] == ["precision", "a", "b", "micro", "macro", "weighted", "samples"]
    assert [line.split()[-1] for line in sets if line][1:] == ["1", "1", *["2"] * 4]
    scores = shown(scored("1\n2\n", "1\n3\n", None, ("g", "s"), kind="score"))
    assert scores[1:] == [" pearson 1.0000", "spearman 1.0000", " kendall 1.0000", "     mae 0.5000", "    rmse 0.7071"]


def test_a_report_without_numbers_of_items_has_no_table() -> None:
    with pytest.raises(KeyError, match="support"):
        native(Reported(scored(GOLD, SYSTEM).values(), signature(options(), ()), 1, {}))

"""Native reports: the lines that a script prints, or where no script is known every figure that the evaluation names, and only these."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest

from pytest_nlpeval.task import Reported, Task
from pytest_nlpeval.tasks import load_task

BEST = {
    f"{pool}.{provenance}.{average}.{figure}": place / 64
    for place, (pool, provenance, average, figure) in enumerate(
        product(("all", "belief", "sentiment"), ("full", "single"), ("micro", "macro"), ("precision", "recall", "f1"))
    )
}
RTE = {"accuracy": 1 / 2, "cws": 3 / 4, "coverage": 1.0}


def printed(task: str, scores: Mapping[str, float | None], **signature: str) -> str:
    found: Task = load_task(task)
    assert found.native is not None
    return found.native(Reported(scores, signature, 3, {}))


def shown(task: str, scores: Mapping[str, float | None], **signature: str) -> list[list[str]]:
    text = printed(task, scores, **signature)
    assert text.endswith("\n")
    return [line.split("\t") for line in text.splitlines()]


def test_best_has_the_lines_of_the_script_for_each_condition_and_attitude() -> None:
    lines = printed("best", BEST).split("\n")
    places = [place for place, line in enumerate(lines) if line.startswith("#")]
    assert places == [place * 8 for place in range(2 * 3)]
    for place, (condition, pool) in zip(places, product(("full", "single"), ("all", "belief", "sentiment")), strict=True):
        only = {"all": "", "belief": " (belief only)", "sentiment": " (sentiment only)"}[pool]
        micro, macro = (
            [BEST[f"{pool}.{condition}.{average}.{figure}"] for figure in ("precision", "recall", "f1")]
            for average in ("micro", "macro")
        )
        assert lines[place : place + 8] == [
            f"# {condition} provenance{only}",
            "Evaluating all files in the specified directories (batch mode).",
            "",
            f"---micro-averaged scores{only}---",
            f"P: {micro[0]} R: {micro[1]} F: {micro[2]}",  # 64ths have few digits
            "",
            f"---macro-averaged scores{only}---",
            f"P: {macro[0]} R: {macro[1]} F: {macro[2]}",
        ]


def test_best_has_the_digits_of_python_2() -> None:
    """Which are at most 12, with a point in any case."""
    values = [1.0, 0.0, 2 / 3, 1 / 8, 1 / 3, 1e-5 / 3]
    lines = printed("best", BEST | dict(zip(list(BEST)[:6], values, strict=True))).split("\n")
    assert lines[4] == "P: 1.0 R: 0.0 F: 0.666666666667"
    assert lines[7] == "P: 0.125 R: 0.333333333333 F: 3.33333333333e-06"


def test_rte_has_the_figures_of_all_pairs_and_of_each_setting() -> None:
    settings = {"task.QA.accuracy": 1.0, "task.QA.cws": None, "task.QA.coverage": 1.0}
    assert shown("rte", {**RTE, "cws.best": 1.0, **settings}, edition="1") == [
        ["edition", "1"],
        ["task", "accuracy", "cws", "coverage"],
        ["all", "0.5000", "0.7500", "1.0000"],
        ["QA", "1.0000", "", "1.0000"],
    ]


def test_rte_has_no_column_for_what_an_edition_or_a_run_does_not_have() -> None:
    ranked = {"accuracy": 0.5, "cws": None, "average_precision": 2 / 3, "coverage": 1.0}
    assert shown("rte", ranked, edition="2-3")[1:] == [
        ["task", "accuracy", "average_precision", "coverage"],
        ["all", "0.5000", "0.6667", "1.0000"],
    ]
    assert shown("rte", {"coverage": 0.5}, edition="2-3")[1:] == [["task", "coverage"], ["all", "0.5000"]]


def test_exemplar_has_the_lines_of_the_script_for_the_same_files() -> None:
    scores = {"relations": 9, "extractions": 10, "correct": 7, "precision": 7 / 10, "recall": 7 / 9, "f1": 14 / 19}
    assert printed("exemplar", scores) == (
        "Correct: 7\nTotal System: 10\nTotal Groun Truth: 9\nPrecision: 0.7000\nRecall: 0.7778\n"
    )
    nothing = {"relations": 9, "extractions": 0, "correct": 0, "precision": None, "recall": 0.0, "f1": 0.0}
    assert printed("exemplar", nothing).splitlines()[1:4] == ["Total System: 0", "Total Groun Truth: 9", "Precision: "]


@pytest.mark.parametrize(("subtask", "prefix"), [("2", "muc."), ("3", ""), ("4", "muc_overlap.")])
def test_are_has_the_figures_of_its_subtask(subtask: str, prefix: str) -> None:
    scores = {f"{prefix}{figure}": place / 8 for place, figure in enumerate(("precision", "recall", "f1"))}
    assert shown("are", scores, subtask=subtask) == [
        ["task", subtask],
        ["precision", "0.0000"],
        ["recall", "0.1250"],
        ["f-measure", "0.2500"],
    ]


def test_are_has_the_success_rate_with_whole_and_half_scores() -> None:
    scores = {"success_rate": 5 / 8, "resolved": 1 / 2, "half_resolved": 1 / 4, "answered": 1.0}
    assert shown("are", scores, subtask="1") == [
        ["task", "1"],
        ["success rate", "0.6250"],
        ["score 1", "0.5000"],
        ["score 0.5", "0.2500"],
    ]


@pytest.mark.parametrize("task", ["are", "best", "exemplar", "rte"])
def test_a_report_that_lacks_a_figure_has_no_table(task: str) -> None:
    with pytest.raises(KeyError):
        shown(task, {}, edition="1", subtask="1")

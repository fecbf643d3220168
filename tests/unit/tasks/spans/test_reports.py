"""The table of labels, and the report in conlleval's layout."""

from __future__ import annotations

from typing import Any

from pytest_nlpeval.graphs import Matrix
from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.spans import TASK
from pytest_nlpeval.tasks.spans.graphs import NOTHING
from pytest_nlpeval.tasks.spans.options import make_options
from tests.unit.tasks.spans.files import evidence_of, json_lines, scored, tagged

GOLD = tagged("a/B-X b/I-X c/B-Y", "d/B-Y e/O f/B-X")
SYSTEM = tagged("a/B-X b/O c/B-Y", "d/B-X e/B-Y f/O")


def matrix(gold: str, system: str, **options: Any) -> dict[tuple[str, str], int]:
    made = make_options(**options)
    assert TASK.graphs is not None
    (found,) = TASK.graphs(evidence_of(gold, system, made), made)
    assert isinstance(found, Matrix)
    return {
        (row, column): number
        for row, numbers in zip(found.row_names, found.numbers, strict=True)
        for column, number in zip(found.column_names, numbers, strict=True)
        if number
    }


def test_labels_by_labels() -> None:
    # a b and c are pairs of one label, d is taken for X, e is spurious, f is missed
    assert matrix(GOLD, SYSTEM) == {("X", "X"): 1, ("Y", "Y"): 1, ("Y", "X"): 1, (NOTHING, "Y"): 1, ("X", NOTHING): 1}


def test_exchanging_the_sides_transposes_the_table() -> None:
    assert matrix(SYSTEM, GOLD) == {pair[::-1]: number for pair, number in matrix(GOLD, SYSTEM).items()}


def test_nothing_is_drawn_of_no_spans() -> None:
    text = tagged("a/O")
    assert TASK.graphs is not None
    assert list(TASK.graphs(evidence_of(text, text), make_options())) == []


def native(gold: str, system: str, **options: Any) -> list[str]:
    assert TASK.native is not None
    return TASK.native(Reported(scored(gold, system, **options), {}, 1, {})).split("\n")


def test_conllevals_layout() -> None:
    assert native(GOLD, SYSTEM) == [
        "processed 6 tokens with 4 phrases; found: 4 phrases; correct: 1.",
        "accuracy:  33.33%; precision:  25.00%; recall:  25.00%; FB1:  25.00",
        "                X: precision:   0.00%; recall:   0.00%; FB1:   0.00  2",
        "                Y: precision:  50.00%; recall:  50.00%; FB1:  50.00  2",
        "",
    ]


def test_without_tokens_there_are_phrases_alone() -> None:
    text = json_lines({"text": "a", "spans": [[0, 1, "X"]]})
    assert native(text, json_lines({"spans": []}), format="jsonl") == [
        "processed 1 phrases; found: 0 phrases; correct: 0.",
        "precision:   0.00%; recall:   0.00%; FB1:   0.00",
        "                X: precision:   0.00%; recall:   0.00%; FB1:   0.00  0",
        "",
    ]


def test_labels_are_safe_to_print() -> None:
    lines = native(tagged("a/B-\u202ex"), tagged("a/B-\u202ex"))
    assert lines[2].lstrip().startswith("\\u202ex: ")

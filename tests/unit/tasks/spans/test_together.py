"""Small CoNLL files that are counted together: problems, evidence and explanations are those of one by one, whatever the files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.foreign_tasks import guarded
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.store import EvidenceStore
from tests.unit.tasks.spans.files import tagged
from tests.unit.tasks.spans.together import Texts, counted, is_at_once, recipe_and_cases

CLEAN = {
    "a": (tagged("Anna/B-PER left/O", "Ott/B-PER Kis/I-PER"), tagged("Anna/B-PER left/O", "Ott/I-PER Kis/B-LOC")),
    "b": (tagged("x/S-Y y/B-Z z/E-Z"), tagged("x/S-Y y/I-Z z/E-Z")),
    "c": (tagged("#/O note/O", "in/O Senn/I-LOC Senn/B-LOC"), tagged("#/O note/O", "in/O Senn/B-LOC Senn/I-LOC")),
}


WORDS = st.sampled_from(["a", "é", "#", "#x", "-DOCSTART-"])
TAGS = st.sampled_from(["O", "B-X", "I-X", "I-Y", "E-X", "S-Y", "B-Z"])
LINES = st.lists(st.one_of(st.none(), st.tuples(WORDS, TAGS, TAGS)), min_size=1, max_size=12)
SIDES = st.sampled_from(["", "first", "blank", "mark", "returns", "bad tag", "columns", "other token"])


def written(lines: list[tuple[str, str, str] | None], side: int, separator: str, change: str) -> str:
    text = "".join("\n" if line is None else f"{line[0]}{separator}{line[1 + side]}\n" for line in lines)
    match change:
        case "first":
            return f"\n{text}"
        case "blank":
            return f"{text}\n \n"
        case "mark":
            return f"\ufeff{text}"
        case "returns":
            return text.replace("\n", "\r\n")
        case "bad tag":
            return text.replace("B-", "b-", 1)
        case "columns":
            return text.replace(separator, f"{separator}NN{separator}")
        case "other token":
            return text.replace("a", "b", 1)
    return text


@st.composite
def documents(draw: st.DrawFn) -> Texts:
    texts: Texts = {}
    separator = draw(st.sampled_from("\t "))
    for name in "abcd"[: draw(st.integers(2, 4))]:
        lines = draw(LINES)
        own = draw(st.sampled_from([separator] * 9 + [" "]))
        gold, system = (draw(st.sampled_from([""] * 9 + [draw(SIDES)])) for _ in range(2))
        texts[name] = written(lines, 0, own, gold), written(lines, 1, own, system)
    return texts


OPTIONS = st.sampled_from(
    [{}, {"scheme": "IOB2", "reading": "strict"}, {"scheme": "IOE1"}, {"labels": ["X"]}, {"columns": {"gold": 2, "system": 2}}]
)
RULES = st.sampled_from(
    [
        {},
        {"spans.scheme": "error"},
        {"spans.tokens": "off", "spans.tag": "warning", "spans.column-count": "off", "text.line-ends": "warning"},
    ]
)


@given(documents(), OPTIONS, RULES)
def test_files_counted_at_once_have_the_results_of_one_by_one(
    texts: Texts, options: Mapping[str, Any], rules: Mapping[str, Any]
) -> None:
    at_once, alone = counted(texts, options, rules)
    assert at_once.cases == alone.cases
    assert (at_once.evidence and at_once.evidence.to_json()) == (alone.evidence and alone.evidence.to_json())


@pytest.mark.parametrize("options", [{}, {"scheme": "IOBES", "reading": "strict"}, {"labels": ["PER", "Z"]}])
def test_files_whose_tags_break_the_scheme_are_counted_at_once(options: Mapping[str, Any]) -> None:
    assert is_at_once(CLEAN, options)
    at_once, alone = counted(CLEAN, options, {})
    assert at_once.evidence is not None
    assert at_once.cases == alone.cases
    assert at_once.evidence.to_json() == (alone.evidence and alone.evidence.to_json())
    assert {problem.code for case in at_once.cases for problem in case.all_problems()} == {"spans.scheme"}


@pytest.mark.parametrize(
    "more",
    [
        ("", tagged("a/O")),
        (tagged("a/O"), tagged("b/O")),
        ("a NN O\n", "a NN O\n"),
        ("a O\n", "a O\n"),
        (tagged("a/O"), tagged("a/o")),
        (tagged("a/O"), tagged("a/O", "b/O")),
    ],
)
def test_what_would_be_read_otherwise_alone_is_counted_one_by_one(more: tuple[str, str]) -> None:
    assert not is_at_once({**CLEAN, "d": more})


def test_a_sentence_that_the_neighbour_has_is_missed() -> None:
    first, second = (tagged("a/O", "b/O"), tagged("a/O")), (tagged("c/O"), tagged("b/O", "c/O"))
    assert not is_at_once({"a": first, "b": second})


def test_small_files_counted_at_once_are_stored_with_their_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_nlpeval.run.case.WORTH_STORING", 0)
    recipe, cases = recipe_and_cases(CLEAN, {}, {})
    store = EvidenceStore()
    part = evaluate_cases(recipe, cases, store)
    for counting in ("_count", "count_together"):
        monkeypatch.setattr(f"pytest_nlpeval.run.case.{counting}", None)  # counting would be a TypeError
    assert evaluate_cases(recipe, cases, store) == part
    with pytest.raises(TypeError):
        evaluate_cases(recipe, cases[:2], store)


def test_a_task_of_another_package_that_counts_at_once_is_guarded() -> None:
    recipe, cases = recipe_and_cases(CLEAN, {}, {})
    part = evaluate_cases(replace(recipe, task=guarded(recipe.task)), cases, explain=True)
    assert part == evaluate_cases(recipe, cases, explain=True)

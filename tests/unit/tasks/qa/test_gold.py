from __future__ import annotations

import json

import pytest
from hypothesis import given

from pytest_nlpeval.tasks.qa.gold import Answer, Gold
from pytest_nlpeval.tasks.qa.options import Options
from tests.unit.tasks.qa.files import lines, read, runs, squad

QUESTION = {"id": "1", "answers": [{"text": "x"}]}


def paragraph(*questions: object, context: str = "An x.") -> str:
    return json.dumps({"data": [{"paragraphs": [{"context": context, "qas": questions}]}]})


@pytest.mark.parametrize("answers", [["x", "y"], [{"text": "x"}, {"text": "y"}], {"text": ["x", "y"]}, [{"text": "x"}, "y"]])
def test_answers_have_many_forms(answers: object) -> None:
    gold, problems = read("gold", lines({"id": "1", "answers": answers, "question": "Which?"}))
    assert problems == ()
    assert isinstance(gold, Gold)
    assert gold.questions["1"].answers == (Answer("x"), Answer("y"))
    assert gold.questions["1"].text == "Which?"


def test_the_place_of_an_answer_is_kept() -> None:
    gold, _ = read("gold", paragraph({"id": "1", "answers": [{"text": "x", "answer_start": 3}, {"text": "x"}]}))
    assert gold.questions["1"].answers == (Answer("x", 3), Answer("x", None))
    assert gold.questions["1"].context == "An x."


@given(run=runs())
def test_both_forms_of_a_file_say_the_same(run: tuple[dict[str, list[str]], dict[str, str], dict[str, float]]) -> None:
    answers, _, _ = run
    one, _ = read("gold", json.dumps(squad(answers)))
    other, _ = read("gold", lines(*({"id": name, "answers": texts} for name, texts in answers.items())))
    assert {name: found.accepted for name, found in one.questions.items()} == {
        name: found.accepted for name, found in other.questions.items()
    }


def test_a_pretty_printed_file_and_one_in_a_line_are_the_same() -> None:
    value = squad({"1": ["x"], "2": []})
    assert read("gold", json.dumps(value))[0].questions == read("gold", json.dumps(value, indent=2))[0].questions


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"data": 1}', "data: expected a list, got a number"),
        ('{"data": [{"paragraphs": [{"context": 1, "qas": []}]}]}', "data[0].paragraphs[0].context: expected text, got a number"),
        (paragraph(QUESTION, {"id": "2"}), "data[0].paragraphs[0].qas[1]: expected `answers`, found `id`"),
        (
            paragraph({**QUESTION, "answers": [{"text": 1}]}),
            "data[0].paragraphs[0].qas[0].answers[0].text: expected text, got a number",
        ),
        (paragraph({**QUESTION, "id": False}), "qas[0].id: expected an id, as text or as a whole number, got false"),
        ("7", "expected SQuAD JSON, an object with the list `data`, or JSON Lines with `id` and `answers`, got a number"),
        ('{"id": "1", "answers": [1]}', "answers[0]: expected an object with `text`, got a number"),
    ],
)
def test_a_fault_of_shape_has_the_path_of_keys(text: str, where: str) -> None:
    gold, problems = read("gold", text)
    assert gold is None
    assert [problem.code for problem in problems] == ["qa.shape"]
    assert where in str(problems[0])


def test_all_that_is_wrong_is_told_at_once() -> None:
    text = paragraph({"id": 1}, {"answers": []}, 7, {"id": "x", "answers": [[], {}]})
    _, problems = read("gold", text)
    assert [problem.code for problem in problems] == ["qa.shape"] * 5


def test_a_problem_of_json_lines_has_its_line() -> None:
    text = "\n" + lines({"id": "1", "answers": ["."]}, {"id": 1, "answers": []}, {"id": "2", "answers": 3})
    _, problems = read("gold", text)
    assert [(problem.line, problem.code, problem.where) for problem in problems] == [
        (2, "qa.empty-answer", "question 1"),
        (3, "qa.duplicate-id", "question 1"),
        (4, "qa.shape", "question 2"),
    ]


def test_of_equal_ids_that_are_tolerated_the_first_counts() -> None:
    text = lines({"id": "1", "answers": ["x"]}, {"id": 1, "answers": ["y"]})
    gold, problems = read("gold", text, rules={"qa.duplicate-id": "warning"})
    assert [problem.severity for problem in problems] == ["warning"]
    assert gold.questions["1"].accepted == ("x",)


@pytest.mark.parametrize(("impossible", "answers", "told"), [(True, [], 0), (True, ["x"], 1), (False, [], 1), (False, ["x"], 0)])
def test_impossible_is_compared_with_answers(impossible: bool, answers: list[str], told: int) -> None:
    gold, problems = read("gold", lines({"id": "1", "answers": answers, "is_impossible": impossible}))
    assert [problem.code for problem in problems] == ["qa.impossible"] * told
    assert bool(gold.questions["1"].answers) == bool(answers)


@pytest.mark.parametrize(("start", "is_right"), [(3, True), (2, False), (-2, False), (99, False), (None, True)])
def test_the_place_of_an_answer_is_compared_with_the_context(start: int | None, is_right: bool) -> None:
    _, problems = read("gold", paragraph({"id": "1", "answers": [{"text": "x", "answer_start": start}]}))
    assert [problem.code for problem in problems] == [] if is_right else ["qa.span"]


def test_an_answer_given_twice_is_told_once() -> None:
    _, problems = read("gold", lines({"id": "1", "answers": ["The", "The", "x"]}))
    assert [problem.code for problem in problems] == ["qa.empty-answer"]


def test_what_is_left_of_an_answer_depends_on_the_language() -> None:
    text = lines({"id": "1", "answers": ["der"]})
    assert [problem.code for problem in read("gold", text, options=Options(language="de"))[1]] == ["qa.empty-answer"]
    assert read("gold", text)[1] == ()


def test_squad1_needs_answers() -> None:
    text = lines({"id": "1", "answers": []})
    gold, problems = read("gold", text, options=Options(profile="squad1"))
    assert gold is None
    assert [problem.code for problem in problems] == ["qa.no-answers"]


def test_whole_numbers_of_any_size_are_ids() -> None:
    gold, _ = read("gold", '{"id": 123456789012345678901234567890, "answers": []}')
    assert list(gold.questions) == ["123456789012345678901234567890"]

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_nlpeval.problems import Rule
from pytest_nlpeval.tasks.qa.system import System
from tests.unit.tasks.qa.files import lines, read, squad

GOLD, _ = read("gold", json.dumps(squad({"1": ["x"], "2": []})))
WITH_GOLD = {"gold": GOLD}
BOTH = {"1": "x", "2": ""}


def system_of(text: str, documents: dict[str, Any] | None = None) -> tuple[System | None, list[str]]:
    system, problems = read("system", text, WITH_GOLD if documents is None else documents)
    return system, [f"{problem.line or ''}:{problem.code}:{problem.where}" for problem in problems]


def record(name: object, prediction: object = "", **more: object) -> dict[str, object]:
    return {"id": name, "prediction": prediction, **more}


def test_json_and_json_lines_say_the_same() -> None:
    one, _ = system_of(json.dumps(BOTH))
    other, _ = system_of(lines(record(2), {"id": "1", "prediction_text": "x"}))
    assert one
    assert other
    assert one.texts == other.texts == BOTH
    assert (one.lines, other.lines) == ({}, {"2": 1, "1": 2})


def test_numbers_keep_the_order_of_their_lines() -> None:
    system, problems = system_of(lines(record("2", no_answer_probability=3), record("1", no_answer_probability=-0.5)))
    assert problems == []
    assert system
    assert list(system.numbers.items()) == [("2", 3.0), ("1", -0.5)]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (json.dumps({"1": "x"}), [":qa.missing-id:question 2"]),
        (json.dumps({**BOTH, "3": ""}), [":qa.unknown-id:question 3"]),
        (json.dumps({"1": 7, "2": None}), [":qa.shape:", ":qa.shape:"]),
        ('{"1": "x", "2": "",\n "1": "y", "3": ""}', [":qa.unknown-id:question 3", "2:qa.duplicate-id:"]),
        (lines(record(1), record("2"), record("1")), ["3:qa.duplicate-id:question 1"]),
        (lines(record(1, 3), record("2", prediction_text="")), ["1:qa.shape:", "2:qa.shape:"]),
        (lines(record(1), {"id": "2", "text": ""}), ["2:qa.shape:"]),
        (lines(record(1), record(2, no_answer_probability="1")), ["1:qa.na-prob:question 1", "2:qa.shape:"]),
        (lines(record(1), record(2, no_answer_probability=1)), ["1:qa.na-prob:question 1"]),
        (lines(record(1)) + "{\n" + lines(record(3, 7)), ["2:qa.json:", "3:qa.shape:", "3:qa.unknown-id:question 3"]),
        ("[7]", [":qa.column:"]),
        ("", ["1:qa.json:"]),
    ],
)
def test_every_problem_has_its_place(text: str, problems: list[str]) -> None:
    system, found = system_of(text)
    assert system is None
    assert found == problems


def test_alone_a_file_is_not_compared_with_gold() -> None:
    system, problems = system_of(json.dumps({"other": "x"}), {})
    assert problems == []
    assert system
    assert system.texts == {"other": "x"}


def test_numbers_of_their_own_file() -> None:
    numbers, problems = read("na_prob", '{"2": 7, "1": -1.5}', WITH_GOLD)
    assert problems == ()
    assert list(numbers.items()) == [("2", 7.0), ("1", -1.5)]
    assert system_of(json.dumps(BOTH), {**WITH_GOLD, "na_prob": numbers})[1] == []


def test_numbers_in_both_places_are_told_once() -> None:
    text = lines(record(1, no_answer_probability=0), record(2, no_answer_probability=1))
    assert system_of(text, {**WITH_GOLD, "na_prob": {"1": 0.0, "2": 1.0}})[1] == ["1:qa.na-prob:"]


def test_a_number_without_prediction_is_no_problem() -> None:
    system, _ = read("system", '{"1": "x"}', {**WITH_GOLD, "na_prob": {"1": 0.0, "2": 1.0}}, rules={"qa.missing-id": "off"})
    assert system is not None


def test_what_is_tolerated_is_left_out_and_of_equal_ids_the_first_counts() -> None:
    rules: dict[str, Rule] = {"qa.unknown-id": "warning", "qa.duplicate-id": "warning", "qa.missing-id": "warning"}
    for text in ('{"1": "x", "3": "z", "1": "y"}', lines(record("1", "x"), record("3", "z"), record(1, "y"))):
        system, problems = read("system", text, WITH_GOLD, rules=rules)
        assert system.texts == {"1": "x"}
        assert {problem.code for problem in problems} == set(rules)
        assert {problem.severity for problem in problems} == {"warning"}
    numbers, _ = read("na_prob", '{"1": 1, "3": 3, "1": 2}', WITH_GOLD, rules=rules)
    assert numbers == {"1": 1.0}


def test_numbers_of_unknown_questions_are_left_out_with_them() -> None:
    text = lines(record("1", no_answer_probability=0), record("3", no_answer_probability=1), record("2", no_answer_probability=2))
    system, _ = read("system", text, WITH_GOLD, rules={"qa.unknown-id": "off"})
    assert system.numbers == {"1": 0.0, "2": 2.0}


@pytest.mark.parametrize("text", ["[1]", '{"1": null}', '{"1": NaN}', '{"1": 1e999}', '{"1": true}', "7", "{1: 2}"])
def test_a_number_is_finite_and_no_text(text: str) -> None:
    numbers, problems = read("na_prob", text, WITH_GOLD)
    assert numbers is None
    assert len(problems) == 1

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pytest_nlpeval.tasks import load_task
from pytest_nlpeval.tasks.exemplar import PROBLEMS, TASK
from pytest_nlpeval.tasks.exemplar.options import Options

DOCUMENTATION = Path(__file__).parents[4] / "docs" / "exemplar.md"


def test_the_table_of_tasks_has_it() -> None:
    assert load_task("exemplar") is TASK
    assert [(role.name, role.side) for role in TASK.roles] == [("gold", "gold"), ("system", "system")]


def test_the_schema_knows_exactly_the_options() -> None:
    assert set(TASK.options_schema["properties"]) == {field.name for field in fields(Options)}
    assert TASK.options() == Options(ignore_case=False)


@pytest.mark.parametrize(
    ("options", "valid"), [({}, True), ({"ignore_case": True}, True), ({"ignore_case": "yes"}, False), ({"x": 1}, False)]
)
def test_the_schema_checks_options(options: dict[str, object], valid: bool) -> None:
    Draft202012Validator.check_schema(TASK.options_schema)
    assert Draft202012Validator(TASK.options_schema).is_valid(options) is valid


def test_the_documentation_has_every_problem_and_measure() -> None:
    text = DOCUMENTATION.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `((?:exemplar|text)\.[a-z0-9-]+)`", text, re.MULTILINE)) == set(PROBLEMS)
    for measure in TASK.measures(Options(), None) or ():
        assert f"`{measure.name}`" in text

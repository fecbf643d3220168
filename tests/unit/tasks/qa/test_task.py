from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pytest_nlpeval.tasks import load_task
from pytest_nlpeval.tasks.qa import PROBLEMS, TASK
from pytest_nlpeval.tasks.qa.options import READING, Options

DOCUMENTATION = Path(__file__).parents[4] / "docs" / "qa.md"


def test_the_table_of_tasks_has_it() -> None:
    assert load_task("qa") is TASK
    assert [(role.name, role.side, role.required) for role in TASK.roles] == [
        ("gold", "gold", True),
        ("na_prob", "system", False),
        ("system", "system", True),
    ]


def test_the_schema_knows_exactly_the_options() -> None:
    properties = TASK.options_schema["properties"]
    assert set(properties) == {field.name for field in fields(Options)} - {"gold", "system"} | set(READING)
    assert TASK.options() == Options()
    assert TASK.options(**{name: schema["default"] for name, schema in properties.items() if "default" in schema}) == Options()


@pytest.mark.parametrize(
    ("options", "valid"),
    [
        ({}, True),
        ({"threshold": -3}, True),
        ({"threshold": "0.5"}, False),
        ({"language": "zh"}, True),
        ({"language": "fr"}, False),
        ({"profile": "squad1"}, True),
        ({"profile": "squad3"}, False),
    ],
)
def test_the_schema_checks_options(options: dict[str, object], valid: bool) -> None:
    assert Draft202012Validator(TASK.options_schema).is_valid(options) is valid


def test_the_documentation_has_every_problem_and_measure() -> None:
    text = DOCUMENTATION.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `((?:qa|text)\.[a-z0-9-]+)`", text, re.MULTILINE)) == set(PROBLEMS)
    for measure in TASK.measures(Options(), None) or ():
        assert f"`{measure.name}`" in text

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pytest_nlpeval.tasks import load_task
from pytest_nlpeval.tasks.rte import PROBLEMS, TASK
from pytest_nlpeval.tasks.rte.options import Options

TABLE_ROW = re.compile(r"^\| `((?:rte|text|xml)\.[a-z0-9-]+)` \| (\w+) \| (\w+) \|", re.MULTILINE)


@pytest.fixture(scope="module")
def documentation() -> str:
    return (Path(__file__).parents[4] / "docs" / "rte.md").read_text(encoding="utf-8")


def test_the_table_of_tasks_has_it() -> None:
    assert load_task("rte") is TASK
    assert [(role.name, role.side, role.required) for role in TASK.roles] == [
        ("gold", "gold", True),
        ("input", "gold", False),
        ("system", "system", True),
    ]


def test_the_schema_knows_exactly_the_options() -> None:
    assert set(TASK.options_schema["properties"]) == {field.name for field in fields(Options)}
    assert TASK.options() == Options(None)


@pytest.mark.parametrize(
    ("options", "valid"),
    [
        ({}, True),
        ({"edition": 1}, True),
        ({"edition": 3}, True),
        ({"edition": 4}, False),
        ({"edition": "1"}, False),
        ({"x": 1}, False),
    ],
)
def test_the_schema_checks_options(options: dict[str, object], valid: bool) -> None:
    Draft202012Validator.check_schema(TASK.options_schema)
    assert Draft202012Validator(TASK.options_schema).is_valid(options) is valid


def test_the_documentation_has_every_problem_as_it_is(documentation: str) -> None:
    table = {code: (severity, fixed) for code, severity, fixed in TABLE_ROW.findall(documentation)}
    assert table == {code: (kind.severity, "yes" if kind.fixed else "no") for code, kind in PROBLEMS.items()}


def test_the_documentation_has_every_measure(documentation: str) -> None:
    for measure in TASK.measures(Options(), None) or ():
        name = re.sub(r"^task\.[A-Z]+\.", "task.<T>.", measure.name)
        assert f"`{name}`" in documentation, name

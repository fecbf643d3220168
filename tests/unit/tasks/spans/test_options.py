from __future__ import annotations

from typing import Any

import pytest

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.json_schema import check_schema
from pytest_nlpeval.formats.yaml import Marked, Place
from pytest_nlpeval.problems import Kind, ProblemLog
from pytest_nlpeval.tasks.spans.options import LAST, PARTS, RECORDS, Columns, Options, make_options

SCHEMA = json_schema("spans.options.schema.json")


def problems(**options: Any) -> list[str]:
    log = ProblemLog("options", {"config.option": Kind("error", "an option")})
    check_schema(Marked(options, {(): Place(0, 0)}), SCHEMA, (), "config.option", log)
    return [problem.message for problem in log.problems()]


def test_the_schema_has_the_options() -> None:
    assert SCHEMA["properties"].keys() == set(Options.__dataclass_fields__) - {"gold", "system"} | {*RECORDS, *PARTS}
    assert make_options() == Options("conll", None, "lenient", None, Columns(1, LAST, LAST))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"format": "jsonl", "labels": ["PER", "a b", "creative-work", "A.b", "micros"]},
        {"format": "brat"},
        {"reading": "strict", "scheme": "IOBES"},
        {"scheme": "IOB1", "columns": {"gold": 2, "system": "last"}},
        {"columns": {}},
    ],
)
def test_what_is_allowed(options: dict[str, Any]) -> None:
    assert problems(**options) == []


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"format": "jsonl", "columns": {"gold": 2}}, '"columns" is not allowed with format: jsonl'),
        ({"format": "brat", "scheme": "IOB2"}, '"scheme" is not allowed with format: brat'),
        ({"format": "brat", "reading": "lenient"}, '"reading" is not allowed with format: brat'),
        ({"reading": "strict"}, 'reading: strict needs "scheme"'),
        ({"columns": {"gold": 0}}, "0"),
        ({"columns": {"gold": "first"}}, "is not a column"),
        ({"columns": {"tag": 1}}, "tag"),
        ({"labels": []}, "empty"),
        ({"labels": ["A", "A"]}, "A"),
        ({"labels": [""]}, "empty"),
        ({"labels": ["micro"]}, "cannot be a label"),
        ({"labels": ["token.x"]}, "cannot be a label"),
        ({"labels": ["A.partial"]}, "cannot be a label"),
        ({"labels": ["A "]}, "cannot be a label"),
        ({"labels": ["A*"]}, "cannot be a label"),
        ({"format": "xml"}, "xml"),
    ],
)
def test_what_is_not(options: dict[str, Any], named: str) -> None:
    (message, *_) = problems(**options)
    assert named in message

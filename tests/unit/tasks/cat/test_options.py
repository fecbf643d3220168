from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.json_schema import check_schema
from pytest_nlpeval.formats.yaml import Marked, Place
from pytest_nlpeval.problems import Kind, ProblemLog
from pytest_nlpeval.tasks.cat.configuration import SPECIFICITIES
from pytest_nlpeval.tasks.cat.options import Options, make_options
from pytest_nlpeval.tasks.cat.xml.document import value_of

SCHEMA = json_schema("cat.options.schema.json")


def problems(**options: Any) -> list[str]:
    log = ProblemLog("options", {"config.option": Kind("error", "an option")})
    check_schema(Marked(options, {(): Place(0, 0)}), SCHEMA, (), "config.option", log)
    return [f"{problem.where}: {problem.message}" for problem in log.problems()]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"].keys() == set(Options.__dataclass_fields__)


@pytest.mark.parametrize(("options", "limit"), [
    ({}, None), ({"sentences": "all"}, None), ({"sentences": 3}, 3), ({"profile": "nwr2014"}, 6),
    ({"profile": "nwr2014", "sentences": "all"}, None), ({"profile": "nwr2014", "sentences": 6}, 6),
])  # fmt: skip
def test_how_many_sentences_are_scored(options: dict[str, Any], limit: int | None) -> None:
    assert problems(**options) == []
    assert make_options(**options).limit == limit


def test_what_was_not_given() -> None:
    assert make_options() == Options() == Options("standard", True, None, None)


@pytest.mark.parametrize("sentences", [0, -1, 1.5, True, None, "6", "all\n", []])
def test_no_number_of_sentences(sentences: object) -> None:
    assert len(problems(sentences=sentences)) == 1


@pytest.mark.parametrize("kind", SPECIFICITIES)
@pytest.mark.parametrize("specificity", [None, 0, "0", "directional", "undirectional", "comparable", "non-comparable", "x"])
def test_which_specificity_goes_with_which_type(kind: str, specificity: str | int | None) -> None:
    entry = {"name": "A", "type": kind, **({} if specificity is None else {"specificity": specificity})}
    allowed = str(specificity) in SPECIFICITIES[kind] or (kind == "markable" and specificity is None)
    assert (problems(annotations=[entry]) == []) == allowed
    if allowed:
        (found,) = make_options(annotations=[entry]).annotations or ()
        assert tuple(found) == ("A", kind, str(specificity or 0), (), None)


@pytest.mark.parametrize(("entry", "said"), [
    ({"name": "A", "type": "markabel"}, 'annotations.0.type: \'markabel\' is not allowed here; did you mean "markable"?'),
    ({"name": "A", "type": "one2one", "specificity": "0"}, (
        "annotations.0.specificity: \"specificity\": '0' is not allowed with type: one2one; allowed are directional, undirectional"
    )),
    ({"name": "A", "type": "one2one"}, 'annotations.0: type: one2one needs "specificity"'),
    ({"name": "A"}, 'annotations.0: lacks "type"'),
    ({"name": "A b", "type": "markable"}, (
        "annotations.0.name: 'A b' is not an XML name; expected letters, digits, `_`, `-` and `.`, with a letter or `_` first"
    )),
    ({"name": "A", "type": "markable", "attribute": []}, 'annotations.0.attribute: unknown key "attribute"; did you mean "attributes"?'),
])  # fmt: skip
def test_messages(entry: dict[str, Any], said: str) -> None:
    assert problems(annotations=[entry]) == [said]


def test_no_annotations_are_no_configuration() -> None:
    assert problems(annotations=[]) == ["annotations: is empty; expected at least one entry"]


def test_names_of_attributes_are_found_ignoring_case() -> None:
    attributes = {"relType": "a", "RELTYPE": "b", "Class": "c"}
    assert [value_of(attributes, name) for name in ("relType", "RELTYPE", "reltype", "CLASS", "value")] == [
        "a",
        "b",
        "a",
        "c",
        "",
    ]

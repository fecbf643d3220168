from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_nlpeval.files import Source, json_schema
from pytest_nlpeval.formats.json_schema import check_schema
from pytest_nlpeval.formats.yaml import YAML_KINDS, read_yaml
from pytest_nlpeval.problems import Kind, ProblemLog
from pytest_nlpeval.tasks import TASKS

NAME = {"type": "string", "pattern": "^[a-z]+$", "patternHint": "is not a name"}

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "format": {"enum": ["conll", "jsonl", "brat"], "default": "conll"},
        "reading": {"enum": ["lenient", "strict"]},
        "scheme": {"enum": ["IOB1", "IOB2"]},
        "columns": {"type": "object"},
        "bins": {"type": "integer", "minimum": 2, "maximum": 9},
        "share": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "title": {"type": "string", "maxLength": 3},
        "names": {"type": "array", "uniqueItems": True, "maxItems": 3},
        "kind": {"enum": ["label", "labels", "score"], "default": "label"},
        "range": {"type": "array", "minItems": 2},
        "measures": {"contains": {"const": "bleu"}},
        "label": {"type": ["string", "array"]},
        "labels": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/name"}},
        "ordinal": {"type": "boolean"},
        "probability": {"type": "string"},
        "positive": {"type": "string"},
        "separator": NAME,
        "annotations": {"type": "array", "items": {"$ref": "#/$defs/annotation"}},
        "level": {"anyOf": [{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, {"const": "off"}]},
        "wanted": {"anyOf": [{"$ref": "#/$defs/name"}, {"type": "object", "additionalProperties": {"$ref": "#/$defs/name"}}]},
    },
    "dependentRequired": {"ordinal": ["labels", "kind"], "positive": ["probability"]},
    "dependentSchemas": {"ordinal": {"properties": {"kind": {"const": "label"}}}},
    "allOf": [
        {
            "if": {"properties": {"format": {"const": "conll"}}},
            "else": {"properties": {"columns": False, "reading": False, "scheme": False}},
        },
        {
            "if": {"required": ["reading"], "properties": {"reading": {"const": "strict"}}},
            "then": {"required": ["scheme"]},
        },
        {
            "if": {"not": {"required": ["kind"], "properties": {"kind": {"const": "labels"}}}},
            "then": {"properties": {"label": {"type": "string"}, "separator": False}},
            "else": {"properties": {"label": {"type": "array", "minItems": 1}}},
        },
        {"not": {"required": ["labels", "scheme"]}},
    ],
    "$defs": {
        "name": NAME,
        "annotation": {
            "type": "object",
            "allOf": [
                {
                    "if": {"required": ["type"], "properties": {"type": {"const": "markable"}}},
                    "then": {"properties": {"specificity": {"enum": ["0", 0]}}},
                },
                {
                    "if": {"required": ["type"], "properties": {"type": {"enum": ["one2one", "many2one"]}}},
                    "then": {
                        "required": ["specificity"],
                        "properties": {"specificity": {"enum": ["directional", "undirectional"]}},
                    },
                },
            ],
        },
    },
}


def problems(text: str, schema: dict[str, Any] = SCHEMA) -> list[str]:
    log = ProblemLog("f", YAML_KINDS | {"config.option": Kind("error", "")})
    document = read_yaml(Source("f", f"options: {text}".encode()), log)
    assert document is not None
    check_schema(document, schema, ("options",), "config.option", log)
    return [f"{problem.column} {problem.where}: {problem.message}" for problem in log.problems()]


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{columns: {}}",
        "{format: conll, reading: strict, scheme: IOB1}",
        "{format: jsonl}",
        "{kind: labels, label: [a]}",
        "{label: a}",
        "{level: 0.5}",
        "{level: off}",
        "{wanted: {side: a}}",
        "{ordinal: true, labels: [a], kind: label}",
        "{annotations: [{type: markable, specificity: 0}, {type: one2one, specificity: directional}, {}]}",
    ],
)
def test_what_is_allowed(text: str) -> None:
    assert problems(text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{format: jsonl, columns: {}}", '26 options.columns: "columns" is not allowed with format: jsonl'),
        ("{reading: strict}", '1 options: reading: strict needs "scheme"'),
        ("{separator: a}", '11 options.separator: "separator" is not allowed with kind: label (the default)'),
        ("{kind: score, label: [a]}", '24 options.label: "label": expected a string with kind: score, got a list'),
        ("{kind: labels, label: []}", '25 options.label: "label": is empty; expected at least one entry with kind: labels'),
        ("{positive: a}", '11 options.positive: "positive" needs "probability"'),
        ("{ordinal: true}", '11 options.ordinal: "ordinal" needs "labels", "kind"'),
        (
            "{ordinal: true, labels: [a], kind: score}",
            "39 options.kind: \"kind\": expected 'label' with ordinal: true, got 'score'",
        ),
        ("{labels: [a], scheme: IOB1}", '1 options: "labels" and "scheme" do not go together'),
        ("{labels: [A]}", "20 options.labels.0: 'A' is not a name"),
        ("{labels: []}", "11 options.labels: is empty; expected at least one entry"),
        ("{ordinal: 1, labels: [a], kind: label}", "11 options.ordinal: expected true or false, got 1"),
        ("{labels: true}", "11 options.labels: expected a list, got true"),
        ("{colums: {}}", '11 options.colums: unknown key "colums"; did you mean "columns"?'),
        ("{format: con}", "11 options.format: 'con' is not allowed here; did you mean \"conll\"?"),
        (
            "{annotations: [{type: markable, specificity: directional}]}",
            "42 options.annotations.0.specificity: \"specificity\": 'directional' is not allowed with type: markable; allowed is 0",
        ),
        (
            "{annotations: [{}, {type: one2one, specificity: x}]}",
            (
                '45 options.annotations.1.specificity: "specificity": '
                "'x' is not allowed with type: one2one; allowed are directional, undirectional"
            ),
        ),
        ("{bins: 1}", "11 options.bins: 1 is less than the minimum of 2"),
        ("{bins: 10}", "11 options.bins: 10 is greater than the maximum of 9"),
        ("{share: 0}", "11 options.share: 0 is not greater than 0"),
        ("{share: 1.0}", "11 options.share: 1.0 is not less than 1"),
        ("{title: abcd}", "11 options.title: 'abcd' has more than 3 characters"),
        ("{names: [a, a]}", "11 options.names: 'a' is in the list twice"),
        ("{level: 5}", "11 options.level: 5 is not less than 1"),
        ("{level: on}", "11 options.level: expected a number or 'off', got 'on'"),
        ("{level: [1]}", "11 options.level: expected a number or 'off', got a list"),
        ("{wanted: {side: A}}", "20 options.wanted.side: 'A' is not a name"),
        ("{wanted: 3}", "11 options.wanted: expected a string or a mapping, got 3"),
        ("{names: [a, b, c, d]}", "11 options.names: expected at most 3 in the list, got 4"),
        ("{measures: [wer]}", "11 options.measures: lacks 'bleu'"),
        ("{range: [1]}", "11 options.range: expected at least 2 in the list, got 1"),
        ("{annotations: [{type: many2one}]}", '25 options.annotations.0: type: many2one needs "specificity"'),
    ],
)
def test_a_message_names_the_option_and_what_makes_the_rule_hold(text: str, said: str) -> None:
    assert said in problems(text)


@pytest.mark.parametrize("needed", [["b"], ["b", "c"], ["c", "b", "a"]])
def test_all_that_one_rule_finds_missing_is_told_at_once(needed: list[str]) -> None:
    listed = ", ".join(f'"{name}"' for name in needed)
    assert problems("{}", {"required": needed}) == [f"1 options: lacks {listed}"]
    assert problems("{x: 1}", {"dependentRequired": {"x": needed}}) == [f'11 options.x: "x" needs {listed}']
    both = {"allOf": [{"required": needed}, {"$ref": "#/$defs/more"}], "$defs": {"more": {"required": ["d"]}}, "required": ["e"]}
    told = {f"1 options: lacks {listed}", '1 options: lacks "d"', '1 options: lacks "e"'}
    assert (set(problems("{}", both)), len(problems("{}", both))) == (told, 3)


def test_rules_that_a_reference_and_its_neighbour_have_are_both_told() -> None:
    schema = {"$ref": "#/$defs/more", "required": ["a"], "$defs": {"more": {"required": ["b"]}}}
    assert sorted(problems("{}", schema)) == ['1 options: lacks "a"', '1 options: lacks "b"']


def test_every_broken_rule_is_told() -> None:
    found = problems("{format: brat, reading: strict, columns: {}, kind: labels, label: a}")
    assert [line.partition(": ")[2] for line in found] == [
        'reading: strict needs "scheme"',
        '"reading" is not allowed with format: brat',
        '"columns" is not allowed with format: brat',
        "\"label\": expected a list with kind: labels, got 'a'",
    ]


def test_conditions_inside_conditions_are_all_named() -> None:
    inner = {"if": {"required": ["b"]}, "then": {"properties": {"c": False}}, "else": {"required": ["d"]}}
    schema = {"if": {"required": ["a"]}, "then": inner}
    assert problems("{a: 1, b: [], c: 2}", schema) == ['24 options.c: "c" is not allowed with a: 1 and "b"']
    assert problems("{a: x}", schema) == ['1 options: a: x and no "b" needs "d"']
    assert problems("{a: 1}", {"properties": {"a": False}}) == ['11 options.a: "a" is not allowed here']
    (said,) = problems("{a: 1}", {"properties": {"a": {"not": {"type": "integer"}}}})
    assert said == "11 options.a: 1 should not be valid under {'type': 'integer'}"


def test_a_condition_beside_a_reference_is_named() -> None:
    """A schema may have further keywords beside `$ref`; those of the schema that it refers to are looked for where it has none."""
    beside = {"$ref": "#/$defs/pair", "if": {"required": ["a"]}, "then": {"required": ["b"]}}
    pair = {"type": "object", "properties": {"a": {"type": "integer"}}}
    schema = {"properties": {"p": beside}, "$defs": {"pair": pair}}
    assert problems("{p: {a: 1}}", schema) == ['11 options.p: a: 1 needs "b"']
    assert problems("{p: {a: x, b: 1}}", schema) == ["15 options.p.a: expected a whole number, got 'x'"]


FORMS = {
    "pattern": "^(R|R@[0-9]+|S)$",
    "patternHint": "is no measure",
    "patternNames": {"R": ["recall"], "R@k": ["recall"], "S": []},
}


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("recall", 'here it is "R"'),
        ("Recall_10", 'here it is "R@10"'),
        ("r@5", 'here it is "R@5"'),
        ("s", 'here it is "S"'),
        ("T", "known are S, R, R@k"),
    ],
)
def test_what_others_call_a_name(written: str, hint: str) -> None:
    schema = {"type": "object", "properties": {"measure": FORMS}}
    log = ProblemLog("f.yaml", {**YAML_KINDS, "config.option": Kind("error", "")})
    document = read_yaml(Source("f.yaml", f"measure: {written}".encode()), log)
    assert document is not None
    check_schema(document, schema, (), "config.option", log)
    (problem,) = log.problems()
    assert problem.message.startswith(f"'{written}' is no measure; ")
    assert set(problem.message.partition("; ")[2].replace(",", "").split()) == set(hint.replace(",", "").split())


def keywords(schema: Any, root: Any) -> Iterator[str]:
    """Yield the keywords of a schema and of those that it leads to; a condition that does not hold is no error, and is left out."""
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword in {"if", "$defs"}:
            continue
        yield keyword
        if keyword == "$ref":
            yield from keywords(root["$defs"][value.removeprefix("#/$defs/")], root)
        elif keyword not in SILENT:
            named = keyword in {"properties", "dependentSchemas"}
            for inner in value.values() if named else value if isinstance(value, list) else [value]:
                yield from keywords(inner, root)


SILENT = {"$schema", "$id", "title", "description", "default", "examples", "const", "enum", "patternHint", "patternNames"}
TOLD = {
    *("type", "const", "enum", "pattern", "not", "required", "dependentRequired", "additionalProperties", "anyOf", "uniqueItems"),
    *(
        "minItems",
        "minProperties",
        "minLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "maxLength",
        "maxItems",
    ),
    "contains",
}
AROUND = {"$ref", "properties", "propertyNames", "items", "allOf", "if", "then", "else", "dependentSchemas"}
"""Keywords without errors of their own: they lead to those of other schemas."""


@pytest.mark.parametrize("name", ["nlpeval.schema.json", *(f"{task}.options.schema.json" for task in TASKS)])
def test_every_keyword_of_a_schema_has_a_sentence_of_this_project(name: str) -> None:
    schema = json_schema(name)
    assert set(keywords(schema, schema)) - SILENT - TOLD - AROUND == set()

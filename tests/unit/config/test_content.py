"""Content in memory: whatever is given so scores as its file does, and problems name the element that is wrong."""

from __future__ import annotations

import json
import math
from collections import UserDict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import ConfigError, SuiteResult, evaluate, load_suites, report, score
from pytest_nlpeval.config.adhoc import suite_of_test
from pytest_nlpeval.config.content import Content, ContentError, content_of
from pytest_nlpeval.config.suite import Suite

EXAMPLES = Path(__file__).parents[3] / "examples"


def has_one_suffix(suite: Suite) -> bool:
    """Whether the files of both sides end alike: bytes have no name, and another format on one side is an option then."""
    return len({Path(case.files[role].path).suffix for case in suite.cases for role in ("gold", "system")}) == 1


SUITES = [
    suite
    for path in sorted(EXAMPLES.glob("*/nlpeval.yaml"))
    for suite in load_suites(path)
    if suite.recipe.task.name != "text" or has_one_suffix(suite)
]

GOLD = [{"id": 1, "label": "a"}, {"id": 2, "label": "b"}, {"id": 3, "label": "a"}]
SYSTEM = [{"id": 3, "label": "b"}, {"id": 1, "label": "a"}, {"id": 2, "label": "b"}]


class Frame:
    """What has the one method of a data frame that is asked for."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def to_dict(self, orient: str) -> list[dict[str, Any]]:
        assert orient == "records"
        return self.rows


def contents(suite: Suite) -> dict[str, Any]:
    """The files of a suite as bytes: by document, or of its one document."""
    files = {role: {case.name: Path(case.files[role].path).read_bytes() for case in suite.cases} for role in suite.cases[0].files}
    return files if suite.by_document else {role: next(iter(by_name.values())) for role, by_name in files.items()}


def told(result: SuiteResult) -> list[tuple[str, int | None, str]]:
    return [(problem.code, problem.line, problem.message) for problem in result.all_problems()]


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: f"{suite.recipe.task.name} {suite.name}")
def test_bytes_score_as_their_file(suite: Suite) -> None:
    suite = replace(suite, statistics=replace(suite.statistics, confidence=None))  # intervals take longer than all else
    of_files, of_bytes = evaluate(suite), evaluate(suite_of_test(suite, contents(suite)))
    assert of_bytes.scores == of_files.scores
    assert of_bytes.verdicts == of_files.verdicts
    assert told(of_bytes) == told(of_files)


@given(
    st.lists(st.dictionaries(st.text(max_size=5), st.none() | st.text(max_size=5) | st.integers() | st.booleans()), max_size=5)
)
def test_each_record_is_a_line(records: list[dict[str, Any]]) -> None:
    data = content_of(records).data or b""
    assert [json.loads(line) for line in data.splitlines()] == records
    assert content_of(Frame(records)) == content_of(records)
    assert content_of(tuple(map(UserDict, records))) == content_of(records)


@given(st.lists(st.text("ab é\t", max_size=5) | st.integers(), max_size=5))
def test_each_text_is_a_line(texts: list[str | int]) -> None:
    data = (content_of(texts).data or b"").decode()
    assert data == "".join(f"{text}\n" for text in texts)


@given(st.dictionaries(st.text(max_size=5), st.lists(st.integers(), max_size=3), max_size=3))
def test_a_mapping_is_a_document(document: dict[str, Any]) -> None:
    assert json.loads(content_of(document).data or b"") == document


def test_arrays_and_sets_are_lists() -> None:
    assert content_of(np.array(["a", "b"])) == content_of(["a", "b"])
    assert content_of([{"x": np.float64(0.5), "y": np.array([1, 2]), "z": {"b", "a"}}]) == content_of(
        [{"x": 0.5, "y": [1, 2], "z": ["a", "b"]}]
    )


def test_what_a_frame_lacks_is_absent_and_nan_in_records_is_a_fault() -> None:
    assert content_of(Frame([{"id": 1, "label": math.nan}])).data == b'{"id": 1, "label": null}\n'
    result = score("labels", gold=GOLD, system=[{"id": 1, "label": math.nan}])
    assert "system[0]" in [problem.path for problem in result.all_problems()]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "an object of the type int"),
        (None, "nothing"),
        ({"a", "b"}, "an object of the type set"),
        ([{"a": 1}, "a"], "[0]"),
        (["a", "b\nc"], "[1]"),
        (["a", None], "[1]"),
        ([{"a": object()}], "[0]: cannot be written as JSON"),
        ({(1, 2): 3}, "cannot be written as JSON"),
        (Frame([1]), "to_dict"),  # type: ignore[list-item] # what a frame of another kind may give
    ],
)
def test_what_no_file_could_hold_is_refused(value: Any, message: str) -> None:
    with pytest.raises(ContentError) as caught:
        content_of(value)
    assert message in str(caught.value)


def test_a_document_that_holds_itself_is_refused() -> None:
    value: dict[str, Any] = {}
    value["self"] = value
    with pytest.raises(ContentError, match="cannot be written as JSON"):
        content_of(value)


def test_records_in_memory_score_as_a_file_with_them(tmp_path: Path) -> None:
    paths = {}
    for role, rows in (("gold", GOLD), ("system", SYSTEM)):
        paths[role] = tmp_path / f"{role}.jsonl"
        paths[role].write_text("".join(json.dumps(row) + "\n" for row in rows))
    of_files = score("labels", gold=paths["gold"], system=paths["system"], explain=True)
    in_memory = score("labels", gold=GOLD, system=SYSTEM, explain=True)
    assert in_memory["accuracy"] == 2 / 3
    assert in_memory.scores == of_files.scores
    assert "system[0]: wrong-label" in str(in_memory)  # the third of gold is the first record of the system
    assert "system.jsonl:1: wrong-label" in str(of_files)


def test_the_format_of_records_goes_before_options() -> None:
    options = {"format": "csv"}
    assert score("labels", gold=b"id,label\n1,a\n2,b\n", system=SYSTEM[1:], options=options)["accuracy"] == 1


def test_problems_stand_at_the_element() -> None:
    result = score("labels", gold=GOLD, system=[*SYSTEM, {"id": 9, "label": "a"}, {"label": "a"}])
    assert [(problem.code, problem.path, problem.line) for problem in result.all_problems()] == [
        ("labels.unknown-id", "system[3]", None),
        ("labels.no-id", "system[4]", None),
    ]
    result = score("labels", gold="a\nb\n", system=b"a\n")
    assert [(problem.code, problem.path) for problem in result.all_problems()] == [("labels.length", "system")]


def test_a_mapping_is_a_document_or_has_one_for_each(tmp_path: Path) -> None:
    squad = {"data": [{"paragraphs": [{"context": "a b", "qas": [{"id": "q", "question": "?", "answers": [{"text": "a"}]}]}]}]}
    assert score("qa", gold=squad, system={"q": "a"})["exact"] == 1
    several = score("labels", gold={"d1": "a\nb\n", "d2": b"a\n"}, system={"d1": ["a", "b"], "d2": ["b"]})
    assert ([case.name for case in several.cases], several["accuracy"]) == (["d1", "d2"], 2 / 3)
    lacking = score("labels", gold={"d1": "a\n", "d2": "a\n"}, system={"d1": ["a"], "d3": ["a"]})
    assert [str(problem) for problem in lacking.all_problems()] == [
        'system["d2"]: file.missing: is not given (system of d2)',
        'gold["d3"]: file.missing: is not given (gold of d3)',
    ]
    (tmp_path / "d1.txt").write_text("a\n")
    assert score("labels", gold=str(tmp_path / "{doc}.txt"), system={"d1": ["a"]})["accuracy"] == 1


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        ({"d1": "a\n"}, ["a"], "give a mapping from the names of documents to contents"),
        ({"d1": "a\n"}, {1: ["a"]}, "expected the names of documents as keys, got 1"),
        ({"d1": "a\n"}, {"d1": 3}, 'system["d1"]: expected a path'),
        (3, {"a"}, "gold: expected a path"),
    ],
)
def test_mistakes_of_a_call(gold: Any, system: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        score("labels", gold=gold, system=system)
    assert message in str(caught.value)


def test_a_result_shows_and_writes_itself_as_the_text_report(tmp_path: Path) -> None:
    result = score("labels", gold=GOLD, system=SYSTEM)
    assert len(repr(result)) < 3_000
    result.write("text", tmp_path / "one.txt")
    assert (tmp_path / "one.txt").read_text() == f"{result}\n"
    report([result, result]).write("json", tmp_path / "two.json")
    assert [suite["name"] for suite in json.loads((tmp_path / "two.json").read_text())["suites"]] == ["labels"] * 2
    assert str(report([result])) == str(result)
    with pytest.raises(ValueError, match="expected one of benchmark, benchmark-smaller, changes, codequality, csv, html, json"):
        result.write("pdf", tmp_path / "one.pdf")


def test_text_that_is_no_utf8_is_told_by_the_reader() -> None:
    result = score("labels", gold="a\n\ud800\n", system=b"a\n\xff\n")
    assert {problem.code for problem in result.all_problems()} == {"text.encoding"}
    assert content_of("").data == b""
    assert [problem.code for problem in score("labels", gold="a\nb\n", system="").all_problems()] == ["labels.length"]
    assert not Content(None).is_list

from __future__ import annotations

import json
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.reports.github import MAX_MESSAGE, MAX_SCORES, Annotation, command, output, scores, workflow_commands
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.wording import printable
from tests.action.runner import assignments, obeyed
from tests.unit.reports.documents import full_of, gate, problem, report, suite

ANY = st.text(st.characters(exclude_categories=()))


def told(*suites: dict[str, object], **fields: object) -> list[tuple[str, str, str]]:
    found = obeyed("\n".join(workflow_commands(report(*suites, **fields))))
    return [(annotation.level, annotation.file, annotation.line) for annotation in found]


@given(ANY)
def test_any_text_makes_the_annotations_it_should_and_nothing_else(text: str) -> None:
    lines = list(workflow_commands(Report.from_json(full_of(text))))
    "\n".join(lines).encode()
    found = obeyed("\n".join(lines))
    assert len(found) == len(lines)
    assert {annotation.level for annotation in found} <= {"error", "warning", "notice"}
    assert {annotation.line for annotation in found} <= {"3", "9", ""}
    assert all(annotation.title.startswith("nlpeval") for annotation in found)


@given(ANY, ANY, ANY)
def test_a_command_is_one_line(path: str, title: str, message: str) -> None:
    line = command(Annotation("error", path, 1, 2, title, message))
    assert not set(line) & set("\r\n\x1b\u2028\u202e")
    assert "##[" not in line
    (found,) = obeyed(line)
    assert (found.level, found.line, found.col) == ("error", "1", "2")
    assert (found.title, found.message) == (printable(title), printable(message[:MAX_MESSAGE]))


def test_what_looks_escaped_is_not_taken_for_it() -> None:
    line = command(Annotation("error", "a%2Cb%3A.txt", 1, None, "50%25", "one%0Atwo%"))
    assert line == "::error file=a%252Cb%253A.txt,line=1,title=50%2525::one%250Atwo%25"


@pytest.mark.parametrize("path", ["a, b: 100%.txt", "süd/ост.xml", "x::y", "a=b,line=7"])
def test_a_path_stays_what_it_is(path: str) -> None:
    assert obeyed(command(Annotation("error", path, 1, None, "", "m")))[0].file == path


def test_causes_come_before_what_follows_from_them() -> None:
    first = suite(problems=[problem()], gates=[gate(verdict="unjudged", value=None, line=4)])
    second = suite(gates=[gate(line=5), gate(line=6, verdict="passed"), gate(line=7, informational=True)])
    assert told(first, second, problems=[problem(path="", line=1)], passed=False) == [
        ("error", "", "1"),
        ("error", "nlpeval.yaml", "5"),
        ("notice", "nlpeval.yaml", "7"),
        ("error", "system/a.txt", "3"),
        ("error", "nlpeval.yaml", "4"),
    ]


def test_what_several_suites_say_is_said_once() -> None:
    assert len(told(suite(gates=[], problems=[problem()]), suite(gates=[], problems=[problem()], system="b"))) == 1


def test_ten_of_a_level_then_the_counts() -> None:
    problems = [problem(line=line + 1, severity="error" if line % 2 else "warning") for line in range(50)]
    goals = [gate(line=line + 1, informational=True) for line in range(12)]
    lines = list(workflow_commands(report(suite(problems=problems, gates=goals))))
    found = obeyed("\n".join(lines))
    assert [sum(annotation.level == level for annotation in found) for level in ("error", "warning", "notice")] == [10, 10, 10]
    assert found[-1].message.startswith("15 more of level error, 15 more of level warning, 3 more of level notice")


def test_ten_are_not_too_many() -> None:
    assert len(told(suite(gates=[gate(line=line + 1) for line in range(10)]))) == 10


def test_paths_are_relative_to_the_repository() -> None:
    lines = workflow_commands(report(suite()), lambda path: str(PurePosixPath("sub", path)), informs=True)
    (found,) = obeyed("\n".join(lines))
    assert (found.level, found.file) == ("warning", "sub/nlpeval.yaml")


def test_scores() -> None:
    values = {"f1": {"value": 0.25}, "cws": {"value": None, "reason": "none"}}
    assert json.loads(scores(report(suite(scores=values)))) == {"dev": {"f1": 0.25, "cws": None}}
    same = report(suite(scores=values, config="a/nlpeval.yaml"), suite(scores={}, config="b/nlpeval.yaml"))
    assert list(json.loads(scores(same))) == ["a/nlpeval.yaml::dev", "b/nlpeval.yaml::dev"]


def test_scores_that_are_too_many() -> None:
    values = {f"m{number:08}": {"value": 0.5} for number in range(20_000)}
    found = scores(report(suite(scores={**values, "f1": {"value": 0.25}})))
    assert json.loads(found) == {"dev": {"f1": 0.25}}
    gates = [gate(measure=name) for name in values]
    assert scores(report(suite(scores=values, gates=gates))) == "{}"
    assert len(found) < MAX_SCORES


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r")))
def test_an_output_is_its_value(value: str) -> None:
    text = output("report", value, "0123456789abcdef")
    assert assignments(text) == {"report": value}


def test_a_delimiter_in_the_value_is_refused() -> None:
    with pytest.raises(ValueError, match="delimiter"):
        output("report", "a\nword\nb", "word")


def test_what_is_newly_wrong_comes_last_at_the_systems_lines() -> None:
    def entry(line: int | None, **fields: str) -> dict[str, object]:
        return {"case": "d", "unit": "1", "reason": "missed", "message": "x", "line": line, **fields}

    first = [entry(7, path="s.txt", change="newly_wrong"), entry(8, path="s.txt"), entry(None, change="newly_wrong")]
    explained = suite(gates=[gate(line=5)], explanations={"counts": {"missed": 3}, "first": first, "cut": 0})
    assert told(explained, passed=False) == [("error", "nlpeval.yaml", "5"), ("notice", "s.txt", "7"), ("notice", "", "")]

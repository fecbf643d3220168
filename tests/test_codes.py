"""`nlpeval explain` and docs/codes.md tell of every code that the program can report, from one source, with examples that it gives."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

import pytest

from pytest_nlpeval.problems import Kind
from pytest_nlpeval.reports.problem_codes import FOLDER, Code, codes, rule_of
from pytest_nlpeval.tasks import TASKS, load_task
from tests.codes import PAGE, ROOT, examples, mending, page
from tests.support import command

REPORTING = {"Problem", "add", "_add", "say", "_say", "_problem", "_mistake", "UnfitError", "_UnfitError"}
"""The functions that are given a code."""

CODE = re.compile(r"[a-z]+\.[a-z][a-z0-9-]+")


@pytest.fixture(scope="module")
def every() -> dict[str, Code]:
    return codes()


def reported() -> Iterator[tuple[str, str]]:
    """The codes that calls in the package and the action give, with their places."""
    for path in (*(ROOT / "pytest_nlpeval").rglob("*.py"), *(ROOT / "action").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                texts = (argument.value for argument in node.args[:3] if isinstance(argument, ast.Constant))
                found = (text for text in texts if isinstance(text, str) and CODE.fullmatch(text))
                yield from ((text, f"{path.name}:{node.lineno}") for text in found if name in REPORTING)


def test_every_code_that_is_reported_is_explained(every: dict[str, Code]) -> None:
    given = list(reported())
    assert len({code for code, _ in given}) > 50
    assert [(code, place) for code, place in given if code not in every] == []
    assert {code for name in TASKS for code in load_task(name).problems} <= set(every)


def test_every_code_says_how_it_is_mended(every: dict[str, Code]) -> None:
    for name, code in every.items():
        assert re.fullmatch(r"\S.*[.…]", code.mend), name
        assert len(code.mend) < 200, name


def test_no_cure_is_a_rule_where_none_can_change_the_severity(every: dict[str, Code]) -> None:
    assert [
        name for name, code in every.items() if "`rules" in code.mend and any(kind.fixed for kind in code.kinds.values())
    ] == []


def test_no_text_is_of_a_code_that_is_gone(every: dict[str, Code]) -> None:
    for path in FOLDER.glob("*.json"):
        names = list(json.loads(path.read_text(encoding="utf-8")))
        assert set(names) <= set(every)
        assert {name.partition(".")[0] for name in names} == {path.stem}


def test_examples_are_what_the_program_says() -> None:
    """`python -m tests.codes` writes them anew."""
    assert mending(examples()) == {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}


def test_every_code_has_an_example(every: dict[str, Code]) -> None:
    assert {name for name, code in every.items() if not code.example} == set()


def test_the_page_is_made_from_the_same_source() -> None:
    """`python -m tests.codes` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_severities_and_rules() -> None:
    same = {"a": Kind("error", "x"), "b": Kind("error", "x")}
    assert Code("a.x", same).severity == "error"
    assert Code("a.x", {**same, "c": Kind("off", "x")}).severity == "error in a, b; off in c"
    assert rule_of(Code("a.x", {"a": Kind("error", "x", fixed=True)})) == "none can change the severity"
    assert "{a.x: warning}" in rule_of(Code("a.x", same))
    assert "{a.x: error}" in rule_of(Code("a.x", {"a": Kind("off", "x")}))


Capture = pytest.CaptureFixture[str]


def test_a_code_is_explained(capfd: Capture) -> None:
    ended = command(capfd, "explain", "labels.length")
    assert ended.code == 0
    said = " ".join(ended.out.split())
    for text in (
        "fewer or more records than gold",
        "severity: error",
        "none can change",
        "labels.length: has ",
        "how to mend it: Write",
    ):
        assert text in said, text


def test_codes_are_listed(capfd: Capture, every: dict[str, Code]) -> None:
    out = command(capfd, "explain").out
    assert f"{len(every)} codes" in out
    assert all(name in out for name in every)
    of_guards = command(capfd, "explain", "guard").out
    assert "guard.both" in of_guards
    assert "rte." not in of_guards


@pytest.mark.parametrize(
    ("asked", "meant"), [("rte.tie", "rte.ties"), ("lables.length", "labels.length"), ("RTE.TIES", "rte.ties")]
)
def test_of_an_unknown_code_the_nearest_are_told(capfd: Capture, asked: str, meant: str) -> None:
    ended = command(capfd, "explain", asked)
    assert ended.code == 2
    assert f'no problem has the code "{asked}"; did you mean "{meant}"' in ended.err


def test_what_an_unknown_code_holds_is_escaped(capfd: Capture) -> None:
    assert command(capfd, "explain", "\x1b[31m::error::../../etc").code == 2


def test_codes_of_another_packages_task_have_what_it_declares(capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from pytest_nlpeval.reports import problem_codes

    theirs = replace(load_task("rte"), name="theirs", problems={"theirs.odd": Kind("warning", "something is odd")})

    def load(name: str) -> object:
        if name == "broken":
            raise ImportError(name)
        return theirs if name == "theirs" else load_task(name)

    monkeypatch.setattr(problem_codes, "task_names", lambda: ("broken", "rte", "theirs"))
    monkeypatch.setattr(problem_codes, "load_task", load)
    out = command(capfd, "explain", "theirs.odd").out
    assert "theirs.odd: something is odd" in out
    assert "severity: warning" in out
    assert "how to mend it" not in out
    assert "of the task broken no code is known" in command(capfd, "explain", "theirs.od").err

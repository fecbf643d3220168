from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import Kind, Problem
from pytest_nlpeval.problems import LONGEST, SHOWN_PER_CODE, NlpevalError, ProblemLog
from pytest_nlpeval.wording import printable, quoted

KINDS = {"t.bad": Kind("error", "bad"), "t.odd": Kind("warning", "odd"), "t.tiny": Kind("off", "tiny")}


def test_a_problem_reads_path_line_column_code_message() -> None:
    problem = Problem("t.bad", "error", "f.txt", 3, 7, "pair 1", "expected x, got y")
    assert str(problem) == "f.txt:3:7: t.bad: expected x, got y (pair 1)"
    assert str(Problem("t.bad", "error", "f.txt", 3, None, "", "m")) == "f.txt:3: t.bad: m"
    assert str(Problem("t.bad", "error", "f.txt", None, None, "", "m")) == "f.txt: t.bad: m"


@given(
    st.builds(
        Problem,
        st.just("t.bad"),
        st.sampled_from(("error", "warning")),
        st.just("f"),
        st.none() | st.integers(1),
        st.none(),
        st.text(),
        st.text(min_size=1),
    )
)
def test_json_gives_back_the_same_problem(problem: Problem) -> None:
    assert Problem.from_json(json.loads(json.dumps(problem.to_json())), "f") == problem


def test_a_field_that_is_all_of_a_large_file_is_not_all_in_its_problem() -> None:
    log = ProblemLog("f", KINDS)
    log.add("t.bad", "x" * LONGEST, where="y" * LONGEST)
    log.add("t.bad", "x" * (LONGEST + 1), where="y" * 10 * LONGEST)
    whole, cut = log.problems()
    assert (whole.message, whole.where) == ("x" * LONGEST, "y" * LONGEST)
    assert (cut.message, cut.where) == (f"{whole.message}…", f"{whole.where}…")


def test_rules_change_severities() -> None:
    log = ProblemLog("f", KINDS, {"t.bad": "off", "t.odd": "error", "t.tiny": "warning"})
    for code in KINDS:
        log.add(code, "m")
    assert [(problem.code, problem.severity) for problem in log.problems()] == [("t.odd", "error"), ("t.tiny", "warning")]
    assert log.has_errors
    assert not log.enabled("t.bad")


def test_warnings_are_no_errors_and_off_is_nothing() -> None:
    log = ProblemLog("f", KINDS)
    log.add("t.odd", "m")
    log.add("t.tiny", "m")
    assert not log.has_errors
    assert len(log.problems()) == 1


def test_an_unknown_code_is_a_mistake_of_the_program() -> None:
    with pytest.raises(KeyError):
        ProblemLog("f", KINDS).add("t.other", "m")


def test_of_very_many_problems_the_first_are_kept_and_the_rest_counted() -> None:
    log = ProblemLog("f", KINDS)
    for line in range(1, 4313 + SHOWN_PER_CODE):
        log.add("t.bad", "m", line)
    log.add("t.odd", "m", 2)
    found = log.problems()
    assert len(found) == SHOWN_PER_CODE + 1 + 1
    assert found[-1].message == "and 4,312 more problems of this kind"
    assert found[-1].severity == "error"
    assert log.count("t.bad", "t.odd") == 4312 + SHOWN_PER_CODE + 1


def test_problems_come_in_the_order_of_lines() -> None:
    log = ProblemLog("f", KINDS)
    for line in (5, 1, None, 3):
        log.add("t.bad", "m", line)
    assert [problem.line for problem in log.problems()] == [None, 1, 3, 5]


def test_an_error_lists_its_problems() -> None:
    problem = Problem("t.bad", "error", "f", 1, None, "", "m")
    assert str(NlpevalError((problem, problem))) == f"{problem}\n{problem}"


@given(st.text(st.characters(codec=None)))
def test_printable_text_is_one_harmless_line(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable() or shown.replace("\u3000", " ").replace("\xa0", " ") != ""
    assert "\n" not in shown
    assert "\x1b" not in shown
    assert "::" not in shown
    assert "##[" not in shown
    shown.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x1b[31m", r"\x1b[31m"),
        ("::error::x", r":\x3aerror:\x3ax"),
        (":::", r":\x3a:"),
        ("##[error]", r"#\x23[error]"),
        ("\u202eabc", r"\u202eabc"),
        ("\udcff", r"\xff"),
        ("a\U000e0041", r"a\U000e0041"),
        ("\ud800", r"\ud800"),
        ("naïve – 数据", "naïve – 数据"),
    ],
)
def test_what_printable_does(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_quoted_shortens() -> None:
    assert quoted("abc") == '"abc"'
    assert quoted("x" * 1000, 3) == '"xxx…" (1,000 characters)'

from __future__ import annotations

import pytest

from pytest_nlpeval.tasks.exemplar.gold import Gold
from tests.unit.tasks.exemplar.files import SYSTEM_HEADER, codes, gold_of, gold_text, system_of, system_text

PAIRS = (("A", "B"), ("C", "D"), ("E", "F"))


@pytest.fixture
def gold() -> Gold:
    read, _ = gold_of(gold_text(*(f"{first}\t---\t{second}\t---\t[[[x]]] [[[y]]]" for first, second in PAIRS)))
    assert read is not None
    return read


def test_extractions(gold: Gold) -> None:
    system, problems = system_of(system_text("A\tx  y\tB\tfourth\tfifth", " C \t --- \t D ", "E\t--- ---\tF"), gold)
    assert problems == ()
    assert system is not None
    assert system.extractions == ("x  y", "", "--- ---")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [("header", 1, None), ("line-count", 1, None)]),
        (SYSTEM_HEADER, [("line-count", 1, None)]),
        ("A\tx\tB\nC\tx\tD\nE\tx\tF\n", [("header", 1, 1)]),
        (system_text("A\tx\tB", "C\tx", "E\t\tF"), [("fields", 3, None), ("empty", 4, 3)]),
        (system_text("A\tx\tB", "X\tx\tD", "E\tlong\tX"), [("pair", 3, 1), ("pair", 4, 8)]),
        (system_text("A\tx\tB", "C\tx\tD", "E\tx\tF", "G\tx\tH"), [("line-count", 5, None)]),
        (system_text("A\tx\tB", "E\tx\tF"), [("pair", 3, 1), ("line-count", 3, None)]),
        (system_text("C\tx\tD", "E\tx\tF", "A\tx\tB", "A\tx\tB"), [("pair", 2, 1), ("line-count", 5, None)]),
    ],
)
def test_every_problem_has_its_place(text: str, found: list[tuple[str, int, int | None]], gold: Gold) -> None:
    system, problems = system_of(text, gold)
    assert system is None
    assert codes(problems) == found


def test_without_gold_the_rest_is_checked() -> None:
    system, problems = system_of("A\tx\tB\nX\tx\tY\n")
    assert problems == ()
    assert system is not None
    system, problems = system_of(system_text("X\t\tY", "Z"))
    assert system is None
    assert codes(problems) == [("empty", 2, 3), ("fields", 3, None)]


def test_a_header_cannot_be_missed_below_an_empty_gold_file() -> None:
    gold, _ = gold_of(gold_text())
    system, problems = system_of("A\tx\tB\n", gold)
    assert problems == ()
    assert system is not None
    assert system.extractions == ()


def test_a_first_line_is_a_row_if_it_answers_the_first_pair() -> None:
    gold, _ = gold_of(gold_text(*(f"{first}\t---\tNew York\t---\t[[[x]]] [[[y]]]" for first in ("A b", "C d"))))
    _, (problem,) = system_of("A b\tx\tNew York\nC d\tx\tNew York\n", gold)
    assert problem.message == "the first line is a row; expected a header line: Entity1, Relation, Entity2, separated by tabs"
    system, problems = system_of("C d\tx\tNew York\nA b\tx\tNew York\nC d\tx\tNew York\n", gold)
    assert problems == ()
    assert system is not None


def test_a_row_of_too_few_fields_is_quoted() -> None:
    _, (problem,) = system_of(system_text("x" * 200))
    what = "expected at least 3 fields separated by tabs (Entity1, Relation, Entity2), found 1"
    assert problem.message == f'{what}: "{"x" * 120}…" (200 characters)'


def test_a_mismatch_quotes_both_lines(gold: Gold) -> None:
    _, (problem,) = system_of(system_text("A\tx\tB", f"C\t{'x' * 200}\tX", "E\tx\tF"), gold)
    assert problem.where == "Entity2"
    what = "the entity pair is not that of the gold file's line 3; answer the same pairs in the same order"
    lines = f'expected "C\t---\tD\t---\t[[[x]]] [[[y]]]", got "C\t{"x" * 118}…" (204 characters)'
    assert problem.message == f"{what}: {lines}"


def test_a_mismatch_names_the_entities_that_are_not_those_of_gold() -> None:
    gold, _ = gold_of(gold_text(*["New York\t---\tLos Angeles\t---\t[[[x]]] [[[y]]]"] * 3))
    rows = ("New York\tx y\tLas Vegas", "York\tx y\tLos Angeles", "York New\tx y\tAngeles Los")
    _, problems = system_of(system_text(*rows), gold)
    assert [(problem.where, problem.column) for problem in problems] == [("Entity2", 14), ("Entity1", 1), ("Entity1, Entity2", 1)]


def test_a_quoted_line_has_120_characters() -> None:
    row = f"A\t---\tB\t---\t[[[{'x' * 200}]]] [[[y]]]"
    gold, _ = gold_of(gold_text(row))
    _, (too_few,) = system_of(SYSTEM_HEADER, gold)
    _, (too_many,) = system_of(system_text("A\tx\tB", "y" * 50 + "\tx\t" + "y" * 200), gold)
    _, (other,) = system_of(system_text("A\tx\tC"), gold)
    assert f'"{row[:120]}…"' in too_few.message
    assert f'"{"y" * 50}\tx\t{"y" * 67}…"' in too_many.message
    assert f'"{row[:120]}…"' in other.message


def test_a_wrong_number_of_lines_quotes_the_first_without_counterpart(gold: Gold) -> None:
    what = "line k must answer the gold file's line k: "
    _, problems = system_of(system_text("A\tx\tB", "C\tx\tD", "E\tx\tF", "G\tx\tH"), gold)
    assert [problem.message for problem in problems] == [
        f'has 4 lines below the header, the gold file 3; {what}gold has no line for "G\tx\tH"'
    ]
    _, problems = system_of(system_text("A\tx\tB", "C\tx\tD"), gold)
    assert [problem.message for problem in problems] == [
        f'has 2 lines below the header, the gold file 3; {what}nothing answers "E\t---\tF\t---\t[[[x]]] [[[y]]]", line 4 there'
    ]


def test_no_text() -> None:
    system, problems = system_of("\0")
    assert system is None
    assert codes(problems) == [("text.nul", 1, 1)]

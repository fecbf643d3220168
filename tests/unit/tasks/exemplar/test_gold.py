from __future__ import annotations

import pytest

from tests.unit.tasks.exemplar.files import GOLD_HEADER, WINDOWS, codes, gold_of, gold_row, gold_text

SAME_TOKENS = "expected the same tokens in both, or `---` and no mark"
FIELDS = "Entity1, Relation, Entity2, Trigger, Annotated Sentence"


def test_rows_become_columns() -> None:
    nothing = "A\t---\tB\t---\t[[[A]]] ---> and <--- [[[B]]]"
    gold, problems = gold_of(gold_text(gold_row(), nothing))
    assert problems == ()
    assert gold is not None
    assert gold.pairs == ("A\tB", "A\tB")
    assert gold.triggers == ("sale", "")
    assert [window.split() for window in gold.windows] == [["'s", "sale", "of", "today"], ["and"]]


def test_a_header_is_enough() -> None:
    gold, problems = gold_of(GOLD_HEADER)
    assert problems == ()
    assert gold is not None
    assert gold.pairs == ()


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("A\tx\tB", [("fields", 2, None)]),
        (gold_row(relation=""), [("empty", 2, 3)]),
        (gold_row(trigger="", relation="sale"), [("empty", 2, 10)]),
        (gold_row(relation="---"), [("absence", 2, 3)]),
        (gold_row(relation="buy"), [("relation", 2, 3)]),
        (gold_row(trigger="buy"), [("trigger", 2, 9)]),
        (gold_row("[[[A]]] {{{sale}}} B"), [("entities", 2, 15)]),
        (gold_row("[[[A]]] {{{sale}}} [[[B]]] [[[C]]]"), [("entities", 2, 15 + 27)]),
        (gold_row("[[[A]]] {{{a}}} {{{b}}} [[[B]]]", "a b"), [("triggers", 2, 13 + 16)]),
        (gold_row("[[[A {{{sale}}} [[[B]]]"), [("marks", 2, 15), ("marks", 2, 15 + 16)]),
        (gold_row(" ä ]]] [[[A]]] {{{sale}}} [[[B]]]"), [("marks", 2, 15 + 3)]),
    ],
)
def test_every_problem_has_its_place(row: str, found: list[tuple[str, int, int | None]]) -> None:
    gold, problems = gold_of(gold_text(row))
    assert gold is None
    assert codes(problems) == found


def test_all_problems_at_once() -> None:
    gold, problems = gold_of("\n".join((gold_row(), gold_row(relation="buy"), "A", gold_row("[[[A]]]", "---"))))
    assert gold is None
    assert codes(problems) == [("header", 1, 1), ("relation", 2, 3), ("fields", 3, None), ("entities", 4, 13)]


def test_messages_say_what_is_expected() -> None:
    _, problems = gold_of(gold_text(gold_row(trigger="buy"), gold_row(relation="---"), "x" * 200))
    assert [problem.message for problem in problems] == [
        'Trigger is "buy", but in the sentence the marked trigger is "sale"; expected the same tokens in both, or `---` and no mark',
        'Relation is `---`, but Trigger is "sale"; write `---` in both, or the trigger in both',
        f'expected 5 fields separated by tabs ({FIELDS}), found 1: "{"x" * 120}…" (200 characters)',
    ]


@pytest.mark.parametrize(
    ("row", "where", "message"),
    [
        (gold_row(relation=""), "Relation", "Relation is empty; write `---` where there is no relation"),
        (gold_row(trigger="", relation="sale"), "Trigger", "Trigger is empty; write `---` where there is no relation"),
        (
            gold_row("[[[A]]] of [[[B]]]", "---", "sale"),
            "Trigger",
            'Trigger is `---`, but Relation is "sale"; write `---` in both, or the trigger in both',
        ),
        (
            gold_row(relation="---"),
            "Relation",
            'Relation is `---`, but Trigger is "sale"; write `---` in both, or the trigger in both',
        ),
        (gold_row(relation="buy"), "Relation", 'Relation is "buy", but Trigger is "sale"; expected the same tokens'),
        (
            gold_row("[[[A]]] {{{a}}} {{{b}}} [[[B]]]", "a b"),
            "Annotated Sentence",
            "expected at most one trigger, marked with `{{{ }}}`, found 2; this is the second",
        ),
        (
            gold_row("[[[A]]] of [[[B]]]"),
            "Trigger",
            f'Trigger is "sale", but in the sentence no trigger is marked; {SAME_TOKENS}',
        ),
        (
            gold_row("[[[A]]] {{{taken over}}} [[[B]]]"),
            "Trigger",
            f'Trigger is "sale", but in the sentence the marked trigger is "taken over"; {SAME_TOKENS}',
        ),
        (gold_row("A {{{sale}}} B"), "Annotated Sentence", "expected exactly two entities, marked with `[[[ ]]]`, found 0"),
        (
            gold_row("[[[A]]] {{{sale}}} [[[B]]] [[[C]]]"),
            "Annotated Sentence",
            "expected exactly two entities, marked with `[[[ ]]]`, found 3; this is the third",
        ),
        (
            gold_row("[[[A]]] {{{sale}}} [[[B]]] [[["),
            "Annotated Sentence",
            "`[[[` is never closed; put `]]]` where the entity ends",
        ),
    ],
)
def test_a_message_names_its_field(row: str, where: str, message: str) -> None:
    _, (problem,) = gold_of(gold_text(row))
    assert (problem.where, problem.message) == (where, message)


@pytest.mark.parametrize(
    ("code", "row", "trigger"),
    [
        ("exemplar.relation", gold_row(relation="buy"), "sale"),
        ("exemplar.trigger", gold_row(trigger="buy"), "buy"),
        ("exemplar.trigger", gold_row(trigger="---"), ""),
        ("exemplar.triggers", gold_row("[[[A]]] {{{a}}} {{{b}}} [[[B]]]", "a"), "a"),
        ("exemplar.entities", gold_row("A {{{sale}}} B"), "sale"),
    ],
)
def test_what_is_tolerated_still_has_a_meaning(code: str, row: str, trigger: str) -> None:
    gold, problems = gold_of(gold_text(row), {code: "warning"})
    assert [problem.severity for problem in problems] == ["warning"]
    assert gold is not None
    assert gold.triggers == (trigger,)


def test_no_text() -> None:
    gold, problems = gold_of("\0")
    assert gold is None
    assert codes(problems) == [("text.nul", 1, 1)]


def test_a_million_faulty_lines_are_counted() -> None:
    _, problems = gold_of(gold_text(*[gold_row(WINDOWS + "]]]")] * 1000))
    assert [problem.message for problem in problems][-1] == "and 980 more problems of this kind"

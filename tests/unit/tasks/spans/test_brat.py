from __future__ import annotations

import pytest

from pytest_nlpeval.tasks.spans.options import make_options
from tests.unit.tasks.spans.files import explained, read, scored

BRAT = make_options(format="brat")


def extents(text: str) -> list[tuple[tuple[int, int], ...]]:
    document, problems = read("gold", text, BRAT)
    assert document is not None, problems
    return [document.spans.extent(rank) for rank in range(len(document.spans))]


@pytest.mark.parametrize(
    ("offsets", "expected"),
    [
        ("0 5", ((0, 5),)),
        ("0 5;5 9", ((0, 9),)),
        ("0 5;6 9", ((0, 5), (6, 9))),
        ("0 1;1 2;3 4;4 5", ((0, 2), (3, 5))),
        ("007 8", ((7, 8),)),
    ],
)
def test_fragments(offsets: str, expected: tuple[tuple[int, int], ...]) -> None:
    assert extents(f"T1\tA {offsets}\n") == [expected]


def test_ids_may_be_anything_but_white_space() -> None:
    assert len(extents("T1\tA 0 1\nTé-2\tA 1 2\n")) == 2


def test_columns_of_problems() -> None:
    _, problems = read("gold", "T1\tA* 0 1\nT1\tA 5 3\nT2\tA 0 1\tab\n", BRAT)
    assert [problem.split(": ")[:2] for problem in problems] == [
        ["1:4", "spans.label"],
        ["2:1", "spans.t-id"],
        ["2:6", "spans.offset"],
        ["3:10", "spans.text"],
    ]


def test_what_is_tolerated_still_has_a_meaning() -> None:
    rules = {"spans.t-id": "off", "spans.text": "off"}
    document, problems = read("gold", "T1\tA 0 1\tab\nT1\tA 1 2\n", BRAT, rules=rules)
    assert problems == []
    assert document is not None
    assert len(document.spans) == 2


def test_offsets_beyond_any_text() -> None:
    _, problems = read("gold", f"T1\tA 0 {10**30}\nT2\tA 0 {2**31}\n", BRAT)
    assert [problem.rpartition(" is ")[2] for problem in problems] == ["beyond any text"] * 2


def test_order_of_lines_does_not_matter() -> None:
    gold = ["T1\tA 0 4;6 9", "T2\tA 2 3", "T3\tB 0 9", "R1\tx", ""]
    system = ["T1\tA 2 3;7 8", "T2\tA 0 1", "T3\tA 0 9"]
    backwards = ["\n".join(side[::-1]) + "\n" for side in (gold, system)]
    assert scored("\n".join(gold) + "\n", "\n".join(system) + "\n", format="brat") == scored(*backwards, format="brat")


def test_texts_in_explanations() -> None:
    gold, system = "T1\tPER 0 4;9 12\tAnna Ott\nT2\tLOC 13 17\n", "T1\tPER 0 4\tAnna\nT2\tLOC 5 8\tand\n"
    boundary, spurious, missed = explained(gold, system, BRAT)
    assert boundary.message == 'PER "Anna Ott" is PER "Anna"'
    assert (spurious.message, spurious.line) == ('LOC "and" is not in gold', 2)
    assert (missed.message, missed.line, missed.passage) == ("LOC 13 17 is missed", None, None)
    *_, missed = explained(gold, system, BRAT, text="Anna and Ott left")
    assert missed.message == 'LOC "left" is missed'
    assert missed.passage is not None
    assert missed.passage.gold == ((13, 17),)


def test_a_text_belongs_to_brat_alone() -> None:
    assert read("text", "Anna", BRAT) == ("Anna", [])
    assert read("text", b"\xef\xbb\xbfAnna\r\n", BRAT) == ("Anna\r\n", [])
    found, problems = read("text", "Anna", make_options())
    assert found is None
    assert len(problems) == 1

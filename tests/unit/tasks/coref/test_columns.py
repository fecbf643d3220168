"""Rows that are split together are read as rows that are split each by itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref import TASK
from pytest_nlpeval.tasks.coref import corefud as corefud_module
from pytest_nlpeval.tasks.coref.conll import _words_and_mentions
from pytest_nlpeval.tasks.coref.corefud import read_corefud
from pytest_nlpeval.tasks.coref.entity_chunks import Fields
from pytest_nlpeval.tasks.coref.options import Options
from pytest_nlpeval.tasks.coref.plain_entities import Found, find_mentions
from pytest_nlpeval.tasks.coref.plain_rows import Rows

CELLS = st.text(st.sampled_from("ab(1)\u00a0\x0b\x1c\u2028"), min_size=1, max_size=3)
BLANKS = st.text(st.sampled_from(" \t"), min_size=1, max_size=2)


@st.composite
def rows_of_conll(draw: st.DrawFn) -> list[str]:
    """Draw rows, mostly of as many columns each."""
    number = draw(st.integers(1, 6))
    rows = []
    for _ in range(draw(st.integers(1, 4))):
        own = draw(st.integers(1, 6)) if draw(st.integers(0, 5)) == 0 else number
        cells = draw(st.lists(CELLS, min_size=own, max_size=own))
        rows.append("".join(cell + draw(BLANKS) for cell in cells))
    return rows


@given(rows_of_conll())
def test_only_blanks_and_tabs_part_the_columns_of_conll(rows: list[str]) -> None:
    words, mentions = _words_and_mentions(rows)
    for row, word, column in zip(rows, words, mentions, strict=True):
        cells = re.findall(r"[^ \t]+", row)
        assert word == (cells[3] if len(cells) > 4 else cells[1] if len(cells) == 3 else None)
        assert column == (cells[-1] if len(cells) > 1 else None)


def row(name: str, deps: str, misc: str) -> str:
    return "\t".join((name, f"w{name}", *["_"] * 6, deps, misc))


ATTRIBUTES = st.sampled_from(
    ["_"] * 6
    + [
        "Entity=(e1-1)",
        "Entity=(e1-1",
        "Entity=(e1-2",
        "Entity=(e3(e3-1",
        "Entity=e3)e3)",
        "Entity=e1)(e1-0)(é)",
        "Entity=(e1-1)e",
        "Entity=e(e1-1)",
        "Entity=()",
        "Entity=e-1)",
        "Entity=(-1)",
        "Entity=e1)",
        "Entity=(e2[1/2]-1)",
        "X=y|Entity=(e2[2/2]-1)|Z=1",
        "XEntity=(e3)",
        "Entity=",
    ]
)


@st.composite
def sentences_of_corefud(draw: st.DrawFn) -> list[str]:
    """Draw the lines of some sentences, nearly all of whose rows are words in order."""
    lines = ["# newdoc id = a", "# global.Entity = eid-head"]
    for _ in range(draw(st.integers(1, 3))):
        for word in range(1, draw(st.integers(1, 6))):
            name = draw(st.sampled_from([str(word)] * 30 + ["1-2", f"{word - 1}.1", f"0{word}", "x"]))
            lines.append(row(name, draw(st.sampled_from(["_", "1:dep"])), draw(ATTRIBUTES)))
            lines += draw(st.sampled_from([[]] * 30 + [["# newdoc"], [" "], ["x"], [row("9", "_", "_\t_")]]))
        lines.append("")
    return lines


def read(lines: list[str], *, is_row_by_row: bool = False, at_once: int = 1 << 20) -> list[object]:
    """Return what is read, and what is told, if sentences that are plain are read together, or row by row as the others.

    Pieces have `at_once` bytes, and the rest of a sentence.
    """

    def find_none(rows: Rows, fields: Fields | None) -> Found:
        found = find_mentions(rows, fields)
        found.is_plain[:] = False
        return found

    log = ProblemLog("gold", TASK.problems)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corefud_module, "_AT_ONCE", at_once)
        if is_row_by_row:
            patch.setattr(corefud_module, "find_mentions", find_none)
        read = read_corefud("".join(f"{line}\n" for line in lines).encode(), Options(), log)
    told = [
        (name, document.line, document.length, document.words, read.side(name).entities, document.sentences)
        for name, document in read.by_name.items()
    ]
    return [told, log.problems()]


@given(sentences_of_corefud())
@example(["# newdoc", "# global.Entity = eid", row("1", "_", "_\t2"), "\t".join(["w"] * 9)])  # twenty columns in all
@example(["# newdoc", "\t".join(["1"] * 9), "x", row("2", "_", "_")])
def test_rows_of_corefud_are_read_as_by_themselves(lines: list[str]) -> None:
    expected = read(lines, is_row_by_row=True)
    assert read(lines) == expected
    assert read(lines, at_once=1) == expected


def test_plain_sentences_are_read_together() -> None:
    """The comparison above is in vain if no sentence is plain."""
    lines = [
        row("1", "_", "Entity=(e1-1-1"),
        row("2", "_", "X=y|Entity=e1)(e2-x-)|Z=Entity=(e3)"),
        row("3", "_", "Entity=(e2-x-1"),
    ]
    plain = [*lines, row("4", "_", "Entity=(e2-x-2"), row("5", "_", "Entity=e2)e2)")]
    found = find_mentions(Rows.of("\n".join([*plain, "", *lines, ""]).encode()), Fields(0, 2))
    assert found.is_plain.tolist() == [True, False]  # one mention does not end
    assert found.ids == ["e1", "e2", "e2", "e2"]
    assert found.firsts.tolist() == [0, 1, 3, 2]
    assert found.lasts.tolist() == [1, 1, 4, 4]
    assert found.heads.tolist() == [0, 1, 4, 2]
    assert found.is_headless.tolist() == [False, False, False, False]

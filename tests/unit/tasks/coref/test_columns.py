"""Rows that are read together are read as rows that are read each by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref import TASK, conll, corefud, plain_columns, plain_entities, plain_rows
from pytest_nlpeval.tasks.coref.document import Documents
from pytest_nlpeval.tasks.coref.entity_chunks import Fields
from pytest_nlpeval.tasks.coref.options import Options
from pytest_nlpeval.tasks.coref.plain_chunks import Found
from pytest_nlpeval.tasks.coref.plain_rows import conll_rows, corefud_rows, packed

CELLS = st.text(st.sampled_from("ab(1)\u00a0\x0b\x1c\u2028"), min_size=1, max_size=3)
BLANKS = st.text(st.sampled_from(" \t"), min_size=1, max_size=2)


PIECES = st.sampled_from(["(1)", "(1", "1)", "(2)", "(2", "2)", "(007)", "(7", "7)", "(123456789", "123456789)"])
COLUMNS = st.one_of(
    st.sampled_from(["-"] * 6 + ["_", "*", "--", "()", "(1|", "(1)(2)", "1)|(1", "(1)|2)|(1", "(x)", "\u0967)"]),
    st.lists(PIECES, min_size=1, max_size=3).map("|".join),
)


@st.composite
def rows_of_conll(draw: st.DrawFn) -> list[str]:
    """Draw rows, mostly of as many columns each."""
    number = draw(st.integers(1, 6))
    rows = []
    for _ in range(draw(st.integers(1, 4))):
        own = draw(st.integers(1, 6)) if draw(st.integers(0, 5)) == 0 else number
        cells = draw(st.lists(CELLS, min_size=own, max_size=own))
        rows.append(draw(st.sampled_from(["", "", " ", "\t"])) + "".join(cell + draw(BLANKS) for cell in [*cells, draw(COLUMNS)]))
    return rows


@st.composite
def lines_of_conll(draw: st.DrawFn) -> list[str]:
    """Draw the lines of some documents, nearly all of whose rows stand in one."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(st.sampled_from([["#begin document a"]] * 9 + [[]]))
        for _ in range(draw(st.integers(0, 3))):
            lines += [*draw(rows_of_conll()), draw(st.sampled_from(["", "", "", " \t", "# of a corpus", "#end document"]))]
        lines += draw(st.sampled_from([["#end document"]] * 9 + [[]]))
    return lines


@given(rows_of_conll())
def test_only_blanks_and_tabs_part_the_columns_of_conll(rows: list[str]) -> None:
    found = conll_rows("".join(f"{row}\n" for row in rows).encode())
    for place, row in enumerate(rows):
        cells = re.findall(r"[^ \t]+", row)
        word, column = (
            found.text[starts[place] : ends[place]].decode()
            for starts, ends in ((found.word_starts, found.word_ends), (found.last_starts, found.last_ends))
        )
        assert word == (cells[3] if len(cells) > 4 else cells[1] if len(cells) == 3 else "")
        assert column == cells[-1]


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


Module = Any
"""The module of a format's reader, which takes from another one what finds mentions of plain blocks."""


def read(module: Module, lines: list[str], *, is_row_by_row: bool = False, at_once: int = 1 << 20) -> list[object]:
    """Return what is read, and what is told, if blocks that are plain are read together, or row by row as the others.

    Pieces have `at_once` bytes, and the rest of a block.
    """
    find: Callable[..., Found] = module.find_mentions

    def find_none(*given: Any) -> Found:
        found = find(*given)
        found.is_plain[:] = False
        return found

    log = ProblemLog("gold", TASK.problems)
    read_format: Callable[..., Documents] = corefud.read_corefud if module is corefud else conll.read_conll
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_rows, "_AT_ONCE", at_once)
        if is_row_by_row:
            patch.setattr(module, "find_mentions", find_none)
        read = read_format("".join(f"{line}\n" for line in lines).encode(), Options(), log)
    told = [
        (name, document.line, document.length, document.words, read.side(name).entities, document.sentences)
        for name, document in read.by_name.items()
    ]
    return [told, [column.tolist() for column in read.mentions], log.problems()]


@given(lines_of_conll())
@example(
    ["#begin document a", "w (1", "w 1)", "", "w (2|(1", "#end document"]
)  # neither ends: the one that began first is told first
@example(["#begin document a", "w (1)|(1)", "w (2|(1", "w 1)|2)", "", "w (2", "", "w (1)", "", "w 2)", "#end document"])
def test_rows_of_conll_are_read_as_by_themselves(lines: list[str]) -> None:
    expected = read(conll, lines, is_row_by_row=True)
    assert read(conll, lines) == expected
    assert read(conll, lines, at_once=1) == expected


@given(sentences_of_corefud())
@example(["# newdoc", "# global.Entity = eid", row("1", "_", "_\t2"), "\t".join(["w"] * 9)])  # twenty columns in all
@example(["# newdoc", "\t".join(["1"] * 9), "x", row("2", "_", "_")])
def test_rows_of_corefud_are_read_as_by_themselves(lines: list[str]) -> None:
    expected = read(corefud, lines, is_row_by_row=True)
    assert read(corefud, lines) == expected
    assert read(corefud, lines, at_once=1) == expected


def test_plain_sentences_are_read_together() -> None:
    """The comparison above is in vain if no sentence is plain."""
    lines = [
        row("1", "_", "Entity=(e1-1-1"),
        row("2", "_", "X=y|Entity=e1)(e2-x-)|Z=Entity=(e3)"),
        row("3", "_", "Entity=(e2-x-1"),
    ]
    plain = [*lines, row("4", "_", "Entity=(e2-x-2"), row("5", "_", "Entity=e2)e2)")]
    found = plain_entities.find_mentions(corefud_rows("\n".join([*plain, "", *lines, ""]).encode()), Fields(0, 2))
    assert found.is_plain.tolist() == [True, False]  # one mention does not end
    assert found.ids == ["e1", "e2", "e2", "e2"]
    assert found.firsts.tolist() == [0, 1, 3, 2]
    assert found.lasts.tolist() == [1, 1, 4, 4]
    assert found.heads.tolist() == [0, 1, 4, 2]
    assert found.is_headless.tolist() == [False, False, False, False]


def test_plain_rows_of_columns_are_read_together() -> None:
    """The comparison above is in vain if no block is plain."""
    plain = ["w (1|(2)", "w  -", "w\t1)|(1)"]
    found = plain_columns.find_mentions(
        conll_rows("\n".join([*plain, "", "w (1", " ", "w 1)|(2|(3)", "# c", "w 2)", ""]).encode())
    )
    assert found.is_plain.tolist() == [True, False, False, False]  # two mentions end in other blocks
    assert found.ids == ["2", "1", "1"]  # of a token those of one token first
    assert found.firsts.tolist() == found.heads.tolist() == [0, 2, 0]
    assert found.lasts.tolist() == [0, 2, 2]


@given(st.lists(st.text(min_size=1, max_size=9).filter(lambda text: "\0" not in text), min_size=1, max_size=5))
def test_packed_numbers_are_equal_where_eight_bytes_are(texts: list[str]) -> None:
    written = [text.encode() for text in texts]
    ends = np.cumsum([len(text) for text in written])
    numbers = packed(np.frombuffer(b"".join(written), np.uint8), np.append(0, ends[:-1]), ends).tolist()
    for text, number in zip(written, numbers, strict=True):
        assert [number == other for other in numbers] == [text[:8] == other[:8] for other in written]

"""The tokens of CoNLL files against a reading line by line, as docs/spans.md says it."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import read_text, text_kinds
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.spans.options import LAST
from pytest_nlpeval.tasks.spans.table import TAB, read_lines, tokens_of, without_blank_ends
from pytest_nlpeval.tasks.spans.tags import Meanings, parse_tag

Tokens = list[list[tuple[int, tuple[str, ...]]]]
"""Sentences of tokens: the line, from 1, and the columns."""


def read(data: bytes) -> Tokens:
    """What is read as tokens, with the columns found again from where they begin."""
    text = read_text(Source("", data), ProblemLog("", text_kinds("off")))
    assert text is not None
    lines = read_lines(without_blank_ends(text), 1, LAST)
    table = tokens_of(lines, Meanings.of(lines.names).bad)
    separator = "\t" if lines.separator == TAB else " "
    tokens: list[tuple[int, tuple[str, ...]]] = []
    for line in table.lines.tolist():
        content = lines.line(line).decode()
        begins = [lines.place(line, column) - 1 for column in range(1, int(lines.counts[line]) + 1)]
        columns = tuple(content[begin:].split(separator)[0] for begin in begins)
        start = int(lines.tokens[line])
        assert lines.data[start : start + int(lines.lengths[line])].decode() == columns[0]
        assert lines.names[lines.tags[line]] == columns[-1]
        assert lines.place(line, LAST) == begins[-1] + 1
        tokens.append((line + 1, columns))
    cuts = [*table.first.tolist(), len(table.lines)]
    return [tokens[start:end] for start, end in pairwise(cuts)]


def by_hand(data: bytes) -> Tokens:
    lines = [line.removesuffix("\r").rstrip(" \t") for line in data.decode().split("\n")]
    boundary = re.compile(r"(-DOCSTART-([ \t].*)?)?", re.DOTALL)
    plain = next((line for line in lines if not boundary.fullmatch(line) and not line.startswith("#")), None)

    def columns(line: str) -> tuple[str, ...]:
        return tuple(line.split("\t")) if "\t" in (plain or "") else tuple(part for part in line.split(" ") if part)

    sentences: Tokens = [[]]
    for number, line in enumerate(lines, 1):
        if boundary.fullmatch(line):
            sentences.append([])
            continue
        looks_like = plain is not None and len(columns(line)) == len(columns(plain)) and parse_tag(columns(line)[-1])
        if not line.startswith("#") or (plain is not None and (sentences[-1] or looks_like)):
            sentences[-1].append((number, columns(line)))
    return [sentence for sentence in sentences if sentence]


PIECES = st.sampled_from(
    [
        "a",
        "bö",
        "#",
        "# x",
        "O",
        "B-x",
        " ",
        "  ",
        "\t",
        "\t\t",
        "-DOCSTART-",
        "-DOCSTART-x",
        "-",
        "\u2028",
        "\x85",
        "\xa0",
        "\x0c",
    ]
)
LINES = st.lists(
    st.lists(PIECES, max_size=5).map("".join) | st.sampled_from(["a\tO", "#\tO", "# a", "a O", "# O", "", "-DOCSTART- O"])
)


@settings(max_examples=1_000)
@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_reading(lines: list[str], end: str, is_ended: bool) -> None:
    data = (end.join(lines) + end * is_ended).encode()
    assert read(data) == by_hand(data)


def test_columns_that_lines_do_not_have_are_empty() -> None:
    lines = read_lines(b"a b c\nd e\n\n", 3, LAST)
    assert (lines.number, lines.counts.tolist(), lines.lengths.tolist()) == (3, [3, 2, 0], [1, 0, 0])
    assert [lines.names[code] for code in lines.tags.tolist()] == ["c", "e", ""]


@pytest.mark.parametrize("data", [b"a\tO\n", b"a O\n", b"a\tO\nb\tO\n"])
@pytest.mark.parametrize("number", [3, 4, 100, 2**31, 2**63, 10**30])
def test_no_line_has_a_column_of_a_great_number(data: bytes, number: int) -> None:
    assert not read_lines(data, number, LAST).lengths.any()
    lines = read_lines(data, 1, number)
    assert {lines.names[code] for code in lines.tags.tolist()} == {""}


def test_files_of_many_pieces_are_read_as_one() -> None:
    sentence = "".join(f"word{place}\tB-{place % 9}\n" for place in range(3_000))
    data = f"{sentence}\n".encode() * 20
    lines = read_lines(data, 1, LAST)
    assert len(lines.starts) == 20 * 3_001
    assert len(lines.names) == 9 + 1
    assert [lines.line(line) for line in (0, 3_000, 3_001, 60_019)] == [b"word0\tB-0", b"", b"word0\tB-0", b""]
    table = tokens_of(lines, Meanings.of(lines.names).bad)
    assert table.first.tolist() == list(range(0, 60_000, 3_000))
    assert [lines.names[code] for code in lines.tags[table.lines[-2:]].tolist()] == ["B-1", "B-2"]
    assert without_blank_ends(data) is data
    assert without_blank_ends(data + b"a \n") == data + b"a\n"

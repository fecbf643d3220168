"""The tokens of CoNLL files against a reading line by line, as docs/spans.md says it."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import read_text, text_kinds
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.spans.options import LAST
from pytest_nlpeval.tasks.spans.table import read_fields, read_table, without_blank_ends
from pytest_nlpeval.tasks.spans.tags import parse_tag

Tokens = list[list[tuple[int, tuple[str, ...]]]]
"""Sentences of tokens: the line, from 1, and the columns."""


def read(data: bytes) -> Tokens:
    text = read_text(Source("", data), ProblemLog("", text_kinds("off")))
    assert text is not None
    fields, number = read_fields(without_blank_ends(text))

    def columns(line: int) -> tuple[str, ...]:
        places = range(fields.first[line], fields.first[line] + fields.counts[line])
        return tuple(fields.data[int(fields.starts[place]) : int(fields.ends[place])].decode() for place in places)

    table = read_table(fields, number, lambda line: parse_tag(columns(line)[-1]) is not None)
    cuts = [*table.first.tolist(), len(table.lines)]
    lines = table.lines.tolist()
    return [[(line + 1, columns(line)) for line in lines[start:end]] for start, end in pairwise(cuts)]


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
    fields, number = read_fields(b"a b c\nd e\n")
    assert number == 3
    third, last = (fields.column(np.array([0, 1]), column) for column in (3, LAST))
    assert [third[0], third[1], last[0], last[1]] == ["c", "", "c", "e"]

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.best import PROBLEMS
from pytest_nlpeval.tasks.best.options import Options
from pytest_nlpeval.tasks.best.quotes import Quotes, SourceText, find_quotes, read_source_text


def shown(text: str, quotes: Quotes | None = None) -> str:
    """The text with everything inside quotes as `#`."""
    found = find_quotes(text) if quotes is None else quotes
    return "".join("#" if found.contain(offset) else letter for offset, letter in enumerate(text))


@pytest.mark.parametrize(("text", "expected"), [
    ("", ""),
    ("abc", "abc"),
    ("a<quote>b</quote>c", "a################c"),
    ('a<quote orig_author="x">b</quote>c', "a" + "#" * 32 + "c"),
    ("a<quote>b<quote>c</quote>d</quote>e", "a" + "#" * 33 + "e"),
    ("a<quote>b", "a########"),
    ("a<quote>b<quote>c</quote>d", "a" + "#" * 25),
    ("a</quote>b", "a</quote>b"),
    ("</quote><quote>b</quote></quote>c", "</quote>" + "#" * 16 + "</quote>c"),
    ("<quote>a</quote><quote>b</quote>", "#" * 32),
    ("<quote>a</quote>b<quote>c</quote>", "#" * 16 + "b" + "#" * 16),
    ("<quote\n>a</quote\n>b", "#" * 18 + "b"),
    ("<quotes>a</quotes><quoted>b</quoted>", "<quotes>a</quotes><quoted>b</quoted>"),
    ("<quote/>a<quote />b", "<quote/>a<quote />b"),
    ("&lt;quote&gt;a", "&lt;quote&gt;a"),
    ("<quote>&amp;</quote>b", "#" * 20 + "b"),
    ("é😀<quote>猫</quote>b", "é😀" + "#" * 16 + "b"),
    ("\r\n<quote>\r\n</quote>\r\n", "\r\n" + "#" * 17 + "\r\n"),
    ("5 < 6 & <b><quote>a < b</quote></c>", "5 < 6 & <b>" + "#" * 20 + "</c>"),
])  # fmt: skip
def test_quotes(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize("name", ["a>b", "<3", "x/", "a/>b", "it's", ""])
def test_names_of_authors_may_hold_brackets(name: str) -> None:
    text = f'<quote orig_author="{name}">a</quote>b'
    assert shown(text) == "#" * (len(text) - 1) + "b"


def test_what_has_no_place_is_in_no_quote() -> None:
    assert not find_quotes("<quote>").contain(None)


def test_offsets_behind_the_text() -> None:
    assert not find_quotes("<quote>a</quote>").contain(999)


def read(data: bytes) -> tuple[SourceText | None, list[str]]:
    log = ProblemLog("source.txt", PROBLEMS)
    return read_source_text(Source("source.txt", data), {}, Options(), log), [problem.code for problem in log.problems()]


def test_a_byte_order_mark_is_not_counted() -> None:
    text = "<quote>a</quote>b"
    assert read(b"\xef\xbb\xbf" + text.encode()) == (SourceText(text, find_quotes(text)), [])


def test_line_ends_stay_as_they_are() -> None:
    source, _ = read(b"\r\n\r\n<quote>a")
    assert source is not None
    assert source.text == "\r\n\r\n<quote>a"
    assert [offset for offset in range(12) if source.quotes.contain(offset)] == [4, 5, 6, 7, 8, 9, 10, 11]


@pytest.mark.parametrize("data", [b"caf\xe9", "é".encode("utf-16")])
def test_it_must_be_utf_8(data: bytes) -> None:
    assert read(data) == (None, ["text.encoding"])


PIECES = st.lists(st.sampled_from(["<quote>", '<quote id="1">', "</quote>", "a", "é", "<", ">", "<b>", "\r\n"]), max_size=12)


@given(PIECES)
def test_it_counts_the_open_quotes(pieces: list[str]) -> None:
    depth = 0
    expected = ""
    for piece in pieces:
        closes = piece == "</quote>" and depth
        depth += piece.startswith("<quote")
        expected += ("#" * len(piece)) if depth else piece
        depth -= 1 if closes else 0
    assert shown("".join(pieces)) == expected


def test_many_unclosed_tags_are_quick() -> None:
    assert find_quotes("<quote " * 200_000) == Quotes((), ())
    assert find_quotes("<quote>" * 200_000) == Quotes((0,), (1_400_000,))

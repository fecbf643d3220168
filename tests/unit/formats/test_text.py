from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import lines_of, read_text, text_kinds
from pytest_nlpeval.problems import ProblemLog


def read(data: bytes) -> tuple[bytes | None, list[tuple[str, int | None, int | None]]]:
    log = ProblemLog("f", text_kinds("warning"))
    text = read_text(Source("f", data), log)
    return text, [(problem.code.removeprefix("text."), problem.line, problem.column) for problem in log.problems()]


def test_lines_are_ended_by_one_line_feed() -> None:
    assert read(b"a\nb\n") == (b"a\nb\n", [])
    assert read(b"a\nb") == (b"a\nb\n", [])
    assert read(b"") == (b"", [])


def test_what_is_tolerated_is_put_right_and_told() -> None:
    assert read(b"\xef\xbb\xbfa\n") == (b"a\n", [("byte-order-mark", 1, 1)])
    assert read(b"a\nb\r\nc\r\n") == (b"a\nb\nc\n", [("line-ends", 2, None)])
    assert read(b"a \n\n \t\n") == (b"a \n", [("blank-end", 2, None)])
    assert read(b"a\n  ") == (b"a\n", [("blank-end", 2, None)])
    assert read(b"\n\n") == (b"", [("blank-end", 1, None)])
    assert read(b" \t") == (b"", [("blank-end", 1, None)])


def test_a_file_as_it_should_be_is_not_copied() -> None:
    """A large one would take twice its room."""
    source = Source("f", "a\n\ná b\n".encode())
    assert read_text(source, ProblemLog("f", text_kinds("warning"))) is source.data


def test_a_character_may_lie_across_the_pieces_in_which_a_file_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    data = "a\né中\U0001f469\n".encode()
    for size in range(1, len(data) + 1):
        monkeypatch.setattr("pytest_nlpeval.formats.text._BYTES_AT_ONCE", size)
        assert read(data) == (data, [])
        for start in range(2, len(data) - 1):  # all of the second line: without one byte it has half a character
            wrong = data[:start] + data[start + 1 :]
            assert read(wrong) == (None, [("encoding", 2, len(wrong[2:start].decode(errors="ignore")) + 1)])


@given(st.lists(st.text("aé中\U0001f469", max_size=5), min_size=1), st.integers(1, 20))
def test_lines_are_the_same_whatever_the_pieces_they_are_decoded_in(lines: list[str], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pytest_nlpeval.formats.text._BYTES_AT_ONCE", size)
        assert lines_of("".join(f"{line}\n" for line in lines).encode()) == lines


@given(st.binary())
def test_text_is_what_python_decodes(data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError:
        assert read(data)[0] is None


def test_blank_lines_inside_stay() -> None:
    assert read(b"\na\n\nb\n") == (b"\na\n\nb\n", [])


def test_what_is_no_utf_8_is_told_with_every_place() -> None:
    assert read(b"ab\nc\xe9\nd\n\xff") == (None, [("encoding", 2, 2), ("encoding", 4, 1)])
    assert read("é\n".encode("utf-16")) == (None, [("encoding", None, None)])
    assert read(b"\x1f\x8b\x08") == (None, [("encoding", None, None)])
    assert read("é".encode() + b"\n" + "üé".encode()[:3]) == (None, [("encoding", 2, 2)])


def test_nul_bytes_are_told_with_the_first_place() -> None:
    assert read("é\nü".encode() + b"\0\0") == (None, [("nul", 2, 2)])


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n\ufeff"), min_size=1).filter(str.strip)))
def test_lines_come_back_whatever_ends_them(lines: list[str]) -> None:
    for end in ("\n", "\r\n"):
        text, _ = read("".join(line + end for line in lines).encode())
        assert text is not None
        assert lines_of(text) == lines

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.rte import PROBLEMS, lines
from pytest_nlpeval.tasks.rte.confidence import NONE, confidence_key
from pytest_nlpeval.tasks.rte.ids import short_key
from pytest_nlpeval.tasks.rte.lines import Line, blocks, parse_line, scan_block
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition

IDS = st.sampled_from(
    ("1", "07", "7", "007", "0", "12345678901234567", "123456789012345678", "12345678901234567890", "a1", "-1", "1.", "٣", "")
)
WORDS = st.sampled_from(("TRUE", "FALSE", "YES", "NO", "true", "TRU", "TRUEE", "FALSE.", "Yes", "NOT", ""))
CONFIDENCES = st.one_of(
    st.sampled_from(
        (
            "0",
            "1",
            "1.0",
            "1.",
            ".5",
            "0.123456",
            ".9999999",
            "0.1234567",
            "1e-3",
            "-0",
            "+1",
            "nan",
            ".",
            "1.1",
            "1.000001",
            "2",
            "..5",
            "0.5.",
            "",
        )
    ),
    st.text("0123456789.e-", max_size=9),
)
BLANKS = st.sampled_from((" ", " ", " ", "  ", "\t", " \t", "", "\u00a0", "\r", "\f"))
EDITIONS = st.sampled_from((FIRST, LATER))
PLAIN = {
    FIRST: re.compile(r"[0-9]{1,17} (TRUE|FALSE)( ([0-9]+(\.[0-9]*)?|\.[0-9]+))?"),
    LATER: re.compile(r"[0-9]{1,17} (YES|NO)"),
}


@st.composite
def near_lines(draw: st.DrawFn) -> str:
    parts = [draw(st.sampled_from(("", "", "", " "))), draw(IDS), draw(BLANKS), draw(WORDS)]
    if draw(st.booleans()):
        parts += [draw(BLANKS), draw(CONFIDENCES)]
    parts += draw(st.sampled_from(([], [], [], [" "], [" 0.5"])))
    return "".join(parts)


def parsed(text: str, edition: Edition) -> tuple[Line | None, list[str]]:
    log = ProblemLog("run.txt", PROBLEMS)
    return parse_line(text, 7, edition, log), [problem.code for problem in log.problems()]


def scanned(texts: list[str], edition: Edition) -> list[tuple[int, bool, int] | None]:
    block = scan_block("".join(f"{text}\n" for text in texts).encode(), edition)
    found: list[tuple[int, bool, int] | None] = [None] * len(texts)
    for rank, key, positive, confidence in zip(block.ranks, block.keys, block.positive, block.confidence, strict=True):
        found[rank] = int(key), bool(positive), int(confidence)
    assert [rank for rank, line in enumerate(found) if line is None] == block.others
    return found


@given(st.lists(near_lines(), min_size=1, max_size=6), EDITIONS)
def test_whatever_a_block_reads_a_line_reads_alike(texts: list[str], edition: Edition) -> None:
    for text, found in zip(texts, scanned(texts, edition), strict=True):
        line, problems = parsed(text, edition)
        if found is not None:
            assert line is not None, text
            assert (short_key(line.id), line.positive, line.confidence) == found
            assert problems == []


@given(st.lists(near_lines(), min_size=1, max_size=6), EDITIONS)
def test_a_block_reads_every_plain_line(texts: list[str], edition: Edition) -> None:
    for text, found in zip(texts, scanned(texts, edition), strict=True):
        line, _ = parsed(text, edition)
        if PLAIN[edition].fullmatch(text):
            assert (found is None) == (line is None), text


def test_the_last_line_of_a_block_is_like_the_others() -> None:
    for text in ("1 TRUE 1", "1 TRUE", "1 FALSE 0.003", "1 TRUE .", "1 T", "1", "", "1 TRUE 2"):
        assert scanned(["9 FALSE 0.123456", text], FIRST)[1] == scanned([text, "9 FALSE 0.123456"], FIRST)[0]


def test_a_line_of_edition_1() -> None:
    assert parsed("17 TRUE 0.5", FIRST) == (Line("17", positive=True, confidence=confidence_key("0.5") or 0), [])
    assert parsed("17 FALSE", FIRST) == (Line("17", positive=False, confidence=NONE), [])


@pytest.mark.parametrize("text", ["17\tTRUE", "17  TRUE", "17 TRUE ", "17 TRUE\t", "17 \t TRUE"])
def test_other_blanks_are_tolerated(text: str) -> None:
    assert parsed(text, FIRST) == (Line("17", positive=True, confidence=NONE), ["rte.blanks"])


@pytest.mark.parametrize(
    ("text", "edition", "codes"),
    [
        ("", FIRST, ["rte.line"]),
        ("17", FIRST, ["rte.line"]),
        ("17 TRUE 1 1", FIRST, ["rte.line"]),
        ("17 YES 0.5", LATER, ["rte.line"]),
        ("x TRUE", FIRST, ["rte.line"]),
        ("17 true", FIRST, ["rte.judgment"]),
        ("17 YES", FIRST, ["rte.judgment"]),
        ("17 TRUE", LATER, ["rte.judgment"]),
        ("17 TRUE nan", FIRST, ["rte.confidence"]),
        ("x true nan", FIRST, ["rte.line", "rte.judgment", "rte.confidence"]),
        ("17\tTRUE\t2", FIRST, ["rte.blanks", "rte.confidence"]),
    ],
)
def test_all_that_is_wrong_with_a_line(text: str, edition: Edition, codes: list[str]) -> None:
    assert parsed(text, edition) == (None, codes)


@pytest.mark.parametrize("text", ["ranked: yes", "ranked: no", "ranked:"])
def test_the_first_line_of_a_later_edition_is_explained(text: str) -> None:
    log = ProblemLog("run.txt", PROBLEMS)
    assert parse_line(text, 1, FIRST, log) is None
    (problem,) = log.problems()
    assert (problem.code, "editions 2 and 3" in problem.message) == ("rte.line", True)


def test_a_word_of_another_edition_is_explained() -> None:
    log = ProblemLog("run.txt", PROBLEMS)
    parse_line("1 YES", 1, FIRST, log)
    assert "YES belongs to edition 2-3" in log.problems()[0].message


def test_messages_show_the_beginning_of_a_long_line_only() -> None:
    for text in ("x" * 5000, f"{'9' * 5000}x TRUE", f"1 {'T' * 5000}", f"1 TRUE {'0' * 5000}", "1 " * 5000):
        log = ProblemLog("run.txt", PROBLEMS)
        parse_line(text, 1, FIRST, log)
        assert all(len(problem.message) + len(problem.where) < 500 for problem in log.problems()), text[:20]


@given(st.lists(st.text("ab", max_size=5), max_size=10), st.integers(1, 12))
def test_blocks_are_the_text_in_whole_lines(texts: list[str], size: int) -> None:
    whole = "".join(f"{text}\n" for text in texts).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BLOCK_BYTES", size)
        pieces = list(blocks(whole))
    assert b"".join(pieces) == whole
    assert all(piece.endswith(b"\n") for piece in pieces)
    assert all(b"\n" not in piece[size - 1 : -1] for piece in pieces)  # it ends with the line that fills it

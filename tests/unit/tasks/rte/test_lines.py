from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.rte import PROBLEMS
from pytest_nlpeval.tasks.rte.confidence import NONE, confidence_key
from pytest_nlpeval.tasks.rte.lines import Judgment, read_lines
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition

IDS = st.sampled_from(
    ("1", "07", "7", "007", "0", "12345678901234567", "123456789012345678", "12345678901234567890", "a1", "-1", "1.", "٣", "")
)
WORDS = st.sampled_from(("TRUE", "FALSE", "YES", "NO", "true", "TRU", "TRUEE", "FALSE.", "Yes", "NOT", ""))
PLAIN_CONFIDENCES = ("0", "1", "1.0", "1.", ".5", "0.123456", ".9999999", "0.1234567", "1.1", "1.000001", "2")
OTHER_CONFIDENCES = ("1e-3", "-0", "+1", "nan", ".", "..5", "0.5.", "")
CONFIDENCES = st.one_of(st.sampled_from(PLAIN_CONFIDENCES + OTHER_CONFIDENCES), st.text("0123456789.e-", max_size=9))
BLANKS = st.sampled_from((" ", " ", " ", "  ", "\t", " \t", "", "\u00a0", "\r", "\f"))
EDITIONS = st.sampled_from((FIRST, LATER))


@st.composite
def near_lines(draw: st.DrawFn) -> str:
    parts = [draw(st.sampled_from(("", "", "", " "))), draw(IDS), draw(BLANKS), draw(WORDS)]
    if draw(st.booleans()):
        parts += [draw(BLANKS), draw(CONFIDENCES)]
    parts += draw(st.sampled_from(([], [], [], [" "], ["\t"], [" 0.5"])))
    return "".join(parts)


def parsed(text: str, edition: Edition) -> tuple[Judgment | None, list[str]]:
    log = ProblemLog("run.txt", PROBLEMS)
    found = list(read_lines([text], 7, edition, log))
    return found[0] if found else None, [problem.code for problem in log.problems()]


def by_the_book(text: str, edition: Edition) -> Judgment | None:
    """The judgment of a line, read field by field as the documentation describes it."""
    fields = re.split("[ \t]+", text.strip(" \t"))
    if len(fields) not in ((2, 3) if edition.has_confidence else (2,)) or not re.fullmatch("[0-9]+", fields[0]):
        return None
    if fields[1] not in (edition.positive, edition.negative):
        return None
    key = confidence_key(fields[2]) if fields[2:] else NONE
    return None if key is None else (7, fields[0], fields[1] == edition.positive, key)


@given(near_lines(), EDITIONS)
def test_a_line_is_read_by_the_book_or_has_errors(text: str, edition: Edition) -> None:
    judgment, problems = parsed(text, edition)
    assert judgment == by_the_book(text, edition)
    tolerated = text.strip(" ") != text or "\t" in text or "  " in text
    assert (judgment is not None) == (problems == (["rte.blanks"] if tolerated else []))


@given(st.lists(near_lines(), max_size=6), EDITIONS)
def test_lines_do_not_influence_each_other(texts: list[str], edition: Edition) -> None:
    log = ProblemLog("run.txt", PROBLEMS)
    one_by_one = [judgment for number, text in enumerate(texts, 2) for judgment in read_lines([text], number, edition, log)]
    assert list(read_lines(texts, 2, edition, ProblemLog("run.txt", PROBLEMS))) == one_by_one


def test_a_line_of_edition_1() -> None:
    assert parsed("17 TRUE 0.5", FIRST) == ((7, "17", True, confidence_key("0.5")), [])
    assert parsed("17 FALSE", FIRST) == ((7, "17", False, NONE), [])


@pytest.mark.parametrize("text", PLAIN_CONFIDENCES)
def test_confidences_up_to_1_are_read(text: str) -> None:
    judgment, problems = parsed(f"17 TRUE {text}", FIRST)
    good = Decimal(text) <= 1 and len(text) <= 8
    assert (judgment is not None, problems) == (good, [] if good else ["rte.confidence"])


@pytest.mark.parametrize("text", ["17\tTRUE", "17  TRUE", "17 TRUE ", "17 TRUE\t", "17 \t TRUE"])
def test_other_blanks_are_tolerated(text: str) -> None:
    assert parsed(text, FIRST) == ((7, "17", True, NONE), ["rte.blanks"])


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


def messages(text: str) -> list[str]:
    log = ProblemLog("run.txt", PROBLEMS)
    assert list(read_lines([text], 1, FIRST, log)) == []
    return [problem.message + problem.where for problem in log.problems()]


@pytest.mark.parametrize("text", ["ranked: yes", "ranked: no", "ranked:"])
def test_the_first_line_of_a_later_edition_is_explained(text: str) -> None:
    (message,) = messages(text)
    assert "editions 2 and 3" in message


def test_a_word_of_another_edition_is_explained() -> None:
    assert "YES belongs to edition 2-3" in messages("1 YES")[0]


def test_messages_show_the_beginning_of_a_long_line_only() -> None:
    for text in ("x" * 5000, f"{'9' * 5000}x TRUE", f"1 {'T' * 5000}", f"1 TRUE {'0' * 5000}", "1 " * 5000):
        assert all(len(message) < 500 for message in messages(text)), text[:20]

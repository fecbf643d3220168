"""Baselines by line: which segment of an earlier gold is which of today's."""

from __future__ import annotations

import pytest

from pytest_nlpeval.metrics.partners import partners
from pytest_nlpeval.tasks.text.asking import asks, restate
from pytest_nlpeval.tasks.text.options import options
from tests.unit.tasks.text.files import Scored, objects, scored


def lines(gold: str, system: str) -> Scored:
    return scored(
        {"gold": ("g.txt", "".join(f"{line}\n" for line in gold)), "system": ("s.txt", "".join(f"{line}\n" for line in system))}
    )


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ("abc", "abc", [0, 1, 2]),
        ("abc", "axc", [0, 1, 2]),  # an edit in place
        ("abc", "zabc", [-1, 0, 1, 2]),  # by content
        ("abc", "cab", [2, 0, 1]),
        ("aab", "aabc", [-1, -1, -1, -1]),  # content that occurs twice does not tell
    ],
)
def test_lines_pair_in_place_or_by_content(before: str, now: str, expected: list[int]) -> None:
    earlier, today = (asks(lines(gold, gold).documents, options()) for gold in (before, now))
    assert partners(earlier, today).tolist() == expected


def test_an_old_output_is_restated_for_todays_segments() -> None:
    earlier, today = lines("abc", "xbc"), lines("zabc", "zabc")
    ranks = partners(asks(earlier.documents, options()), asks(today.documents, options()))
    system = restate(earlier.documents, today.documents, ranks)["system"]
    assert system.texts == [None, "x", "b", "c"]
    assert system.lines == [0, 1, 2, 3]


def test_what_is_quoted_is_what_a_segment_asks() -> None:
    rows = [{"id": 1, "text": "a", "source": "A"}, {"id": 2, "text": "b", "source": "B"}]
    other = [{"id": 1, "text": "a", "source": "X"}, {"id": 2, "text": "y", "source": "B"}]
    system = ("s.jsonl", objects([{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]))
    sides = (scored({"gold": ("g.jsonl", objects(own)), "system": system}, quote="source").documents for own in (rows, other))
    earlier, today = (asks(documents, options(quote="source")) for documents in sides)
    assert partners(earlier, today).tolist() == [-1, 1]

"""Translation edits: what must hold of shifts and of the beam."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics import translation_edits as module
from pytest_nlpeval.metrics.levenshtein import edits
from pytest_nlpeval.metrics.translation_edits import beam_distance, translation_edits

TEXTS = st.text("abcde", max_size=14)


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_edits_are_at_most_the_distance(hypothesis: str, reference: str) -> None:
    found = translation_edits(hypothesis, reference)
    assert abs(len(hypothesis) - len(reference)) <= found <= edits([hypothesis], [reference]).errors[0]
    assert (found == 0) == (hypothesis == reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [("defghabc", "abcdefgh", 1), ("", "abc", 3), ("abc", "", 3), ("", "", 0), ("cab", "abc", 1), ("badc", "abcd", 2)],
)
def test_stretches_move_at_once(hypothesis: str, reference: str, expected: int) -> None:
    assert translation_edits(hypothesis, reference) == expected


@given(st.text("ab", max_size=70), st.text("abc", max_size=70))
@settings(deadline=None, max_examples=40)
def test_the_quick_distance_is_that_of_the_table(hypothesis: str, reference: str) -> None:
    """Wherever an alignment with as few errors must be within the beam, rapidfuzz gives what the table has."""
    assert beam_distance(hypothesis, reference) == module._table(hypothesis, reference)[-1][-1]


def test_beyond_the_beam_the_distance_is_greater() -> None:
    reference = "".join(chr(200 + place) for place in range(120))
    hypothesis = reference[60:] + reference[:60]
    assert beam_distance(hypothesis, reference) >= edits([hypothesis], [reference]).errors[0]


def test_no_shift_is_made_once_a_thousand_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    assert translation_edits("defghabc", "abcdefgh") == 1
    monkeypatch.setattr(module, "MOST_TRIED", 1)
    assert translation_edits("defghabc", "abcdefgh") == edits(["defghabc"], ["abcdefgh"]).errors[0]

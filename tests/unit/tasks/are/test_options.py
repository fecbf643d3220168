from __future__ import annotations

import pytest

from pytest_nlpeval.tasks.are.options import Options, folded, needs_input


@pytest.mark.parametrize(("subtask", "spans", "source"), [(1, False, True), (2, False, False), (3, True, True), (4, True, True)])
def test_what_subtasks_differ_in(subtask: int, spans: bool, source: bool) -> None:
    assert (Options(subtask).has_spans, needs_input(Options(subtask))) == (spans, source)


def test_words_are_compared_without_case_and_white_space() -> None:
    words = Options(1, ["He ", "each  OTHER", "groß"]).words
    assert words == {"he", "each other", "gross"}
    assert {folded(text) for text in ("HE", "each other", "Each\n other", "GROSS")} == words
    assert Options(1).words == set()

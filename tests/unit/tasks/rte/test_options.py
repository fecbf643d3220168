from __future__ import annotations

from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Options, edition_of


def test_editions_2_and_3_are_scored_alike() -> None:
    assert [edition_of(Options(edition)) for edition in (None, 1, 2, 3)] == [None, FIRST, LATER, LATER]


def test_the_words_of_the_editions() -> None:
    assert (FIRST.positive, FIRST.negative, FIRST.has_confidence) == ("TRUE", "FALSE", True)
    assert (LATER.positive, LATER.negative, LATER.has_confidence) == ("YES", "NO", False)


def test_the_application_settings() -> None:
    assert set(FIRST.settings) == {"IR", "CD", "RC", "QA", "IE", "MT", "PP"}
    assert set(LATER.settings) == {"IE", "IR", "QA", "SUM"}

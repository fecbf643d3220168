from __future__ import annotations

import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.qa.normalising import normaliser

LANGUAGES = (None, "ar", "de", "en", "es", "hi", "vi", "zh")


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=st.text())
def test_a_normal_form_is_lower_case_without_punctuation_in_single_blanks(language: str | None, text: str) -> None:
    form = normaliser(language)(text)
    assert form == " ".join(form.split())
    assert not set(form) & set(string.punctuation)
    if language:
        assert not any(unicodedata.category(character).startswith("P") for character in form)


@given(text=st.text(alphabet="xyz é中_9the .,"))
def test_an_ascii_article_is_left_only_inside_a_word(text: str) -> None:
    assert not {"a", "an", "the"} & set(normaliser(None)(text).split())


@given(text=st.text())
def test_letters_between_which_only_articles_and_blanks_stand_keep_their_order(text: str) -> None:
    """Nothing but articles, punctuation and white space is lost."""
    lowered = "".join(character for character in text.lower() if character not in string.punctuation)
    kept = iter(lowered)
    assert all(character in kept for character in normaliser(None)(text) if character != " ")


def test_each_ideograph_is_a_token() -> None:
    zh = normaliser("zh")
    assert zh("第1066年abc中") == "第 1066 年 abc 中"
    assert zh("\u4e00\u9fa5") == "\u4e00 \u9fa5"
    assert zh("\u4dff\u9fa6") == "\u4dff\u9fa6"  # one before, one behind
    assert normaliser("en")("中文") == "中文"


def test_other_languages_keep_english_articles() -> None:
    for language in ("ar", "de", "es", "hi", "vi", "zh"):
        assert normaliser(language)("the x") == "the x"


def test_a_character_that_is_no_punctuation_stays() -> None:
    assert normaliser(None)("5 € + 3° – x…") == "5 € 3° – x…"
    assert normaliser("en")("5 € + 3° – x…") == "5 € 3° x"

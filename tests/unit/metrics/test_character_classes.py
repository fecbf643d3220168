from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.character_classes import Translation, class_of


@given(st.text(max_size=6), st.text(max_size=6))
@example("^", "a")
@example("+-/", ".")
@example("a]\\", "[")
def test_a_class_has_its_characters_and_no_others(characters: str, others: str) -> None:
    pattern = re.compile(class_of(characters))
    assert {character for character in characters + others if pattern.fullmatch(character)} == set(characters)
    assert pattern.fullmatch("") is None


def test_each_character_is_asked_for_once() -> None:
    asked = []

    def text_of(character: str) -> str:
        asked.append(character)
        return character * 2

    table = Translation(text_of)
    assert ["aba".translate(table), "ca".translate(table)] == ["aabbaa", "ccaa"]
    assert asked == ["a", "b", "c"]

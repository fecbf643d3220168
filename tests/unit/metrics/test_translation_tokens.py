"""Tokens of translations against their rules, character by character."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.translation_tokens import TOKENIZERS, edit_tokens, tokens_of

PIECES = [
    *"aZ19.,-'& \t\n!~$(`@/:[{½٣。中»€£İ⅓",
    "'s",
    "&amp;",
    "&lt;",
    "&quot;",
    "&gt;",
    "<skipped>",
    "\u2001",
    "\u2a6d",
    "\U00020000",
]
WORDS = ["a", " ", "'s ", "3.5", "1,", "7-", "-\n", "\n-", "e.g. "]
TEXTS = st.lists((st.lists(st.sampled_from(PIECES), max_size=12) | st.lists(st.sampled_from(WORDS))).map("".join), max_size=3)

SPLIT_OFF = set(string.punctuation) - set("',-.")
DIGITS = set(string.digits)
CHINESE = (
    *((0x2001, 0x2A6D), (0x2E80, 0x2FDF), (0x2FF0, 0x303F), (0x3100, 0x312F), (0x31A0, 0x31BF), (0x31C0, 0x31EF)),
    *((0x3200, 0x33FF), (0x3400, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A), (0xFA70, 0xFAD9)),
    *((0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF)),
)


def in_pairs(text: str, is_one: Callable[[str, str], bool], form: str) -> str:
    """Return a text with each pair of adjacent characters written anew that a rule is for, no character in two pairs."""
    written, place = "", 0
    while place < len(text):
        pair = text[place : place + 2]
        if len(pair) == 2 and is_one(*pair):
            written, place = written + form.format(*pair), place + 2
        else:
            written, place = written + text[place], place + 1
    return written


def alone(text: str, is_one: Callable[[str], bool]) -> str:
    return "".join(f" {character} " if is_one(character) else character for character in text)


def western(text: str, *, possessives: bool = False) -> str:
    text = alone(text, SPLIT_OFF.__contains__)
    if possessives:
        text = " 's ".join(text.split("'s "))
    text = in_pairs(text, lambda x, y: x not in DIGITS and y in ".,", "{0} {1} ")
    text = in_pairs(text, lambda x, y: x in ".," and y not in DIGITS, " {0} {1}")
    return in_pairs(text, lambda x, y: x in DIGITS and y == "-", "{0} {1} ")


def with_characters(text: str) -> str:
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = character.join(text.split(entity))
    return text


def of_13a(text: str) -> list[str]:
    joined = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    return western(f" {with_characters(joined)} ").split()


def of_zh(text: str) -> list[str]:
    return western(alone(text.strip(), lambda character: any(low <= ord(character) <= high for low, high in CHINESE))).split()


def of_intl(text: str) -> list[str]:
    def kind(character: str) -> str:
        return unicodedata.category(character)[0]

    text = in_pairs(text.rstrip(), lambda x, y: kind(x) != "N" and kind(y) == "P", "{0} {1} ")
    text = in_pairs(text, lambda x, y: kind(x) == "P" and kind(y) != "N", " {0} {1}")
    return alone(text, lambda character: kind(character) == "S").split()


def of_char(text: str) -> list[str]:
    return [character for character in text if not character.isspace()]


RULES: dict[str, Callable[[str], list[str]]] = {"13a": of_13a, "zh": of_zh, "intl": of_intl, "char": of_char, "none": str.split}


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(texts=TEXTS)
def test_tokens_are_those_of_the_rules(tokenizer: str, texts: list[str]) -> None:
    assert tokens_of(texts, tokenizer) == [RULES[tokenizer](text) for text in texts]


def test_the_characters_of_each_class() -> None:
    """Every character that the rules tell from others stands between two letters."""
    for point in [*range(0x80), *(point for pair in CHINESE for end in pair for point in (end - 1, end, end + 1))]:
        for text in (f"a{chr(point)}a", f"1{chr(point)}1", f"a{chr(point)}1", f"1{chr(point)}a"):
            for tokenizer, rule in RULES.items():
                assert tokens_of([text], tokenizer) == [rule(text)], (text, tokenizer)


@given(TEXTS, st.booleans(), st.booleans(), st.booleans())
def test_tokens_of_edits_are_those_of_the_rules(texts: list[str], normalized: bool, no_punct: bool, case_sensitive: bool) -> None:
    expected = []
    for text in texts:
        changed = text.rstrip() if case_sensitive else text.rstrip().lower()
        if normalized:
            joined = changed.replace("\n-", "").replace("\n", " ")
            changed = western(f" {with_characters(joined)} ", possessives=True)
        kept = "".join(character for character in changed if not no_punct or character not in '.,?:;!"()')
        expected.append(kept.split())
    assert edit_tokens(texts, normalized=normalized, no_punct=no_punct, case_sensitive=case_sensitive) == expected

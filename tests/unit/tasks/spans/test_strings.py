from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.tasks.spans.strings import SHORT, WORD, Strings
from tests.budget.counting import count_calls

WORDS = st.lists(
    st.text(st.sampled_from("aböx"), max_size=20)
    | st.sampled_from(["O", "a" * 8, "a" * 9, "a" * 16, "b" + "a" * 15])
    | st.builds("{}{}".format, st.sampled_from(["a" * SHORT, "ö" * (SHORT // 2)]), st.text("ax", max_size=2))
)


def strings_of(words: list[str]) -> Strings:
    """The words one after another, followed by what belongs to none."""
    encoded = [word.encode() for word in words]
    lengths = np.array([len(word) for word in encoded], np.int64)
    return Strings(b"".join(encoded) + b"x" * WORD, np.cumsum(lengths) - lengths, lengths)


@settings(max_examples=300)
@given(WORDS)
def test_codes_stand_for_the_strings(words: list[str]) -> None:
    codes, names = strings_of(words).codes()
    assert [names[code] for code in codes.tolist()] == words
    assert len(set(names)) == len(names) == len(set(words))


def test_many_strings_of_which_the_first_say_little() -> None:
    words = ["O"] * 2_000 + [f"B-{rank % 7}" for rank in range(500)] + [""]
    codes, names = strings_of(words).codes()
    assert [names[code] for code in codes.tolist()] == words
    assert len(names) == 9


@given(WORDS, st.integers(0, 30), st.integers(0, 30))
def test_the_strings_between_two_ranks(words: list[str], start: int, end: int) -> None:
    assert strings_of(words).between(start, end) == words[start:end]


@settings(max_examples=300)
@given(st.data(), WORDS)
def test_differing_strings(data: st.DataObject, words: list[str]) -> None:
    others = [
        data.draw(st.sampled_from([word, word[:-1], f"{word}a", word[:9] + "b" + word[10:], f"{word[:-1]}b"])) for word in words
    ]
    found = strings_of(words).differing(strings_of(others)).tolist()
    assert found == [rank for rank, pair in enumerate(zip(words, others, strict=True)) if pair[0] != pair[1]]


def test_long_strings_are_not_compared_word_by_word() -> None:
    def calls(length: int) -> int:
        strings = strings_of(["O", "a" * length, f"{'a' * length}b"])
        return count_calls(lambda: (strings.codes(), strings.differing(strings))).total()

    assert calls(2 * SHORT) == calls(1_000 * SHORT)

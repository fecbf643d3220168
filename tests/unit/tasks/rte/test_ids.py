from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.rte.ids import MAX_DIGITS, UNKNOWN, PairIndex, keys_of_digits, short_key

NUMERALS = st.one_of(st.text("01", min_size=1, max_size=4), st.text("0123456789", min_size=15, max_size=21))


def ranks(index: PairIndex, *names: str) -> list[int]:
    found: list[int] = index.ranks(np.array([index.key(name) for name in names], np.int64)).tolist()
    return found


def test_ids_are_compared_as_strings() -> None:
    assert ranks(PairIndex(("7", "07", "30")), "07", "7", "007", "30", "3") == [1, 0, -1, 2, -1]


def test_long_ids() -> None:
    index = PairIndex(("12345678901234567890", "12345678901234567891", "5"))
    assert ranks(index, "12345678901234567891", "12345678901234567890", "98765432109876543210", "5") == [1, 0, -1, 2]
    assert index.key("98765432109876543210") == UNKNOWN


def test_of_repeated_ids_the_first_counts() -> None:
    index = PairIndex(("9", "1", "9", "123456789012345678", "1", "123456789012345678"))
    assert index.repeated == [2, 4, 5]
    assert index.unique == ["9", "1", "123456789012345678"]
    assert ranks(index, "9", "1", "123456789012345678") == [0, 1, 3]


def test_an_empty_index_knows_nothing() -> None:
    assert ranks(PairIndex(()), "1", "12345678901234567890") == [-1, -1]


def test_what_has_no_short_key() -> None:
    assert [short_key(text) for text in ("", "-1", "1.0", " 1", "٣", "²", "1" * (MAX_DIGITS + 1))] == [None] * 7
    assert short_key("9" * MAX_DIGITS) is not None


@given(NUMERALS, NUMERALS)
def test_keys_are_equal_only_for_equal_strings(one: str, other: str) -> None:
    index = PairIndex((one,))
    assert ranks(index, other) == [0 if one == other else -1]


@given(st.text("0123456789", min_size=1, max_size=MAX_DIGITS))
def test_arithmetic_gives_the_same_keys(numeral: str) -> None:
    assert keys_of_digits(np.array([int(numeral)]), np.array([len(numeral)])).tolist() == [short_key(numeral)]


@given(st.lists(NUMERALS, max_size=12))
def test_ranks_are_those_of_a_dictionary(names: list[str]) -> None:
    first = {name: rank for rank, name in reversed(list(enumerate(names)))}
    assert ranks(PairIndex(names), *names) == [first[name] for name in names]

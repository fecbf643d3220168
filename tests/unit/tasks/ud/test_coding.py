"""Two fields of a CoNLL-U file have one code if and only if they are the same string, whatever their lengths and hashes."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.ud import coding
from pytest_nlpeval.tasks.ud.coding import Bytes

STEMS = st.sampled_from(
    ["", "a", "ab", "äö", "12345678", "123456789", "Case=Nom|Number=Sing", "x" * 32, "x" * 33, "ü" * 40, "\U0001f600"]
)
STRINGS = st.lists(st.builds(str.__add__, STEMS, st.sampled_from(["", "a", "b", "é"])), min_size=1, max_size=60)


def coded(strings: list[str]) -> tuple[list[int], tuple[str, ...]]:
    parts = [string.encode() for string in strings]
    ends = np.cumsum([len(part) + 1 for part in parts]) - 1
    codes, names = Bytes(b"\t".join(parts) + b"\n").coded(np.append(0, ends[:-1] + 1), ends)
    return codes.tolist(), names


@pytest.mark.parametrize("bits", [0, 2, 18])
@given(STRINGS)
def test_codes_stand_for_the_strings_and_each_string_has_one(bits: int, strings: list[str]) -> None:
    with patch.object(coding, "_MOST_BITS", bits):
        codes, names = coded(strings)
    assert [names[code] for code in codes] == strings
    assert len(set(names)) == len(names) == len(set(strings))


def test_the_last_field_of_a_file_reads_nothing_behind_it() -> None:
    assert coded(["a"]) == ([0], ("a",))
    assert coded(["a", "a"])[1] == ("a",)

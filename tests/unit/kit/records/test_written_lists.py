"""Lists in one cell: what Python and JSON write is read, whatever the texts hold; anything else is no list."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.kit.records import listed_in

ELEMENTS = st.lists(st.text(max_size=8) | st.integers())


@given(ELEMENTS)
def test_what_python_writes_is_read(elements: list[str | int]) -> None:
    assert listed_in(repr(elements)) == list(map(str, elements))


@given(st.lists(st.text(alphabet=st.characters(codec="ascii"), max_size=8)))
def test_what_json_writes_of_ascii_is_read(elements: list[str]) -> None:
    assert listed_in(json.dumps(elements)) == elements


@given(st.sets(st.text(max_size=5), min_size=1))
def test_sets_and_tuples_are_read(elements: set[str]) -> None:
    assert listed_in(repr(elements)) == list(elements)
    assert listed_in(repr(tuple(elements))) == list(elements)


@given(st.text(alphabet="'\"[](){},\\ a1", max_size=12))
def test_hostile_text_is_a_list_or_none(text: str) -> None:
    elements = listed_in(text)
    assert elements is None or text[0] in "[({"


def test_what_is_no_list() -> None:
    for text in (
        "",
        "[",
        "[CLS]",
        "('a')",
        "(1)",
        "['a' 'b']",
        "['a'; 'b']",
        "[['a']]",
        "[1.5]",
        "{'a': 1}",
        r"['\x4']",
        "['a', b]",
    ):
        assert listed_in(text) is None, text


def test_a_long_cell_takes_no_time_that_grows_faster_than_it() -> None:
    assert listed_in("['" + "\\'" * 100_000) is None
    assert listed_in("[" + "'a'," * 100_000 + "]") == ["a"] * 100_000

from __future__ import annotations

import re
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.reports.anchors import LONGEST, Anchors


@given(st.lists(st.text(max_size=100), max_size=30))
def test_anchors_are_unique_and_can_stand_in_an_address(texts: list[str]) -> None:
    anchors = Anchors("overview")
    names = [anchors.name(text, "gates", "items") for text in texts]
    every = [name + part for name in names for part in ("", ".gates", ".items")]
    assert len(set(every) | {"overview"}) == len(every) + 1
    assert all(re.fullmatch(r"[\w./+-]+(~\d+)?", name) and len(name) < LONGEST + 10 for name in names)


def test_parts_are_taken_too() -> None:
    anchors = Anchors()
    assert anchors.name("dev", "gates") == "dev"
    assert anchors.name("dev.gates") == "dev.gates~2"
    other = Anchors()
    assert other.name("dev.gates") == "dev.gates"
    assert other.name("dev", "gates") == "dev~2"


def test_of_many_places_with_one_name_none_tries_the_names_of_all_others() -> None:
    """A name is cut: all items of a suite with a long name have the same beginning. What is taken by a part of another stays so."""
    tries: list[str] = []

    class Watched(set[str]):
        def isdisjoint(self, other: Iterable[object]) -> bool:
            tries.append("one")
            return super().isdisjoint(other)

    anchors = Anchors()
    anchors._taken = Watched(["x~3.gates", "x~4"])
    assert [anchors.name("x", "gates") for _ in range(4)] == ["x", "x~2", "x~5", "x~6"]
    assert [anchors.name("x") for _ in range(2)] == ["x~3", "x~7"]
    tries.clear()
    assert [anchors.name("a" * 100) for _ in range(40)][-1] == f"{'a' * LONGEST}~40"
    assert len(tries) < 100

from __future__ import annotations

import re

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

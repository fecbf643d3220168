from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.reports import bearing
from pytest_nlpeval.reports.bearing import NamePatterns, bearing_on

NAMES = st.lists(st.text("ab.", max_size=4))
PATTERNS = st.lists(st.text("ab.*?[]", max_size=4), min_size=1)


@given(NAMES, PATTERNS)
def test_patterns_match_as_without_an_order(names: list[str], patterns: list[str]) -> None:
    explanation = Explanation("u", "missed", "m", measures=tuple(patterns))
    bearing_names = [name for name in names if explanation.bears_on(name)]
    assert bearing_on(names)(explanation) == bool(bearing_names)
    assert [name for name in names if [*NamePatterns(patterns).matching(name)]] == bearing_names


@pytest.mark.parametrize("number", [10, 1_000])
def test_patterns_are_not_compared_with_names_that_begin_otherwise(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def counted(name: str, pattern: str) -> bool:
        compared.append(name)
        return False

    monkeypatch.setattr(bearing, "fnmatchcase", counted)
    names = [f"label{rank:04}.f1" for rank in range(number)]
    patterns = [f"label{rank:04}.*" for rank in range(number)]
    bears = bearing_on(names)
    assert not any(bears(Explanation("u", "missed", "m", measures=(pattern,))) for pattern in patterns)
    assert not any([*NamePatterns(patterns).matching(name)] for name in names)
    assert len(compared) == 2 * number

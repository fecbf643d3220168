"""Constraints that are added in an order: which are ruled out, one by one and in rounds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics import point_additions, point_closure
from pytest_nlpeval.metrics.point_additions import ruled_out
from pytest_nlpeval.metrics.point_closure import ContradictionError, Pair, PointClosure
from pytest_nlpeval.metrics.temporal import CONSTRAINTS
from pytest_nlpeval.metrics.temporal_chains import Constraints

INTERVALS = 5
ENDS = [(start, start + 1) for start in range(0, 2 * INTERVALS, 2)]


def related(source: int, target: int, kind: str) -> Constraints:
    """Return the constraints of a relation of two intervals, none of an interval with itself."""
    ends = (2 * source, 2 * source + 1, 2 * target, 2 * target + 1)
    return tuple((sign, ends[a], ends[b]) for sign, a, b in CONSTRAINTS[kind]) if source != target else ()


intervals = st.integers(0, INTERVALS - 1)
relations = st.builds(related, intervals, intervals, st.sampled_from(sorted(CONSTRAINTS)))


def without_model(before: Sequence[Pair], additions: Sequence[Constraints]) -> set[int]:
    """The definition: an addition is out if it has no model together with those before it that are not."""
    held, out = [("<", a, b) for a, b in before], set()
    for place, constraints in enumerate(additions):
        tried = [*held, *constraints]
        try:
            PointClosure(2 * INTERVALS, *([(a, b) for sign, a, b in tried if sign == wanted] for wanted in "<="))
        except ContradictionError:
            out.add(place)
        else:
            held = tried
    return out


@pytest.mark.parametrize("widest", [0, point_closure.WIDEST], ids=["in rounds", "one by one"])
@given(additions=st.lists(relations, max_size=25))
def test_what_has_no_model_with_what_came_before_is_out(widest: int, additions: list[Constraints]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(point_closure, "WIDEST", widest)
        patch.setattr(point_closure, "WINDOW", 3)
        assert ruled_out(2 * INTERVALS, ENDS, additions) == without_model(ENDS, additions)


@pytest.mark.parametrize("points", [50, 100])
def test_what_one_chain_rules_out_takes_one_round(points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[int] = []
    longest = point_additions._longest_with_model

    def counted(number: int, held: Constraints, additions: Sequence[Constraints]) -> int:
        rounds.append(len(additions))
        return longest(number, held, additions)

    monkeypatch.setattr(point_additions, "_longest_with_model", counted)
    monkeypatch.setattr(point_closure, "WIDEST", 0)
    chain: list[Constraints] = [(("<", point, point + 1),) for point in range(points - 1)]
    far: list[Constraints] = [(("<", point + points // 2, point),) for point in range(points // 2)]
    assert ruled_out(points, [], chain + far) == set(range(len(chain), len(chain + far)))
    assert rounds == [len(chain + far)]

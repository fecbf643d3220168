"""Constraints that are added in an order: which are ruled out, one by one and by halves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics import point_additions
from pytest_nlpeval.metrics.point_additions import ruled_out
from pytest_nlpeval.metrics.point_closure import ContradictionError, Pair, PointClosure
from pytest_nlpeval.metrics.point_reduction import reduced
from pytest_nlpeval.metrics.temporal import CONSTRAINTS
from pytest_nlpeval.metrics.temporal_chains import Constraint, Constraints
from tests.budget.counting import count_calls

INTERVALS = 5
POINTS = 8
ENDS = [(start, start + 1) for start in range(0, 2 * INTERVALS, 2)]


def related(source: int, target: int, kind: str) -> Constraints:
    """Return the constraints of a relation of two intervals, none of an interval with itself."""
    ends = (2 * source, 2 * source + 1, 2 * target, 2 * target + 1)
    return tuple((sign, ends[a], ends[b]) for sign, a, b in CONSTRAINTS[kind]) if source != target else ()


intervals = st.integers(0, INTERVALS - 1)
relations = st.builds(related, intervals, intervals, st.sampled_from(sorted(CONSTRAINTS)))


def closed(number: int, constraints: Sequence[Constraint]) -> PointClosure:
    """Return what follows from constraints on so many points."""
    return PointClosure(number, *([(a, b) for sign, a, b in constraints if sign == wanted] for wanted in "<="))


def without_model(before: Sequence[Pair], additions: Sequence[Constraints]) -> set[int]:
    """The definition: an addition is out if it has no model together with those before it that are not."""
    held: list[Constraint] = [("<", a, b) for a, b in before]
    out = set()
    for place, constraints in enumerate(additions):
        tried = [*held, *constraints]
        try:
            closed(2 * INTERVALS, tried)
        except ContradictionError:
            out.add(place)
        else:
            held = tried
    return out


@pytest.mark.parametrize("few", [0, 4, point_additions.FEW], ids=["by halves", "by halves down to two intervals", "one by one"])
@given(additions=st.lists(relations, max_size=25))
def test_what_has_no_model_with_what_came_before_is_out(few: int, additions: list[Constraints]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(point_additions, "FEW", few)
        assert ruled_out(2 * INTERVALS, ENDS, additions) == without_model(ENDS, additions)


points = st.integers(0, POINTS - 1)
constraints = st.tuples(st.sampled_from("<="), points, points)


@given(
    order=st.permutations(range(POINTS)),
    drawn=st.lists(constraints, max_size=25),
    additions=st.lists(st.tuples(constraints), max_size=4),
)
def test_fewer_points_have_the_order_of_those_that_are_asked_about(
    order: list[int], drawn: list[Constraint], additions: list[Constraints]
) -> None:
    held = [each for each in drawn if each[0] == "<" and order[each[1]] < order[each[2]]]
    held += [each for each in drawn if each[0] == "=" and abs(order[each[1]] - order[each[2]]) <= 1]
    try:
        closure = closed(POINTS, held)
    except ContradictionError:
        return
    number, fewer, same = reduced(POINTS, held, additions)
    smaller = closed(number, fewer)
    asked, now = ([point for (constraint,) in each for point in constraint[1:]] for each in (additions, same))
    assert [[closure.order(a, b) for a in asked] for b in asked] == [[smaller.order(a, b) for a in now] for b in now]
    assert [sign for ((sign, _, _),) in same] == [sign for ((sign, _, _),) in additions]
    assert number <= POINTS
    assert len(fewer) <= len(held)
    named = set(now)
    for passed in set(range(number)) - named:
        assert len({a for _, a, b in fewer if b == passed}) > 1
        assert len({b for _, a, b in fewer if a == passed}) > 1


def test_a_point_between_several_stays_as_the_pairs_without_it_would_be_more() -> None:
    held: list[Constraint] = [("<", 0, 2), ("<", 1, 2), ("<", 2, 3), ("<", 2, 4), ("<", 2, 5)]
    additions: list[Constraints] = [(("<", 0, 1),), (("<", 3, 4),), (("<", 4, 5),)]
    assert reduced(6, held, additions) == (6, held, additions)


def chain_of(intervals: int) -> list[Constraints]:
    return [related(rank, rank + 1, "BEFORE") for rank in range(intervals - 1)]


def behind_all(intervals: int) -> list[Constraints]:
    """A chain of intervals, then relations that each join two far apart the wrong way round."""
    half = intervals // 2
    return chain_of(intervals) + [related(rank + half, rank, "BEFORE") for rank in range(half)]


def among(intervals: int, distance: int) -> list[Constraints]:
    """The same chain, in which each link is followed by a wrong relation with the interval so far back."""
    pairs = [(link, related(rank + 1, rank + 1 - distance, "BEFORE")) for rank, link in enumerate(chain_of(intervals))]
    return [each for rank, pair in enumerate(pairs) for each in (pair if rank >= distance else pair[:1])]


CONTRADICTORY: dict[str, Callable[[int], list[Constraints]]] = {
    "behind all": behind_all,
    "among them, near": lambda intervals: among(intervals, 3),
    "among them, far": lambda intervals: among(intervals, intervals // 2),
}


@pytest.mark.parametrize("kind", CONTRADICTORY)
def test_contradictions_take_work_that_grows_little_faster_than_their_number(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four times as many take 4 log(4 m) / log m times the work; a search of the whole for each would take sixteen times as much."""
    few, one_by_one = 50, point_additions._one_by_one

    def of_few(points: int, held: Sequence[Constraint], additions: Sequence[Constraints]) -> set[int]:
        assert points <= few
        return one_by_one(points, held, additions)

    monkeypatch.setattr(point_additions, "FEW", few)
    monkeypatch.setattr(point_additions, "_one_by_one", of_few)
    work = {}
    for size in (200, 800):
        ends = [(start, start + 1) for start in range(0, 2 * size, 2)]
        additions = CONTRADICTORY[kind](size)
        out: set[int] = set()
        work[size] = count_calls(lambda: out.update(ruled_out(2 * size, ends, additions))).total()  # noqa: B023 - called at once
        wrong = [place for place, ((_, a, b),) in enumerate(additions) if b < a]
        assert sorted(out) == wrong
    assert work[800] < 6.5 * work[200]

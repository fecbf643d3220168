"""What follows from all constraints at once: orders, covers, contradictions, for few classes and with windows."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics import point_closure
from pytest_nlpeval.metrics.point_closure import ContradictionError, PointClosure
from tests.unit.metrics.points import POINTS, SAID, Said, least_distances, orders, pairs


def numbered(*letters: str) -> list[tuple[int, int]]:
    """Return pairs of points written as letters."""
    return [("abcdefgh".index(pair[0]), "abcdefgh".index(pair[1])) for pair in letters]


def assert_covers(closure: PointClosure, said: Said) -> None:
    least = least_distances(said)
    for a, b in product(range(POINTS), repeat=2):
        between = any(least.get((a, c)) == 1 and least.get((c, b)) == 1 for c in range(POINTS))
        assert ((closure.classes[a], closure.classes[b]) in closure.covers) == (least.get((a, b)) == 1 and not between)


def test_nothing_follows_from_nothing() -> None:
    assert PointClosure(0, [], []).classes == []
    closure = PointClosure(2, [], [])
    assert [closure.order(*pair) for pair in numbered("aa", "ab", "ba")] == ["=", "", ""]
    assert closure.covers == set()


@pytest.mark.parametrize(
    ("before", "equal", "points"),
    [
        ("ab bc ca", "", "abc"),
        ("ab", "bc ca", "abc"),
        ("aa", "", "a"),
        ("ea ab ba bf", "eg", "ab"),
        ("ab ba be ec cd dc ae ef", "", "abcde"),
    ],
)
def test_constraints_without_model_name_their_points(before: str, equal: str, points: str) -> None:
    with pytest.raises(ContradictionError) as raised:
        PointClosure(8, numbered(*before.split()), numbered(*equal.split()))
    assert raised.value.points == {"abcdefgh".index(point) for point in points}


@settings(max_examples=300)
@given(SAID, st.sampled_from([(0, 1), (0, 2), (3, 2), (POINTS, 1)]))
def test_a_closure_is_complete_however_wide(said: Said, limits: tuple[int, int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(point_closure, "WIDEST", limits[0])
        patch.setattr(point_closure, "WINDOW", limits[1])
        least = least_distances(said)
        circular = {a for a, b in least if a == b and least[a, b]}
        if circular:
            with pytest.raises(ContradictionError) as raised:
                PointClosure(POINTS, pairs(said, "<"), pairs(said, "="))
            behind, ahead = ({pair[1 - side] for pair in least if pair[side] in circular} for side in (0, 1))
            assert raised.value.points == behind & ahead
            return
        closure = PointClosure(POINTS, pairs(said, "<"), pairs(said, "="))
        assert set(closure.classes) == set(range(len(closure._after)))
        assert_covers(closure, said)
        every = [(a, b) for a in range(POINTS) for b in range(POINTS)]
        assert {pair: closure.order(*pair) for pair in every} == orders(said)
        closure.foresee(every[::2])
        assert {pair: closure.order(*pair) for pair in every} == orders(said)


@pytest.mark.parametrize("points", [100, 200, 400])
def test_many_questions_far_apart_take_a_sweep_for_each_window(points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a chain of n points each is asked with the one n / 2 behind: a search for each would take n² / 4 steps."""
    monkeypatch.setattr(point_closure, "WIDEST", 0)
    monkeypatch.setattr(point_closure, "WINDOW", 25)
    closure = PointClosure(points, [(point, point + 1) for point in range(points - 1)], [])
    sweeps: list[int] = []
    swept = PointClosure._swept

    def counted(self: PointClosure, start: int, stop: int) -> list[int]:
        sweeps.append(start)
        return swept(self, start, stop)

    monkeypatch.setattr(PointClosure, "_swept", counted)
    asked = [(point, point + points // 2) for point in range(points // 2)]
    closure.foresee(asked)
    assert len(sweeps) == points / 2 / 25, "the later classes are in so many windows"
    closure._after = []  # whatever searched would fail
    assert {closure.order(*pair) for pair in asked} == {"<"}


def test_a_search_looks_once_at_each_class_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of two points, each before both of the next row: there are 2¹¹ ways from the first row to the last."""
    monkeypatch.setattr(point_closure, "WIDEST", 0)
    before = [(a, b) for row in range(0, 22, 2) for a in (row, row + 1) for b in (row + 2, row + 3)]
    closure = PointClosure(25, before, [])
    assert closure.covers, "which is looked up in every class"
    looked_at: list[int] = []

    class Recorded(list[list[int]]):
        def __getitem__(self, number: Any) -> Any:
            looked_at.append(number)
            return super().__getitem__(number)

    closure._after = Recorded(closure._after)
    for a, b in combinations(range(25), 2):
        looked_at.clear()
        assert closure.order(a, b) == ("<" if a // 2 < b // 2 < 12 else "")
        least, greatest = sorted(closure.edge(a, b))
        assert len(looked_at) == len(set(looked_at))
        assert closure.edge(a, b) not in closure.covers or not looked_at
        assert all(least < number <= greatest for number in looked_at)


@pytest.mark.parametrize("widest", [0, POINTS])
def test_what_is_known_is_not_asked_again(widest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(point_closure, "WIDEST", widest)
    closure = PointClosure(POINTS, numbered("ab", "bc"), numbered("cd"))
    asked = [(a, b) for a in range(4) for b in range(4)]
    if not widest:
        closure.foresee([pair for pair in asked if closure.order(*pair) != "="])
    assert closure.covers
    closure._after = []  # a sweep would find nothing
    closure.foresee(asked)
    assert {pair: closure.order(*pair) for pair in asked} == {
        pair: order for pair, order in orders([("<", 0, 1), ("<", 1, 2), ("=", 2, 3)]).items() if pair in asked
    }

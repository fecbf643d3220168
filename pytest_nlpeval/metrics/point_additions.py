"""Constraints on time points that are added in an order, each unless those before it rule it out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from pytest_nlpeval.metrics.point_closure import ContradictionError, Pair, PointClosure, Sign
from pytest_nlpeval.metrics.point_graph import PointGraph
from pytest_nlpeval.metrics.point_reduction import points_of, reduced
from pytest_nlpeval.metrics.temporal_chains import Constraint, Constraints

FEW = 4_000
"""Points up to which additions are tried one by one, which takes less time than halves do."""


def ruled_out(points: int, before: Sequence[Pair], additions: Sequence[Constraints]) -> set[int]:
    """Return the places of the additions that cannot hold: of one of its constraints the negation follows from what was added before.

    Points are numbers from 0 to before `points`; the pairs of `before` are there from the beginning. An addition has no constraints, or
    some that can hold together wherever each of them can.

    >>> sorted(ruled_out(3, [], [(("<", 0, 1),), (("=", 1, 2),), (("<", 2, 0),), (("<", 0, 2),)]))
    [2]

    Additions that have a model together all hold. Else only those between points on cycles, or between two cycles, matter: no other one
    can be ruled out, nor does it take part in a contradiction. Of many points, the additions are halved: the first half is asked about
    with what is held, then the second with what holds of the first, each among the points that bear on it.

        0 < 1 < … < 9,999, with 4 < 2 behind 3 < 4, 6 < 4 behind 5 < 6, …: the points up to 5,000 bear on the first half, and those from
        2,500 to 5,000 on its own second half

    So n points and m additions take O((n + m) log m) steps, as long as most of what the additions do not name can be passed over (see
    `reduced`), and O((n + m) m) at worst.
    """
    return _ruled_out(points, [("<", a, b) for a, b in before], additions)


def _ruled_out(points: int, held: Sequence[Constraint], additions: Sequence[Constraints]) -> set[int]:
    """Return the places of the additions that cannot hold behind what is held, which has a model."""
    try:
        _closure(points, held, additions)
    except ContradictionError as contradiction:
        number = {point: rank for rank, point in enumerate(sorted(contradiction.points))}
    else:
        return set()
    if len(additions) == 1:
        return {0}
    suspected = {place: between for place, constraints in enumerate(additions) if (between := _within(number, constraints))}
    places, suspects, held = list(suspected), list(suspected.values()), _within(number, held)
    points = len(number)
    if points > 2 * len(points_of(suspects)):
        points, held, suspects = reduced(points, held, suspects)
    out = (_one_by_one if points <= FEW else _by_halves)(points, held, suspects)
    return {places[place] for place in out}


def _within(number: Mapping[int, int], constraints: Iterable[Constraint]) -> Constraints:
    """Return the constraints on points that have a number, on these numbers."""
    return tuple([(sign, number[a], number[b]) for sign, a, b in constraints if a in number and b in number])


def _one_by_one(points: int, held: Iterable[Constraint], additions: Iterable[Constraints]) -> set[int]:
    graph, out = PointGraph(points), set()
    _add(graph, held)
    for place, constraints in enumerate(additions):
        if is_negated(graph, constraints):
            out.add(place)
        else:
            _add(graph, constraints)
    return out


def _by_halves(points: int, held: Sequence[Constraint], additions: Sequence[Constraints]) -> set[int]:
    half = len(additions) // 2
    out = _ruled_out(points, held, additions[:half])
    held = [*held, *chain.from_iterable(constraints for place, constraints in enumerate(additions[:half]) if place not in out)]
    return out | {half + place for place in _ruled_out(points, held, additions[half:])}


def _closure(points: int, held: Iterable[Constraint], additions: Iterable[Constraints]) -> PointClosure:
    constraints = [*held, *chain.from_iterable(additions)]
    return PointClosure(points, pairs("<", constraints), pairs("=", constraints))


def pairs(wanted: Sign, constraints: Iterable[Constraint]) -> list[Pair]:
    """Return the pairs of points of all constraints with the sign `wanted`."""
    return [(a, b) for sign, a, b in constraints if sign == wanted]


def is_negated(points: PointClosure | PointGraph, constraints: Constraints) -> bool:
    """Return whether the negation of one of the constraints follows."""
    return any(points.order(a, b) not in ("", sign) for sign, a, b in constraints)


def _add(graph: PointGraph, constraints: Iterable[Constraint]) -> None:
    """Add constraints that can hold."""
    for sign, a, b in constraints:
        (graph.add_before if sign == "<" else graph.add_equal)(a, b)

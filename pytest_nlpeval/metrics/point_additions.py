"""Constraints on time points that are added in an order, each unless those before it rule it out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from pytest_nlpeval.metrics import point_closure
from pytest_nlpeval.metrics.point_closure import ContradictionError, Pair, PointClosure, Sign
from pytest_nlpeval.metrics.point_graph import PointGraph
from pytest_nlpeval.metrics.temporal_chains import Constraint, Constraints


def ruled_out(points: int, before: Sequence[Pair], additions: Sequence[Constraints]) -> set[int]:
    """Return the places of the additions that cannot hold: of one of its constraints the negation follows from what was added before.

    Points are numbers from 0 to before `points`; the pairs of `before` are there from the beginning. An addition has no constraints, or
    some that can hold together wherever each of them can.

    >>> sorted(ruled_out(3, [], [[("<", 0, 1)], [("=", 1, 2)], [("<", 2, 0)], [("<", 0, 2)]]))
    [2]

    Up to WIDEST points take a search for each constraint, in sets of points that a closure gives (see PointGraph). Of more points these
    sets would take too much memory, and rounds take their place.
    """
    return (_one_by_one if points <= point_closure.WIDEST else _in_rounds)(points, before, additions)


def _one_by_one(points: int, before: Iterable[Pair], additions: Iterable[Constraints]) -> set[int]:
    graph, out = PointGraph(points), set()
    _add(graph, [("<", a, b) for a, b in before])
    for place, constraints in enumerate(additions):
        if is_negated(graph, constraints):
            out.add(place)
        else:
            _add(graph, constraints)
    return out


def _in_rounds(points: int, before: Iterable[Pair], additions: Sequence[Constraints]) -> set[int]:
    """Add in each round as many additions as have a model together. The next one is out, and so are all others that are negated by then.

    What is negated stays so. One round is enough where a few additions rule out many others, each of which would take a search by itself:

        0 < 1 < … < 9,999, then 9,999 < 4, 9,998 < 3, …: the first round adds the chain, and none of the rest is left for a second
    """
    held: list[Constraint] = [("<", a, b) for a, b in before]
    left = list(range(len(additions)))
    out: set[int] = set()
    while left:
        number = _longest_with_model(points, held, [additions[place] for place in left])
        held += chain.from_iterable(additions[place] for place in left[:number])
        left = left[number:]
        closure = _closure(points, held)
        closure.foresee((a, b) for place in left for _, a, b in additions[place])
        negated = {*left[:1], *(place for place in left if is_negated(closure, additions[place]))}
        out |= negated
        left = [place for place in left if place not in negated]
    return out


def _longest_with_model(points: int, held: Sequence[Constraint], additions: Sequence[Constraints]) -> int:
    """Return how many additions, from the first on, have a model together with what is held, by bisection."""
    before, equal = pairs("<", held), pairs("=", held)
    ends = [(len(before), len(equal))]  # how many of all pairs are of what is held and so many additions
    for constraints in additions:
        before += pairs("<", constraints)
        equal += pairs("=", constraints)
        ends.append((len(before), len(equal)))
    low, high = 0, len(additions) + 1
    while high - low > 1:
        middle = (low + high) // 2 if high <= len(additions) else len(additions)
        of_before, of_equal = ends[middle]
        try:
            PointClosure(points, before[:of_before], equal[:of_equal])
            low = middle
        except ContradictionError:
            high = middle
    return low


def _closure(points: int, constraints: Sequence[Constraint]) -> PointClosure:
    return PointClosure(points, pairs("<", constraints), pairs("=", constraints))


def pairs(wanted: Sign, constraints: Iterable[Constraint]) -> list[Pair]:
    """Return the pairs of points of all constraints with the sign `wanted`."""
    return [(a, b) for sign, a, b in constraints if sign == wanted]


def is_negated(points: PointClosure | PointGraph, constraints: Iterable[Constraint]) -> bool:
    """Return whether the negation of one of the constraints follows."""
    return any(points.order(a, b) not in ("", sign) for sign, a, b in constraints)


def _add(graph: PointGraph, constraints: Iterable[Constraint]) -> None:
    """Add constraints that can hold."""
    for sign, a, b in constraints:
        (graph.add_before if sign == "<" else graph.add_equal)(a, b)

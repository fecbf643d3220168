"""The greatest assignment: one-to-one pairs of rows and columns of greatest total weight, exact, with one rule for ties.

Sources: Kuhn, The Hungarian method for the assignment problem, 1955; Edmonds and Karp, Theoretical improvements in algorithmic
efficiency for network flow problems, 1972 (augmenting paths over reduced weights). Only pairs with a weight are kept, so that a sparse
table costs what its pairs cost, and each connected component is solved by itself.

Weights are integers or fractions. Those of a component are multiplied by their common denominator, and all arithmetic is on integers.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.augmenting import Solver
from pytest_nlpeval.metrics.tied_assignments import settle

Numbers: TypeAlias = NDArray[np.int64]

Weights: TypeAlias = Mapping[tuple[int, int], int | Fraction]
"""The weight of each pair (row, column). A pair of weight 0, or one that is not there, is no pair."""


def greatest_assignment(weights: Weights) -> dict[int, int]:
    """Return the column of each row in the one-to-one assignment of greatest total weight; rows without a column are missing.

    Of several such assignments that one is taken in which the first row has the least column that any of them gives it, and any column
    rather than none; then the second row, and so on. So the result depends on nothing but the weights.

    Time: per component at most rows times pairs, times the logarithm of its columns; nearly always far less, since most rows find a free
    column at once.

    Raises:
        ValueError: if a weight is negative.

    >>> greatest_assignment({(0, 0): 3, (0, 1): 2, (1, 0): 2})
    {0: 1, 1: 0}
    >>> greatest_assignment({(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1})
    {0: 0, 1: 1}
    """
    return dict(sorted(_by_components(weights, is_settled=True).items()))


def any_greatest_assignment(weights: Weights) -> dict[int, int]:
    """Return any of the assignments that have the greatest total weight: enough, and quicker, where only the total matters.

    Raises:
        ValueError: if a weight is negative.
    """
    assignment = _decided(weights)
    columns = set(assignment.values())
    left = {pair: weight for pair, weight in weights.items() if pair[0] not in assignment and pair[1] not in columns}
    return assignment | _by_components(left, is_settled=False)


def any_greatest_pairs(rows: Numbers, columns: Numbers, above: Numbers, below: Numbers) -> Numbers:
    """Return which pairs are any of the assignments of greatest total weight: `any_greatest_assignment` of arrays, with fractions above 0.

    Decided pairs are taken at once, and again among those that are left as long as that halves them; components have the rest.

    >>> pairs = any_greatest_pairs(*np.array([[0, 0, 1], [0, 1, 0], [3, 2, 2], [2, 2, 2]]))  # 3/2 for (0, 0), 1 for (0, 1) and (1, 0)
    >>> sorted(pairs.tolist())
    [1, 2]
    """
    weights = above / below
    left, number = np.arange(len(rows)), 2 * len(rows)
    taken = [left[:0]]
    while 0 < len(left) <= number // 2:
        number = len(left)
        decided = left[_are_decided(rows[left], columns[left], weights[left])]
        left = left[~(np.isin(rows[left], rows[decided]) | np.isin(columns[left], columns[decided]))]
        taken.append(decided)
    rank_of = dict(zip(zip(rows[left].tolist(), columns[left].tolist(), strict=True), left.tolist(), strict=True))
    exact = map(Fraction, above[left].tolist(), below[left].tolist())
    rest = _by_components(dict(zip(rank_of, exact, strict=True)), is_settled=False)
    return np.concatenate([*taken, np.array([rank_of[pair] for pair in rest.items()], np.int64)])


def _are_decided(rows: Numbers, columns: Numbers, weights: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which pairs weigh more than another one of their row and another one of their column together.

    Quotients and their sum are rounded, each by 2**-53 at most, so that what is more by 2**-50 is more in truth.
    """
    others = _greatest_other(rows, weights) + _greatest_other(columns, weights)
    are_decided: NDArray[np.bool_] = weights > others * (1 + 2**-50)
    return are_decided


def _greatest_other(names: Numbers, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each pair the greatest weight that another one of its row, or of its column, has; 0 if it is alone."""
    greatest, second = np.zeros((2, names.max() + 1))
    np.maximum.at(greatest, names, weights)
    of_greatest = np.zeros(len(greatest), np.int64)
    candidates = np.flatnonzero(weights == greatest[names])
    of_greatest[names[candidates]] = candidates  # one of several
    is_greatest = of_greatest[names] == np.arange(len(names))
    np.maximum.at(second, names[~is_greatest], weights[~is_greatest])
    others: NDArray[np.float64] = np.where(is_greatest, second[names], greatest[names])
    return others


Pairs: TypeAlias = dict[int, dict[int, int | Fraction]]
"""For each row the weights of its columns."""


def _decided(weights: Weights) -> dict[int, int]:
    """Return pairs that weigh more than all others of their row and their column together; all greatest assignments have them.

    An assignment without such a pair would have at most one other of its row, and one of its column, and weighs more with the pair
    instead of these.
    """
    rows: defaultdict[int, int | Fraction] = defaultdict(int)
    columns: defaultdict[int, int | Fraction] = defaultdict(int)
    for (row, column), weight in weights.items():
        rows[row] += weight
        columns[column] += weight
        if weight < 0:
            return {}  # which is said where the components are looked for
    return {row: column for (row, column), weight in weights.items() if 3 * weight > rows[row] + columns[column]}


def _by_components(weights: Weights, *, is_settled: bool) -> dict[int, int]:
    assignment: dict[int, int] = {}
    for component in _components(weights):
        assignment |= _assigned(component, is_settled=is_settled)
    return assignment


def _components(weights: Weights) -> Iterator[Pairs]:
    """Yield the pairs of each connected component; its rows, and the columns of a row, ascend."""
    columns_of: defaultdict[int, dict[int, int | Fraction]] = defaultdict(dict)
    rows_of: defaultdict[int, list[int]] = defaultdict(list)
    for (row, column), weight in weights.items():
        if weight > 0:
            columns_of[row][column] = weight
            rows_of[column].append(row)
        elif weight < 0:
            raise ValueError(f"the weight of ({row}, {column}) is {weight}; weights are not negative")
    visited: set[int] = set()
    for start, pairs in columns_of.items():
        if len(pairs) == 1 and all(len(rows_of[column]) == 1 for column in pairs):
            yield {start: pairs}
        elif start not in visited:
            visited.add(start)
            rows, columns = [start], set[int]()
            for row in rows:
                for column in columns_of[row]:
                    if column not in columns:
                        columns.add(column)
                        reached = [another for another in rows_of[column] if another not in visited]
                        visited.update(reached)
                        rows += reached
            yield {row: dict(sorted(columns_of[row].items())) for row in sorted(rows)}


def _assigned(pairs: Pairs, *, is_settled: bool) -> dict[int, int]:
    """Return the assignment of a component."""
    if len(pairs) == 1:
        ((row, columns),) = pairs.items()
        return {row: max(columns, key=columns.__getitem__)}  # the first of several
    names = sorted({column for columns in pairs.values() for column in columns})
    if len(names) == 1:
        return {max(pairs, key=lambda row: pairs[row][names[0]]): names[0]}
    solver = Solver(_whole(pairs, {name: rank for rank, name in enumerate(names)}), len(names))
    if is_settled:
        settle(solver)
    return {row: names[column] for row, column in zip(pairs, solver.column_of, strict=True) if column >= 0}


def _whole(pairs: Pairs, ranks: Mapping[int, int]) -> list[dict[int, int]]:
    """Return the weights of each row as integers by the ranks of columns: all are multiplied by their common denominator."""
    denominators = {weight.denominator for columns in pairs.values() for weight in columns.values()}
    factor = math.lcm(*denominators)
    factors = {denominator: factor // denominator for denominator in denominators}
    return [
        {ranks[column]: weight.numerator * factors[weight.denominator] for column, weight in columns.items()}
        for columns in pairs.values()
    ]

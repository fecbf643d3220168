"""The greatest assignment against all assignments there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.assignment import any_greatest_assignment, any_greatest_pairs, greatest_assignment
from pytest_nlpeval.metrics.augmenting import NONE, Solver

Weights = Mapping[tuple[int, int], int | Fraction]

SMALL = st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(0, 4), max_size=16)
FRACTIONS = st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 3)), st.fractions(0, 2, max_denominator=7), max_size=12)


def all_assignments(weights: Weights, rows: list[int], taken: frozenset[int] = frozenset()) -> Iterator[dict[int, int]]:
    if not rows:
        yield {}
        return
    row, *rest = rows
    for column in sorted(column for other, column in weights if other == row and weights[other, column]):
        if column not in taken:
            yield from ({row: column} | later for later in all_assignments(weights, rest, taken | {column}))
    yield from all_assignments(weights, rest, taken)


def total(weights: Weights, assignment: Mapping[int, int]) -> int | Fraction:
    return sum((weights[pair] for pair in assignment.items()), Fraction(0))


def first_of_the_greatest(weights: Weights) -> dict[int, int]:
    """`all_assignments` yields them in the order of the rule, and `max` takes the first."""
    rows = sorted({row for row, _ in weights})
    return max(all_assignments(weights, rows), key=lambda assignment: total(weights, assignment))


@given(SMALL | FRACTIONS)
def test_it_is_the_first_of_the_greatest(weights: Weights) -> None:
    assignment = greatest_assignment(weights)
    assert assignment == first_of_the_greatest(weights)
    assert list(assignment) == sorted(assignment)


@given(SMALL | FRACTIONS)
def test_any_greatest_one_weighs_as_much(weights: Weights) -> None:
    assert total(weights, any_greatest_assignment(weights)) == total(weights, greatest_assignment(weights))


@given(SMALL | FRACTIONS)
def test_pairs_in_columns_weigh_as_much(weights: Weights) -> None:
    above_zero = {pair: Fraction(weight) for pair, weight in weights.items() if weight}
    columns = [(*pair, weight.numerator, weight.denominator) for pair, weight in above_zero.items()]
    chosen = any_greatest_pairs(*np.array(columns, np.int64).reshape(-1, 4).T).tolist()
    names = list(above_zero)
    assignment = dict(names[rank] for rank in chosen)
    assert len(assignment) == len(set(assignment.values())) == len(chosen)
    assert total(weights, assignment) == total(weights, greatest_assignment(weights))


@pytest.mark.parametrize("more", [1, 0, -1])
def test_pairs_that_floats_do_not_tell_apart_are_weighed_exactly(more: int) -> None:
    """One pair weighs 1, two others n / (2n + 1) and (n + 1 + more) / (2n + 1), which together are more or less by some 2**-59."""
    half = 1 << 58
    rows, columns, above = [0, 0, 1], [0, 1, 0], [2 * half + 1, half, half + 1 + more]
    chosen = any_greatest_pairs(*np.array([rows, columns, above, [2 * half + 1] * 3], np.int64)).tolist()
    assert sum(above[rank] for rank in chosen) == 2 * half + 1 + max(more, 0)


def tables(rows: int, columns: int, weights: Sequence[int]) -> Iterator[Weights]:
    """All tables of so many rows and columns whose weights are among these."""
    places = list(product(range(rows), range(columns)))
    return (dict(zip(places, filled, strict=True)) for filled in product(weights, repeat=len(places)))


def drawn(rows: int, columns: int, weights: Sequence[int]) -> Iterator[Weights]:
    """500 of them."""
    chance = Random(5)
    return ({place: chance.choice(weights) for place in product(range(rows), range(columns))} for _ in range(500))


@pytest.mark.parametrize(
    "tables",
    [
        tables(3, 3, (0, 1)),
        tables(4, 2, (0, 1)),
        tables(2, 3, (0, 1, 2)),
        tables(3, 2, (0, 1, 2)),
        drawn(4, 4, (0, 1, 2)),
        drawn(5, 4, (0, 0, 1, 1, 2)),
    ],
)
def test_it_is_the_first_of_the_greatest_in_small_tables(tables: Iterator[Weights]) -> None:
    """Weights are so few that most tables have several greatest assignments: rows take one another's columns, or have none."""
    for weights in tables:
        assert greatest_assignment(weights) == first_of_the_greatest(weights)


TRIPLES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(1, 5)), max_size=250, unique_by=lambda triple: triple[:2]
)


@given(TRIPLES.flatmap(lambda triples: st.tuples(st.just(triples), st.permutations(triples))))
def test_the_order_of_pairs_changes_nothing(orders: tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]) -> None:
    one, another = ({(row, column): weight for row, column, weight in order} for order in orders)
    assert greatest_assignment(one) == greatest_assignment(another)


@given(st.lists(st.dictionaries(st.integers(0, 9), st.integers(1, 5), min_size=1), min_size=1, max_size=30))
def test_prices_prove_that_no_assignment_weighs_more(weights: list[dict[int, int]]) -> None:
    solver = Solver(weights, 10)
    for row, columns in enumerate(weights):
        for column, weight in columns.items():
            assert solver.of_rows[row] + solver.of_columns[column] >= weight
    assigned = [(row, column) for row, column in enumerate(solver.column_of) if column != NONE]
    assert sorted((row, column) for column, row in enumerate(solver.row_of) if row != NONE) == assigned
    assert min(solver.of_rows) >= 0
    assert min(solver.of_columns) >= 0
    weighed = sum(weights[row][column] for row, column in assigned)
    assert weighed == sum(solver.of_rows) + sum(solver.of_columns)


def test_weights_are_exact() -> None:
    """1/3 + 2/3 is 1, and with floats 0.1 + 0.2 would be more than 0.3."""
    weights = {(0, 0): Fraction(3, 10), (0, 1): Fraction(1, 10), (1, 0): Fraction(2, 10)}
    assert greatest_assignment(weights) == {0: 0}


@pytest.mark.parametrize("more", [1, -1])
def test_weights_are_exact_whatever_their_denominators(more: int) -> None:
    """Two pairs weigh 1 and an 18th decimal more, or less, than one pair."""
    one, other = Fraction(1, 10**9 + 7), Fraction(1, 10**9 + 9)
    weights: Weights = {(0, 0): 1, (0, 1): one, (1, 0): 1 - one + more * one * other}
    assert greatest_assignment(weights) == ({0: 1, 1: 0} if more > 0 else {0: 0})
    assert any_greatest_assignment(weights) == greatest_assignment(weights)


def test_rows_that_have_their_column_stay_where_they_are() -> None:
    """Row 2 could have 2 if row 0 moved on to another column, which is no longer asked."""
    columns = {0: [2, 3, 4], 1: [0, 1, 2, 3, 4, 5], 2: [0, 2, 3, 4], 3: [0, 2], 4: [0, 1, 4]}
    weights: Weights = {(row, column): 1 for row, own in columns.items() for column in own}
    assert greatest_assignment(weights) == {0: 2, 1: 1, 2: 3, 3: 0, 4: 4} == first_of_the_greatest(weights)


def test_a_column_that_is_left_is_nobodys() -> None:
    """Row 0 takes 0, and row 1 goes on to 3: 1 is free then, and row 2 takes it."""
    weights: Weights = {(0, 0): 2, (0, 1): 1, (1, 0): 2, (1, 3): 1, (2, 1): 2, (2, 2): 2}
    assert greatest_assignment(weights) == {0: 0, 1: 3, 2: 1} == first_of_the_greatest(weights)


def test_a_row_that_is_left_without_a_column_takes_one_again() -> None:
    """Row 0 gives 2 up for row 1, which gives 0 up for row 2: 1 + 1 + 3 is as much as 2 + 2 + 1."""
    weights: Weights = {(0, 1): 1, (0, 2): 2, (1, 0): 2, (1, 2): 1, (2, 0): 3, (2, 3): 1}
    assert greatest_assignment(weights) == {0: 1, 1: 2, 2: 0} == first_of_the_greatest(weights)


def test_of_equal_columns_the_least_number_is_taken() -> None:
    assert greatest_assignment({(0, 8): 1, (0, 16): 1, (1, 0): 1, (1, 16): 1}) == {0: 8, 1: 0}


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="not negative"):
        greatest_assignment({(0, 0): -1})


def test_nothing_has_no_assignment() -> None:
    assert greatest_assignment({}) == {}
    assert greatest_assignment({(0, 0): 0}) == {}

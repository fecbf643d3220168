"""Which of several greatest assignments is taken: the first row gets the least column that it can have, then the second."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from pytest_nlpeval.metrics.augmenting import NONE, Solver


def settle(solver: Solver) -> None:
    """Turn a greatest assignment into the first of all that are: row by row the least column, any before none.

    An assignment is greatest if and only if all its pairs are tight and every row and column with a positive price has a partner. So
    another one is reached from this one along a ring of moves: a row leaves its column for another one with which it is tight, that
    column's row moves on in turn, until one takes the column that the first one left. `OUTSIDE` is a place of the ring as well: there
    are the rows without partner, and there is one stand-in for each column, which may take its column if that has price 0.
    """
    ties = _Ties(solver)
    for row in range(len(solver.weights)):
        ties.settle(row)


OUTSIDE = NONE
"""The place of rows that have no column, as `Solver.column_of` says it."""


class _Ties:
    """The moves that keep an assignment greatest; `settled` is the number of first rows that move no more."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.settled = 0
        self.tight_columns = [
            [column for column, weight in columns.items() if price + solver.of_columns[column] == weight]
            for columns, price in zip(solver.weights, solver.of_rows, strict=True)
        ]
        self.tight_rows: list[list[int]] = [[] for _ in solver.of_columns]
        for row, columns in enumerate(self.tight_columns):
            for column in columns:
                self.tight_rows[column].append(row)

    def settle(self, row: int) -> None:
        """Give the next row the least column that it can have."""
        self.settled = row + 1
        solver, own = self.solver, self.solver.column_of[row]
        better = [
            column
            for column in self.tight_columns[row]
            if (own == NONE or column < own) and (solver.row_of[column] == NONE or solver.row_of[column] > row)
        ]
        if not better:
            return
        onward = self._ways_to(own)
        column = next((column for column in better if column in onward), None)
        if column is not None:
            self._move(row, column, onward)

    def _ways_to(self, goal: int) -> dict[int, int]:
        """Return the places from which moves lead to a place, each with the place after it."""
        onward = {goal: goal}
        queue = deque([goal])
        while queue:
            place = queue.popleft()
            for before in self._places_before(place):
                if before not in onward:
                    onward[before] = place
                    queue.append(before)
        return onward

    def _places_before(self, place: int) -> Iterator[int]:
        """Yield the places whose holder may move to a place; `OUTSIDE` may hold rows, and the stand-ins of columns."""
        solver = self.solver
        if place == OUTSIDE:
            for column, row in enumerate(solver.row_of):
                if row == NONE or (row >= self.settled and not solver.of_rows[row]):
                    yield column
            return
        yield from (solver.column_of[row] for row in self.tight_rows[place] if row >= self.settled)
        if not solver.of_columns[place]:
            yield OUTSIDE

    def _move(self, row: int, column: int, onward: dict[int, int]) -> None:
        """Let a row take a column, and the holders of all places on the way to the row's own place move on."""
        solver, own = self.solver, self.solver.column_of[row]
        place, movers = column, [(row, column)]
        while place != own:
            following = onward[place]
            movers.append((self._holder(place, following), following))
            place = following
        for mover, taken in movers:
            if taken != OUTSIDE:
                solver.row_of[taken] = mover
            if mover != NONE:
                solver.column_of[mover] = taken

    def _holder(self, place: int, following: int) -> int:
        """Return the row at a place that moves to the following one; `NONE` for the stand-in of a column."""
        if place != OUTSIDE:
            return self.solver.row_of[place]
        outside = (row for row in self.tight_rows[following] if row >= self.settled and self.solver.column_of[row] == NONE)
        return next(outside, NONE)

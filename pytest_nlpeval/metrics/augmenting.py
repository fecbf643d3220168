"""Augmenting paths: how the rows of a connected component find their columns one after the other (`metrics.assignment`)."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

NONE = -1


class Solver:
    """An assignment of greatest total weight, and the prices that prove it.

    `weights[row]` maps columns, from 0 to `columns` - 1, to positive integers. Afterwards `column_of` and `row_of` are the assignment,
    `NONE` for a row or column without partner, and the prices `of_rows`, `of_columns` are integers from 0 with these properties:

    - of_rows[r] + of_columns[c] >= weights[r][c], and equal where r and c are assigned to each other (the pair is *tight*);
    - a row or column without partner has price 0.

    So the sum of all prices is the total weight, and no assignment weighs more.
    """

    def __init__(self, weights: Sequence[dict[int, int]], columns: int) -> None:
        self.weights = weights
        self.of_rows = [max(row.values()) for row in weights]
        self.of_columns = [0] * columns
        self.column_of = [NONE] * len(weights)
        self.row_of = [NONE] * columns
        for row in range(len(weights)):
            if not self._take_free(row):
                self._augment(row)

    def _take_free(self, row: int) -> bool:
        """Give a row a free column of its greatest weight, the first one, if there is any."""
        price = self.of_rows[row]
        for column, weight in self.weights[row].items():
            if self.row_of[column] == NONE and weight == price:
                self.column_of[row], self.row_of[column] = column, row
                return True
        return False

    def _augment(self, start: int) -> None:
        """Let a row in: along a shortest path to a free column, or to a row that goes without, itself perhaps.

        The length of a step from a row to a column is of_rows + of_columns - weight; that of a step back to its row is 0. A row that
        goes without costs its price.
        """
        search = _Search(self)
        row, length = start, 0
        out, end = start, self.of_rows[start]  # the row that goes without, and the length of the path to that
        column = NONE
        while True:
            search.look_from(row, length, end)
            length, column = search.nearest(end)
            if column == NONE:
                break
            row = self.row_of[column]
            if row == NONE:
                out, end = NONE, length
                break
            if length + self.of_rows[row] < end:
                out, end = row, length + self.of_rows[row]
        self._reprice(start, end, search.done)
        if out != NONE:
            column, self.column_of[out] = self.column_of[out], NONE
        if out != start:
            self._shift(start, column, search.before)

    def _reprice(self, start: int, end: int, done: dict[int, int]) -> None:
        """Change the prices so that all pairs of the path are tight."""
        self.of_rows[start] -= end
        for column, length in done.items():
            if length < end:
                self.of_columns[column] += end - length
                self.of_rows[self.row_of[column]] -= end - length

    def _shift(self, start: int, column: int, before: dict[int, int]) -> None:
        """Give each column of the path that ends in `column` to the row before it."""
        while True:
            row = before[column]
            previous = self.column_of[row]
            self.column_of[row], self.row_of[column] = column, row
            if row == start:
                return
            column = previous


class _Search:
    """Finds columns in the order of their distances: `done` has the final ones, `before` the row from which a column was reached."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.done: dict[int, int] = {}
        self.before: dict[int, int] = {}
        self._distance: dict[int, int] = {}
        self._heap: list[tuple[int, int]] = []

    def look_from(self, row: int, length: int, end: int) -> None:
        """Note the columns that a row at this distance reaches before `end`."""
        base, of_columns = length + self.solver.of_rows[row], self.solver.of_columns
        for column, weight in self.solver.weights[row].items():
            reached = base + of_columns[column] - weight
            if column not in self.done and reached < self._distance.get(column, end):
                self._distance[column], self.before[column] = reached, row
                heappush(self._heap, (reached, column))

    def nearest(self, end: int) -> tuple[int, int]:
        """Return the distance of the nearest column that is not done, and the column; `NONE` if none is nearer than `end`."""
        while self._heap:
            length, column = heappop(self._heap)
            if length >= end:
                break
            if column not in self.done:
                self.done[column] = length
                return length, column
        return end, NONE

"""What a task draws that is a table: matrices of counts, and bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, ClassVar, NamedTuple

from pytest_nlpeval.graphs import Bars, Graph, Matrix
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.reports.drawing import Picture, picture
from pytest_nlpeval.reports.model import SuiteReport

OPEN_BARS = 25
"""How many rows of bars are open; the others are folded."""

SHADES = 5
"""How many shades the style sheet has for the cells of a matrix."""

HEATS = 4
"""How many shades of either colour the style sheet has for changes: what is worse, and what is better."""


class Cell(NamedTuple):
    """A count of a matrix, the shade of its share of the row's, from 0 to `SHADES`, and whether row and column have the same name.

    `before` is the baseline's count, None without one. `heat` is the shade of the change, from 0 for none to `HEATS` for the greatest of
    the matrix.
    """

    number: int
    shade: int
    is_same: bool
    before: int | None = None
    heat: int = 0

    @property
    def change(self) -> int:
        """How many more there are than in the baseline."""
        return 0 if self.before is None else self.number - self.before

    @property
    def is_worse(self) -> bool:
        """Whether there are more wrong answers, or fewer right ones, than in the baseline."""
        return self.change < 0 if self.is_same else self.change > 0


class MatrixRow(NamedTuple):
    """A row of a matrix."""

    name: str
    cells: Sequence[Cell]
    total: int


class SystemMatrix(NamedTuple):
    """The matrix of one system, with the sums of its columns."""

    system: str
    columns: Sequence[str]
    rows: Sequence[MatrixRow]
    totals: Sequence[int]

    @property
    def is_compared(self) -> bool:
        """Whether the cells have the baseline's counts."""
        return any(cell.before is not None for row in self.rows for cell in row.cells)


@light_dataclass(frozen=True, slots=True)
class MatrixView:
    """The matrices of one name, of one or several systems; `rows` and `columns` say what either side is."""

    title: str
    meaning: str
    rows: str
    columns: str
    systems: Sequence[SystemMatrix]
    kind: ClassVar = "matrix"


class Bar(NamedTuple):
    """A bar: its value, or None, and where it begins and how long it is, in percent of the axis; `past` is the baseline's."""

    value: float | None
    start: str
    length: str
    past: bool = False


BarsRow = tuple[str, Sequence[Bar]]


@light_dataclass(frozen=True, slots=True)
class BarsView:
    """The bars of one name, of one or several systems: for each name of `rows` a bar of each system.

    Of many rows those with the longest bars come first, and the others are `folded`.
    """

    title: str
    meaning: str
    axis: str
    systems: Sequence[str]
    rows: Sequence[BarsRow]
    folded: Sequence[BarsRow]
    kind: ClassVar = "bars"


Drawn = Picture | MatrixView | BarsView


def drawings(suites: Sequence[tuple[str, SuiteReport]]) -> list[Drawn]:
    """Return one drawing for each name that any of the suites draws something of; each is given with the name of its system."""
    alike: dict[tuple[type, str], list[tuple[str, Any]]] = {}
    for system, suite in suites:
        for graph in suite.graphs:
            alike.setdefault((type(graph), graph.name), []).append((system, graph))
    return [_DRAWN[kind](graphs) for (kind, _), graphs in alike.items()]


def _matrices(matrices: Sequence[tuple[str, Matrix]]) -> MatrixView:
    _, first = matrices[0]
    systems = [_of_system(system, matrix) for system, matrix in matrices]
    return MatrixView(first.title, first.meaning, first.rows, first.columns, systems)


def _of_system(system: str, matrix: Matrix) -> SystemMatrix:
    columns, numbers = matrix.column_names, matrix.numbers
    before = matrix.before or [[None] * len(columns)] * len(numbers)
    rows = [_matrix_row(name, columns, row, then) for name, row, then in zip(matrix.row_names, numbers, before, strict=True)]
    greatest = max((abs(cell.change) for row in rows for cell in row.cells), default=0)
    rows = [row._replace(cells=[_heated(cell, greatest) for cell in row.cells]) for row in rows]
    return SystemMatrix(system, columns, rows, [sum(column) for column in zip(*numbers, strict=True)])


def _matrix_row(name: str, columns: Sequence[str], row: Sequence[int], before: Sequence[int | None]) -> MatrixRow:
    total = sum(row)
    cells = [
        Cell(count, _shade(count, total), name == column, then) for column, count, then in zip(columns, row, before, strict=True)
    ]
    return MatrixRow(name, cells, total)


def _heated(cell: Cell, greatest: int) -> Cell:
    return cell._replace(heat=ceil(HEATS * abs(cell.change) / greatest) if greatest else 0)


def _shade(count: int, total: int) -> int:
    return ceil(SHADES * count / total) if total else 0


def _bars(charts: Sequence[tuple[str, Bars]]) -> BarsView:
    _, first = charts[0]
    low, high = min(chart.axis.low for _, chart in charts), max(chart.axis.high for _, chart in charts)
    values = [dict(chart.bars) for _, chart in charts]
    names = dict.fromkeys(name for system in values for name in system)
    rows = [(name, [bar(system.get(name), low, high) for system in values]) for name in names]
    if len(rows) > OPEN_BARS:
        rows.sort(key=lambda row: max(bar.value for bar in row[1] if bar.value is not None), reverse=True)
    systems = [system for system, _ in charts]
    if len(charts) == 1 and first.before:
        then = dict(first.before)
        rows = [(name, [*bars, bar(then.get(name), low, high)._replace(past=True)]) for name, bars in rows]
        systems.append("baseline")
    return BarsView(first.title, first.meaning, first.axis.label, systems, rows[:OPEN_BARS], rows[OPEN_BARS:])


def bar(value: float | None, low: float, high: float) -> Bar:
    """Return the bar of a value on an axis: from 0, where the axis has it, or else from the end of the axis that is nearer to 0.

    >>> bar(-0.5, -1, 1)
    Bar(value=-0.5, start='25.0', length='25.0', past=False)
    """

    def share(place: float) -> float:
        return (min(high, max(low, place)) - low) / (high - low) if high > low else 0.0

    if value is None:
        return Bar(None, "", "")
    start, end = sorted((share(0), share(value)))
    return Bar(value, f"{100 * start:.1f}", f"{100 * (end - start):.1f}")


_DRAWN: Mapping[type, Callable[[Sequence[tuple[str, Any]]], Drawn]] = {Graph: picture, Matrix: _matrices, Bars: _bars}
"""What shows the drawings of one name, by their type."""

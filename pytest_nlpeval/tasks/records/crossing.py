"""The greatest pairs of two lists that do not cross.

Sources: Needleman and Wunsch, A general method applicable to the search for similarities in the amino acid sequence of two proteins, 1970.
"""

from __future__ import annotations

from collections.abc import Sequence


def greatest_in_order(weights: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the pairs of row and column, both ascending, whose sum of weights is greatest; pairs of weight 0 are none.

    Time and room: rows times columns.

    >>> greatest_in_order([[1, 3], [2, 0]])
    [(0, 1)]
    >>> greatest_in_order([[2, 3], [0, 2]])
    [(0, 0), (1, 1)]
    """
    if not weights:
        return []
    columns = len(weights[0])
    table = [[0] * (columns + 1)]
    for row in weights:
        before, line = table[-1], [0]
        for column, weight in enumerate(row):
            line.append(max(before[column + 1], line[column], before[column] + weight))
        table.append(line)
    pairs: list[tuple[int, int]] = []
    row, column = len(weights), columns
    while row and column:
        if table[row][column] == table[row - 1][column]:
            row -= 1
        elif table[row][column] == table[row][column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            pairs.append((row, column))
    return pairs[::-1]

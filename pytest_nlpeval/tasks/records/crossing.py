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
    last, end = len(weights), columns
    while last and end:
        if table[last][end] == table[last - 1][end]:
            last -= 1
        elif table[last][end] == table[last][end - 1]:
            end -= 1
        else:
            last, end = last - 1, end - 1
            pairs.append((last, end))
    return pairs[::-1]

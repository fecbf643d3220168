"""Numbers that a file has as text."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_nlpeval.kit.records import BLANKS
from pytest_nlpeval.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

GREATEST = 1e100
"""The greatest magnitude of a number in a file of items."""

_NOT_OF_NUMBERS = re.compile(r"[^0-9+\-.eE]")


def decimals_of(cells: Sequence[str]) -> NDArray[np.float64]:
    """Return the numbers of the cells of a table, shape `(cells,)`, NaN where one is no decimal such as `-1.5e3`.

    >>> decimals_of(["1e3", " .5 ", "0x1"]).tolist()
    [1000.0, 0.5, nan]
    """
    try:
        if not _NOT_OF_NUMBERS.search("+".join(cells)):
            return np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        pass
    return np.array([decimal(cell.strip(BLANKS)) for cell in cells], np.float64)


_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def decimal(text: str) -> float:
    """Return the double nearest to a decimal, NaN for text that is none."""
    return float(text) if _DECIMAL.fullmatch(text) else math.nan

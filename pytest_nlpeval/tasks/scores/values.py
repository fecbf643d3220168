"""What the cells of a result say: a number, or no value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.kit.numbers import GREATEST, decimal, decimals_of
from pytest_nlpeval.kit.records import BLANKS, FAULT, kind_of, text_of
from pytest_nlpeval.wording import quoted

Floats = NDArray[np.float64]

NOTHING = frozenset(("", "nan", "null", "none", "na", "n/a"))
"""What the cells of tables say, in any case, that have no value."""

_TRUTH = {"true": 1.0, "false": 0.0}
_FAULTY = math.inf


def values_of(
    cells: Sequence[Any], meanings: Mapping[str, float | None], tell: Callable[[int, str], None], *, is_json: bool
) -> Floats:
    """Return the value of each cell, NaN for none; infinity for a cell that is no number, of which `tell` gets the place and a message.

    `meanings` are the numbers of some texts, None for no value.
    """
    numbers = _plain(cells, is_json=is_json) if not meanings else None
    if numbers is None:
        convert = _of_json if is_json else _of_table
        spoken = {text: math.nan if value is None else value for text, value in meanings.items()}
        memory: dict[Any, float] = {}
        numbers = np.fromiter((_remembered(cell, spoken, memory, convert) for cell in cells), np.float64, len(cells))
    faulty = np.flatnonzero(np.abs(numbers) > GREATEST)
    for place in faulty.tolist():
        if cells[place] != FAULT:
            tell(place, f"{shown(cells[place])} is not a number such as 0.25 or -1e3, of at most 1e100{_hint(meanings)}")
    numbers[faulty] = _FAULTY
    return numbers


def shown(cell: object) -> str:
    """Return a cell as messages quote it."""
    return quoted(cell) if isinstance(cell, str) else kind_of(cell)


def _hint(meanings: Mapping[str, float | None]) -> str:
    return f", nor one of {', '.join(map(quoted, list(meanings)[:5]))}" if meanings else "; say what texts mean by `values`"


_NUMBERS = frozenset((float, int, bool))


def _plain(cells: Sequence[Any], *, is_json: bool) -> Floats | None:
    """Return the values of cells that are all numbers or, in JSON, nothing; None if some are anything else."""
    if not is_json:
        numbers = decimals_of(cells)
        return None if np.isnan(numbers).any() else numbers
    kinds = set(map(type, cells))
    if kinds <= _NUMBERS:
        return np.fromiter(cells, np.float64, len(cells))
    if kinds <= _NUMBERS | {type(None)}:
        return np.fromiter((math.nan if cell is None else cell for cell in cells), np.float64, len(cells))
    return None


def _remembered(
    cell: Any, spoken: Mapping[str, float], memory: dict[Any, float], convert: Callable[[Any, Mapping[str, float]], float]
) -> float:
    if type(cell) is not str:
        return convert(cell, spoken)
    if cell not in memory:
        memory[cell] = convert(cell, spoken)
    return memory[cell]


def _of_table(cell: str, spoken: Mapping[str, float]) -> float:
    text = cell.strip(BLANKS)
    if text in spoken:
        return spoken[text]
    folded = text.lower()
    if folded in NOTHING or cell == FAULT:
        return math.nan
    number = _TRUTH.get(folded, decimal(text))
    return _FAULTY if math.isnan(number) else number


def _of_json(cell: Any, spoken: Mapping[str, float]) -> float:
    if isinstance(cell, str | int) and (text := text_of(cell)) in spoken:
        return spoken[text]
    if cell is None or (isinstance(cell, str) and not cell.strip(BLANKS)):
        return math.nan
    return float(cell) if isinstance(cell, int | float) else _FAULTY


_NO_ERROR = frozenset(("", "0", "false", "none", "null", "nan"))
_NO_ERROR_IN_JSON: tuple[object, ...] = (None, False, 0, "", [], {})


def says_error(cell: Any, *, is_json: bool) -> bool:
    """Whether the cell of the field `error` says that a record has failed."""
    if is_json:
        return cell not in _NO_ERROR_IN_JSON and not (isinstance(cell, float) and math.isnan(cell))
    return cell != FAULT and cell.strip(BLANKS).lower() not in _NO_ERROR

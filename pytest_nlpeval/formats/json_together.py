"""Lines of JSON that are parsed together as one list: what their bytes tell before, by numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from pytest_nlpeval.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bytes: TypeAlias = "NDArray[np.uint8]"

SURELY_EXACT = 15
"""A whole number of so many characters is within all limits."""

BETWEEN = ",\n"
"""What stands between lines that are parsed together. No line has a line feed: so each one that is there ends a line."""


def together(lines: Sequence[str]) -> str:
    """Return lines as one list."""
    return f"[{BETWEEN.join(lines)}]"


def bytes_of(text: str) -> Bytes:
    """Return the bytes of a text in UTF-8."""
    return np.frombuffer(text.encode(), np.uint8)


def number_of(character: str, data: Bytes) -> int:
    """Return how often an ASCII character stands in bytes."""
    return int(np.count_nonzero(data == ord(character)))


def has_braces_at_ends(data: Bytes) -> bool:
    """Whether each of the lines that are parsed together has a brace at either end, and no other."""
    breaks = np.flatnonzero(data == ord("\n"))
    starts, ends = np.append(1, breaks + 1), np.append(breaks - len(BETWEEN), len(data) - 2)
    braces = (("{", starts), ("}", ends))
    return all(np.array_equal(np.flatnonzero(data == ord(brace)), places) for brace, places in braces)


def has_short_numbers(data: Bytes) -> bool:
    """Whether no number in a text has an exponent or 16 digits in a row, so that all are within all limits.

    What looks so in a string counts as well: the numbers are looked at one by one then.
    """
    runs = data - ord("0") < 10  # what is less than "0" becomes a large number
    if (runs[:-1] & ((data[1:] == ord("e")) | (data[1:] == ord("E")))).any():
        return False
    for length in (1, 2, 4, 8):  # of which `runs` says where so many digits begin: at last, of 16
        runs = runs[:-length] & runs[length:]
    return not runs.any()

"""Lines of JSON that are parsed together as one list: what their bytes tell before, by numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pytest_nlpeval.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bytes: TypeAlias = "NDArray[np.uint8]"

SURELY_EXACT = 15
"""A whole number of so many characters is within all limits."""


def bytes_of(lines: bytes) -> Bytes:
    """Return the bytes of lines one by one."""
    return np.frombuffer(lines, np.uint8)


def number_of(character: str, data: Bytes) -> int:
    """Return how often an ASCII character stands in bytes."""
    return int(np.count_nonzero(data == ord(character)))


def has_braces_at_ends(data: Bytes) -> bool:
    """Whether each of some lines, between which line feeds stand, has a brace at either end, and no other."""
    if not data.size or data[0] != ord("{") or data[-1] != ord("}"):
        return False
    breaks = np.flatnonzero(data == ord("\n"))
    are_at_ends = (data[breaks - 1] == ord("}")).all() and (data[breaks + 1] == ord("{")).all()
    return bool(are_at_ends) and number_of("{", data) == number_of("}", data) == len(breaks) + 1


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

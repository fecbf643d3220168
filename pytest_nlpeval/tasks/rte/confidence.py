"""Confidences as exact, ordered integers.

A confidence has at most 8 characters, so at most 7 significant digits, and an exponent down to -99999: beyond what a float can tell
apart. Its key is `(p + 100,100) * 10**8 + d` for the value `0.d * 10**p` with d of 8 digits, and 0 for 0. Two keys compare as
the two decimals do: `1`, `1.0` and `1.000` are equal.
"""

from __future__ import annotations

import re
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

NONE = -1
MAX_LENGTH = 8
_SYNTAX = re.compile(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_OFFSET = 100_100
_SCALE = 10**8


def confidence_key(text: str) -> int | None:
    """Return the key of a confidence, or None if it is none: not a plain decimal in [0, 1] of at most 8 characters."""
    if len(text) > MAX_LENGTH or not _SYNTAX.fullmatch(text):
        return None
    value = Decimal(text)
    if not value:
        return 0
    if value > 1:
        return None
    digits = "".join(map(str, value.as_tuple().digits))
    return (value.adjusted() + 1 + _OFFSET) * _SCALE + int(digits.ljust(8, "0"))


def keys_of_decimals(mantissas: NDArray[np.int64], decimals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the keys of `mantissa / 10**decimals` (at most 7 decimals), as `confidence_key` does; `NONE` for values above 1."""
    powers = 10 ** np.arange(9, dtype=np.int64)
    scaled = mantissas * powers[7 - decimals]
    digits = np.searchsorted(powers, np.minimum(scaled, powers[8] - 1), side="right")
    keys = (digits - 7 + _OFFSET) * _SCALE + scaled * powers[8 - digits]
    return np.where(scaled > powers[7], NONE, np.where(scaled == 0, 0, keys))

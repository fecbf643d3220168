"""Confidences as exact, ordered integers.

A confidence has at most 8 characters: at most 7 significant digits, and an exponent down to -99999, which floats cannot tell apart.
The key of the value `0.d * 10**p`, where d has 8 digits, is `(p + 100,100) * 10**8 + d`; the key of 0 is 0. Two keys compare as the
two decimals do: `1`, `1.0` and `1.000` are equal.
"""

from __future__ import annotations

import re
from decimal import Context, Decimal
from functools import lru_cache

NONE = -1
MAX_LENGTH = 8
_SYNTAX = re.compile(r"(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")
_OFFSET = 100_100
_SCALE = 10**8
_ONE = (1 + _OFFSET) * _SCALE + _SCALE // 10
_EXACT = Context(prec=MAX_LENGTH)


@lru_cache(maxsize=1 << 14)
def confidence_key(text: str) -> int | None:
    """Return the key of a confidence; None for any text but a plain decimal in [0, 1] of at most 8 characters.

    >>> confidence_key("0.25"), confidence_key(".250"), confidence_key("1.5")
    (10010025000000, 10010025000000, None)
    """
    match = _SYNTAX.fullmatch(text)
    if len(text) > MAX_LENGTH or not match:
        return None
    whole, fraction, exponent = match.groups("")
    digits = (whole + fraction).lstrip("0")
    power = len(digits) - len(fraction) + int(exponent or 0)
    key = (power + _OFFSET) * _SCALE + int(digits.ljust(8, "0")) if digits else 0
    return key if key <= _ONE else None


def confidence_text(key: int) -> str:
    """Return the shortest way to write the confidence with that key.

    >>> confidence_text(10010025000000)
    '0.25'
    """
    power, digits = divmod(key, _SCALE)
    return str(Decimal(digits).scaleb(power - _OFFSET - 8, _EXACT).normalize(_EXACT)) if key else "0"

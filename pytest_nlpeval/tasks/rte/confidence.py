"""Confidences as ordered floats: two keys compare exactly as the two decimals do.

A confidence has at most 8 characters, so at most 7 significant digits: different ones from `1e-300` on are different floats, and their
keys are these floats (`1`, `1.0` and `1.000` are equal). Smaller ones, down to `1e-99999`, are not floats any more; their keys lie between
0 and `1e-300`, in their order.
"""

from __future__ import annotations

import re
from decimal import Decimal

NONE = -1.0
MAX_LENGTH = 8
SYNTAX = r"(?=\.?[0-9])[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?"
"""What a confidence looks like, as a regular expression; its length and value are checked by `confidence_key`."""

_SYNTAX = re.compile(SYNTAX)
_LEAST = 1e-300
_LOWEST_POWER = -100_000


def confidence_key(text: str) -> float | None:
    """Return the key of a confidence, in [0, 1]; None for any text but a plain decimal in [0, 1] of at most 8 characters.

    >>> confidence_key("0.25"), confidence_key(".250"), confidence_key("1.5")
    (0.25, 0.25, None)
    """
    return key_of_decimal(text) if _SYNTAX.fullmatch(text) else None


def key_of_decimal(text: str) -> float | None:
    """Return the key of a text that matches `SYNTAX`; None if it is too long or above 1."""
    value = float(text)
    if len(text) > MAX_LENGTH or value > 1:
        return None
    return value if value >= _LEAST else _tiny(Decimal(text))


def _tiny(value: Decimal) -> float:
    """Return the key of a decimal below `1e-300`: the greater power of ten counts first, then the digits."""
    if not value:
        return 0.0
    power = value.adjusted()
    return _LEAST * (power - _LOWEST_POWER + float(value.scaleb(-power)) / 10) / -_LOWEST_POWER


def confidence_text(key: float) -> str:
    """Return the shortest way to write the confidence with that key; of a tiny one, that it is tiny.

    >>> confidence_text(0.25), confidence_text(0.0)
    ('0.25', '0')
    """
    return f"{key:.7g}" if key == 0 or key >= _LEAST else f"below {_LEAST:g}"

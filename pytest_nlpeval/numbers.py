"""Numbers as people read them, the same in every format: so many decimals, one minus, one word for nothing.

Programs read the JSON report and CSV, which have every digit. Text that these functions return needs no escaping.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

TOLERANCE = 1e-12
"""By how much a value may miss a limit: the noise of floats."""

DECIMALS = 3
"""Of shares and other measured numbers: at 400 items an interval is 0.04 wide to either side, a fourth digit says nothing."""

MOST_DECIMALS = 12
"""Where fewer would show two numbers that differ as the same; `TOLERANCE` has as many."""

BEYOND_CHANCE = "more than chance explains"
MAY_BE_CHANCE = "may be chance"
"""What a difference is whose p is at most alpha, and one whose p is above."""

NOTHING = "–"
"""Stands for a number that does not exist."""

MINUS = "−"


def figure(value: float | None, apart_from: Iterable[float] = ()) -> str:
    """Return a value: a count as it is, any other number with three decimals, or with as many as tell it from the numbers `apart_from`.

    >>> figure(0.69), figure(1234), figure(None), figure(0.69996, apart_from=[0.7])
    ('0.690', '1,234', '–', '0.69996')
    """
    if value is None:
        return NOTHING
    limits = [limit for limit in apart_from if abs(limit - value) > TOLERANCE]
    decimals = DECIMALS
    while decimals < MOST_DECIMALS and any(_fixed(limit, decimals) == _fixed(value, decimals) for limit in limits):
        decimals += 1
    return _fixed(value, DECIMALS if decimals == MOST_DECIMALS and not limits else decimals)


def _fixed(value: float, decimals: int) -> str:
    """Return a number with so many decimals, an integer without; what rounds to 0 has no sign."""
    if isinstance(value, int):
        return f"{value:,}".replace("-", MINUS)
    text = f"{value:,.{decimals}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text.replace("-", MINUS)


def difference(value: float | None) -> str:
    """Return a drop or a distance: `0` for exactly nothing, more decimals where three would show nothing.

    >>> difference(0.2236), difference(0.0), difference(-0.00002), difference(3)
    ('0.224', '0', '−0.00002', '3')
    """
    if value is None:
        return NOTHING
    return "0" if abs(value) <= TOLERANCE else figure(value, apart_from=[0.0])


def change(value: float | None) -> str:
    """Return a difference with its sign: `+13`, `−0.021`, `0`."""
    text = difference(value)
    return f"+{text}" if value is not None and value > TOLERANCE else text


def exactly(value: float) -> str:
    """Return a number as a configuration has it: every digit, and no exponent.

    >>> exactly(0.8), exactly(3.0), exactly(0.00001), exactly(1234567.5)
    ('0.8', '3', '0.00001', '1234567.5')
    """
    text = f"{Decimal(repr(float(value))):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def interval(low: float | None, high: float | None) -> str:
    """Return the ends of an interval of drops, `[0.085, 0.198]`; "" for none."""
    return "" if low is None or high is None else f"[{figure(low)}, {figure(high)}]"


def p_value(p: float | None) -> str:
    """Return a p-value with three decimals; "" for none.

    >>> p_value(0.0121), p_value(0.0001), p_value(1.0), p_value(None)
    ('0.012', '< 0.001', '> 0.99', '')
    """
    if p is None:
        return ""
    if p > 0.99:
        return "> 0.99"
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"


def p_equation(p: float) -> str:
    """Return what a sentence says of a p-value: `p = 0.012`, `p < 0.001`."""
    text = p_value(p)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def count(number: int) -> str:
    """Return a number of things: `1,234`."""
    return f"{number:,}"


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day(written: str) -> str:
    """Return the day of a date in ISO's form, which a time may follow, in words; any other text as it is.

    >>> day("2026-11-25"), day("2026-11-25T09:12:00+01:00"), day("long ago")
    ('25 Nov 2026', '25 Nov 2026', 'long ago')
    """
    try:
        then = date.fromisoformat(written[:10])
    except ValueError:
        return written
    return f"{then.day} {_MONTHS[then.month - 1]} {then.year}"


def short_commit(name: str) -> str:
    """Return the first seven digits of a commit's name."""
    return name[:7]

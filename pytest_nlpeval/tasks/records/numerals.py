"""Numbers and dates that are written in texts."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction

MOST_CHARACTERS = 400
_DIGITS = re.compile(
    r"(?:[0-9]++|[0-9]{1,3}(?:,[0-9]{3})++)(?:\.[0-9]*+)?(?:[eE][+-]?[0-9]{1,3})?|\.[0-9]++(?:[eE][+-]?[0-9]{1,3})?"
)
_DATE = re.compile(
    r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?|(?P<compact>[0-9]{4}))?"
    r"(?:[T ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}(?:\.[0-9]{1,100})?))?"
    r"(?P<zone>Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_GREATEST_EXPONENT = 400
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def number_in(text: str) -> Decimal | None:
    """Return the number that a text is, exactly; None if it is none.

    White space and signs of currencies (category Sc) do not count at either end and behind the sign. There may be a sign, then ASCII
    digits, or groups of them (`1,234`), a fraction and an exponent from -400 to 400.

    >>> number_in("-$1,234.50"), number_in("12 %"), number_in("1e3")
    (Decimal('-1234.50'), None, Decimal('1E+3'))
    """
    if len(text) > MOST_CHARACTERS:
        return None
    signed = _without_currency(text)
    digits = _without_currency(signed[1:] if signed.startswith(("+", "-")) else signed)
    if not _DIGITS.fullmatch(digits):
        return None
    exponent = digits.lower().partition("e")[2]
    if exponent and abs(int(exponent)) > _GREATEST_EXPONENT:
        return None
    return Decimal(("-" if signed.startswith("-") else "") + digits.replace(",", ""))


def _without_currency(text: str) -> str:
    """Return a text without white space and signs of currencies at either end."""
    start, end = 0, len(text)
    while start < end and _is_around(text[start]):
        start += 1
    while end > start and _is_around(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_around(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) == "Sc"


Instant = tuple[str, int | Fraction]
"""The precision of a date and the number of its units: of years, months, days, or seconds of local time or of universal time."""


def date_in(text: str) -> Instant | None:
    """Return the date or instant that a text is; None if it is none, or there is no such day or time.

    Two dates are equal if their precision is and they mean the same time. A time of 0:00 without a zone is none.

    >>> date_in("2024-03-01T00:00"), date_in("20240301")
    (('day', 738946), ('day', 738946))
    >>> date_in("2024-03-01T01:00+01:00") == date_in("2024-03-01 00:00:00Z")
    True
    """
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day = int(match["year"]), match["month"], match["day"]
    if match["compact"]:
        month, day = match["compact"][:2], match["compact"][2:]
    if day and _is_day(year, int(month), int(day)):
        days = _day_number(year, int(month), int(day))
        return _of_time(days, match) if match["hour"] else ("day", days)
    if day or match["hour"]:
        return None
    return _of_months(year, int(month)) if month else ("year", year)


def _of_months(year: int, month: int) -> Instant | None:
    return ("month", year * len(_DAYS) + month) if 1 <= month <= len(_DAYS) else None


def _is_day(year: int, month: int, day: int) -> bool:
    return 1 <= month <= len(_DAYS) and 1 <= day <= _days_of(year, month)


def _days_of(year: int, month: int) -> int:
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 28 if month == 2 and not is_leap else _DAYS[month - 1]


def _day_number(year: int, month: int, day: int) -> int:
    """Return a number of days that ascends by one from day to day."""
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400 + sum(_days_of(year, m) for m in range(1, month)) + day


def _of_time(days: int, match: re.Match[str]) -> Instant | None:
    hour, minute, second = int(match["hour"]), int(match["minute"]), Fraction(match["second"] or 0)
    if hour > 23 or minute > 59 or second >= 60:
        return None
    seconds = days * 86400 + hour * 3600 + minute * 60 + second
    zone = match["zone"]
    if not zone:
        return ("local second", seconds) if hour or minute or second else ("day", days)
    offset = 0
    if zone != "Z":
        digits = zone[1:].replace(":", "")
        hours, minutes = int(digits[:2]), int(digits[2:] or 0)
        if hours > 23 or minutes > 59:
            return None
        offset = (hours * 60 + minutes) * 60 * (-1 if zone[0] == "-" else 1)
    return "second", seconds - offset

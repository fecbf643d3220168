"""Numbers as text: scores, grades and ranks, each of very many at once."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np

from pytest_nlpeval.tasks.ranking.ids import Flags, Ids, Integers
from pytest_nlpeval.tasks.ranking.lists import Values
from pytest_nlpeval.wording import quoted

_NUMBER = re.compile(rb"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(rb"[+-]?0*([0-9]{1,16})")

Faults = list[tuple[int, str]]
"""Rows that are no numbers, each with what stands there, as messages quote it."""


def floats_of(texts: Ids) -> tuple[Values, Faults]:
    """Return decimal numbers as doubles; what is no finite one is a fault, and NaN.

    >>> floats_of(Ids.of(["1.5", "-2e1", ".5", "nan", "1_0", "1e999"]))
    (array([  1.5, -20. ,   0.5,   nan,   nan,   nan]), [(3, '"nan"'), (4, '"1_0"'), (5, '"1e999"')])
    """
    digits = _digits_of(texts)
    values: Values = (
        digits.number / _POWERS[digits.decimals]
    )  # of numbers that doubles hold, so that the quotient is rounded once
    rows = np.flatnonzero(~digits.is_plain)
    if not len(rows):
        return values, []
    others, faults = _parsed(texts.at(rows))
    values[rows] = others
    return values, [(int(rows[row]), text) for row, text in faults]


def _parsed(texts: Ids) -> tuple[Values, Faults]:
    """Return numbers with an exponent or very many digits, and what is none."""
    starts = texts.starts.tolist()
    ends = (texts.starts + texts.lengths).tolist()
    cells = map(texts.text.__getitem__, map(slice, starts, ends))
    try:
        values = np.fromiter(map(float, cells), np.float64, len(starts))
    except ValueError:
        values = np.full(len(starts), np.nan)
    doubtful = np.flatnonzero(~np.isfinite(values) | _has_other_characters(texts)).tolist()
    faults: Faults = []
    for row, text in zip(doubtful, texts.encoded(doubtful), strict=True):
        values[row] = float(text) if _NUMBER.fullmatch(text) else np.nan
        if not math.isfinite(values[row]):
            values[row] = np.nan
            faults.append((row, quoted(text.decode())))
    return values, faults


class _Digits(NamedTuple):
    """Numbers of few digits: without their point, and how many digits are behind it. Others than plain ones are to be read otherwise."""

    number: Integers
    decimals: Integers
    has_point: Flags
    is_plain: Flags


_MOST_CHARACTERS = 16
_POWERS = 10.0 ** np.arange(_MOST_CHARACTERS)
_ZERO, _POINT, _MINUS = b"0.-"


def _digits_of(texts: Ids) -> _Digits:
    codes = np.frombuffer(texts.text, np.uint8)
    lengths, starts = texts.lengths, texts.starts.astype(np.int64)
    number, decimals = np.zeros(len(texts), np.int64), np.zeros(len(texts), np.int8)
    has_point, has_digit = np.zeros((2, len(texts)), np.bool_)
    is_plain, is_negative = lengths <= _MOST_CHARACTERS, np.zeros(len(texts), np.bool_)
    for place in range(min(_MOST_CHARACTERS, int(lengths.max(initial=0)))):
        has_more = lengths > place
        characters = codes[np.where(has_more, starts + place, 0)]
        digits = characters - np.uint8(_ZERO)
        is_digit = has_more & (digits <= 9)
        is_point = has_more & (characters == _POINT)
        if not place:
            is_negative = characters == _MINUS
        is_plain &= ~has_more | is_digit | (is_point & ~has_point) | (is_negative if not place else False)
        number = np.where(is_digit, 10 * number + digits, number)
        decimals += is_digit & has_point
        has_point |= is_point
        has_digit |= is_digit
    return _Digits(np.where(is_negative, -number, number), decimals, has_point, is_plain & has_digit)


def _has_other_characters(texts: Ids) -> Flags:
    """Return which texts hold what `float` reads, and a number may not have: `_` and blanks."""
    if not len(texts):
        return np.zeros(0, np.bool_)
    first, last = int(texts.starts.min()), int((texts.starts + texts.lengths).max())
    codes = np.frombuffer(texts.text, np.uint8, last - first, first)
    places = np.flatnonzero(_OTHERS[codes]) + first
    has_others = np.zeros(len(texts), np.bool_)
    rows = np.searchsorted(texts.starts, places, "right") - 1  # the texts stand in the order of the file
    inside = rows >= 0
    inside[inside] = places[inside] < (texts.starts + texts.lengths)[rows[inside]]
    has_others[rows[inside]] = True
    return has_others


_OTHERS = np.zeros(256, np.bool_)
_OTHERS[list(b"_ \t\x0b\x0c\r\x1c\x1d\x1e\x1f")] = True


def integers_of(texts: Ids) -> tuple[Integers, Flags]:
    """Return whole numbers, and which texts are some, of at most 2**53; others are 0.

    >>> integers_of(Ids.of(["12", "-7", "1.0", "x"]))
    (array([12, -7,  0,  0]), array([ True,  True, False, False]))
    """
    digits = _digits_of(texts)
    is_whole = digits.is_plain & ~digits.has_point & (np.abs(digits.number) <= GREATEST_RANK)
    values = np.where(is_whole, digits.number, 0)
    doubtful = np.flatnonzero(~is_whole).tolist()
    for row, text in zip(doubtful, texts.encoded(doubtful), strict=True):
        match = _WHOLE.fullmatch(text)
        number = int(match[1]) if match else GREATEST_RANK + 1
        is_whole[row] = number <= GREATEST_RANK
        values[row] = (-number if text.startswith(b"-") else number) if is_whole[row] else 0
    return values, is_whole


GREATEST_RANK = 2**53
"""Beyond, a double holds not every whole number."""

"""What JSON files may hold, and where a text has faults that the standard library's parser does not mind."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Self

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.wording import quoted

MAX_DEPTH = 100


@light_dataclass(frozen=True, slots=True)
class Dialect:
    """What a JSON file may hold, and which codes its problems have.

    Whole numbers go from `-greatest` to `greatest`; beyond 2**53 many programs round. In JSON Lines, `objects` demands that each line holds
    an object, `blank_lines` allows blank lines between them, and `blank_start` before the first one. Where `duplicate` is a kind that a
    suite tolerates, the first value of a key counts; where it is "", an object with a key twice is `Repeated`, for the task to look at.
    Where `text` is "", strings may hold half surrogate pairs: names of files have them for bytes that are not UTF-8. With `constants`,
    `NaN`, `Infinity` and `-Infinity`, which Python writes, are read as floats. With `overflows` numbers beyond the greatest are infinite,
    for the task to look at. With `decimals` numbers with a fraction or an exponent are `Decimal`, exactly as they are written; they have at
    most 400 characters and an exponent from -400 to 400.
    """

    syntax: str = "json.syntax"
    duplicate: str = "json.duplicate-key"
    number: str = "json.number"
    text: str = "json.text"
    limit: str = "json.limit"
    greatest: int = 2**53
    objects: bool = False
    blank_lines: bool = False
    blank_start: bool = False
    constants: bool = False
    overflows: bool = False
    decimals: bool = False

    @classmethod
    def of(cls, code: str, duplicate: str = "", **settings: Any) -> Self:
        """Return the dialect with one code for all problems, or with another one for duplicate keys; `settings` are fields."""
        return cls(code, duplicate or code, code, code, code, **settings)


Fault = tuple[str, int, str]
"""The code, the offset and the message of a fault."""


_LONGEST, _GREATEST_EXPONENT = 400, 400


def is_beyond_decimals(digits: str) -> bool:
    """Whether a number is too long to be a decimal, or its exponent too far from 0."""
    exponent = digits.lower().partition("e")[2]
    return len(digits) > _LONGEST or (exponent != "" and abs(int(exponent)) > _GREATEST_EXPONENT)


def is_beyond(digits: str, greatest: int) -> bool:
    """Whether a whole number is beyond the greatest that may be."""
    return len(digits) > _LONGEST or abs(int(digits)) > greatest


_SURROGATE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u(?P<half>[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)


def has_half_pair(text: str) -> bool:
    r"""Whether a JSON text has an escape such as `\ud83d` that is not one of a pair."""
    return ("\\ud" in text or "\\uD" in text) and any(match["half"] for match in _SURROGATE.finditer(text))


_TOKEN = re.compile(r'(?P<string>"(?:[^"\\]++|\\.)*+")(?P<colon>[ \t\r\n]*+:)?|[\[\]{}]|-?(?:NaN|Infinity|[0-9][0-9.eE+-]*+)')


def place_of_depth(text: str) -> int:
    """Return the offset at which a text is nested too deep."""
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += (token.group() in "[{") - (token.group() in "]}")
        if depth > MAX_DEPTH:
            return token.start()
    return 0


def faults(text: str, line: int, dialect: Dialect) -> Iterator[Fault]:
    """Yield each fault of a text that the standard parser accepts, except nesting."""
    breaks = line_breaks(text)
    keys: list[dict[str, int]] = []  # for each open list or object its keys, with the offset of each key
    for token in _TOKEN.finditer(text):
        start, word = token.start(), token.group()
        if word in "[{":
            keys.append({})
        elif word in "]}":
            keys.pop()
        elif not token["string"]:
            yield from ((dialect.number, start, message) for message in _faults_of_number(word, dialect))
        else:
            for match in _SURROGATE.finditer(text, start, token.end("string")):
                if match["half"] and dialect.text:
                    yield dialect.text, match.start(), f"{match.group()} is half a surrogate pair, which is not a character"
            if token["colon"]:
                key = json.loads(token["string"]) if "\\" in word else token["string"][1:-1]
                if key in keys[-1] and dialect.duplicate:
                    first = line + bisect_left(breaks, keys[-1][key])
                    message = f"the key {quoted(key)} appears on line {first} already; keep one of the two"
                    yield dialect.duplicate, start, message
                keys[-1].setdefault(key, start)


def line_breaks(text: str) -> list[int]:
    """Return the offsets of the line feeds: to search among them takes less time than to count anew for each fault."""
    return [match.start() for match in re.finditer("\n", text)]


def _faults_of_number(word: str, dialect: Dialect) -> Iterator[str]:
    if word[-1] in "Ny":
        if not dialect.constants:
            yield f"{word} is not a number in JSON"
    elif dialect.overflows:
        return
    elif word.lstrip("-").isdigit():
        if is_beyond(word, dialect.greatest):
            yield f"{_shortened(word)} is beyond {dialect.greatest:,}, the greatest whole number; write it as a string"
    elif dialect.decimals:
        if is_beyond_decimals(word):
            limits = f"{_LONGEST} characters and an exponent of {_GREATEST_EXPONENT}"
            yield f"{_shortened(word)} is beyond {limits}; write it as a string"
    elif math.isinf(float(word)):
        yield f"{_shortened(word)} is beyond the greatest number"


def _shortened(word: str) -> str:
    return word if len(word) <= 40 else f"{word[:40]}…"

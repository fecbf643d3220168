"""JSON as reports are written, in the bytes of `json.dumps(value, indent=2)`: that of the standard library takes several times as long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from json.encoder import JSONEncoder, encode_basestring_ascii
from math import isfinite
from types import NoneType
from typing import Any

DEEPEST = 5
"""What lies deeper than this is one piece: an explanation of a suite."""

_encode = JSONEncoder(allow_nan=False).encode


def _number(value: float) -> str:
    return repr(value) if isfinite(value) else _encode(value)


_SIMPLE: dict[type, Callable[[Any], str]] = {str: encode_basestring_ascii, int: str, float: _number, NoneType: lambda _: "null"}
"""What writes a value of a type: the encoder of the standard library takes longer to begin."""


def indented(value: Any, line: str = "\n", depth: int = DEEPEST) -> Iterator[str]:
    """Yield a value as JSON in pieces, so that a large report is not in memory twice; `line` begins a line of what it is in.

    Names are texts.

    Raises:
        TypeError, ValueError: for what JSON does not have: other objects, numbers that are not finite.

    >>> print(*indented({"reasons": {"missed": 2}, "first": []}), sep="")
    {
      "reasons": {
        "missed": 2
      },
      "first": []
    }
    """
    if not depth or not value or not isinstance(value, (dict, list, tuple)):
        yield _text(value, line)
        return
    is_object, inner = isinstance(value, dict), line + "  "
    before = ("{" if is_object else "[") + inner
    for part in value:
        yield f"{before}{encode_basestring_ascii(part)}: " if is_object else before
        yield from indented(value[part] if is_object else part, inner, depth - 1)
        before = "," + inner
    yield line + ("}" if is_object else "]")


def _text(value: Any, line: str) -> str:
    if simple := _SIMPLE.get(type(value)):
        return simple(value)
    if not value and isinstance(value, (list, tuple)):
        return "[]"
    inner = line + "  "
    if value and isinstance(value, dict):
        members = [f"{encode_basestring_ascii(name)}: {_text(part, inner)}" for name, part in value.items()]
        return f"{{{inner}{f',{inner}'.join(members)}{line}}}"
    if isinstance(value, (list, tuple)):
        return f"[{inner}{f',{inner}'.join([_text(part, inner) for part in value])}{line}]"
    return _encode(value)

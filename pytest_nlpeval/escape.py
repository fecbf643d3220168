"""Makes text that came from a file safe and readable where a person or a program reads lines.

A file name or a field can hold anything: line breaks, terminal escapes, bidirectional overrides, or `::error`, which a CI
runner obeys. The results keep such text as it is; every place that shows it calls `printable`.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufff9-\uffff\U000e0000-\U000e007f]",
)
_NAMED = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    point = ord(character)
    if 0xDC80 <= point <= 0xDCFF:  # a byte of a file name that is not UTF-8
        return f"\\x{point - 0xDC00:02x}"
    code = f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
    return _NAMED.get(character, code)


def printable(text: str) -> str:
    r"""Return `text` on one line, with nothing in it that a terminal or a CI runner would obey.

    Control, format and surrogate characters become `\n`, `\x1b`, `\u202e`, ...; `::` becomes `:\x3a` and `##[` becomes
    `#\x23[`, the two spellings of a workflow command. The result is always encodable as UTF-8.
    """
    return _UNSAFE.sub(_escaped, text).replace("::", r":\x3a").replace("##[", r"#\x23[")


def quoted(text: str, limit: int = 60) -> str:
    """Return `text` in quotation marks for a message, shortened to `limit` code points."""
    return f'"{text}"' if len(text) <= limit else f'"{text[:limit]}…" ({len(text):,} characters)'

"""How things are said: text from files made safe and readable, numbers, nouns, hints for misspelt names, the line of a problem.

A file name or a field can hold anything: line breaks, terminal escapes, bidirectional overrides, or `::error`, which a CI
runner obeys. The results keep such text as it is; every place that shows it calls `printable`.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pytest_nlpeval.problems import Problem

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


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint for a misspelt name: the names most like it, or else all that are known (the first dozen)."""
    return _nearest(name[:100], tuple(sorted(known)))


@lru_cache(maxsize=1000)  # a file may have the same mistake in every line
def _nearest(name: str, names: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(f'"{other}"' for other in close) + "?"
    shown = ", ".join(names[:12]) + (f", … ({len(names)} in all)" if len(names) > 12 else "")
    return f"known are {shown}" if names else "there are none"


def number(value: float | None) -> str:
    """Return a value as shown: four decimals, counts as they are, `-` for none."""
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.4f}"


def plural(number: int, noun: str) -> str:
    """Return `1 document`, `2 documents`, `1,234 documents`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def problem_line(problem: Problem, root: Path | None = None) -> str:
    """Return `path:line:column: code: message` on one escaped line; the path as seen from the current folder.

    `root` is the folder that the problem's path is relative to.
    """
    seen = replace(problem, path=from_here(problem.path, root)) if root else problem
    return printable(str(seen)) + (" [warning]" if problem.severity == "warning" else "")


def from_here(path: str, root: Path) -> str:
    """Return a path relative to `root` as seen from the current folder; unchanged where that lies elsewhere."""
    relative = os.path.relpath(root / path)
    return path if relative.startswith("..") else relative

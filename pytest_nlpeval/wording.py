"""How things are said: text from files, numbers, nouns, hints for misspelt names.

A file name or a field can hold anything: line breaks, terminal escapes, bidirectional overrides, or `::error`, which a CI
runner obeys. The results keep such text as it is; every place that shows it calls `printable` where a runner may read it, else `harmless`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufff9-\uffff\U000e0000-\U000e007f]",
)
_NAMED = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    point = ord(character)
    if 0xDC80 <= point <= 0xDCFF:  # a byte of a file name that is not UTF-8, as Python decodes it
        return f"\\x{point - 0xDC00:02x}"
    code = f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
    return _NAMED.get(character, code)


def harmless(text: str) -> str:
    r"""Return `text` on one line, with nothing in it that a terminal would obey.

    Control, format and surrogate characters become `\n`, `\x1b`, `\u202e`, ... The result is always encodable as UTF-8.
    """
    return _UNSAFE.sub(_escaped, text)


def encodable(text: str) -> str:
    r"""Return a text in which half surrogate pairs are written as `\ud800`: no other can be written to a file, or sent by a worker."""
    return text.encode("utf-8", "backslashreplace").decode()


def printable(text: str) -> str:
    r"""Return what `harmless` returns, without the two spellings of a workflow command, which a CI runner finds in all that is printed.

    `::` becomes `:\x3a` and `##[` becomes `#\x23[`.
    """
    return harmless(text).replace("::", r":\x3a").replace("##[", r"#\x23[")


def quoted(text: str, limit: int = 60) -> str:
    """Return `text` in quotation marks for a message, shortened to `limit` code points."""
    return f'"{text}"' if len(text) <= limit else f'"{text[:limit]}…" ({len(text):,} characters)'


MOST_COMPARED = 1_000
"""How many known names a misspelt one is compared with."""

LONGEST_NAME = 100
"""How many code points of a name are compared and shown."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint for a misspelt name: the names that are very like it, or else a dozen known names, the nearest first.

    Comparing takes time: of very many names only those that begin alike are compared. A name of more than `LONGEST_NAME` code points, which
    may be all of a file without line ends, is cut.

    >>> nearest("RTE", ["best", "rte"])
    'did you mean "rte"?'
    """
    import difflib

    every = list(known)
    if not every:
        return "there are none"
    name, candidates = name[:LONGEST_NAME], list(map(_cut, _compared(name, every)))
    close = [candidate for candidate in candidates if candidate.casefold() == name.casefold()]
    close = close or difflib.get_close_matches(name, candidates, n=3, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(f'"{candidate}"' for candidate in close) + "?"
    folded = name.casefold()
    nearest_first = sorted(candidates, key=lambda candidate: -difflib.SequenceMatcher(None, folded, candidate.casefold()).ratio())
    return f"known are {', '.join(nearest_first[:12])}" + (f", … ({len(every):,} in all)" if len(every) > 12 else "")


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"


def _compared(name: str, names: Sequence[str]) -> list[str]:
    """Return the names that a misspelt name is compared with, sorted."""
    if len(names) <= MOST_COMPARED:
        return sorted(names)
    alike = (candidate for candidate in names if candidate[:1] == name[:1] and abs(len(candidate) - len(name)) <= 1)
    return sorted(islice(alike, MOST_COMPARED)) or sorted(islice(names, MOST_COMPARED))


def number(value: float | None) -> str:
    """Return a value as shown: four decimals, counts as they are, `-` for none."""
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{_rounded(value):.4f}"


def whole(value: float | None, like: float | None) -> float | None:
    """Return a number as an integer if it is whole and shown beside a count `like`, as the end of the count's interval is.

    >>> whole(3.0, like=5), whole(3.0, like=0.5), whole(3.5, like=5)
    (3, 3.0, 3.5)
    """
    is_count = type(like) is int
    return int(value) if is_count and value is not None and value == int(value) else value


def signed(value: float | None) -> str:
    """Return a difference as shown: with its sign, with four decimals unless it is one of counts, `-` for none."""
    if value is None:
        return "-"
    return f"{value:+}" if isinstance(value, int) else f"{_rounded(value):+.4f}"


def _rounded(value: float) -> float:
    """Return a value to four decimals; what rounds to 0 has no sign."""
    return round(value, 4) + 0.0


def tabbed(rows: Iterable[Sequence[str | float | None]]) -> str:
    r"""Return rows as lines with tabs between the cells: text escaped, values as `number` shows them, None empty.

    >>> tabbed([["precision", 0.5], ["correct", 3], ["recall", None]])
    'precision\t0.5000\ncorrect\t3\nrecall\t\n'
    """
    return "".join("\t".join(map(_cell, row)) + "\n" for row in rows)


def _cell(value: str | float | None) -> str:
    return printable(value) if isinstance(value, str) else "" if value is None else number(value)


def plural(number: int, noun: str) -> str:
    """Return `1 document`, `2 documents`, `1,234 documents`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def files_have_errors(total: int, failed: int, citations: Sequence[str]) -> str:
    """Return why the scores of a suite have no values, "" if no document failed; one error of each failed document is cited.

    >>> files_have_errors(5, 1, ["a.txt:3: rte.duplicate-id"])
    '1 of 5 documents has errors in its files (a.txt:3: rte.duplicate-id)'
    """
    if not failed:
        return ""
    have = "has errors in its" if failed == 1 else "have errors in their"
    shown = ", ".join(citations[:3]) + (", …" if failed > 3 else "")
    return f"{failed:,} of {plural(total, 'document')} {have} files ({shown})"


_GIVEN = re.compile(r"[a-z_]+(\[.*\])*", re.DOTALL)
"""What content in memory is called: a role, perhaps with a document and an element."""


def from_here(path: str, root: Path) -> str:
    """Return what `path_from_here` returns; what is called like content in memory, `system[17]`, and is no file below `root`, stays."""
    is_content = _GIVEN.fullmatch(path) and not os.path.lexists(os.path.join(root, path))  # noqa: PTH118 - text
    return path if is_content else path_from_here(path, root)


def path_from_here(path: str, root: Path) -> str:
    """Return a path relative to `root` as seen from the current folder; an absolute path that is not below that folder stays."""
    relative = os.path.relpath(os.path.join(root, path))  # noqa: PTH118 - text: a report may have very many paths
    return path if relative.startswith("..") and os.path.isabs(path) else relative  # noqa: PTH117 - text

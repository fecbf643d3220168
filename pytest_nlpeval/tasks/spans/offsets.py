"""Offsets in code points: whether they fit a text, and whether what they cover is what a span says it covers."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_nlpeval.files import MAX_BYTES
from pytest_nlpeval.metrics.overlap import Extent
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.wording import plural, quoted

_UNITS = {"UTF-16 units": ("utf-16-le", 2), "bytes": ("utf-8", 1)}


def check_offsets(
    parts: Sequence[tuple[int, int]], text: str | None, log: ProblemLog, line: int, where: str = "", column: int | None = None
) -> bool:
    """Log the first thing that is wrong with the offsets of a span; return whether all is right."""
    size = MAX_BYTES if text is None else len(text)
    fault = next(filter(None, (_fault(start, end, size, known=text is not None) for start, end in parts)), "")
    if not fault:
        late = next(((one, other) for one, other in zip(parts, parts[1:], strict=False) if one[1] > other[0]), None)
        if late:
            (start, end), (low, high) = late
            fault = f"the part {low} {high} is not behind the part {start} {end}; expected parts from left to right that do not overlap"
    if fault:
        log.add("spans.offset", fault, line, column, where)
    return not fault


def _fault(start: int, end: int, size: int, *, known: bool) -> str:
    if start < 0:
        return f"the start {start} is negative; offsets count from 0"
    if start >= end:
        return f"the start {start} is not before the end {end}; the end is excluded"
    if end > size:
        return f"the end {end} is beyond the text" + (f", which has {plural(size, 'code point')}" if known else "")
    return ""


def check_covered(
    said: str, covered: str, parts: Extent, text: str, log: ProblemLog, line: int, column: int | None = None, where: str = ""
) -> None:
    """Log that the text which a span carries is not what it covers, and in what its offsets seem to be counted."""
    if said == covered:
        return
    hint = ""
    if log.keeps("spans.text"):
        units = next((name for name in _UNITS if _counted_in(name, parts, text) == said), None)
        hint = f"; its offsets seem to count {units}, expected code points" if units else ""
    log.add("spans.text", f"covers {quoted(covered)}, but says {quoted(said)}{hint}", line, column, where)


def _counted_in(units: str, parts: Extent, text: str) -> str:
    """Return what the offsets cover if they count other units."""
    encoding, width = _UNITS[units]
    data = text.encode(encoding)
    return " ".join(data[start * width : end * width].decode(encoding, "replace") for start, end in parts)

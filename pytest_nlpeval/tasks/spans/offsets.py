"""Offsets in code points: whether they fit a text, and whether what they cover is what a span says it covers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from pytest_nlpeval.files import MAX_BYTES
from pytest_nlpeval.metrics.overlap import Extent, Part
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.wording import plural, quoted

_UNITS = {"UTF-16 units": ("utf-16-le", 2), "bytes": ("utf-8", 1)}


class Spot(NamedTuple):
    """Where a span stands in a file, and the log of the file's problems."""

    log: ProblemLog
    line: int
    where: str = ""

    def add(self, code: str, message: str, column: int | None = None) -> None:
        """Log a problem of the span."""
        self.log.add(code, message, self.line, column, self.where)


def covered(parts: Extent, text: str) -> str:
    """Return what parts of a text hold, with a blank for a gap between two of them."""
    blanks = ["", *("" if before[1] == behind[0] else " " for before, behind in pairwise(parts))]
    return "".join(blank + text[start:end] for blank, (start, end) in zip(blanks, parts, strict=True))


def check_offsets(parts: Sequence[Part], text: str | None, spot: Spot, column: int | None = None) -> bool:
    """Log the first thing that is wrong with the offsets of a span; return whether all is right."""
    fault = next(filter(None, (_fault(part, text) for part in parts)), "") or _disorder(parts)
    if fault:
        spot.add("spans.offset", fault, column)
    return not fault


def _fault(part: Part, text: str | None) -> str:
    start, end = part
    if start < 0:
        return f"the start {start} is negative; offsets count from 0"
    if start >= end:
        return f"the start {start} is not before the end {end}; the end is excluded"
    if text is not None and end > len(text):
        return f"the end {end} is beyond the text, which has {plural(len(text), 'code point')}"
    return f"the end {end} is beyond any text" if end > MAX_BYTES else ""


def _disorder(parts: Sequence[Part]) -> str:
    late = next((pair for pair in pairwise(parts) if pair[0][1] > pair[1][0]), None)
    if late is None:
        return ""
    before, behind = (f"{start} {end}" for start, end in late)
    return f"the part {behind} is not behind the part {before}; expected parts from left to right that do not overlap"


def check_covered(said: str, parts: Extent, text: str, spot: Spot, column: int | None = None) -> None:
    """Log that the text which a span carries is not what it covers, and in what its offsets seem to be counted.

    Parts with a gap between them are joined by nothing, or all by one blank; parts that touch, by either.
    """
    if _is_joined(said, parts, [text[start:end] for start, end in parts]):
        return
    hint = ""
    if spot.log.keeps("spans.text"):
        units = next((name for name in _UNITS if _is_joined(said, parts, _counted_in(name, parts, text))), None)
        hint = f"; its offsets seem to count {units}, expected code points" if units else ""
    spot.add("spans.text", f"covers {quoted(covered(parts, text))}, but says {quoted(said)}{hint}", column)


def _is_joined(said: str, parts: Extent, pieces: Sequence[str]) -> bool:
    """Whether a text is that of the pieces, which are what the parts cover, joined as `check_covered` says."""
    touches = [before[1] == behind[0] for before, behind in pairwise(parts)]
    return any(_is_made_of(said, pieces, [("", " ") if is_one else (gap,) for is_one in touches]) for gap in ("", " "))


def _is_made_of(said: str, pieces: Sequence[str], joints: Sequence[tuple[str, ...]]) -> bool:
    """Whether a text is that of pieces, with one of the joints that are possible before each but the first."""
    ends = {0}
    for piece, possible in zip(pieces, (("",), *joints), strict=True):
        starts = ((joint + piece, end) for joint in possible for end in ends)
        ends = {end + len(start) for start, end in starts if said.startswith(start, end)}
    return len(said) in ends


def _counted_in(units: str, parts: Extent, text: str) -> list[str]:
    """Return what the parts cover if their offsets count other units."""
    encoding, width = _UNITS[units]
    data = text.encode(encoding)
    return [data[start * width : end * width].decode(encoding, "replace") for start, end in parts]

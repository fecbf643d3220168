"""Reads brat standoff: the T lines of an `.ann` file are spans of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pytest_nlpeval.explanations import Passage
from pytest_nlpeval.files import MAX_BYTES, Source
from pytest_nlpeval.formats.text import lines_of, read_text
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.overlap import Extent
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.spans.document import Document, Span, Spans
from pytest_nlpeval.tasks.spans.hints import Hint, hint_of
from pytest_nlpeval.tasks.spans.labels import fault_of
from pytest_nlpeval.tasks.spans.offsets import Spot, check_covered, check_offsets, covered
from pytest_nlpeval.tasks.spans.options import Options, Side
from pytest_nlpeval.wording import plural, quoted

_OTHERS = tuple("REAMN#*")
_T_LINE = re.compile(r"(T\S+)\t([^\t ]*) ([^\t ;]+ [^\t ;]+(?:;[^\t ;]+ [^\t ;]+)*)(?:\t(.*))?", re.DOTALL)
_BREAKS = str.maketrans("\r\n\t", "   ")


class Annotation(NamedTuple):
    """A T line: its label, the parts of its span, those that touch as one, and the text that it carries, if any."""

    line: int
    label: str
    parts: Extent
    said: str | None


@light_dataclass(frozen=True, slots=True, eq=False)
class Annotations:
    """The T lines of a file, each once, and the text on a single line, if it is known."""

    listed: Sequence[Annotation]
    source: str | None

    def text(self, spans: Spans, rank: int) -> str:
        """Return the text that a T line carries, or else what it covers."""
        annotation = self.listed[int(spans.origin[rank])]
        return covered(annotation.parts, self.source or "") if annotation.said is None else annotation.said

    def line(self, spans: Spans, rank: int) -> int:
        """Return the T line's number."""
        return self.listed[int(spans.origin[rank])].line

    def line_at(self, _unit: int, _place: int) -> None:
        """Return None: a span that is missed should stand on no line in particular."""
        return

    def passage(self, _unit: int, gold: Extent, system: Extent) -> Passage | None:
        """Return the text around what either side marks."""
        return Passage.cut(self.source, gold, system) if self.source is not None else None


def read_brat(source: Source, documents: Documents, options: Options, log: ProblemLog, _side: Side) -> Document | None:
    """Return the spans of a file in brat standoff, or None with all problems in the log; with the text, they are compared with it."""
    data = read_text(source, log)
    if data is None:
        return None
    given: str | None = documents.get("text")
    text = None if given is None else given.translate(_BREAKS)
    first_of: dict[tuple[Extent, str], Annotation] = {}
    for annotation in _annotations(data, text, options, log):
        key = annotation.parts, annotation.label
        first = first_of.setdefault(key, annotation)
        if first is not annotation:
            message = f"{quoted(annotation.label)} has the extent and label of line {first.line}; it counts once"
            log.add("spans.duplicate", message, annotation.line)
    if log.has_errors:
        return None
    annotations = tuple(first_of.values())
    spans = Spans.of([_span(annotation) for annotation in annotations])
    return Document(spans, ("",), np.zeros(1, np.int64), Annotations(annotations, text))


def _span(annotation: Annotation) -> Span:
    parts = annotation.parts
    return Span(parts[0][0], parts[-1][1], annotation.label, parts if len(parts) > 1 else ())


def _annotations(data: bytes, text: str | None, options: Options, log: ProblemLog) -> Iterator[Annotation]:
    """Yield the T lines whose spans can be told; what is wrong with single lines is in the log then."""
    ids: dict[str, int] = {}
    hint = hint_of(data, "brat")
    for number, line in enumerate(lines_of(data), 1):
        if not line.strip(" \t") or line.startswith(_OTHERS):
            continue
        match = _T_LINE.fullmatch(line)
        if match is None:
            _log_line(line, number, hint, log)
            continue
        name, label, offsets, said = match.groups()
        if (first := ids.setdefault(name, number)) != number:
            log.add("spans.t-id", f"{quoted(name)} is the id of line {first}, too; ids are unique", number, 1)
        spot = Spot(log, number)
        if fault := fault_of(label, options):
            spot.add("spans.label", fault, match.start(2) + 1)
        fragments = _fragments(offsets, text, spot, match.start(3) + 1)
        if fragments:
            if said is not None:
                _check_said(said, fragments, text, spot, match.start(4) + 1)
            yield Annotation(number, label, _joined(fragments), said)


def _log_line(line: str, number: int, hint: Hint, log: ProblemLog) -> None:
    if line.startswith("T"):
        message = f"{quoted(line)} is no T line; expected an id, a TAB, a label and offsets with single spaces, perhaps a TAB and the text"
    else:
        message = f"{quoted(line)} is no annotation; its first character is none of T R E A M N # *"
    log.add("spans.line", message + (hint.text if log.is_empty else ""), number)


def _fragments(offsets: str, text: str | None, spot: Spot, column: int) -> Extent:
    """Return the fragments of a span as they are written; none if the offsets are wrong."""
    words = [part.split(" ") for part in offsets.split(";")]
    wrong = next((word for part in words for word in part if not _is_number(word)), None)
    if wrong is not None:
        spot.add("spans.offset", f"{quoted(wrong)} is no offset; expected digits", column)
        return ()
    fragments = tuple((_number(start), _number(end)) for start, end in words)
    return fragments if check_offsets(fragments, text, spot, column) else ()


def _joined(fragments: Extent) -> Extent:
    """Return the parts of a span: fragments, those that touch as one."""
    joined = list(fragments[:1])
    for start, end in fragments[1:]:
        if start == joined[-1][1]:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return tuple(joined)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _number(digits: str) -> int:
    return int(digits) if len(digits) <= 20 else MAX_BYTES + 1


def _check_said(said: str, fragments: Extent, text: str | None, spot: Spot, column: int) -> None:
    """Log that the text of a T line is not what it covers; without the annotated text, that its length cannot be right."""
    if text is not None:
        check_covered(said, fragments, text, spot, column)
        return
    size = sum(end - start for start, end in fragments)
    gaps = len(_joined(fragments)) - 1
    touching = len(fragments) - 1 - gaps
    if not any(0 <= len(said) - size - blanks <= touching for blanks in (0, gaps)):
        expected = f"{size}" if len(fragments) == 1 else f"{size}, or {size + len(fragments) - 1} with blanks between fragments"
        spot.add("spans.text", f"carries {plural(len(said), 'code point')} of text, but covers {expected}", column)

"""Finds the quotes of a source text: annotations inside them are left out of the evaluation.

A source need not be well-formed XML: forum files are text with tags. Offsets count the code points of the raw file: tags count,
`&amp;` counts 5, CR LF counts 2, a byte order mark does not count.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import decoded
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.best.options import Options

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

_TAG = re.compile(r"<(/?)quote(?=[\s/>])")
_REST_OF_TAG = (
    re.compile(r"""(?>[^<>"']|"[^"\n]*"|'[^'\n]*')*+>"""),  # attribute values may hold < and >
    re.compile(r"[^<>]*>"),  # the tag of a text that is not XML, with a lone quotation mark
)


@light_dataclass(frozen=True, slots=True)
class Quotes:
    """The outermost quotes of a text: half-open ranges of code points, in order; inner ones lie inside."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def contain(self, offset: int | None) -> bool:
        """Whether `offset` is inside a quote; None is not."""
        if offset is None:
            return False
        rank = bisect_right(self.starts, offset) - 1
        return rank >= 0 and offset < self.ends[rank]


@light_dataclass(frozen=True, slots=True)
class SourceText:
    """A source text without its byte order mark, and its quotes."""

    text: str
    quotes: Quotes


def read_source_text(source: Source, _documents: Documents, _options: Options, log: ProblemLog) -> SourceText | None:
    """Return the text and its quotes, or None with problems in the log if it is not UTF-8 text."""
    text = decoded(source, log)
    return None if text is None else SourceText(text, find_quotes(text))


def find_quotes(text: str) -> Quotes:
    """Return the outermost quotes: from the `<` of the opening tag to the `>` of the closing one, that included, or to the end of the text.

    A closing tag without an opening one is ignored, and so is `<quote/>`.
    """
    starts: list[int] = []
    ends: list[int] = []
    depth = 0
    for tag in _TAG.finditer(text):
        end = next((match.end() for rest in _REST_OF_TAG if (match := rest.match(text, tag.end()))), 0)
        is_closing, is_empty = tag[1], text.endswith("/>", tag.end(), end)
        if not end or (is_empty and not is_closing):
            continue
        if not is_closing:
            if depth == 0:
                starts.append(tag.start())
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                ends.append(end)
    if depth:
        ends.append(len(text))
    return Quotes(tuple(starts), tuple(ends))


def notes(_evidence: Evidence, _options: Options, roles: Collection[str]) -> Iterator[str]:
    """Yield that quotes count, where the suite has no source texts to find them in."""
    if "source" not in roles:
        yield "without role source, quotes count: nothing tells which annotations are inside <quote>"

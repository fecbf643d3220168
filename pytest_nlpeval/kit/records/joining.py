"""Many small files of JSON Lines read as one: what reading a file costs besides its lines is paid once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import read_text
from pytest_nlpeval.kit.records.conventions import Conventions, File
from pytest_nlpeval.kit.records.layout import JSON, JSON_LINES, Layout
from pytest_nlpeval.problems import JoinedLog, ProblemLog


def joined(sources: Sequence[Source], layout: Layout, conventions: Conventions, logs: Sequence[ProblemLog]) -> File | None:
    """Return files as one, to be read as each would be alone; None where that cannot be.

    It can be of JSON Lines, of which each file has an object on its first line, or nothing; not where an option counts the records of a
    file, or must find some. Problems go to the `logs` of the files as `JoinedLog` says: if it has any, the files are to be read one by one.
    """
    if layout.items or layout.where or layout.first_place is not None:
        return None
    if any(layout.format_of(source) not in {JSON, JSON_LINES} for source in sources):
        return None
    texts = [read_text(source, log) for source, log in zip(sources, logs, strict=True)]
    readable = [text for text in texts if text is not None]
    whole = b"".join(readable)
    if len(readable) < len(texts) or not all(text[:1] in {b"", b"{"} for text in readable):
        return None
    if b"\r" in whole:  # the whole is read as a text once more, to which a CR that is left might be the end of a line
        return None
    firsts = list(accumulate((text.count(b"\n") for text in readable), initial=1))[:-1]
    return File(Source("", whole, format=JSON_LINES), layout, conventions, JoinedLog(logs, firsts), firsts)

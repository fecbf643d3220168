"""Plain text: what a person reads, in a file or a pipe. On a terminal the command shows the same lines and tables in colours."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_nlpeval.reports.blocks import plain
from pytest_nlpeval.reports.kinds import Document, Kind
from pytest_nlpeval.reports.view import Setting


def render(kind: Kind[Document], document: Document, setting: Setting) -> Iterable[str]:
    """Return the blocks of a report as plain text."""
    return (plain(kind.blocks(document, setting)),)

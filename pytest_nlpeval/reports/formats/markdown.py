"""Markdown: what a person reads in a job summary or a comment."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_nlpeval.reports.kinds import Document, Kind
from pytest_nlpeval.reports.markdown import of_blocks
from pytest_nlpeval.reports.view import Setting


def render(kind: Kind[Document], document: Document, setting: Setting) -> Iterable[str]:
    """Return a report as the kind's own Markdown, or else as that of its blocks."""
    return (kind.markdown(document, setting) if kind.markdown else of_blocks(kind.blocks(document, setting)),)

"""HTML: one page that needs nothing else and no network."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_nlpeval.reports.kinds import Document, Kind
from pytest_nlpeval.reports.markup import html
from pytest_nlpeval.reports.view import Setting


def render(kind: Kind[Document], document: Document, _setting: Setting) -> Iterable[str]:
    """Return a report as one page; equal reports give equal bytes."""
    template, values = kind.page(document)
    return (html(template, **values),)

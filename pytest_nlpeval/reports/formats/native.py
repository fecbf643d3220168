"""The native report: the tables that the tasks' original scorers print."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_nlpeval.reports.kinds import Document, Kind
from pytest_nlpeval.reports.view import Setting


def render(kind: Kind[Document], document: Document, _setting: Setting) -> Iterable[str]:
    """Return a report as such tables; nothing of a kind that has none."""
    return (kind.native(document),) if kind.native else ()

"""CSV: a header and rows, for spreadsheets and scripts."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_nlpeval.reports.kinds import Document, Kind
from pytest_nlpeval.reports.table import csv_table
from pytest_nlpeval.reports.view import Setting


def render(kind: Kind[Document], document: Document, _setting: Setting) -> Iterable[str]:
    """Return a report as CSV: values unrounded, "" for none."""
    return (csv_table(*kind.table(document)),)

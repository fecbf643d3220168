"""JSON, for programs: schemas/report.schema.json, comparison.schema.json and history.schema.json."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pytest_nlpeval.reports.kinds import Document, Kind
from pytest_nlpeval.reports.view import Setting


def render(kind: Kind[Document], document: Document, _setting: Setting) -> Iterator[str]:
    """Yield a report piece by piece, so that a large one is not in memory twice; keys in a fixed order, values unrounded."""
    yield from json.JSONEncoder(indent=2, allow_nan=False).iterencode(kind.to_json(document))
    yield "\n"

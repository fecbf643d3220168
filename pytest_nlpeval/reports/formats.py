"""The formats of reports, an entry each: it makes of a report of any kind its text in pieces. What that needs is imported then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_nlpeval.reports.kinds import Kind
    from pytest_nlpeval.reports.view import Setting

Format = Callable[["Kind[Any]", Any, "Setting"], Iterable[str]]
"""Returns the text of a report from its kind, its document and the setting."""


def _changes(kind: Kind[Any], document: Any, _setting: Setting) -> Iterable[str]:
    return (kind.changes(document),) if kind.changes else ()


def _csv(kind: Kind[Any], document: Any, _setting: Setting) -> Iterable[str]:
    from pytest_nlpeval.reports.table import csv_table

    return (csv_table(*kind.table(document)),)


def _html(kind: Kind[Any], document: Any, _setting: Setting) -> Iterable[str]:
    from pytest_nlpeval.reports.markup import html

    template, values = kind.page(document)
    return (html(template, **values),)


def _json(kind: Kind[Any], document: Any, _setting: Setting) -> Iterator[str]:
    import json

    yield from json.JSONEncoder(indent=2, allow_nan=False).iterencode(
        kind.to_json(document)
    )  # a large report is not in memory twice
    yield "\n"


def _markdown(kind: Kind[Any], document: Any, setting: Setting) -> Iterable[str]:
    if kind.markdown:
        return (kind.markdown(document, setting),)
    from dataclasses import replace  # of what the command's start would import, the half

    from pytest_nlpeval.reports.markdown import MOST_UNFOLDED, of_blocks

    return (of_blocks(kind.blocks(document, replace(setting, most=MOST_UNFOLDED)), setting.limit),)


def _native(kind: Kind[Any], document: Any, _setting: Setting) -> Iterable[str]:
    return (kind.native(document),) if kind.native else ()


def _text(kind: Kind[Any], document: Any, setting: Setting) -> Iterable[str]:
    from pytest_nlpeval.reports.blocks import plain

    return (plain(kind.blocks(document, setting)),)


FORMATS: dict[str, Format] = {
    "changes": _changes,
    "csv": _csv,
    "html": _html,
    "json": _json,
    "markdown": _markdown,
    "native": _native,
    "text": _text,
}

_ONLY_OF = {"changes": ("run",), "native": ("run",)}
"""The formats that not every kind of report has, with the kinds that have them."""


def formats_of(kind: str) -> tuple[str, ...]:
    """Return the names of the formats that a kind of report has."""
    return tuple(name for name in FORMATS if kind in _ONLY_OF.get(name, (kind,)))

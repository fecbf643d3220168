"""The formats of reports, an entry each: it makes of a report of any kind its text in pieces. What that needs is imported then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_nlpeval.reports.kinds import Kind
    from pytest_nlpeval.reports.view import Setting

Format = Callable[["Kind[Any]", Any, "Setting"], Iterable[str]]
"""Returns the text of a report from its kind, its document and the setting."""


def _benchmark(_kind: Kind[Any], document: Any, _setting: Setting) -> Iterable[str]:
    from pytest_nlpeval.reports.run.benchmark import benchmark

    return _listed(benchmark(document, "higher"))


def _benchmark_smaller(_kind: Kind[Any], document: Any, _setting: Setting) -> Iterable[str]:
    from pytest_nlpeval.reports.run.benchmark import benchmark

    return _listed(benchmark(document, "lower"))


def _code_quality(_kind: Kind[Any], document: Any, _setting: Setting) -> Iterable[str]:
    from pytest_nlpeval.reports.run.code_quality import code_quality

    return _listed(code_quality(document))


def _listed(entries: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """Return a list as JSON that other tools read, in ASCII."""
    import json

    return (json.dumps(entries, indent=1, allow_nan=False), "\n")


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
    from pytest_nlpeval.reports.indented import indented

    yield from indented(kind.to_json(document))
    yield "\n"


def _latex(kind: Kind[Any], document: Any, _setting: Setting) -> Iterable[str]:
    return (kind.latex(document),) if kind.latex else ()


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


def _wide(kind: Kind[Any], document: Any, _setting: Setting) -> Iterable[str]:
    from pytest_nlpeval.reports.table import csv_table

    return (csv_table(*kind.wide(document)),) if kind.wide else ()


FORMATS: dict[str, Format] = {
    "benchmark": _benchmark,
    "benchmark-smaller": _benchmark_smaller,
    "changes": _changes,
    "codequality": _code_quality,
    "csv": _csv,
    "html": _html,
    "json": _json,
    "latex": _latex,
    "markdown": _markdown,
    "native": _native,
    "text": _text,
    "wide": _wide,
}

_ONLY_OF = {
    **dict.fromkeys(("benchmark", "benchmark-smaller", "changes", "codequality", "native"), ("run",)),
    **dict.fromkeys(("latex", "wide"), ("compare",)),
}
"""The formats that not every kind of report has, with the kinds that have them."""


def formats_of(kind: str) -> tuple[str, ...]:
    """Return the names of the formats that a kind of report has."""
    return tuple(name for name in FORMATS if kind in _ONLY_OF.get(name, (kind,)))

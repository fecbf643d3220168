"""Options of the task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from pytest_nlpeval.kit.records import Layout, by_side, fields_of, layouts
from pytest_nlpeval.kit.records.layout import JSON
from pytest_nlpeval.light_dataclasses import light_dataclass

Format = Literal["conll", "jsonl", "brat"]
Reading = Literal["lenient", "strict"]
Scheme = Literal["IOB1", "IOB2", "IOE1", "IOE2", "IOBES"]
Side = Literal["gold", "system"]

LAST = 0
"""Stands for a line's last column."""


@light_dataclass(frozen=True, slots=True)
class Columns:
    """Which column, from 1, holds the token, and which the tag in a gold and in a system file; `LAST` for the last."""

    token: int = 1
    gold: int = LAST
    system: int = LAST


@light_dataclass(frozen=True, slots=True)
class Shape:
    """Where the records of a side's files stand, and the parts of each: pairs of a part and the path that an option gives it."""

    layout: Layout = field(default_factory=lambda: Layout(JSON))
    named: tuple[tuple[str, str], ...] = ()

    def paths(self, part: str) -> tuple[str, ...]:
        """Return the paths at which a part may stand: that of the option, or else those of well-known tools."""
        named = dict(self.named)
        return (named[part],) if part in named else _USUAL[part]


_USUAL = {
    "text": ("text", "data.text"),
    "spans": ("spans", "entities", "ents", "label", "labels", "annotations.result"),
    "start": ("start", "start_offset", "value.start"),
    "end": ("end", "end_offset", "value.end"),
    "label": ("label", "labels", "entity_group", "entity_type", "value.labels"),
    "tokens": ("tokens",),
    "tags": ("ner_tags", "tags"),
}
"""Where the parts of a record and of a span stand in spaCy, Prodigy, doccano, Label Studio, Presidio and Hugging Face's pipelines."""


@light_dataclass(frozen=True, slots=True)
class Options:
    """What the user chose. `labels` are those that are scored, None for all.

    `reading`, `scheme` and `columns` concern the format conll alone, `gold` and `system` the format jsonl. Without `scheme` each file tells
    its own. `group` is the path in a gold record of the value by which all measures are also given, None for none.
    """

    format: Format = "conll"
    labels: tuple[str, ...] | None = None
    reading: Reading = "lenient"
    scheme: Scheme | None = None
    columns: Columns = Columns()
    gold: Shape = field(default_factory=Shape)
    system: Shape = field(default_factory=Shape)
    group: str | None = None

    def shape(self, side: Side) -> Shape:
        """Return where things stand in the records of a side."""
        return self.gold if side == "gold" else self.system


RECORDS = ("items", "where", "id")
PARTS = ("spans", "start", "end", "label", "text", "tokens", "tags")


def make_options(
    *, labels: Sequence[str] | None = None, columns: Mapping[str, int | str] | None = None, **others: Any
) -> Options:
    """Return the options that satisfy the task's schema.

    >>> make_options(format="jsonl", label={"system": "entity"}).shape("system").paths("label")
    ('entity',)
    """
    places: dict[str, Any] = {side: LAST if place == "last" else place for side, place in (columns or {}).items()}
    layout_of_gold, layout_of_system = layouts({**{name: others.pop(name) for name in RECORDS if name in others}, "format": JSON})
    named = {part: by_side(others.pop(part, None)) for part in PARTS}
    gold, system = (
        Shape(layout, tuple((part, str(path)) for part, paths in named.items() for path in fields_of(paths[side])))
        for side, layout in enumerate((layout_of_gold, layout_of_system))
    )
    group = next(iter(fields_of(others.pop("group", None))), None)
    return Options(
        labels=None if labels is None else tuple(labels),
        columns=Columns(**places),
        gold=gold,
        system=system,
        group=None if group is None else str(group),
        **others,
    )


def annotation_ending(options: Options) -> str:
    """Return how annotation files end in a folder where others lie, too: brat keeps the texts beside them."""
    return ".ann" if options.format == "brat" else ""


def text_ending(options: Options) -> str:
    """Return how the files with the texts end in such a folder."""
    return ".txt" if options.format == "brat" else ""

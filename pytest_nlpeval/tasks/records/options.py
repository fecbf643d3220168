"""Options of the task, in the form that everything else reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Literal

from pytest_nlpeval.kit.records import Field, Layout, by_side, fields_of, layouts
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.task import OptionsError
from pytest_nlpeval.tasks.records.rules import Rules, mistakes_in, rules_of
from pytest_nlpeval.wording import quoted

Side = Literal[0, 1]
GOLD: Side = 0
SYSTEM: Side = 1

MILLION = 1_000_000
"""Partial credit is counted in millionths."""

DOCUMENT = "document"
"""The format of a file that is one record."""

DONUT = "donut"
_NOT_WITH_DONUT = ("compare", "normalise", "nothing", "empty", "views")
_RESERVED = ("micro", "macro", "samples", "field", "list", "group", "exact", "coverage", "parsed", "valid")
_SOFT = ("number", "date", "tokens")


@light_dataclass(frozen=True, slots=True)
class View:
    """Tuples: the objects at the path `base`, cut down to `fields`; `by`, if not "", is the field whose values have measures.

    The path "" is the record itself.
    """

    name: str
    fields: tuple[str, ...]
    by: str = ""

    @property
    def base(self) -> str:
        """The longest path that all fields have in common before their last key.

        >>> View("strict", ("relations.head", "relations.tail.type")).base
        'relations'
        """
        paths = [field.split(".")[:-1] for field in self.fields]
        depth = 0
        while all(len(path) > depth and path[depth] == paths[0][depth] for path in paths):
            depth += 1
        return ".".join(paths[0][:depth])


@light_dataclass(frozen=True, slots=True)
class Options:
    """What a configuration says, completed. Of pairs the first is gold's, the second the system's.

    `records` are the fields of the records, None for the whole items. `parse` is how a system's texts are read, "" for not at all. `fields`
    are the paths that count, all if there are none, and `ignore` those that do not. `rules` say how values and lists compare. `nothing`
    are texts that mean nothing; with `has_values` null, "", [] and {} are values. `texts` are what explanations quote.
    """

    records: tuple[Field | None, Field | None] = (None, None)
    layouts: tuple[Layout, Layout] = (Layout(), Layout())
    has_rows: bool = False
    parse: str = ""
    fields: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)
    normalise: frozenset[str] = frozenset()
    nothing: tuple[str, ...] = ()
    has_values: bool = False
    views: tuple[View, ...] = ()
    group: Field | None = None
    texts: tuple[Field, ...] = ()
    is_donut: bool = False
    signature: tuple[tuple[str, str], ...] = ()

    @property
    def unit(self) -> int:
        """The credit of a field that is right: a million where fields may have partial credit, else 1."""
        return MILLION if self.rules.has_value("tokens") else 1


def options(**given: Any) -> Options:
    """Return the options of a configuration that fits the schema; `OptionsError` tells all its other mistakes.

    >>> options(record={"gold": "label"}, ignore="note").records
    ('label', None)
    """
    rules, views = rules_of(given.get("compare", {})), tuple(_views(given.get("views", {})))
    if mistakes := [*mistakes_in(given.get("compare", {})), *_mistakes(given, views, rules)]:
        raise OptionsError(mistakes)
    gold, system = by_side(given.get("record"))
    return Options(
        records=(next(iter(fields_of(gold)), None), next(iter(fields_of(system)), None)),
        layouts=layouts(given),
        has_rows=given.get("rows", False),
        parse=given.get("parse", ""),
        fields=_listed(given.get("fields", ())),
        ignore=_listed(given.get("ignore", ())),
        rules=rules,
        normalise=frozenset(_listed(given.get("normalise", ()))),
        nothing=_listed(given.get("nothing", ())),
        has_values=given.get("empty") == "value",
        views=views,
        group=next(iter(fields_of(given.get("group"))), None),
        texts=fields_of(given.get("text")),
        is_donut=given.get("profile") == DONUT,
        signature=tuple(_signature(given)),
    )


READING = ("format", "items", "where", "id", "pair", "record", "rows", "parse", "text")
"""The options that say how files are read."""

_UNSIGNED = ("format", "items", "where", "id", "pair", "text")


def _signature(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield whatever changes a score: all options but those that say how files of items are read, and the quoted texts."""
    yield "profile", given.get("profile", "standard")
    for name in sorted(given.keys() - {*_UNSIGNED, "profile"}):
        value = list(_listed(given[name])) if name in _LISTS else given[name]
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
        yield name, text.replace("|", "\\u007c")


_LISTS = ("fields", "ignore", "normalise", "nothing")


def _listed(given: Any) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _views(given: Mapping[str, Any]) -> Iterator[View]:
    for name, said in given.items():
        names = said.get("fields", ()) if isinstance(said, Mapping) else said
        yield View(name, tuple(names), said.get("by", "") if isinstance(said, Mapping) else "")


Mistake = tuple[tuple[str | int, ...], str]
"""The keys and places in the options that lead to a mistake, and what is said of it."""


def _mistakes(given: Mapping[str, Any], views: tuple[View, ...], rules: Rules) -> Iterator[Mistake]:
    for view in views:
        if view.name in _RESERVED:
            yield ("views", view.name), f"{quoted(view.name)} is part of the names of measures; call the view something else"
        if view.by and view.by not in view.fields:
            yield ("views", view.name, "by"), f"{quoted(view.by)} is none of the view's fields: {', '.join(view.fields)}"
        elif view.by and (kind := _unfit_for_by(view.by, rules)):
            yield ("views", view.name, "by"), f"{quoted(view.by)} is compared as {kind}; values of its own have texts alone"
    formats = by_side(given.get("format"), "")
    if given.get("rows") and (DOCUMENT in formats or given.get("pair") == "line"):
        why = "a file is one record" if DOCUMENT in formats else "records have no ids"
        yield ("rows",), f"rows are collected by their ids, but {why}; leave out one of the two options"
    if len(set(formats)) == 2 and DOCUMENT in formats:
        yield ("format",), "a file of one side is one record; so must one of the other be"
    if given.get("profile") == DONUT:
        for name in _NOT_WITH_DONUT:
            if name in given:
                yield (name,), f"the profile donut compares as Donut does; leave out {name}, or the profile"


def _unfit_for_by(path: str, rules: Rules) -> str:
    rule = rules.at(path)
    return "any" if rule.list == "any" else rule.value if rule.value in _SOFT else ""

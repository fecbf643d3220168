"""How the files of either side are read: what the options `format`, `items`, `where`, `id` and `pair` of a suite say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from pytest_nlpeval.files import Source
from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.task import OptionsError

Field: TypeAlias = "str | int"
"""A column's name or its number from 1, or in JSON a path (`paths.Path`)."""

BLANKS = " \t"

FAULT = "\0"
"""A cell whose problem is told already, as that of a row with a wrong number of fields; no table has it: NUL is refused in text."""

LINES, TSV, CSV, JSON = "lines", "tsv", "csv", "json"
JSON_LINES = "jsonl"
"""One JSON object per line; `JSON` is that or a document."""

_BY_SUFFIX = {".tsv": TSV, ".tab": TSV, ".csv": CSV, ".json": JSON, ".jsonl": JSON, ".ndjson": JSON}


@frozen_dataclass(frozen=True, slots=True)
class Layout:
    """How the files of one side are read.

    `format` is "" where a file's suffix tells. The id of a record is the texts of the fields `id`, joined by `|`; or, unless `first_place`
    is None, its place in the file, counted from that. With `by_line` records have no ids. `items` are the paths of the lists in a JSON
    document that hold the records. Of `where`, pairs of a field and texts, a record has one of the texts in each field, or is left out.
    """

    format: str = ""
    id: tuple[Field, ...] = ("id",)
    first_place: int | None = None
    by_line: bool = False
    items: tuple[str, ...] = ()
    where: tuple[tuple[Field, tuple[str, ...]], ...] = ()

    def format_of(self, source: Source) -> str:
        """Return the format of a file: what it was written in if its content was made in memory, what the option says, or its suffix."""
        return source.format or self.format or _BY_SUFFIX.get(source.suffix, LINES)


def layouts(given: Mapping[str, Any]) -> tuple[Layout, Layout]:
    """Return how gold's files are read, and how the system's, of the options of a suite.

    >>> gold, system = layouts({"format": {"gold": "csv"}, "id": {"system": "#1"}, "where": {"split": ["dev", 1]}})
    >>> gold
    Layout(format='csv', id=('id',), first_place=None, by_line=False, items=(), where=())
    >>> system.first_place, system.where
    (1, (('split', ('dev', '1')),))
    """
    formats, items = by_side(given.get("format"), ""), by_side(given.get("items"))
    ids, where = by_side(given.get("id"), "id"), _where(given.get("where", {}))
    gold, system = (
        Layout(
            format=formats[side],
            id=() if ids[side] in ("#0", "#1") else fields_of(ids[side]),
            first_place=int(ids[side][1]) if ids[side] in ("#0", "#1") else None,
            by_line=given.get("pair") == "line",
            items=tuple(map(str, fields_of(items[side]))),
            where=tuple(
                (_checked(field), tuple(map(text_of, _listed(wanted))))
                for field, wanted in sorted(where[side].items(), key=_by_name)  # in any order they say the same
            ),
        )
        for side in (0, 1)
    )
    return gold, system


def _by_name(entry: tuple[object, object]) -> str:
    return str(entry[0])


def by_side(given: Any, default: Any = None) -> tuple[Any, Any]:
    """Return what gold has, and what the system has, of a value for both or a mapping `{gold: …, system: …}` that may lack one.

    >>> by_side({"system": "prediction"}, "label"), by_side("text")
    (('label', 'prediction'), ('text', 'text'))
    """
    if isinstance(given, Mapping):
        return given.get("gold", default), given.get("system", default)
    return (default, default) if given is None else (given, given)


def fields_of(given: Any) -> tuple[Field, ...]:
    """Return the fields of an option: none, one, or those of a list; blanks around names do not count.

    Raises:
        OptionsError: if a field is a path of too many steps.
    """
    if given is None:
        return ()
    return tuple(_checked(field.strip(BLANKS)) if isinstance(field, str) else int(field) for field in _listed(given))


def _checked(field: Field) -> Field:
    """Return a field that is no path of too many steps."""
    from pytest_nlpeval.kit.records.paths import Path

    try:
        Path.of(str(field))
    except ValueError as error:
        raise OptionsError([((), str(error))]) from None
    return field


def text_of(value: object) -> str:
    """Return a value of a table or of JSON as it is compared with others: `1` is "1", `true` is "true", nothing is ""."""
    if isinstance(value, str):
        return value.strip(BLANKS)
    if isinstance(value, Decimal):
        return str(float(value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def kind_of(value: object) -> str:
    """Return what a value of JSON is, for a message."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return "a control character" if value == FAULT else "nothing" if value is None else str(value).lower()[:40]


def _where(given: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the option `where` of either side; without sides it is the system's."""
    if given.keys() <= {"gold", "system"} and all(isinstance(wanted, Mapping) for wanted in given.values()):
        return given.get("gold", {}), given.get("system", {})
    return {}, given


def _listed(given: Any) -> Sequence[Any]:
    return given if isinstance(given, list | tuple) else [given]

"""What tasks recognise records by: how those of two files pair, and in which fields things stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.kit.records.layout import text_of

_MOST_UNKNOWN = 0.1
"""The share of the system's ids, at most, that gold may lack in a field that is taken for the id."""

_INPUTS = frozenset(
    (
        "text",
        "sentence",
        "sentence1",
        "sentence2",
        "premise",
        "hypothesis",
        "review",
        "question",
        "document",
        "utterance",
        "prompt",
    )
)


def pairing_options(samples: Samples) -> dict[str, Any] | None:
    r"""Return the options `items`, `id` and `pair` with which the records of two files pair; None if nothing says how.

    Records pair by the field `id`, by the fields of ids that have the same values in both files, by their place if a first column without
    a name (an index of pandas) is the same in both, or, of equally many records, by line, unless they are in another order.

    >>> gold, system = Sample("g.tsv", b"key\tlabel\nx\ta\ny\ta\n"), Sample("s.tsv", b"key\tlabel\ny\ta\nx\tb\n")
    >>> pairing_options(Samples(gold, system))
    {'id': 'key'}
    """
    gold, system = samples.gold, samples.system
    items = items_option(samples)
    if "id" in gold.fields and "id" in system.fields:
        return items
    if "" in gold.fields and gold.column("") == system.column(""):
        return {**items, "id": "#0"}
    ids = [(field, other) for field in gold.fields for other in system.fields if _are_ids(gold, field, system, other)]
    if ids:
        field, other = min(ids, key=lambda fields: (fields[0] != fields[1], not fields[0].casefold().endswith("id")))
        return {**items, "id": field if field == other else {"gold": field, "system": other}}
    is_whole = gold.is_whole and system.is_whole and not shuffled_field(samples)
    return {**items, "pair": "line"} if is_whole and len(gold.rows) == len(system.rows) else None


def shuffled_field(samples: Samples) -> str:
    """Return a field with the same values in both files, most of them different ones, in another order; "" if there is none.

    Records with such a field do not pair by line: the values say which belong together.
    """
    for field in filter(None, samples.gold.fields):
        mine, theirs = ([*map(text_of, sample.column(field))] for sample in (samples.gold, samples.system))
        if mine != theirs and 2 * len(set(mine)) > len(mine) and sorted(mine) == sorted(theirs):
            return field
    return ""


def items_option(samples: Samples) -> dict[str, Any]:
    """Return the option `items`, if records stand in a list inside a JSON document."""
    paths = {side: path for side, path in (("gold", samples.gold.items), ("system", samples.system.items)) if path}
    return {"items": paths} if paths else {}


def id_fields(options: dict[str, Any], side: str) -> set[str]:
    """Return the fields of a side that hold ids by the options of `pairing_options`, the one without a name among them."""
    given = options.get("id", "id")
    return {"", given[side] if isinstance(given, dict) else given}


def answered_fields(samples: Samples, options: dict[str, Any]) -> list[str]:
    r"""Return the fields of both files, but for ids, whose values differ in records that pair by the options of `pairing_options`.

    What a system copies from gold does not differ. If nothing does, nobody can tell: then all fields may be answers but those that are
    called as inputs are.

    >>> gold, system = Sample("g.tsv", b"id\ttext\ta\tb\n1\tx\tp\tq\n"), Sample("s.tsv", b"id\ttext\ta\tb\n1\tx\tr\ts\n")
    >>> answered_fields(Samples(gold, system), {})
    ['a', 'b']
    """
    gold, system = samples.gold, samples.system
    ids = {*id_fields(options, "gold"), *id_fields(options, "system")}
    fields = [field for field in gold.fields if field in system.fields and field not in ids]
    pairs = _paired(samples, options)
    differing = [
        field for field in fields if any(text_of(mine.get(field)) != text_of(theirs.get(field)) for mine, theirs in pairs)
    ]
    return differing or [field for field in fields if field.casefold() not in _INPUTS]


def _paired(samples: Samples, options: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the records of gold and of the system that pair."""
    gold, system = samples.gold.rows, samples.system.rows
    given = options.get("id", "id")
    mine, theirs = (given["gold"], given["system"]) if isinstance(given, dict) else (given, given)
    if options.get("pair") == "line" or given == "#0":
        return list(zip(gold, system, strict=False))
    by_id = {text_of(record.get(mine)): record for record in gold}
    return [(by_id[name], record) for record in system if (name := text_of(record.get(theirs))) in by_id]


def _are_ids(gold: Sample, field: str, system: Sample, other: str) -> bool:
    """Whether two fields have distinct values, no decimals among them, that are nearly the same ones in both files."""
    mine, theirs = gold.column(field), system.column(other)
    if (
        not field
        or not other
        or not mine
        or not theirs
        or not all(isinstance(value, str | int) and not is_fraction(value) for value in (*mine, *theirs))
    ):
        return False
    known, asked = set(map(text_of, mine)), set(map(text_of, theirs))
    if len(known) < len(mine) or len(asked) < len(theirs):
        return False
    return len(asked - known) <= _MOST_UNKNOWN * len(asked) or not (gold.is_whole and system.is_whole)


def is_number(value: object) -> bool:
    """Whether a cell is a number, or the text of one."""
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return False
        return True
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_fraction(value: object) -> bool:
    """Whether a cell is a number that is written with a decimal point or an exponent."""
    return is_number(value) and not text_of(value).lstrip("+-").isdecimal()


def is_flag(value: object) -> bool:
    """Whether a cell says yes or no: `0`, `1`, `false`, `true`, in any case, `0.0` or `1.0`."""
    return text_of(value).lower() in {"0", "1", "true", "false", "0.0", "1.0"}


def first_of(names: Iterable[str], fields: Sequence[str]) -> str | None:
    """Return the first of some names that a field has, in whatever case; None if none has."""
    folded = {field.casefold(): field for field in reversed(fields)}
    return next((folded[name] for name in names if name in folded), None)

"""Recognises the files of the task: exports of evaluation tools, and records or lines with numbers that gold does not have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.kit.recognition import is_fraction, is_number, items_option, shuffled_field
from pytest_nlpeval.kit.records import text_of
from pytest_nlpeval.task import LIKELY, POSSIBLE, SURE, Guess
from pytest_nlpeval.tasks.scores.exports import Export, cells_of, exports_in, fields_in
from pytest_nlpeval.tasks.scores.guessed_results import GuessedResult, results_in, settings_of

_QUESTIONS = ("question", "prompt", "input", "inputs", "text", "user_input", "query", "instruction", "source")
_GROUPS = (
    *("group", "topic", "category", "subject", "domain", "genre", "kind", "type", "language", "lang", "difficulty", "level"),
    *("section", "task", "dataset", "split"),
)
_MOST_GROUPS, _FEWEST_ITEMS, _LONGEST = 20, 5, 200
"""Of groups: how many there are, how many items each has on average, and how long their names are."""

_ERRORS = ("error", "error_message", "exception")
_MOST_UNKNOWN = 0.1
"""The share of the system's ids, at most, that gold may lack in a field that is taken for the id."""

_MOST_NAMED = 8


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guesses; where no name tells whether more of a result is better, one for each."""
    exports = list(exports_in(samples.system))
    for export in exports or _of_records(samples):
        yield from _guesses(samples, export, is_known=bool(exports))
    if not exports:
        yield from _of_lines(samples.gold, samples.system)


def _of_records(samples: Samples) -> Iterator[Export]:
    """Yield the records of no tool that is known: whatever numbers they have, and gold has not, are results."""
    records = [cells_of(row) for row in samples.system.rows]
    theirs = set(fields_in(_records_of(samples.gold)))
    if not records:
        return
    error = next((name for name in _ERRORS if _has_texts(records, name)), "")
    answered = [record for record in records if not (error and record.get(error))]
    failed = len(records) - len(answered)
    fields = [path for path in fields_in(records) if path and path not in theirs and path != error]
    yield Export(
        "records",
        records,
        results_in(answered, fields, failed),
        ids=[path for path in fields_in(records) if path],
        options={"error": error} if error else {},
        items=samples.system.items,
    )


def _has_texts(records: Sequence[Any], name: str) -> bool:
    """Whether a field says what went wrong: with a text, an object, or true."""
    return any(record.get(name) and not is_number(record[name]) for record in records)


def _records_of(sample: Sample) -> list[dict[str, Any]]:
    return [cells_of(row) for row in sample.rows]


def _guesses(samples: Samples, export: Export, *, is_known: bool) -> Iterator[Guess]:
    """Yield the guesses at an export. Results that lack values, if nothing says what these count as, are left out, unless all are so."""
    pairing = _pairing(samples, export)
    if not export.results or pairing is None:
        return
    for direction, said in (("higher", "more"), ("lower", "less")):
        results = [result.settled(direction) for result in export.results]
        usable = [result for result in results if not result.lacks] or results
        untold = [result.field for result in export.results if result.better is None and result.field in _fields(usable)]
        repeats = _repeats(export, usable, pairing.field)
        has_range = samples.system.has_all_rows
        every = [result.measured(repeats, has_range=has_range) for result in usable]
        options = {**export.options, **pairing.options, **_described(samples.gold), "results": settings_of(every)}
        why = f"{export.why} {_said(export, usable)}" + (f"; {said} of {_listed(untold)} being better" if untold else "")
        confidence = SURE if is_known else LIKELY if repeats > 1 else POSSIBLE
        yield Guess(confidence, {**options, **({"repeats": repeats} if repeats > 1 else {})}, why)
        if pairing.field and not samples.system.has_all_rows:
            single = [result.measured(1, has_range=has_range) for result in usable]
            more = {**options, "results": settings_of(single), "repeats": "any"}
            yield Guess(confidence / 2, more, f"{why}, in any number of repeats")
        if all(result.better for result in export.results):
            return


def _fields(results: Sequence[GuessedResult]) -> list[str]:
    return [result.field for result in results]


def _said(export: Export, usable: Sequence[GuessedResult]) -> str:
    """Return what was seen of results: their fields, and which are left out for want of values."""
    left_out = [field for field in _fields(export.results) if field not in _fields(usable)]
    said = f"with {_listed(_fields(usable))}"
    if not left_out:
        return said
    return f"{said}; without {_listed(left_out)}, which records lack"


def _listed(fields: Sequence[str]) -> str:
    more = [f"{len(fields) - _MOST_NAMED} more"] if len(fields) > _MOST_NAMED else []
    return ", ".join([*fields[:_MOST_NAMED], *more])


class _Pairing(NamedTuple):
    """How records pair: the options, and the system's field of the id; "" by line."""

    options: dict[str, Any]
    field: str = ""


def _pairing(samples: Samples, export: Export) -> _Pairing | None:
    """Return how an export's records pair with gold's; None if nothing says it."""
    gold = samples.gold
    if export.gold_items and gold.path == samples.system.path:
        return _Pairing({"items": {"gold": export.gold_items, "system": export.items}}, export.ids[0])
    items = {side: path for side, path in (("gold", _gold_items(samples)), ("system", export.items)) if path}
    option = {"items": items} if items else {}
    where = export.options.get("where")
    if where and export.place and gold.path == samples.system.path:  # both sides are the records that `where` picks
        return _Pairing({**option, "id": export.place, "where": {"gold": where, "system": {**where}}}, export.place)
    records, has_all = _records_of(gold), gold.has_all_rows and samples.system.has_all_rows
    pairs = [
        (mine, theirs)
        for mine in fields_in(records)
        for theirs in export.ids
        if mine
        and _are_ids([record.get(mine) for record in records], [record.get(theirs) for record in export.records], has_all=has_all)
    ]
    if pairs:
        mine, theirs = min(
            pairs, key=lambda pair: (pair != ("id", "id"), pair[0] != pair[1], not pair[0].casefold().endswith("id"))
        )
        named = {side: field for side, field in (("gold", mine), ("system", theirs)) if field != "id"}
        field = {"id": mine if mine == theirs else named} if named else {}
        return _Pairing({**option, **field}, theirs)
    if export.place and _are_places(len(records), [record.get(export.place) for record in export.records], has_all=has_all):
        return _Pairing({**option, "id": {"gold": "#0", "system": export.place}}, export.place)
    number = len(records) or len(gold.lines)
    is_whole = gold.is_whole and samples.system.is_whole and not shuffled_field(samples)
    return _Pairing({**option, "pair": "line"}) if is_whole and number == len(export.records) else None


def _gold_items(samples: Samples) -> str:
    return str(items_option(samples).get("items", {}).get("gold", ""))


def _are_ids(gold: Sequence[Any], system: Sequence[Any], *, has_all: bool) -> bool:
    """Whether gold's values are distinct, and the system's, which may repeat, are nearly all among them.

    Unless the samples have all records, it is enough that some are.
    """
    if not gold or not all(isinstance(value, str | int) and not is_fraction(value) for value in (*gold, *system)):
        return False
    known, asked = set(map(text_of, gold)), set(map(text_of, system))
    return len(known) == len(gold) and (len(asked - known) <= _MOST_UNKNOWN * len(asked) if has_all else bool(asked & known))


def _are_places(number: int, places: Sequence[Any], *, has_all: bool) -> bool:
    """Whether values are the places of so many records, from 0."""
    return all(isinstance(place, int) for place in places) and (set(places) == set(range(number)) or not has_all)


def _repeats(export: Export, results: Sequence[GuessedResult], field: str) -> int:
    """Return how often an item was run: how many records it has at most, or how long the lists of its results are."""
    lists = [len(value) for record in export.records for result in results if isinstance(value := record.get(result.field), list)]
    records = Counter(text_of(record.get(field)) for record in export.records) if field else Counter[str]()
    return max((*lists, *records.values()), default=1)


def _described(gold: Sample) -> dict[str, Any]:
    """Return the options `text` and `group`, if gold has a field that is called like what a system is asked, or like what items are of."""
    names = [name for name in gold.fields if name.casefold() in _QUESTIONS]
    group = next((name for name in gold.fields if name.casefold() in _GROUPS and _are_groups(gold, name)), None)
    text: dict[str, Any] = {"text": names[0] if len(names) == 1 else names} if names else {}
    return {**text, "group": group} if group else text


def _are_groups(gold: Sample, name: str) -> bool:
    """Whether all items have one of a few values that can name groups, and these are several items each, on average."""
    values = gold.column(name)
    if not gold.has_all_rows or not all(isinstance(value, str | int) for value in values):
        return False
    groups = set(map(text_of, values))
    fits = all(group.strip() and group.isprintable() and "." not in group and len(group) <= _LONGEST for group in groups)
    return fits and 1 < len(groups) <= _MOST_GROUPS and len(values) >= _FEWEST_ITEMS * len(groups)


def _of_lines(gold: Sample, system: Sample) -> Iterator[Guess]:
    """Yield the guesses at a number on each line, for each line of gold that is none; nothing says whether more is better."""
    if not (gold.is_whole and system.is_whole and 0 < len(gold.lines) == len(system.lines)):
        return
    if any(sample.rows or sample.elements or sample.document for sample in (gold, system)):
        return
    if all(map(is_number, system.lines)) and not all(map(is_number, gold.lines)):
        for results, said in ((["score"], "more"), ({"score": {"better": "lower"}}, "less")):
            yield Guess(POSSIBLE, {"results": results}, f"a number on each line, {said} of which is better")

"""Reads a system's output: the record for each of gold's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.records import File, pair_by_id, pair_by_line
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.records.bounds import OF_SYSTEM, Bounds
from pytest_nlpeval.tasks.records.flat import Flat
from pytest_nlpeval.tasks.records.gold import Gold, Rows
from pytest_nlpeval.tasks.records.options import DOCUMENT, SYSTEM, Options
from pytest_nlpeval.tasks.records.packed import Packed
from pytest_nlpeval.tasks.records.parsing import Fault, parsed_answer
from pytest_nlpeval.tasks.records.reading import ITEM, Raw, as_record, file_of, read_raw, said
from pytest_nlpeval.tasks.records.survey import Survey, survey_of
from pytest_nlpeval.tasks.records.trees import Path
from pytest_nlpeval.wording import nearest, plural, quoted

_MOST_EXTRA_PATHS = 10_000


@light_dataclass(frozen=True, slots=True, eq=False)
class System:
    """The system's values for gold's records, in their order: an object or a list; None for none; a `Fault` for an unparsed one.

    `lines` gives the line of each, 0 where the file has none. `beyond` are the records of ids that gold has not, with `rows`. `texts` has
    what a model has written where that is unparsed. `left_out` is how many items `where` left out. `survey` is that of all values, where
    they were read together.
    """

    values: Sequence[Any]
    lines: Sequence[int]
    beyond: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[int, str] = field(default_factory=dict)
    left_out: int = 0
    survey: Survey | None = None


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> System | None:
    """Return the records of a system's file, or None with all problems in the log.

    Without gold among the documents, whatever needs it is not checked.
    """
    gold: Gold | None = documents.get("gold")
    file = file_of(source, options, SYSTEM, log)
    if gold and file.layout.format != DOCUMENT:
        file = file.paired_like(gold_has_ids=gold.ids is not None)
    if log.has_errors:
        return None
    raw = read_raw(file, options, SYSTEM)
    if raw is None:
        return None
    texts: dict[int, str] = {}
    told = [row for row, value in raw.others if type(value) is not dict]  # an object counts as it is
    raw.replace({row: _value(raw, row, options, file, texts) for row in told})
    if not isinstance(raw.values, Packed):
        return None if file.log.has_errors else _of_rows(raw, gold, options, file)
    if gold is None:
        values = _checked(Flat.arranged(raw.values, np.arange(len(raw.values))), options)
        return None if file.log.has_errors else System(values, raw.lines, texts=texts)
    rows = _paired(gold, raw, file)
    if rows is None:
        return None
    places = np.where(rows >= 0, gold.rows[rows], -1)
    answered = places >= 0
    row_of = np.full(len(gold.units), -1)
    row_of[places[answered]] = np.flatnonzero(answered)
    of_gold = _checked(Flat.arranged(raw.values, row_of), options)
    lines = [raw.lines[row] if row >= 0 else 0 for row in row_of.tolist()]
    texts = {place: texts[row] for row, place in enumerate(places.tolist()) if place >= 0 and row in texts} if texts else {}
    survey = survey_of(of_gold, options, is_gold=False)
    _tell_extra(survey, lines, gold, file)
    return None if file.log.has_errors else System(of_gold, lines, texts=texts, left_out=raw.left_out, survey=survey)


def _value(raw: Raw, row: int, options: Options, file: File, texts: dict[int, str]) -> Any:
    """Return what an item of the file is: an object or a list, None, or a `Fault`."""
    value = raw.values[row]
    if value is None:
        file.add("null", "has no record; write one, if only an empty one", raw.lines[row], raw.place(row))
        return None
    if isinstance(value, str) and options.parse:
        texts[row] = value
        value = parsed_answer(value, options.parse)
        if isinstance(value, Fault):
            return value
        if not isinstance(value, dict | list):
            return Fault(f"is {said(value)}; expected an object or a list")
        del texts[row]
    if options.has_rows and not options.parse:
        return value  # an element may be anything
    if as_record(value) is None:
        hint = (
            "; if a model wrote it, say `parse: json` or `parse: fenced`" if isinstance(value, str) and not options.parse else ""
        )
        message = f"the record is {said(value)}; expected an object or a list{hint}"
        file.log.add("records.record", message, raw.lines[row], where=raw.place(row))
        return Fault(f"is {said(value)}; expected an object or a list")
    return value


def _checked(values: Flat, options: Options) -> Flat:
    """Return values after a `Fault` was put for each record that cannot be used. Flat ones can be."""
    bounds, root = Bounds(OF_SYSTEM), Path.root(options)
    for place in np.flatnonzero(~values.is_flat).tolist():
        record = as_record(values[place])
        if record is not None and (found := bounds.excess(record, root)):
            values.refuse(place, Fault(found[0].message))
    return values


def _paired(gold: Gold, raw: Raw, file: File) -> Rows | None:
    """Return the item of gold's file that each item answers, -1 for none; None with problems in the log."""
    rows = pair_by_id(gold.ids, raw.ids, file) if gold.ids and raw.ids else pair_by_line(len(gold.rows), len(raw.values), file)
    return None if file.log.has_errors else rows


def _of_rows(raw: Raw, gold: Gold | None, options: Options, file: File) -> System | None:
    """Return the records of a file in which an item is one element of its id's list."""
    lists, first = raw.collected()
    records: dict[str, Any] = {
        name: next((each for each in held if isinstance(each, Fault)), {ITEM: [each for each in held if each is not None]})
        for name, held in lists.items()
    }
    checked = _checked(Flat.of(list(records.values()), options), options)
    records = dict(zip(records, checked, strict=True))
    if gold is None:
        return System(checked, [raw.lines[row] for row in first.values()])
    asked = set(gold.units)
    beyond = {name: record for name, record in records.items() if name not in asked}
    if beyond:
        name = next(iter(beyond))
        message = f"has {plural(len(beyond), 'id')} that gold has not, the first is {quoted(name)}; all they say is spurious"
        file.log.add("records.no-gold", message, raw.lines[first[name]])
    of_gold = [records.get(name, {}) for name in gold.units]
    lines = [raw.lines[first[name]] if name in first else 0 for name in gold.units]
    survey = survey_of(_checked(Flat.of([*of_gold, *beyond.values()], options), options), options, is_gold=False)
    _tell_extra(survey, [*lines, *(raw.lines[first[name]] for name in beyond)], gold, file)
    return None if file.log.has_errors else System(of_gold, lines, beyond, left_out=raw.left_out, survey=survey)


def _tell_extra(survey: Survey, lines: Sequence[int], gold: Gold, file: File) -> None:
    """Log the paths that no record of gold has."""
    extra = [path for path in survey.paths if path not in gold.survey.paths]
    for path in extra:
        is_told = file.log.keeps("records.extra") and gold.survey.paths
        hint = f"; {nearest(path, gold.survey.paths)}" if is_told else ""
        message = f"{path} is in no record of gold, and counts as spurious; or `ignore` it{hint}"
        file.log.add("records.extra", message, lines[survey.first[path]] or None)
    if len(extra) > _MOST_EXTRA_PATHS:
        cure = "are keys data? say `map` in the option compare, or name the paths that count in `fields`"
        message = f"has {len(extra):,} paths that gold has not, at most {_MOST_EXTRA_PATHS:,} are allowed; {cure}"
        file.log.add("records.too-many", message)

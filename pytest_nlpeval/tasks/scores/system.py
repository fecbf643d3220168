"""Reads a system's file: the values of each result, the records that failed, and the items that lack something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.records import File, Ids, Records, pair_by_line, read_ids, read_records, rows_in_gold
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.scores.files import SYSTEM, WINDOW_BYTES, Quotes, file_of, has_room
from pytest_nlpeval.tasks.scores.gold import Gold, records_of
from pytest_nlpeval.tasks.scores.lacking import check_lacking
from pytest_nlpeval.tasks.scores.options import Options
from pytest_nlpeval.tasks.scores.outcomes import Filling, Outcome, errors_of, outcomes_of
from pytest_nlpeval.tasks.scores.slots import Flags, Rows, Slots


@light_dataclass(frozen=True, slots=True, eq=False)
class System:
    """The values of a system's file for the items of gold, in their order.

    `outcomes` has the values of each result by its name. `rows` is the record of each slot, -1 for none, and `lines` the line of each
    record. `errors` has what the records that failed say, by the record; `failed` flags the items with such a record. `records` tells
    which records of which bytes were read, and `left_out` how many `where` left out.
    """

    slots: Slots
    outcomes: Mapping[str, Outcome]
    rows: Rows
    lines: Sequence[int]
    errors: Mapping[int, str]
    failed: Flags
    quotes: Quotes
    records: tuple[object, ...]
    left_out: int

    def at(self, items: NDArray[np.int64]) -> System:
        """Return what there is of other items, of which each is one of these, or -1 for one without anything."""
        slots, places = Slots(np.where(items >= 0, self.slots.sizes[items], 0)), self.slots.taken(items)
        outcomes = {name: outcome.at(items, places) for name, outcome in self.outcomes.items()}
        failed = self.failed[items] & (items >= 0)
        return replace(self, slots=slots, outcomes=outcomes, rows=self.rows[places], failed=failed)


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> System | None:
    """Return the values of a system's file, or None with all problems in the log.

    Without gold among the documents, whatever needs it is not checked: the items are those of the file.
    """
    gold: Gold | None = documents.get("gold")
    file = file_of(source, options, SYSTEM, log)
    if gold is not None:
        file = file.paired_like(gold_has_ids=gold.ids is not None)
    asked = {"error": bool(options.error), "text": bool(options.text[SYSTEM])}
    has_format = not log.count("scores.format")
    if not has_room(file, [name for name, is_asked in asked.items() if is_asked], len(options.results)) or not has_format:
        return None
    fields = [result.field for result in options.results]
    others = [*(field for field, _ in options.error), *options.text[SYSTEM]]
    records = read_records(file, [*fields, *others], needed=fields)
    if records is None:
        return None
    items, names = _items(records, gold, file, options)
    filling = Filling.of(records, items, names, file, options)
    errors = errors_of(records, options)
    outcomes = outcomes_of(filling, errors, options)
    rows = np.full(filling.slots.number, -1)
    rows[filling.slot_of_row[filling.has_slot]] = np.flatnonzero(filling.has_slot)
    failed = np.zeros(len(names), np.bool_)
    failed[[item for row in errors if (item := int(items[row])) >= 0]] = True
    system = System(
        filling.slots,
        outcomes,
        rows,
        records.lines,
        errors,
        failed,
        Quotes(source.label, source.reader(WINDOW_BYTES), file.layout, options.text[SYSTEM], len(records)),
        records_of(source, file),
        records.left_out,
    )
    if gold and file.is_readable and not log.count("scores.items", "scores.path"):
        system = replace(system, outcomes=check_lacking(system, filling, options))
    return None if log.has_errors else system


def _items(records: Records, gold: Gold | None, file: File, options: Options) -> tuple[Rows, Sequence[str]]:
    """Return the item of each record, -1 where it is left out, and the names of the items."""
    ids: Ids | None = read_ids(records, file, may_repeat=options.may_repeat) if file.has_ids else None
    number = len(records)
    if gold is None:
        if ids is None:
            return np.arange(number), list(map(str, range(1, number + 1)))
        names = [name for name, is_first in zip(ids.names, ids.is_first.tolist(), strict=True) if is_first and name is not None]
        item_of: dict[Any, int] = {name: item for item, name in enumerate(names)}
        items = np.fromiter((item_of.get(name, -1) for name in ids.names), np.int64, number)
        return (items if ids.may_repeat else np.where(ids.is_first, items, -1)), names
    of_ids = (gold.ids, ids) if gold.ids is not None and ids is not None else None
    rows = rows_in_gold(*of_ids, file) if of_ids else pair_by_line(len(gold.item_of), number, file)
    return np.where(rows >= 0, gold.item_of[rows], -1), gold.units

"""The values of results, slot by slot: what the cells of a system's records say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.kit.records import Field, File, Records, text_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.scores.files import QUOTED, said
from pytest_nlpeval.tasks.scores.options import Options, Result
from pytest_nlpeval.tasks.scores.slots import Flags, Floats, Rows, Slots
from pytest_nlpeval.tasks.scores.values import says_error, values_of
from pytest_nlpeval.wording import plural, quoted


@light_dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The `values` of a result in all slots, NaN for none; `absent` flags the slots that had none before `missing` was put there.

    `lacks` flags the items that lack the result, and `skipped` those that are left out of it.
    """

    values: Floats
    absent: Flags
    lacks: Flags
    skipped: Flags

    def at(self, items: Rows, places: Rows) -> Outcome:
        """Return what there is of some items, -1 for one without anything, which lacks nothing; `places` are their slots."""
        is_there = items >= 0
        lacks, skipped = self.lacks[items] & is_there, self.skipped[items] | ~is_there
        return Outcome(self.values[places], self.absent[places], lacks, skipped)


@light_dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """Where the records of a file go: `items` has the item of each, -1 for none, `slot_of_row` its first slot.

    `has_slot` flags the records that have one, `counts` is how many records an item has, `cells` what the records have in each result.
    """

    records: Records
    items: Rows
    names: Sequence[str]
    file: File
    slots: Slots
    slot_of_row: Rows
    has_slot: Flags
    counts: Rows
    cells: Mapping[str, list[Any]]

    @classmethod
    def of(cls, records: Records, items: Rows, names: Sequence[str], file: File, options: Options) -> Filling:
        """Place the records of each item in the order of the file; items with too many are in the log."""
        counts = np.bincount(items[items >= 0], minlength=len(names))
        cells = {result.name: records.cells(result.field) for result in options.results}
        ranks = _ranks(items, counts)
        sizes = np.full(len(names), options.repeats) if options.repeats else np.clip(counts, 1, options.most)
        has_slot = (items >= 0) & (ranks < options.most)
        filling = cls(records, items, names, file, Slots(sizes), np.zeros(0, np.int64), has_slot, counts, cells)
        for row in np.flatnonzero((items >= 0) & (ranks == options.most)).tolist():
            most = plural(options.most, "record")
            message = f"has {plural(int(counts[items[row]]), 'record')}; with the option repeats it has at most {most}"
            filling.add("repeats", row, message)
        if options.may_repeat and records.is_json:
            filling = filling._with_lists(options)
        slot_of_row = np.zeros(len(items), np.int64)
        has_item = items >= 0  # where gold has no item, there is no slot to point at
        slot_of_row[has_item] = filling.slots.starts[items[has_item]] + ranks[has_item]
        return replace(filling, slot_of_row=slot_of_row)

    def add(self, problem: str, row: int, message: str, result: str = "") -> None:
        """Log a problem of a record: of which item, if it is of one, and of which result."""
        item = f"item {quoted(self.names[self.items[row]])}" if self.items[row] >= 0 else "a record of no item"
        what = f"{item}, {result}" if result else item
        self.file.add(problem, f"{what}: {message}", self.records.lines[row], self.records.place(row))

    def first_rows(self) -> Rows:
        """Return the first record of each item, -1 for none."""
        first = np.full(len(self.names), -1)
        rows = np.flatnonzero(self.items >= 0)[::-1]
        first[self.items[rows]] = rows
        return first

    def _with_lists(self, options: Options) -> Filling:
        """Return the filling with as many slots as the lists of records have values; what does not fit together is in the log."""
        columns = [(name, cells) for name, cells in self.cells.items() if list in set(map(type, cells))]
        sizes = self.slots.sizes.copy()
        for row in sorted({row for _, cells in columns for row, cell in enumerate(cells) if type(cell) is list}):
            item = int(self.items[row])
            lengths = {name: len(cells[row]) if type(cells[row]) is list else 1 for name, cells in self.cells.items()}
            longest = max(lengths, key=lengths.__getitem__)
            if item < 0:
                continue
            if self.counts[item] > 1:
                self.add("repeats", row, "has lists of values, and several records; give it one of the two")
                continue  # each of its records keeps its slot
            if lengths[longest] > options.most:
                message = f"has {lengths[longest]:,} values; with the option repeats it has at most {options.most:,}"
                self.add("repeats", row, message, longest)
            elif not options.repeats and len(set(lengths.values())) > 1:
                told = ", ".join(f"{name} {length}" for name, length in lengths.items())
                self.add("repeats", row, f"its results have different numbers of values: {told}")
            if not options.repeats:
                sizes[item] = np.clip(min(lengths.values()), 1, options.most)
        return replace(self, slots=Slots(sizes))


def _ranks(items: Rows, counts: Rows) -> Rows:
    """Return how many records of the same item come before each record."""
    if counts.max(initial=0) <= 1:
        return np.zeros(len(items), np.int64)
    order = np.argsort(items, kind="stable")
    starts = np.flatnonzero(np.diff(items[order], prepend=-2))
    ranks = np.empty(len(items), np.int64)
    ranks[order] = np.arange(len(items)) - np.repeat(starts, np.diff(starts, append=len(items)))
    return ranks


def errors_of(records: Records, options: Options) -> dict[int, str]:
    """Return what the records say that have failed, by their places."""
    if not options.error:
        return {}
    columns = [(_flags(records, field, texts), field, texts, records.cells(field)) for field, texts in options.error]
    rows = np.flatnonzero(np.logical_and.reduce([flags for flags, *_ in columns])).tolist()
    return {row: "; ".join(_said(cells[row], field, texts) for _, field, texts, cells in columns)[:QUOTED] for row in rows}


def _flags(records: Records, field: Field, texts: Sequence[str] | None) -> Flags:
    cells = records.cells(field)
    if texts is None:
        return np.fromiter((says_error(cell, is_json=records.is_json) for cell in cells), np.bool_, len(cells))
    return np.fromiter((text_of(cell) in texts for cell in cells), np.bool_, len(cells))


def _said(cell: Any, field: Field, texts: Sequence[str] | None) -> str:
    text = " ".join(said(cell).split())
    return text if texts is None else f"{field}: {text}"


def outcomes_of(filling: Filling, errors: Mapping[int, str], options: Options) -> dict[str, Outcome]:
    """Return the values of each result; what is no number or out of its range is in the log."""
    return {result.name: _outcome(filling, errors, result, options) for result in options.results}


def _outcome(filling: Filling, errors: Mapping[int, str], result: Result, options: Options) -> Outcome:
    cells = filling.cells[result.name]
    if errors:
        cells = [None if row in errors else cell for row, cell in enumerate(cells)] if filling.records.is_json else list(cells)
        for row in errors:
            cells[row] = None if filling.records.is_json else ""
    rows: NDArray[np.int64] = np.arange(len(cells))
    slots = filling.slot_of_row
    has_slot = filling.has_slot
    if options.may_repeat and list in set(map(type, cells)):
        cells, rows, ranks = _listed(cells)
        slots = slots[rows] + ranks
        has_slot = has_slot[rows]
        ends = filling.slots.starts + filling.slots.sizes
        has_slot[has_slot] = (
            slots[has_slot] < ends[filling.items[rows[has_slot]]]
        )  # of several records with lists, some have no room

    def tell(place: int, message: str) -> None:
        filling.add("number", int(rows[place]), message, result.name)

    numbers = values_of(cells, dict(result.values), tell, is_json=filling.records.is_json)
    _check_range(numbers, rows, result, filling)
    values = np.full(filling.slots.number, np.nan)
    values[slots[has_slot]] = numbers[has_slot]
    absent = np.isnan(values)
    lacks = filling.slots.counts(absent) > 0
    return Outcome(values, absent, lacks, np.zeros_like(lacks))


def _listed(cells: Sequence[Any]) -> tuple[list[Any], Rows, Rows]:
    """Return the elements of all lists, and other cells as they are; of each the row, and its place in the list."""
    lists = [cell if type(cell) is list else [cell] for cell in cells]
    sizes = np.fromiter(map(len, lists), np.int64, len(lists))
    starts = np.cumsum(sizes) - sizes
    return (
        [cell for row in lists for cell in row],
        np.repeat(np.arange(len(lists)), sizes),
        np.arange(sizes.sum()) - np.repeat(starts, sizes),
    )


def _check_range(numbers: Floats, rows: Rows, result: Result, filling: Filling) -> None:
    low = -np.inf if result.low is None else result.low
    high = np.inf if result.high is None else result.high
    for place in np.flatnonzero(np.isfinite(numbers) & ((numbers < low) | (numbers > high))).tolist():
        bounds = f"{'-' if result.low is None else f'{low:g}'} to {'-' if result.high is None else f'{high:g}'}"
        message = f"{float(numbers[place])!r} lies outside the range {bounds}; correct the value, or the option range"
        filling.add("range", int(rows[place]), message, result.name)

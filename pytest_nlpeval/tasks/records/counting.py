"""Evidence of a system's output: a row per record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import Column, narrow
from pytest_nlpeval.evidence import Evidence, Sparse
from pytest_nlpeval.kit.records import left_out_columns
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.records.columns import (
    ALL,
    CONFUSED,
    DIFFERS,
    EXACT,
    FIELD,
    GOLD,
    GROUP,
    IN_LISTS,
    LIST,
    PARSED,
    PRESENT,
    SIDES,
    VALID,
    VALUE,
    VIEW,
    column_of,
    value_name,
)
from pytest_nlpeval.tasks.records.comparing import Comparison, comparisons, sides
from pytest_nlpeval.tasks.records.confused import Confused
from pytest_nlpeval.tasks.records.differences import Difference, Sort
from pytest_nlpeval.tasks.records.flat import Flat, FlatSides, met
from pytest_nlpeval.tasks.records.forms import Forms
from pytest_nlpeval.tasks.records.gold import Gold
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.schema import Schema
from pytest_nlpeval.tasks.records.system import System
from pytest_nlpeval.tasks.records.trees import Path
from pytest_nlpeval.tasks.records.tuples import Wholes
from pytest_nlpeval.tasks.records.wrong_records import explain


def count(documents: Documents, options: Options, log: ProblemLog) -> Counted:
    """Return one row per record of gold, named by its id or the number of its line, and why records are not right.

    With `rows` ids that the system alone has are rows, too. Columns: `present`, `parsed`, `exact` and, with a schema, `valid`, 0 or 1;
    `field:gold:<path>`, `field:system:<path>` and `field:credit:<path>`, the numbers of fields and the credit, those of all paths together
    under no path, and `field:differs:<path>`, 1 for a parsed record that disagrees with gold; the same numbers of whole objects as
    `list:…`, of tuples as `view:…`, and of tuples with a value as `value:…:<view>.<value>`; `group.<value>`; and `confused`, the
    most frequent wrong values.
    """
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    units = (*gold.units, *system.beyond)
    ledger = Ledger(len(units))
    flat = None if options.views or options.is_donut else flat_sides(documents, options)
    if flat is not None:
        _note_flat(flat, documents, options, ledger)
    others = range(len(units)) if flat is None else np.flatnonzero(~flat.rows).tolist()
    for row, comparison in comparisons(documents, options, others):
        ledger.note(row, comparison)
    for view in options.views:
        if (number := ledger.number_of_values(view.name)) > _MOST_VALUES:
            message = f"{view.by} has {number:,} values on both sides, at most {_MOST_VALUES:,} are allowed"
            log.add("records.too-many", f"{message}; leave out `by` in the view {view.name}")
    for path in gold.survey.paths:
        ledger.name(column_of(FIELD, GOLD, path))
    for path in sorted(gold.survey.lists):  # a set: two processes have its elements in two orders
        ledger.name(column_of(IN_LISTS, GOLD, path))
    columns = dict(ledger.columns())
    if (confused := ledger.confused.column(len(units))) is not None:
        columns[CONFUSED] = confused
    if "schema" not in documents:
        columns.pop(VALID, None)
    for place, value in enumerate(gold.groups):
        rows = np.flatnonzero(gold.group == place)
        columns[f"{GROUP}{value}"] = Sparse.of(rows, np.ones(len(rows), np.int8), len(units))
    columns |= left_out_columns(gold.left_out + system.left_out, len(units))
    evidence = Evidence.of(units, columns)
    return Counted(evidence, explain(documents, options, evidence, flat, ledger.sorts))


_MOST_VALUES = 1_000


def flat_sides(documents: Documents, options: Options) -> FlatSides:
    """Return which records are flat on both sides."""
    records, values = sides(documents)
    has_more = len(records) > len(documents["gold"].records)
    gold = Flat.of(records, options) if has_more else documents["gold"].records
    survey = documents["system"].survey
    system = Flat.of(values, options) if survey is None else survey.flat
    return FlatSides(gold, system, gold.is_flat & system.is_flat)


def _note_flat(flat: FlatSides, documents: Documents, options: Options, ledger: Ledger) -> None:
    """Note the numbers of all rows whose records are flat on both sides."""
    _, values = sides(documents)
    forms, root = Forms.of(options), Path.root(options)
    rows = flat.rows
    is_parsed = flat.system.is_object & rows
    is_exact = is_parsed.copy()
    sums = np.zeros((len(SIDES), len(rows)), np.int64)
    for met_at in met(flat, root, forms):
        numbers = (met_at.gold, met_at.system, met_at.credit)
        differs = (met_at.gold != met_at.system) | (met_at.gold * forms.unit != met_at.credit)
        is_exact &= ~differs
        for place, side in enumerate(numbers):
            sums[place] += side
            if side.any():
                ledger.add_all(column_of(FIELD, SIDES[place], met_at.path), side)
        ledger.add_all(column_of(FIELD, DIFFERS, met_at.path), differs & is_parsed)
        ledger.confused.add_all(met_at.path, met_at.wrong)
    for name, numbers_of_all in zip(SIDES, sums, strict=True):
        ledger.add_all(column_of(FIELD, name, ALL), numbers_of_all)
    is_present = rows.copy()
    is_present[[row for row in np.flatnonzero(rows & ~is_parsed).tolist() if values[row] is None]] = False
    for name, flags in ((PRESENT, is_present), (PARSED, is_parsed), (EXACT, is_exact)):
        ledger.add_all(name, flags)
    schema: Schema | None = documents.get("schema")
    if schema is not None:
        ledger.add_all(VALID, np.array([is_parsed[row] and schema.violation(value) is None for row, value in enumerate(values)]))


Numbers = tuple[NDArray[np.int64], NDArray[Any]]
"""Rows, and the number of each, which is not 0."""


def _merged(some: Numbers, others: Numbers) -> Numbers:
    """Return the numbers of some rows and of others in the order of the rows."""
    if not len(others[0]):
        return some
    rows, numbers = (np.concatenate(parts) for parts in zip(some, others, strict=True))
    order = np.argsort(rows, kind="stable")
    return rows[order], numbers[order]


@dataclass(slots=True)
class Ledger:
    """Collects the numbers of records: for each column the rows that have some, and the numbers.

    `sorts` has those of the differences of parsed records that are noted one by one.
    """

    length: int
    sorts: dict[int, list[Sort]] = field(default_factory=dict)
    confused: Confused = field(default_factory=Confused)
    _entries: dict[str, tuple[list[int], list[int]]] = field(default_factory=lambda: defaultdict(lambda: ([], [])))
    _of_all: dict[str, Numbers] = field(default_factory=dict)

    def add_all(self, column: str, numbers: NDArray[Any]) -> None:
        """Note numbers of all rows at once, 0 for those that are noted one by one; only what is not 0 is kept: paths may be many."""
        self._entries[column]
        rows = np.flatnonzero(numbers)
        self._of_all[column] = rows, narrow(numbers[rows].astype(np.int64))

    def number_of_values(self, view: str) -> int:
        """Return how many values of a view's field `by` have columns."""
        start = column_of(VALUE, GOLD, value_name(view, ""))
        return sum(column.startswith(start) for column in self._entries)

    def name(self, column: str) -> None:
        """Let there be a column, with or without numbers."""
        self._entries[column]

    def add(self, column: str, row: int, number: int) -> None:
        """Note a number of a row."""
        rows, numbers = self._entries[column]
        rows.append(row)
        numbers.append(number)

    def note(self, row: int, comparison: Comparison) -> None:
        """Note what the comparison of a record has come to."""
        tally = comparison.tally
        for name in (PRESENT, PARSED, VALID, EXACT):
            self.add(name, row, getattr(comparison, f"is_{name}"))
        for side, numbers in zip(SIDES, (tally.gold, tally.system, tally.credit), strict=True):
            self.add(column_of(FIELD, side, ALL), row, sum(numbers.values()))
            for path, number in numbers.items():
                self.add(column_of(FIELD, side, path), row, number)
        if comparison.is_parsed:
            for path in {**tally.gold, **tally.system}:
                if not tally.is_right_at(path):
                    self.add(column_of(FIELD, DIFFERS, path), row, 1)
            if not comparison.is_exact:
                self._note_differences(row, comparison.differ())
        wholes = comparison.wholes
        self._note_wholes(LIST, wholes.lists.items(), row)
        self._note_wholes(VIEW, wholes.views.items(), row)
        self._note_wholes(VALUE, ((value_name(*names), numbers) for names, numbers in wholes.values.items()), row)

    def _note_differences(self, row: int, differences: list[Difference]) -> None:
        self.sorts[row] = [difference.sort for difference in differences]
        for difference in differences:
            if difference.reason == "wrong":
                self.confused.add(row, difference.path, difference.gold, difference.system)

    def _note_wholes(self, kind: str, entries: Any, row: int) -> None:
        for name, wholes in entries:
            numbers: Wholes = wholes
            for side, number in zip(SIDES, (numbers.gold, numbers.system, numbers.correct), strict=True):
                self.add(column_of(kind, side, name), row, number)

    def columns(self) -> Iterator[tuple[str, Column]]:
        """Yield all columns, sparse unless a quarter of the rows have numbers."""
        for name, (rows, numbers) in self._entries.items():
            places, values = np.array(rows, np.int64), np.array(numbers, np.int64)
            if name in self._of_all:
                places, values = _merged(self._of_all[name], (places[values != 0], values[values != 0]))
            if len(places) * 4 < self.length or name.startswith(IN_LISTS):
                yield name, Sparse.of(places, narrow(values), self.length)
            else:
                dense = np.zeros(self.length, np.int64)
                dense[places] = values
                yield name, narrow(dense)

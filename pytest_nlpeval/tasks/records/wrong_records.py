"""Why records are not exact."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Difference as Kind
from pytest_nlpeval.explanations import Explanation, Omitted, Passage, explain_in_order
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.records.columns import EXACT, PARSED, PRESENT, VALID
from pytest_nlpeval.tasks.records.comparing import Comparer, Comparison, sides
from pytest_nlpeval.tasks.records.differences import LONGEST, Difference, Sort
from pytest_nlpeval.tasks.records.flat import FlatSides
from pytest_nlpeval.tasks.records.flat_sorts import FlatSorts
from pytest_nlpeval.tasks.records.gold import Gold
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.parsing import Fault
from pytest_nlpeval.tasks.records.rules import Chosen
from pytest_nlpeval.tasks.records.schema import Schema, Violation
from pytest_nlpeval.tasks.records.system import System
from pytest_nlpeval.wording import quoted

MOST_OF_A_RECORD = 20

NO_RECORD, UNPARSED, INVALID = "no-record", "unparsed", "invalid"

_KINDS: dict[str, Kind] = {"wrong": "wrong-value", "missing": "missed", "spurious": "spurious"}
_FIGURES = {"wrong": ("*",), "missing": ("tp", "fn", "recall", "f1"), "spurious": ("fp", "precision", "f1")}


class _Item(NamedTuple):
    """Writes an explanation, or tells only which measures would be better without what is explained."""

    write: Callable[[], Explanation]
    measures: Callable[[], tuple[str, ...]]


Told = tuple[str, Hashable, _Item]
"""Why a record is not right: the reason; what, with the reason, tells which measures would be better; the item to explain."""


def explain(
    documents: Documents, options: Options, evidence: Evidence, flat: FlatSides | None, sorts: Mapping[int, Sequence[Sort]]
) -> Iterator[Explanation | Omitted]:
    """Yield why records are not exact, in gold's order: of each the first 20 fields; then how many there are besides.

    What counting has found tells which records are not right, and how: where the `flat` ones differ, and the `sorts` of the differences of
    others. Only those whose explanations are written are compared again.
    """
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    teller = _Teller(
        _Writer(gold, system, options, (*gold.units, *system.beyond)),
        Comparer.of(options),
        *sides(documents),
        documents.get("schema"),
        None if flat is None else FlatSorts.of(flat, evidence),
        sorts,
    )
    yield from explain_in_order(teller.wrong(evidence), lambda _, item: item.write(), lambda _, item: item.measures())
    yield from map(Omitted, teller.left.keys(), teller.left.values())


@light_dataclass(frozen=True, slots=True)
class _Teller:
    """Tells why records are not right: `records` are gold's, `values` the system's.

    `left` counts by reason the fields beyond the first 20 of a record.
    """

    writer: _Writer
    comparer: Comparer
    records: Sequence[dict[str, Any]]
    values: Sequence[Any]
    schema: Schema | None
    flat: FlatSorts | None
    sorts: Mapping[int, Sequence[Sort]]
    left: Counter[str] = field(default_factory=Counter)
    _last: dict[int, list[Difference]] = field(default_factory=dict)

    def wrong(self, evidence: Evidence) -> Iterator[Told]:
        """Yield why records are not right, of those of which evidence says so."""
        is_present, is_parsed, is_exact = (evidence.column(name) == 1 for name in (PRESENT, PARSED, EXACT))
        is_valid = evidence.column(VALID) == (0 if self.schema is None else 1)
        rows = np.flatnonzero(~(is_exact & is_valid))
        states = (flags[rows].tolist() for flags in (is_present, is_parsed, is_valid))
        for row, present, parsed, valid in zip(rows.tolist(), *states, strict=True):
            group = self.writer.group_of(row)
            if not (present and parsed and valid):
                of_rest = (INVALID, self._invalid) if parsed else (UNPARSED, self._unparsed)
                reason, write = of_rest if present else (NO_RECORD, self.writer.no_record)
                yield reason, group, _Item(partial(write, row), partial(self.writer.measures_of, row, reason))
            if parsed:
                yield from self._fields(row, group)

    def _fields(self, row: int, group: int) -> Iterator[Told]:
        """Yield at which fields two records differ, the first 20."""
        sorts = self.flat.in_order(row) if self.flat is not None and self.flat.sides.rows[row] else self.sorts.get(row, ())
        for rank, sort in enumerate(sorts[:MOST_OF_A_RECORD]):
            item = _Item(partial(self._field, row, rank), partial(self.writer.measures_of_field, row, sort))
            yield sort.reason, (sort, group), item
        for sort in sorts[MOST_OF_A_RECORD:]:
            self.left[sort.reason] += 1

    def _field(self, row: int, rank: int) -> Explanation:
        if row not in self._last:
            self._last.clear()
            self._last[row] = self._compared(row).differ()
        return self.writer.of_field(row, self._last[row][rank])

    def _unparsed(self, row: int) -> Explanation:
        return self.writer.unparsed(row, self._compared(row).fault)

    def _compared(self, row: int) -> Comparison:
        return self.comparer.compared(self.records[row], self.values[row])

    def _invalid(self, row: int) -> Explanation:
        violation = None if self.schema is None else self.schema.violation(self.values[row])
        return self.writer.invalid(row, violation)


@light_dataclass(frozen=True, slots=True)
class _Writer:
    """Writes explanations of the records of two files; `units` are the names of all records."""

    gold: Gold
    system: System
    options: Options
    units: Sequence[str]

    def no_record(self, row: int) -> Explanation:
        """Explain that the system has no record."""
        missed = self._of_record(row, NO_RECORD, "the system has no record", "missed")
        return missed._replace(gold_line=self.gold.lines[row] or None)

    def unparsed(self, row: int, fault: Fault | None) -> Explanation:
        """Explain why the system's record cannot be used."""
        text = self.system.texts.get(row)
        beginning = "" if text is None else f"; it begins {quoted(' '.join(text.split()), 80)}"
        return self._of_record(row, UNPARSED, f"the record {fault}{beginning}", "other")

    def _of_record(self, row: int, reason: str, message: str, kind: Kind) -> Explanation:
        measures = self.measures_of(row, reason)
        return Explanation(self.units[row], reason, message, self._line(row), kind, measures=measures)

    def invalid(self, row: int, violation: Violation | None) -> Explanation:
        """Explain how the system's record breaks the schema."""
        unit, measures = self.units[row], self.measures_of(row, INVALID)
        return Explanation(unit, INVALID, str(violation), self._line(row), "other", f"{unit} {INVALID}", measures=measures)

    def measures_of(self, row: int, reason: str) -> tuple[str, ...]:
        """Return the measures that would be better without what is wrong with a record as a whole.

        Where it is not there, these are all that the fields of gold bear on.
        """
        if reason == INVALID:
            return self._in_groups(row, ("valid",))
        measure = "coverage" if reason == NO_RECORD else "parsed"
        every: tuple[str, ...] = ("exact", measure, "parsed", "valid", "micro.*", "macro.*", "samples.*", "field.*", "list.*")
        return self._in_groups(row, (*every, *(f"{view.name}.*" for view in self.options.views)))

    def of_field(self, row: int, difference: Difference) -> Explanation:
        """Explain a field at which two records differ."""
        gold, system = difference.shown
        sides = [f"gold {gold}"] * (difference.reason != "spurious") + [f"system {system}"] * (difference.reason != "missing")
        message = f"{difference.place}: {', '.join(sides)}"
        item = f"{self.units[row]} {difference.path} {gold or system}"
        return Explanation(
            self.units[row],
            difference.reason,
            message,
            self._line(row),
            _KINDS[difference.reason],
            item,
            gold,
            system,
            self.measures_of_field(row, difference.sort),
            self._passage(row, gold),
        )

    def measures_of_field(self, row: int, sort: Sort) -> tuple[str, ...]:
        """Return the measures that would be better without a difference of this sort."""
        return self._in_groups(row, tuple(self._measures(sort)))

    def _measures(self, sort: Sort) -> Iterator[str]:
        yield "exact"
        path = glob.escape(sort.path)
        places = [f"field.{path}", f"field.{path}.*"] if sort.is_object else [f"field.{path}"]
        steps = sort.path.split(".")
        places += [f"list.{glob.escape('.'.join(steps[:end]))}" for end in range(1, len(steps) + 1)]
        for view in self.options.views:
            if Chosen.of(view.fields).leads_to_any(sort.path):
                places += [view.name, f"{view.name}.by.*", f"{view.name}.macro"]
        for place in ("micro", "macro", "samples", *places):
            yield from (f"{place}.{figure}" for figure in _FIGURES[sort.reason])
        yield f"field.{path}.accuracy"
        yield "macro.accuracy"

    def group_of(self, row: int) -> int:
        """Return the place of a record's group among gold's, -1 for none."""
        return int(self.gold.group[row]) if row < len(self.gold.group) else -1

    def _in_groups(self, row: int, measures: tuple[str, ...]) -> tuple[str, ...]:
        group = self.group_of(row)
        if group < 0:
            return measures
        name = glob.escape(self.gold.groups[group])
        return (*measures, *(f"group.{name}.{measure}" for measure in measures))

    def _passage(self, row: int, value: str) -> Passage | None:
        """Return the quoted text around gold's value."""
        if row >= len(self.gold.quotes):
            return None
        text = self.gold.quotes[row]
        start = text.casefold().find(value.casefold()) if value else -1
        is_there = start >= 0 and len(text.casefold()) == len(text) and len(value) <= LONGEST
        return Passage.cut(text, gold=[(start, start + len(value))] if is_there else ())

    def _line(self, row: int) -> int | None:
        return (self.system.lines[row] or None) if row < len(self.system.lines) else None

"""Why records are not exact."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Difference as Kind
from pytest_nlpeval.explanations import Explanation, Omitted, Passage
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.records.columns import EXACT, VALID
from pytest_nlpeval.tasks.records.comparing import Comparison, comparisons
from pytest_nlpeval.tasks.records.differences import LONGEST, Difference
from pytest_nlpeval.tasks.records.gold import Gold
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.rules import covers
from pytest_nlpeval.tasks.records.system import System
from pytest_nlpeval.wording import quoted

MOST_OF_A_RECORD = 20

NO_RECORD, UNPARSED, INVALID = "no-record", "unparsed", "invalid"

_KINDS: dict[str, Kind] = {"wrong": "wrong-value", "missing": "missed", "spurious": "spurious"}
_FIGURES = {"wrong": ("*",), "missing": ("tp", "fn", "recall", "f1"), "spurious": ("fp", "precision", "f1")}


def explain(documents: Documents, options: Options, evidence: Evidence) -> Iterator[Explanation | Omitted]:
    """Yield why records are not exact, in gold's order: of each the first 20 fields, and how many there are besides.

    Only records of which the evidence says that they are not right are compared again.
    """
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    writer = _Writer(gold, system, options, (*gold.units, *system.beyond))
    is_right = evidence.column(EXACT) == 1
    if "schema" in documents:
        is_right &= evidence.column(VALID) == 1
    for row, comparison in comparisons(documents, options, np.flatnonzero(~is_right).tolist()):
        if not comparison.is_present:
            missed = writer.of_record(row, NO_RECORD, "the system has no record", "missed", "coverage")
            yield missed._replace(gold_line=gold.lines[row] or None)
        elif not comparison.is_parsed:
            yield writer.unparsed(row, comparison)
        elif not comparison.is_exact or comparison.violation is not None:
            yield from writer.of_fields(row, comparison)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes explanations of the records of two files; `units` are the names of all records."""

    gold: Gold
    system: System
    options: Options
    units: Sequence[str]

    def of_record(self, row: int, reason: str, message: str, kind: Kind, measure: str) -> Explanation:
        """Explain that the record as a whole is not there; it bears on all that the fields of gold bear on."""
        every: tuple[str, ...] = ("exact", measure, "parsed", "valid", "micro.*", "macro.*", "samples.*", "field.*", "list.*")
        every += tuple(f"{view.name}.*" for view in self.options.views)
        return Explanation(self.units[row], reason, message, self._line(row), kind, measures=self._in_groups(row, every))

    def unparsed(self, row: int, comparison: Comparison) -> Explanation:
        """Explain why the system's record cannot be used."""
        text = self.system.texts.get(row)
        beginning = "" if text is None else f"; it begins {quoted(' '.join(text.split()), 80)}"
        return self.of_record(row, UNPARSED, f"the record {comparison.fault}{beginning}", "other", "parsed")

    def of_fields(self, row: int, comparison: Comparison) -> Iterator[Explanation | Omitted]:
        """Explain the fields at which two records differ, and how the system's breaks the schema."""
        unit, line = self.units[row], self._line(row)
        if comparison.violation is not None:
            measures = self._in_groups(row, ("valid",))
            yield Explanation(unit, INVALID, str(comparison.violation), line, "other", f"{unit} {INVALID}", measures=measures)
        if comparison.is_exact:
            return
        found = comparison.differ()
        for difference in found[:MOST_OF_A_RECORD]:
            yield self._of_field(row, difference, line)
        for reason, number in Counter(difference.reason for difference in found[MOST_OF_A_RECORD:]).items():
            yield Omitted(reason, number)

    def _of_field(self, row: int, difference: Difference, line: int | None) -> Explanation:
        gold, system = difference.shown
        sides = [f"gold {gold}"] * (difference.reason != "spurious") + [f"system {system}"] * (difference.reason != "missing")
        message = f"{difference.place}: {', '.join(sides)}"
        item = f"{self.units[row]} {difference.path} {gold or system}"
        return Explanation(
            self.units[row],
            difference.reason,
            message,
            line,
            _KINDS[difference.reason],
            item,
            gold,
            system,
            self._in_groups(row, tuple(self._measures(difference))),
            self._passage(row, gold),
        )

    def _measures(self, difference: Difference) -> Iterator[str]:
        """Yield the measures that would be better without a difference."""
        yield "exact"
        path = glob.escape(difference.path)
        places = (
            [f"field.{path}", f"field.{path}.*"] if isinstance(difference.gold or difference.system, dict) else [f"field.{path}"]
        )
        steps = difference.path.split(".")
        places += [f"list.{glob.escape('.'.join(steps[:end]))}" for end in range(1, len(steps) + 1)]
        for view in self.options.views:
            if any(covers(name, difference.path) or covers(difference.path, name) for name in view.fields):
                places += [view.name, f"{view.name}.by.*", f"{view.name}.macro"]
        for place in ("micro", "macro", "samples", *places):
            yield from (f"{place}.{figure}" for figure in _FIGURES[difference.reason])
        yield f"field.{path}.accuracy"
        yield "macro.accuracy"

    def _in_groups(self, row: int, measures: tuple[str, ...]) -> tuple[str, ...]:
        group = int(self.gold.group[row]) if row < len(self.gold.group) else -1
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

"""Compares each record of the system with gold's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.records.differences import Difference, differences
from pytest_nlpeval.tasks.records.donut import donut_differences, donut_tally
from pytest_nlpeval.tasks.records.forms import Forms
from pytest_nlpeval.tasks.records.gold import Gold
from pytest_nlpeval.tasks.records.matching import Matching, Tally, TooManyPairs, tally_of
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.parsing import Fault
from pytest_nlpeval.tasks.records.reading import as_record
from pytest_nlpeval.tasks.records.schema import Schema
from pytest_nlpeval.tasks.records.system import System
from pytest_nlpeval.tasks.records.trees import Node, Path, Trees
from pytest_nlpeval.tasks.records.tuples import Counts, counts_of


@dataclass(slots=True)
class Comparison:
    """What the comparison of two records has come to: the numbers of fields by path, and of whole objects and tuples.

    `fault` says why the system's record could not be used. `differ` tells where the two records differ.
    """

    tally: Tally
    wholes: Counts
    is_present: bool = True
    is_parsed: bool = True
    is_valid: bool = False
    is_exact: bool = False
    fault: Fault | None = None
    differ: Callable[[], list[Difference]] = field(default=list, repr=False)


@dataclass(slots=True)
class Comparer:
    """Compares records by some options."""

    options: Options
    forms: Forms
    root: Path

    @classmethod
    def of(cls, options: Options) -> Comparer:
        """Return what compares by some options."""
        return cls(options, Forms.of(options), Path.root(options))

    def compared(self, gold: dict[str, Any], value: Any) -> Comparison:
        """Return the comparison of gold's record with the system's value: an object, a list, None for none, or a `Fault`."""
        self.forms.codes.clear()
        mine = Trees(self.forms, is_gold=True).tree(gold, self.root)
        record = None if isinstance(value, Fault) else as_record(value)
        theirs = Node({}) if record is None else Trees(self.forms, is_gold=False).tree(record, self.root)
        fault = value if isinstance(value, Fault) else None
        matching = Matching(mine, theirs, self.forms, is_counting=True)
        try:
            tally, wholes = tally_of(mine, theirs, matching), counts_of(self.root, matching)
        except TooManyPairs:
            record, fault = None, Fault("has more than 1,000,000 pairs of elements to be compared; give long lists a `key`")
            matching = Matching(mine, Node({}), self.forms)
            tally, wholes = tally_of(mine, matching.system, matching), counts_of(self.root, matching)
        if self.options.is_donut:
            tally = donut_tally(gold, record or {}, self.root)
        is_parsed = record is not None
        return Comparison(
            tally,
            wholes,
            is_present=value is not None,
            is_parsed=is_parsed,
            is_exact=is_parsed and tally.is_right,
            fault=fault,
            differ=self._differ(gold, record or {}, matching),
        )

    def _differ(self, gold: dict[str, Any], system: dict[str, Any], matching: Matching) -> Callable[[], list[Difference]]:
        """Return the function that tells where two records differ."""
        return partial(donut_differences, gold, system, self.root) if self.options.is_donut else partial(differences, matching)


def comparisons(documents: Documents, options: Options, rows: Iterable[int]) -> Iterator[tuple[int, Comparison]]:
    """Yield rows with the comparison of their records; those of gold come before those that the system alone has."""
    schema: Schema | None = documents.get("schema")
    comparer = Comparer.of(options)
    records, values = sides(documents)
    for row in rows:
        comparison = comparer.compared(records[row], values[row])
        if schema is not None and comparison.is_parsed:
            comparison.is_valid = schema.violation(values[row]) is None
        yield row, comparison


def sides(documents: Documents) -> tuple[Sequence[dict[str, Any]], Sequence[Any]]:
    """Return gold's records and the system's values of all rows."""
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    if not system.beyond:
        return gold.records, system.values
    return (*gold.records, *({} for _ in system.beyond)), (*system.values, *system.beyond.values())

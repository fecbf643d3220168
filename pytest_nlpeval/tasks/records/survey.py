"""A survey of records: at which paths they have fields, objects and lists, and where values cannot be read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np

from pytest_nlpeval.tasks.records.flat import Column, Flat
from pytest_nlpeval.tasks.records.forms import READ, Forms
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.reading import as_record
from pytest_nlpeval.tasks.records.trees import Field, Node, Path, Trees


@dataclass(slots=True, eq=False)
class Survey:
    """The paths at which records have fields (`paths`), and objects that stand in lists (`lists`).

    `first` has the first record with each path. `unread` has, for each path at which values are no numbers or dates: that word, how many
    there are, the record of the first, and the value. `flat` are the flat ones among the records.
    """

    flat: Flat
    first: dict[str, int] = field(default_factory=dict)
    lists: set[str] = field(default_factory=set)
    unread: dict[str, tuple[str, int, int, Any]] = field(default_factory=dict)

    @property
    def paths(self) -> Collection[str]:
        """The paths at which records have fields."""
        return self.first.keys()

    def note_flat(self, root: Path, *, is_gold: bool) -> None:
        """Note what the flat ones among records have; of gold also what cannot be read."""
        for key, column in self.flat.columns.items():
            path = root.child(key)
            rows = np.flatnonzero(column.fields(self.flat.is_flat)).tolist()
            if rows:
                self.first[path.name] = min(rows[0], self.first.get(path.name, rows[0]))
            if is_gold and path.rule.value in READ and _may_have_unread(column, path.rule.value):
                self._note_unread_of(key, rows, path)

    def _note_unread_of(self, key: str, rows: Sequence[int], path: Path) -> None:
        read = READ[path.rule.value]
        values = [self.flat[row][key] for row in rows]
        unread = {value for value in set(values) if type(value) is not bool and read(value) is None}
        for row, value in zip(rows, values, strict=True):
            if type(value) is bool or value in unread:  # true is 1 for Python, and is not read
                self._note_unread(Field(None, None, value), path, row)

    def note(self, node: Node, place: int) -> None:
        """Note what a record has."""
        for path, elements in node.branches.values():
            for element in elements:
                if isinstance(element, Node):
                    if element.rank >= 0:
                        self.lists.add(path.name)
                    self.note(element, place)
                else:
                    self.first[path.name] = min(place, self.first.get(path.name, place))
                    self._note_unread(element, path, place)

    def _note_unread(self, held: Field, path: Path, place: int) -> None:
        kind = path.rule.value
        if kind not in READ:
            return
        values = held.value if held.has_alternatives and isinstance(held.value, list) else [held.value]
        for value in values:
            if not isinstance(value, list | dict) and value not in (None, "") and READ[kind](value) is None:
                _, number, first, shown = self.unread.get(path.name, (kind, 0, place, value))
                self.unread[path.name] = kind, number + 1, first, shown


def _may_have_unread(column: Column, kind: str) -> bool:
    """Whether there may be values in a column that cannot be read as numbers or dates: what the different texts and the types tell."""
    others = {bool} if kind == "number" else {bool, int, Decimal}
    return not others.isdisjoint(column.types) or any(READ[kind](text) is None for text in column.texts)


def survey_of(records: Flat, options: Options, *, is_gold: bool = True) -> Survey:
    """Return the survey of the records of a side, of which some are flat."""
    forms, root = Forms.of(options), Path.root(options)
    trees, survey = Trees(forms, is_gold), Survey(records)
    survey.note_flat(root, is_gold=is_gold)
    for place in np.flatnonzero(~records.is_flat).tolist():
        forms.codes.clear()
        survey.note(trees.tree(as_record(records[place]) or {}, root), place)
    return survey

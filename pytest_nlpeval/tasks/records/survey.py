"""A survey of records: at which paths they have fields, objects and lists, and where values cannot be read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import numpy as np

from pytest_nlpeval.tasks.records.flat import Cells, Flat
from pytest_nlpeval.tasks.records.forms import Forms, date_of, number_of
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.reading import as_record
from pytest_nlpeval.tasks.records.trees import Field, Node, Path, Trees

_READ = {"number": number_of, "date": date_of}


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

    def note_flat(self, root: Path, forms: Forms) -> None:
        """Note what flat records have."""
        for key, cells in self.flat.columns.items():
            path = root.child(key)
            place = next((row for row, value in zip(cells.rows, cells.values, strict=True) if not forms.is_nothing(value)), None)
            if place is not None:
                self.first[path.name] = min(place, self.first.get(path.name, place))
            if path.rule.value in _READ:
                self._note_unread_of(cells, path, forms)

    def _note_unread_of(self, cells: Cells, path: Path, forms: Forms) -> None:
        read = _READ[path.rule.value]
        doubtful = {value for value in cells.values if type(value) is str or type(value) is bool or path.rule.value == "date"}
        unread = {value for value in doubtful if not forms.is_nothing(value) and read(value) is None}
        for row, value in sorted(zip(cells.rows, cells.values, strict=True), key=itemgetter(0)) if unread else ():
            if value in unread and not forms.is_nothing(value) and read(value) is None:
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
        if kind not in _READ:
            return
        values = held.value if held.has_alternatives and isinstance(held.value, list) else [held.value]
        for value in values:
            if not isinstance(value, list | dict) and value not in (None, "") and _READ[kind](value) is None:
                _, number, first, shown = self.unread.get(path.name, (kind, 0, place, value))
                self.unread[path.name] = kind, number + 1, first, shown


def survey_of(records: Sequence[Any], options: Options, *, is_gold: bool = True) -> Survey:
    """Return the survey of the records of a side."""
    forms, root = Forms.of(options), Path.root(options)
    trees, survey = Trees(forms, is_gold), Survey(Flat.of(records, root))
    survey.note_flat(root, forms)
    for place in np.flatnonzero(~survey.flat.is_flat).tolist():
        forms.codes.clear()
        survey.note(trees.tree(as_record(records[place]) or {}, root), place)
    return survey

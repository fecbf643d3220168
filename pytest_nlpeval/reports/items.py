"""The items of a suite on the page: five examples that stand for what grew, then all others by kind; and what they can be filtered by."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.reports.anchors import Anchors
from pytest_nlpeval.reports.digest import MOST_EXAMPLES, SuiteDigest
from pytest_nlpeval.reports.explanation_views import ExplanationView, explained
from pytest_nlpeval.reports.view import CHANGES
from pytest_nlpeval.wording import harmless

OPEN_ROWS = 6
"""How many documents, problems or rows of what grew are open; the others are folded."""

MOST_ROWS = 1_000
MOST_EXPLAINED = 1_000
"""Of a suite; of many suites, fewer of each, down to `FEWEST`."""

FEWEST = 10

MOST_BYTES = 1_500_000
"""Of the texts of all explanations."""


@light_dataclass(frozen=True, slots=True)
class Room:
    """How many rows, explanations and bytes of their texts a suite may have on the page."""

    rows: int
    explanations: int
    size: int

    @classmethod
    def of(cls, suites: int) -> Room:
        """Return the room that each of so many suites has."""
        rows, explanations = (max(FEWEST, min(most, 2 * most // max(1, suites))) for most in (MOST_ROWS, MOST_EXPLAINED))
        return cls(rows, explanations, MOST_BYTES // max(1, suites))

    @property
    def least(self) -> Room:
        """The room of a suite that passed, where others failed."""
        return Room(self.rows, FEWEST, self.size // 4)


class Item(NamedTuple):
    """An item with its anchor; `bears` is the place of the measures that it bears on in `Items.measures`."""

    key: str
    view: ExplanationView
    bears: int


class Fold(NamedTuple):
    """The further items of a kind."""

    kind: str
    items: Sequence[Item]


@light_dataclass(frozen=True, slots=True)
class Items:
    """The items of a suite: how many are wrong, the first ones, the others by kind, known failures, and how many are not on the page.

    `measures` is a JSON array, of arrays of patterns of measures.
    """

    wrong: int
    first: Sequence[Item]
    folds: Sequence[Fold]
    known: Sequence[Item]
    unshown: int
    unshown_right: int
    measures: str

    @property
    def right(self) -> int:
        """How many items on the page are newly right."""
        return sum(item.view.change == CHANGES["newly_right"] for fold in self.folds for item in fold.items)

    @property
    def shown(self) -> int:
        """How many items are on the page."""
        return len(self.first) + sum(len(fold.items) for fold in self.folds) + len(self.known)


def items_of(told: SuiteDigest, key: str, anchors: Anchors, room: Room) -> Items:
    """Return the items of a suite; `key` is its anchor."""
    suite = told.suite
    chosen = explained(suite, room.explanations, room.size)
    numbers: dict[tuple[str, ...], int] = {}

    def named(views: Iterable[ExplanationView]) -> list[Item]:
        return [
            Item(
                anchors.name(f"{key}.{view.case}.{view.item}" if view.case else f"{key}.{view.item}"),
                view,
                numbers.setdefault(view.measures, len(numbers)),
            )
            for view in views
        ]

    leading = {(example.entry.case, example.entry.explanation.item): rank for rank, example in enumerate(told.examples)}
    entries = named(chosen.entries)
    wrong = [item for item in entries if item.view.change != CHANGES["newly_right"]]
    first = sorted(
        (item for item in wrong if (item.view.case, item.view.item) in leading),
        key=lambda item: leading[item.view.case, item.view.item],
    )[:MOST_EXAMPLES]
    first = first or wrong[:MOST_EXAMPLES]
    opened = {item.key for item in first}
    known = named(chosen.known)
    folds = _folds(item for item in entries if item.key not in opened)
    measures = json.dumps([[harmless(name) for name in names] for names in numbers])
    total = sum(suite.explained.counts.values())
    return Items(total, first, folds, known, chosen.unshown, chosen.unshown_right, measures)


def _folds(items: Iterable[Item]) -> list[Fold]:
    """Return items by kind, the commonest kind first; what is newly right comes last."""
    kinds: dict[tuple[bool, str], list[Item]] = {}
    for item in items:
        is_right = item.view.change == CHANGES["newly_right"]
        kinds.setdefault((is_right, item.view.kind), []).append(item)
    ordered = sorted(kinds.items(), key=lambda pair: (pair[0][0], -len(pair[1])))
    return [Fold(f"newly right: {kind}" if is_right else kind, found) for (is_right, kind), found in ordered]

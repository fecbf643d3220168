"""What changed between two runs, counted by kind: for each reason, pair of labels, group and document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from pytest_nlpeval.explanations import Explanation, Explanations

if TYPE_CHECKING:  # pairing needs NumPy, and the process that only shares work out among others reads changes
    from pytest_nlpeval.metrics.pairing import Common

MOST_TALLIES = 1_000
"""How many kinds of a sort are kept: those that changed most."""

KindOf = Literal["reason", "pair", "group", "document"]
"""What items are counted by: the task's word for why, the labels of gold and system, what an item belongs to, the document."""


class Tally(NamedTuple):
    """How many items of a kind were wrong in the baseline (`then`) and are `today`, of what both runs were asked.

    `newly_wrong` items were right in the baseline, `newly_right` ones are right today. An item that is wrong for another reason than in
    the baseline counts in `then` of one kind and in `today` of another. `name` is a reason, a group or a document; of a pair it is "", and
    `gold` and `system` are its labels, "" for nothing.
    """

    name: str = ""
    gold: str = ""
    system: str = ""
    then: int = 0
    today: int = 0
    newly_wrong: int = 0
    newly_right: int = 0

    @property
    def growth(self) -> int:
        """How many more items are wrong today."""
        return self.today - self.then

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form: the labels of a pair, or else the name, and the counts."""
        named = {"name": self.name} if self.name else {"gold": self.gold, "system": self.system}
        return named | {count: getattr(self, count) for count in ("then", "today", "newly_wrong", "newly_right")}


Kind = tuple[KindOf, tuple[str, str, str]]
"""What items are counted by, and the name and labels of a tally."""


class _Wrong(NamedTuple):
    """The items of a document that are wrong in one run, by key, and by kind; how many of each reason are counted and not kept."""

    items: Mapping[str, Explanation]
    kinds: Counter[Kind]
    cut: Counter[str]

    @classmethod
    def of(cls, document: str, explanations: Explanations, common: Common) -> _Wrong:
        """Return the items that both runs were asked; of those that are not kept nobody can say."""
        kept = [entry for entry in explanations.first if entry.kind != "value"]
        cut = Counter(explanations.counts) - Counter(entry.reason for entry in explanations.first)
        items = {entry.item: entry for entry in kept if common.has(document, entry.unit)}
        return cls(items, _counted(document, items.values()), cut)


@dataclass(slots=True)
class Tallies:
    """Counts the wrong items of two runs, a document after the other."""

    counts: dict[str, Counter[Kind]] = field(default_factory=dict)
    """By the field of a tally, how many items of each kind."""

    def add(self, document: str, before: Explanations, now: Explanations, common: Common) -> None:
        """Count the items of a document."""
        old = _Wrong.of(document, before, common)
        new = old if now is before else _Wrong.of(document, now, common)
        for when, own, other, word, is_certain in (
            ("then", old, new, "newly_right", not now.cut),
            ("today", new, old, "newly_wrong", not before.cut),
        ):
            self._add(when, own.kinds)
            if is_certain and own is not other:
                self._add(word, _counted(document, [entry for item, entry in own.items.items() if item not in other.items]))
            for reason, number in own.cut.items():
                self.counts[when].update({("reason", (reason, "", "")): number, ("document", (document, "", "")): number})

    def _add(self, field_name: str, kinds: Counter[Kind]) -> None:
        """Add items of a document to a field of the tallies of their kinds."""
        self.counts.setdefault(field_name, Counter()).update(kinds)

    def by(self) -> dict[str, tuple[Tally, ...]]:
        """Return the tallies of each sort, the greatest growth first, then by name; of very many, those that changed most."""
        sorts: dict[str, list[Tally]] = {}
        for kind, (name, gold, system) in set(chain.from_iterable(self.counts.values())):
            counts = {field_name: counted[kind, (name, gold, system)] for field_name, counted in self.counts.items()}
            sorts.setdefault(kind, []).append(Tally(name=name, gold=gold, system=system, **counts))
        return {kind: _kept(sorts[kind]) for kind in get_args(KindOf) if kind in sorts}


def _kept(tallies: list[Tally]) -> tuple[Tally, ...]:
    most = sorted(tallies, key=lambda tally: (-tally.newly_wrong - tally.newly_right, *order(tally)))[:MOST_TALLIES]
    return tuple(sorted(most, key=order))


def order(tally: Tally) -> tuple[int, int, str, str, str]:
    """Return what sorts tallies: the greatest growth first, then the greatest number of today, then by name."""
    return -tally.growth, -tally.today, tally.name, tally.gold, tally.system


def _counted(document: str, entries: Iterable[Explanation]) -> Counter[Kind]:
    """Return how many items of a document are of each kind."""
    counted: Counter[Kind] = Counter()
    for (reason, pair, group), number in Counter([(entry.reason, entry.pair, entry.group) for entry in entries]).items():
        counted.update(dict.fromkeys(_kinds(document, reason, pair, group), number))
    return counted


def _kinds(document: str, reason: str, pair: tuple[str, str] | None, group: str) -> Iterator[Kind]:
    yield "reason", (reason, "", "")
    yield "document", (document, "", "")
    if pair is not None:
        yield "pair", ("", *pair)
    if group:
        yield "group", (group, "", "")

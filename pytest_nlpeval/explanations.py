"""Explanations: why units of a document are not right, for people and for comparing two runs item by item.

A task yields them one by one. Of what is right it may yield what a comparison says, if the item is wrong in the later run. They are
gathered only if somebody will read them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import field, replace
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any, Literal, NamedTuple, Self, TypeAlias, TypeVar, cast, get_args

from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.shelf import ROOM, Shelf

T = TypeVar("T")
Reason = TypeVar("Reason", bound=str)

Difference = Literal["missed", "spurious", "wrong-value", "boundary", "partial", "value", "other"]
"""How gold and system differ: only gold has it, only the system has it, both have it with different values or different extents, the
system's is right in part, or anything else. Of kind `value` a value is among the worst, which need not be wrong: it counts as no change."""

Sort = tuple[str, tuple[str, ...]]
"""The sort of an explanation: its reason, and the measures that it bears on."""

LONGEST_PASSAGE = 400
"""Code points of a passage."""

Span = tuple[int, int]
"""A half-open range of code points."""


class Passage(NamedTuple):
    """A piece of text that shows what an explanation is about, with what either side marks in it.

    `gold` and `system` are half-open ranges of code points of `text`, from 0.
    """

    text: str
    gold: tuple[Span, ...] = ()
    system: tuple[Span, ...] = ()

    @classmethod
    def cut(cls, text: str, gold: Iterable[Span] = (), system: Iterable[Span] = ()) -> Self:
        """Return the passage, of a long text only `LONGEST_PASSAGE` code points around the first span; spans are cut with it.

        >>> Passage.cut("It rained in Senn.", gold=[(3, 9)])
        Passage(text='It rained in Senn.', gold=((3, 9),), system=())
        """
        spans = [tuple(gold), tuple(system)]
        if len(text) <= LONGEST_PASSAGE:
            return cls(text, *spans)
        first = min((start for side in spans for start, _ in side), default=0)
        low = max(0, min(first - LONGEST_PASSAGE // 4, len(text) - LONGEST_PASSAGE))
        high = low + LONGEST_PASSAGE
        inside = (
            tuple((max(start, low) - low, min(end, high) - low) for start, end in side if start < high and end > low)
            for side in spans
        )
        return cls(text[low:high], *inside)


class Link(NamedTuple):
    """A relation of a chain: the source has it to the target."""

    source: str
    relation: str
    target: str


class Explanation(NamedTuple):
    """Why a unit is not right. The first three fields are enough; the others make reports and comparisons better.

    `unit` is the unit's name in the evidence (or that of a part of it), `reason` a word from the task's fixed list, `message` a sentence.
    `line` is the system file's, from 1. `kind` says how the sides differ; if it is left out, the reason tells it where it is one of
    those words. `item` identifies what is explained so that the same item has the same key in another run: it depends on gold and on
    places in the text, not on the ids or the order of a system's file; if it is left out, it is the unit. `gold` and `system` are what
    either side has, "" for nothing. `measures` names the measures that would be better without it, `*` standing for any characters;
    without any it bears on all. `chain` are relations from which it follows that the unit is not right, each beginning or ending where the
    one before does. `pair` are the labels of gold and system where the sides give labels, "" for nothing: such pairs are counted.
    `group` is what the unit belongs to, such as the name of an annotation; where the option `group` is given, the engine puts in the unit's
    group. `gold_line` is the gold file's, from 1, of what only gold has.
    """

    unit: str
    reason: str
    message: str
    line: int | None = None
    kind: Difference | Literal[""] = ""
    item: str = ""
    gold: str = ""
    system: str = ""
    measures: tuple[str, ...] = ()
    passage: Passage | None = None
    chain: tuple[Link, ...] = ()
    pair: tuple[str, str] | None = None
    group: str = ""
    gold_line: int | None = None

    @property
    def sort(self) -> Sort:
        """The reason, and the measures that the explanation bears on."""
        return self.reason, self.measures

    def bears_on(self, measure: str) -> bool:
        """Whether the measure of that name would be better without what is explained."""
        return not self.measures or any(fnmatchcase(measure, pattern) for pattern in self.measures)

    def completed(self) -> Explanation:
        """Return the explanation with kind and item."""
        if self.kind and self.item:
            return self
        kind = self.kind or (cast("Difference", self.reason) if self.reason in get_args(Difference) else "other")
        return self._replace(kind=kind, item=self.item or self.unit)

    def numbered(self, keys: Counter[str]) -> Explanation:
        """Return the explanation of an item with a key of its own, where earlier items are equal; `keys` counts these."""
        keys[self.item] += 1
        return self if keys[self.item] == 1 else self._replace(item=f"{self.item}#{keys[self.item]}")

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object: unit, reason, message and line, and whatever other field has a value."""
        data: dict[str, Any] = {name: value for name, value in zip(self._fields, self, strict=True) if value or name in _ALWAYS}
        if self.passage is not None:
            data["passage"] = self.passage._asdict()
        if self.chain:
            data["chain"] = [link._asdict() for link in self.chain]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Explanation:
        """Read back what `to_json` wrote, whatever else the object has.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: if a field is of another type.
        """
        facts = {name: data[name] for name in cls._fields if name in data}
        if "measures" in data:
            facts["measures"] = tuple(data["measures"])
        if (passage := data.get("passage")) is not None:
            facts["passage"] = Passage(passage["text"], _spans(passage["gold"]), _spans(passage["system"]))
        if "chain" in data:
            facts["chain"] = tuple(Link(**link) for link in data["chain"])
        if pair := data.get("pair"):
            gold, system = pair
            facts["pair"] = gold, system
        its = cls(**facts)
        # Joining raises TypeError unless all of them are text.
        "".join((its.unit, its.reason, its.message, its.kind, its.item, its.gold, its.system, its.group, *its.measures))
        return its


_ALWAYS = frozenset(("unit", "reason", "message", "line"))


def _spans(data: Sequence[Sequence[int]]) -> tuple[Span, ...]:
    return tuple([(int(start), int(end)) for start, end in data])


class Omitted(NamedTuple):
    """A number of explanations of one reason that are counted and not written out: of very many, nobody reads all.

    `measures` are those that a single one bears on which its document has room for, and the report of the suite has not.
    """

    reason: str
    number: int
    measures: tuple[str, ...] | None = None


class Right(NamedTuple):
    """An item that is right, and what a comparison says of it if the item is wrong in the later run, such as its place.

    It is no explanation and counted nowhere. `unit` and `item` are as those of an explanation.
    """

    unit: str
    item: str
    message: str


Entry: TypeAlias = Explanation | Omitted | Right
"""What a task yields."""


_full: ContextVar[Container[Hashable]] = ContextVar("_full", default=())
"""The sorts that the report of the suite has no room for, while the explanations of a document are made."""


def explain_each(
    reason: str,
    items: Sequence[T],
    write: Callable[[T], Explanation],
    shelf: Shelf | None = None,
    measures_of: Callable[[T], tuple[str, ...]] = lambda _: (),
) -> Iterator[Explanation | Omitted]:
    """Yield the explanations of items of one reason, of the first `ROOM` those that the shelf takes; then how many are left.

    An explanation that the shelf does not take is not written, nor is one that the report of the suite has no room for. A task that calls
    this several times for a document gives all calls the same shelf; without one, a call has its own. `measures_of` tells which measures
    the explanation of an item bears on: these and the reason are its sort, by which the shelf decides.

    >>> *written, left = explain_each("missed", range(9), lambda rank: Explanation(str(rank), "missed", ""), Shelf(room=2))
    >>> len(written), left
    (4, Omitted(reason='missed', number=5, measures=None))
    """
    shelf, left = Shelf() if shelf is None else shelf, max(0, len(items) - ROOM)
    for item in islice(items, ROOM):
        measures = measures_of(item)
        if not shelf.takes_sort((reason, measures)):
            left += 1
        elif (reason, measures) in _full.get():
            yield Omitted(reason, 1, measures)
        else:
            yield write(item)
    if left:
        yield Omitted(reason, left)


def explain_together(
    reason: Reason,
    items: Sequence[T],
    sorts: Sequence[Hashable],
    write: Callable[[Reason, Sequence[T]], Iterable[Explanation]],
    measures_of: Callable[[Reason, T], tuple[str, ...]],
) -> Iterator[Explanation | Omitted]:
    """Yield the explanations of items of one reason, of which each has a sort, in their order; then how many are left.

    `write` explains all that are to be written at once, and can read their texts together. What the report of the suite has no room for is
    not among these: `measures_of` tells, as for `explain_in_order`, which measures an explanation bears on.

    >>> sorts, write = ["IE"] * 4970 + ["QA"] * 30, lambda reason, items: (Explanation(str(item), reason, "") for item in items)
    >>> *written, left = explain_together("missed", range(5000), sorts, write, lambda *_: ())
    >>> len(written), left.number
    (1020, 3980)
    """
    shelf, full = Shelf(), _full.get()
    kept = [item for item, sort in zip(items, sorts, strict=True) if shelf.takes_sort(sort)]
    measures = [measures_of(reason, item) for item in kept] if full != () else []
    left_out = {rank for rank, every in enumerate(measures) if (reason, every) in full}
    written = iter(write(reason, [item for rank, item in enumerate(kept) if rank not in left_out]))
    for rank in range(len(kept)):
        yield Omitted(reason, 1, measures[rank]) if rank in left_out else next(written)
    if len(items) > len(kept):
        yield Omitted(reason, len(items) - len(kept))


def explain_in_order(
    wrong: Iterable[tuple[Reason, Hashable, T]],
    write: Callable[[Reason, T], Explanation],
    measures_of: Callable[[Reason, T], tuple[str, ...]] | None = None,
) -> Iterator[Explanation | Omitted]:
    """Yield the explanations of items, each with its reason and sort, in their order; then how many of each reason are left.

    `measures_of` tells, before an explanation is written, which measures it bears on: the same that `write` gives it. One that the report
    of the suite has no room for is then not written. It is asked only while that report has no room for some sort; without it, whatever
    the document has room for is written.
    """
    shelf, left = Shelf(), Counter[str]()
    for reason, sort, item in wrong:
        if not shelf.takes_sort((reason, sort)):
            left[reason] += 1
        elif measures_of and (full := _full.get()) != () and (reason, measures := measures_of(reason, item)) in full:
            yield Omitted(reason, 1, measures)
        else:
            yield write(reason, item)
    yield from map(Omitted, left.keys(), left.values())


@frozen_dataclass(frozen=True, slots=True, weakref_slot=True)
class Explanations:
    """The explanations of a document: how many there are of each reason, and those that are kept (see `Shelf`).

    `right` has the first `ROOM` items that are right and of which something is told. `unkept` are the sorts that the document has room for
    and of which nothing is kept, since the report of the suite has no room for them.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    first: tuple[Explanation, ...] = ()
    right: tuple[Right, ...] = ()
    unkept: frozenset[Sort] = frozenset()

    @classmethod
    def of(cls, entries: Iterable[Entry], full: Container[Hashable] = ()) -> Self:
        """Count all explanations, and keep those that a shelf has room for, but for sorts that the report of the suite is `full` of."""
        counts: Counter[str] = Counter()
        kept: list[Explanation] = []
        right: list[Right] = []
        unkept: set[Sort] = set()
        shelf = Shelf()
        before = _full.set(full)
        try:
            for entry in entries:
                if isinstance(entry, Right):
                    right.append(entry)
                    continue
                counts[entry.reason] += entry.number if isinstance(entry, Omitted) else 1
                if entry.measures is not None and shelf.takes_sort(sort := (entry.reason, entry.measures)):
                    if sort in full:
                        unkept.add(sort)
                    elif isinstance(entry, Explanation):
                        kept.append(entry.completed())
        finally:
            _full.reset(before)
        return cls(dict(sorted(counts.items())), tuple(kept), tuple(right[:ROOM]), frozenset(unkept))

    @classmethod
    def of_few(cls, entries: Iterable[Entry], most: int) -> Self | None:
        """Return the explanations if there are at most so many; None, without making the rest, if there are more."""
        few: list[Entry] = []
        number = 0
        for entry in entries:
            number += not isinstance(entry, Right)
            if number > most:
                return None
            few.append(entry)
        return cls.of(few)

    @property
    def cut(self) -> int:
        """The number of explanations that are counted and not kept."""
        return sum(self.counts.values()) - len(self.first)

    def numbered(self) -> Self:
        """Return the explanations with a key of its own for each item that is kept, where items are equal."""
        keys: Counter[str] = Counter()
        are_some_equal = len({explanation.item for explanation in self.first}) < len(self.first)
        return replace(self, first=tuple([entry.numbered(keys) for entry in self.first])) if are_some_equal else self

    def on(self, shelf: Shelf) -> Self:
        """Return the explanations with those alone that a shelf of the whole suite takes."""
        first = tuple(explanation for explanation in self.first if shelf.takes_sort(explanation.sort))
        return self if len(first) == len(self.first) else replace(self, first=first)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object."""
        right = {"right": [list(entry) for entry in self.right]} if self.right else {}
        unkept = {"unkept": sorted(self.unkept)} if self.unkept else {}
        return {"counts": dict(self.counts), "first": [explanation.to_json() for explanation in self.first], **right, **unkept}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read back what `to_json` wrote."""
        right = (Right(unit, item, message) for unit, item, message in data.get("right", ()))
        unkept = frozenset((reason, tuple(measures)) for reason, measures in data.get("unkept", ()))
        return cls(dict(data["counts"]), tuple(map(Explanation.from_json, data["first"])), tuple(right), unkept)

"""Pairs markables as scorer_CAT_NWR.py of 2014-06-18 does: the first that fits, not one-to-one (profile `nwr2014`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import chain
from typing import NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.cat.configuration import AnnotationType
from pytest_nlpeval.tasks.cat.xml.document import Markable

Pair = tuple[Markable, Markable]
"""A markable and its partner on the other side."""


class MarkableRow(NamedTuple):
    """How the markables of a NAME go together, strict or relaxed.

    `pairs` are the gold markables that have a partner, in document order, as (gold, system). `instances` are comparable instances, paired
    one-to-one, also as (gold, system). `back` are the system markables that have a partner, as (system, gold); a partner's partner may
    be another markable.
    """

    pairs: list[Pair]
    instances: list[Pair]
    back: list[Pair]

    def agreeing(self, attribute: str) -> int:
        """Return how many pairs and instances agree on an attribute, ignoring case; a missing attribute counts as the empty string."""
        values = (
            (gold.attributes.get(attribute, ""), system.attributes.get(attribute, ""))
            for gold, system in chain(self.pairs, self.instances)
        )
        return sum(gold == system or gold.lower() == system.lower() for gold, system in values)


def pair_up(ours: Iterable[Markable], theirs: Sequence[Markable]) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs of our markables and their partners among `theirs`: the strict pairs, and the relaxed ones.

    The strict partner is the first with the same tokens in the same order. The relaxed partner is the strict one, or else the first that
    shares a token. Time is linear in the number of all tokens.
    """
    exact: dict[tuple[int, ...], Markable] = {}
    first: dict[int, int] = {}
    for rank, markable in enumerate(theirs):
        exact.setdefault(markable.tokens, markable)
        for token in markable.tokens:
            first.setdefault(token, rank)
    strict: list[Pair] = []
    relaxed: list[Pair] = []
    for markable in ours:
        if partner := exact.get(markable.tokens):
            pair = markable, partner
            strict.append(pair)
            relaxed.append(pair)
        elif ranks := [first[token] for token in markable.tokens if token in first]:
            relaxed.append((markable, theirs[min(ranks)]))
    return strict, relaxed


class Correspondence(NamedTuple):
    """Instances that are all equal to each other, in document order; neither side is empty."""

    gold: list[Markable]
    system: list[Markable]


def correspondences(
    gold: Iterable[Markable], system: Iterable[Markable], line: AnnotationType, instance: AnnotationType | None
) -> list[Correspondence]:
    """Return the instances of a NAME that are equal, ignoring case, on the attributes that are compared.

    Compared are the attributes of the `instance` line that the markable line has, too, and that are written in lower case. Without an
    instance line `instance` is None, and there are no instances.
    """
    compared = [name for name in instance.attributes if name in line.attributes and name == name.lower()] if instance else []
    classes: defaultdict[tuple[str, ...], Correspondence] = defaultdict(lambda: Correspondence([], []))
    for markable in gold:
        classes[_values(markable, compared)].gold.append(markable)
    for markable in system:
        classes[_values(markable, compared)].system.append(markable)
    return [equal for equal in classes.values() if equal.gold and equal.system]


def _values(markable: Markable, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(markable.attributes.get(name, "").lower() for name in names)


@light_dataclass(frozen=True, slots=True)
class Ends:
    """What the ends of relations correspond to on the other side, by id: a span to its partner, an instance to all that are equal.

    `partner` gives a gold end's place: a system id, for an instance that of the first system instance equal to it. `place` gives the
    same for a system instance; any other system end is its own place. `spans` gives the gold id of a system span's partner (of
    several the last), `instances` the gold ids at an instance's place.
    """

    partner: dict[str, str] = field(default_factory=dict)
    place: dict[str, str] = field(default_factory=dict)
    spans: dict[str, str] = field(default_factory=dict)
    instances: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, pairs: Iterable[Pair], equal: Iterable[Correspondence]) -> None:
        """Add the markables of a NAME."""
        for gold, system in pairs:
            self.partner[gold.id] = system.id
            self.spans[system.id] = gold.id
        for correspondence in equal:
            first = correspondence.system[0].id
            self.instances[first] = tuple(markable.id for markable in correspondence.gold)
            self.partner.update(dict.fromkeys(self.instances[first], first))
            self.place.update((markable.id, first) for markable in correspondence.system)

    def place_of(self, end: str) -> str:
        """Return a system end's place."""
        return self.place.get(end, end)

    def gold_ids(self, end: str, unknown: str) -> tuple[str, ...]:
        """Return the gold ids that correspond to a system end, `unknown` if there are none."""
        return self.instances[self.place[end]] if end in self.place else (self.spans.get(end, unknown),)

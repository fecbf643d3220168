"""Coreference by its definitions: sets of mentions, all pairs of them, all pairings of entities."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple, TypeVar


def share(above: Fraction | int, below: int) -> Fraction | None:
    return Fraction(above) / below if below else None


def links(size: int) -> int:
    return size * (size - 1) // 2


def one_side(own: Sequence[set[Any]], other: Sequence[set[Any]]) -> dict[str, Fraction | None]:
    """Return the recall of `own` entities, by the definitions: sets, and all pairings of entities."""
    mentions = sum(map(len, own))
    everything = set().union(*other)
    parts = [sum(bool(entity & k) for k in other) + len(entity - everything) for entity in own]
    lea = Fraction(0)
    for entity in own:
        if len(entity) > 1:
            common = sum(links(len(entity & k)) for k in other)
            lea += len(entity) * Fraction(common, links(len(entity)))
        else:
            lea += any(entity == k for k in other)
    few, many = sorted((own, other), key=len)
    pairings = [list(zip(few, chosen, strict=True)) for chosen in permutations(many, len(few))]
    return {
        "mentions": share(sum(len(k & everything) for k in own), mentions),
        "muc": share(mentions - sum(parts), mentions - len(own)),
        "bcub": share(sum((Fraction(len(k & s) ** 2, len(k)) for k in own for s in other), Fraction(0)), mentions),
        "ceafm": share(max(sum(len(k & s) for k, s in pairing) for pairing in pairings), mentions),
        "ceafe": share(
            max(sum((Fraction(2 * len(k & s), len(k) + len(s)) for k, s in pairing), Fraction(0)) for pairing in pairings),
            len(own),
        ),
        "lea": share(lea, mentions),
    }


def blanc(gold: Sequence[set[Any]], system: Sequence[set[Any]]) -> list[Fraction] | None:
    """Return precision, recall and F of BLANC by the definition: all pairs of mentions."""
    kinds = []
    for of_one in (True, False):
        sides = []
        for entities_of_side in (gold, system):
            owners = {mention: rank for rank, entity in enumerate(entities_of_side) for mention in entity}
            sides.append({frozenset(pair) for pair in combinations(owners, 2) if (owners[pair[0]] == owners[pair[1]]) == of_one})
        if sides[0]:
            common = len(sides[0] & sides[1])
            precision = Fraction(common, len(sides[1])) if sides[1] else Fraction(0)
            recall = Fraction(common, len(sides[0]))
            kinds.append([precision, recall, 2 * precision * recall / (precision + recall) if common else Fraction(0)])
    return [sum(figures, Fraction(0)) / len(kinds) for figures in zip(*kinds, strict=True)] if kinds else None


class Node(NamedTuple):
    """A word (`empty` is 0) or an empty node: where it stands, and its enhanced dependencies as they are written."""

    sentence: int
    word: int
    empty: int
    dependencies: str

    @property
    def place(self) -> tuple[int, int, int]:
        """What is compared of a node."""
        return self.sentence, self.word, self.empty


class Mention(NamedTuple):
    """The nodes of a mention in order, and which of them is the head."""

    nodes: tuple[Node, ...]
    head: Node

    @property
    def places(self) -> tuple[tuple[int, int, int], ...]:
        """The places of all nodes."""
        return tuple(node.place for node in self.nodes)

    @property
    def is_zero(self) -> bool:
        """Whether the head is an empty node."""
        return self.head.empty > 0

    @property
    def parents(self) -> tuple[frozenset[str], frozenset[str]]:
        """The dependencies of the head, and the parents of these alone."""
        items = frozenset(() if self.head.dependencies == "_" else self.head.dependencies.split("|"))
        return items, frozenset(item.partition(":")[0] for item in items)


Entities = Sequence[Sequence[Mention]]
Pairs = dict[Mention, Mention]


def in_order(mentions: Sequence[Mention]) -> list[Mention]:
    """Return mentions in order."""
    return sorted(mentions, key=lambda m: (m.places[0], m.places[-1], len(m.places), m.places, m.head.place))


def match(gold: Sequence[Mention], system: Sequence[Mention], how: str) -> Pairs:
    """Return the pairs of mentions: zeros, then the same, then by head or part."""

    def same(g: Mention, s: Mention) -> Fraction:
        return Fraction(g.places == s.places and (how != "head" or g.head.place == s.head.place))

    def near(g: Mention, s: Mention) -> Fraction:
        inside = set(s.places) <= set(g.places) and g.head.place in s.places
        is_pair = g.head.place == s.head.place if how == "head" else how == "partial" and inside
        return Fraction(len({*g.places} & {*s.places}), len(g.places)) if is_pair else Fraction(0)

    pairs: Pairs = {}
    for weigh in (of_zeros, same, near):
        left = [mention for mention in in_order(gold) if mention not in pairs]
        free = [mention for mention in in_order(system) if mention not in pairs.values()]
        weights = {(g, s): weight for g in left for s in free if (weight := weigh(g, s))}
        assignments = all_assignments(left, free, weights)
        best: Pairs = max(assignments, key=lambda way: (sum(weights[pair] for pair in way.items()), ranks(way, left, free)))
        pairs |= best
    return pairs


def of_zeros(gold: Mention, system: Mention) -> Fraction:
    """Return the weight of two zeros of a sentence, else 0."""
    if not (gold.is_zero and system.is_zero and gold.head.sentence == system.head.sentence):
        return Fraction(0)
    whole, parents = (
        Fraction(2 * len(a & b), len(a) + len(b)) if a and b else Fraction(0)
        for a, b in zip(gold.parents, system.parents, strict=True)
    )
    return 10 * whole + parents


T = TypeVar("T", bound=Hashable)


def ranks(pairs: Mapping[T, T], rows: Sequence[T], columns: Sequence[T]) -> list[int]:
    """Return what is greatest where the first row has the earliest column, any rather than none, then the second row, and so on."""
    return [-columns.index(pairs[row]) if row in pairs else -len(columns) for row in rows]


def all_assignments(rows: Sequence[T], columns: Sequence[T], weights: Mapping[tuple[T, T], Fraction]) -> Iterator[dict[T, T]]:
    """Yield all ways to pair rows and columns that have a weight."""
    if not rows:
        yield {}
        return
    for rest in all_assignments(rows[1:], columns, weights):
        yield rest
        yield from (
            {rows[0]: column} | rest for column in columns if (rows[0], column) in weights and column not in rest.values()
        )


def zeros(gold: Entities, system: Entities, pairs: Pairs) -> dict[str, int]:
    """Return the numbers of anaphoric zeros that are right, wrongly linked, missed and spurious."""
    numbers = dict.fromkeys(("tp", "wl", "fn", "fp"), 0)
    owner = {mention: rank for rank, entity in enumerate(system) for mention in entity}
    firsts = {in_order(entity)[0] for entity in system}
    partners = set()
    for entity in map(in_order, gold):
        for rank, mention in enumerate(entity):
            if not rank or not mention.is_zero:
                continue
            partner = pairs.get(mention)
            partners.add(partner)
            before = {owner[pairs[earlier]] for earlier in entity[:rank] if earlier in pairs}
            is_missed = partner is None or partner in firsts
            numbers["fn" if is_missed else "tp" if partner and owner[partner] in before else "wl"] += 1
    numbers["fp"] = sum(mention.is_zero and mention not in firsts and mention not in partners for mention in owner)
    return numbers


def overlap(gold: Sequence[Mention], system: Sequence[Mention]) -> int:
    """Return the greatest number of shared places over all pairings of mentions."""
    few, many = sorted((gold, system), key=len)
    pairings = permutations(many, len(few))
    return max(sum(len({*a.places} & {*b.places}) for a, b in zip(few, chosen, strict=True)) for chosen in pairings)

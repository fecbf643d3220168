"""Pairs the markables of two files one-to-one, strictly and relaxed (profile `standard`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.rows import Strictness
from pytest_nlpeval.tasks.cat.standard.selection import Selection
from pytest_nlpeval.tasks.cat.xml.document import Markable, value_of

Pair = tuple[Markable, Markable]
"""A gold markable and its partner in the system's file."""


class Pairs(NamedTuple):
    """The strict pairs of a NAME, those of instances among them, and the pairs that match only relaxed."""

    strict: list[Pair]
    overlapping: list[Pair]

    def of(self, row: Strictness) -> list[Pair]:
        """Return the pairs of a row; every strict pair is also a relaxed one."""
        return self.strict if row == "strict" else self.strict + self.overlapping


def pair_markables(gold: Selection, system: Selection, configuration: Configuration) -> dict[str, Pairs]:
    """Return the pairs of all NAMEs that both files have.

    Strict pairs have the same extent, comparable instances the same values of the instance line's attributes, ignoring case; of
    several that are alike the k-th goes with the k-th. The other relaxed pairs share a token.
    """
    pairs: dict[str, Pairs] = {}
    for name in gold.spans.keys() & system.spans.keys():
        pairs[name] = pair_spans(gold.spans[name], system.spans[name])
    for line in configuration.instances:
        ours, theirs = ([(_values(m, line.attributes), m) for m in side.instances.get(line.name, ())] for side in (gold, system))
        if alike := _pair_alike(ours, theirs):
            strict, overlapping = pairs.get(line.name, Pairs([], []))
            pairs[line.name] = Pairs(strict + alike, overlapping)
    return pairs


def pair_spans(gold: Sequence[Markable], system: Sequence[Markable]) -> Pairs:
    """Return the pairs of markables of one NAME, each with an extent.

    After the strict pairs, those that share more tokens go first, then by gold order, then by system order. Costs the number of
    tokens, and the pairs of markables that are left and share one.
    """
    ours, theirs = ([(frozenset(markable.tokens), markable) for markable in side] for side in (gold, system))
    strict = _pair_alike(ours, theirs)
    paired = {markable.id for markable, _ in strict}, {markable.id for _, markable in strict}
    rest = [[(extent, m) for extent, m in side if m.id not in done] for side, done in zip((ours, theirs), paired, strict=True)]
    return Pairs(strict, _pair_overlapping(*rest))


def _values(markable: Markable, attributes: Iterable[str]) -> tuple[str, ...]:
    return tuple(value_of(markable.attributes, name).casefold() for name in attributes)


def _pair_alike(gold: Sequence[tuple[Hashable, Markable]], system: Sequence[tuple[Hashable, Markable]]) -> list[Pair]:
    """Pair what has equal keys, the k-th of gold with the k-th of the system."""
    waiting: defaultdict[Hashable, list[Markable]] = defaultdict(list)
    for key, markable in reversed(system):
        waiting[key].append(markable)
    return [(markable, waiting[key].pop()) for key, markable in gold if waiting.get(key)]


Extents = Sequence[tuple[frozenset[int], Markable]]


def _pair_overlapping(gold: Extents, system: Extents) -> list[Pair]:
    """Pair markables that share tokens, greedily: those that share most tokens first, then in the order of gold and of the system."""
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for rank, (extent, _) in enumerate(system):
        for token in extent:
            holders[token].append(rank)
    candidates = sorted(
        (-shared, gold_rank, system_rank)
        for gold_rank, (extent, _) in enumerate(gold)
        for system_rank, shared in Counter(rank for token in extent for rank in holders.get(token, ())).items()
    )
    pairs: list[Pair] = []
    ours, theirs = set(range(len(gold))), set(range(len(system)))
    for _, gold_rank, system_rank in candidates:
        if gold_rank in ours and system_rank in theirs:
            ours.remove(gold_rank)
            theirs.remove(system_rank)
            pairs.append((gold[gold_rank][1], system[system_rank][1]))
    return pairs

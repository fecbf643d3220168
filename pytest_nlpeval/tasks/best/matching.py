"""Matches the system's tuples with gold's, target by target and match type by match type.

Rules: the BeSt task definition, section 6. A system and a gold tuple are comparable if target and attitude are equal. The types, in
the order in which they are processed, each tuple matching once: *b*, source and value agree (credit 1); *c*, the source agrees (2/3);
*d*, the value agrees (2/3); *e*, neither does (1/3). The pairs of one type are taken by decreasing provenance F, then by the system
tuple's (source, value), then by the gold tuple's; a pair with a tuple already matched is skipped.

Within one type the candidates form complete bipartite groups (c: same source, d: same value, e: all), which `pair_up` works through
without listing all pairs: tuples with the same provenance are interchangeable but for their names.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from pytest_nlpeval.tasks.best.tuples import Holding, Holdings, Target

MatchType = Literal["b", "c", "d", "e"]
THIRDS: dict[MatchType, int] = {"b": 3, "c": 2, "d": 2, "e": 1}
"""The credit of a match type, in thirds."""


class Match(NamedTuple):
    """A system tuple and the gold tuple it consumed; `overlap` is the F of their provenance sets, 0 if they share no mention."""

    type: MatchType
    system: Holding
    gold: Holding
    overlap: float


class Compared(NamedTuple):
    """The tuples of both sides of one attitude towards one target, and how they match."""

    target: Target
    system: Holdings
    gold: Holdings
    matches: list[Match]


def provenance_f(shared: int, system: int, gold: int) -> float:
    """Return the F of a system's provenance set against gold's, in [0, 1]: `2 * shared / (system + gold)`; sets are never empty."""
    return 2 * shared / (system + gold)


def match_target(system: Holdings, gold: Holdings) -> list[Match]:
    """Return all matches between the tuples of one target and attitude, without listing the pairs that share no mention."""
    matches: list[Match] = []
    system_left, gold_left = dict(system), dict(gold)
    for holding in sorted(system.keys() & gold.keys()):
        here, there = system_left.pop(holding).mentions, gold_left.pop(holding).mentions
        matches.append(Match("b", holding, holding, provenance_f(len(here & there), len(here), len(there))))
    for match_type, part in _GROUPINGS:
        if not system_left or not gold_left:
            break
        for ours, theirs in _groups(system_left, gold_left, part):
            for system_holding, gold_holding, overlap in pair_up(ours, theirs):
                matches.append(Match(match_type, system_holding, gold_holding, overlap))
                del system_left[system_holding], gold_left[gold_holding]
    return matches


_SOURCE, _VALUE = 0, 1
_GROUPINGS: tuple[tuple[MatchType, int | None], ...] = (("c", _SOURCE), ("d", _VALUE), ("e", None))


def _groups(system: Holdings, gold: Holdings, part: int | None) -> list[tuple[Holdings, Holdings]]:
    """Return the groups of tuples that agree on a part of the holding; all as one group for None."""
    if part is None:
        return [(dict(system), dict(gold))]
    ours, theirs = _by_part(system, part), _by_part(gold, part)
    return [(ours[name], theirs[name]) for name in sorted(ours.keys() & theirs.keys())]


def _by_part(holdings: Holdings, part: int) -> Mapping[str, Holdings]:
    """Return the tuples that have each source, or each value, in their order."""
    by_name: defaultdict[str, Holdings] = defaultdict(dict)
    for holding, provenance in holdings.items():
        by_name[holding[part]][holding] = provenance
    return by_name


Pair = tuple[Holding, Holding, float]


def pair_up(system: Holdings, gold: Holdings) -> Iterator[Pair]:
    """Yield one-to-one pairs of a complete bipartite group, greedily: by decreasing provenance F, then by names.

    Pairs that share a mention come first, in the order of their F. The tuples that are left share no mention and are paired in the
    order of names: (a, cb) with (b, cb), (c, cb) with (d, cb). Time is linear in the pairs of different provenance sets that share a
    mention, plus sorting.
    """
    ours, theirs = _by_provenance(system), _by_provenance(gold)
    for overlap, neighbours in sorted(_levels(ours, theirs).items(), reverse=True):
        yield from _pair_level(overlap, neighbours, ours, theirs)
    rest = (sorted(name for names in side.values() for name in names) for side in (ours, theirs))
    yield from ((ours_left, theirs_left, 0.0) for ours_left, theirs_left in zip(*rest, strict=False))


Classes = dict[frozenset[str], list[Holding]]


def _by_provenance(holdings: Holdings) -> Classes:
    classes: defaultdict[frozenset[str], list[Holding]] = defaultdict(list)
    for holding in sorted(holdings):
        classes[frozenset(holdings[holding].mentions)].append(holding)
    return classes


def _levels(ours: Classes, theirs: Classes) -> dict[float, dict[frozenset[str], list[frozenset[str]]]]:
    """Return, for each provenance F above 0, the provenance sets of the system that have it, and with which sets of gold each has it."""
    where: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for mentions in theirs:
        for mention in mentions:
            where[mention].append(mentions)
    levels: defaultdict[float, dict[frozenset[str], list[frozenset[str]]]] = defaultdict(dict)
    for mentions in ours:
        shared = Counter(of_gold for mention in mentions for of_gold in where.get(mention, ()))
        for of_gold, count in shared.items():
            levels[provenance_f(count, len(mentions), len(of_gold))].setdefault(mentions, []).append(of_gold)
    return levels


def _pair_level(
    overlap: float, neighbours: dict[frozenset[str], list[frozenset[str]]], ours: Classes, theirs: Classes
) -> Iterator[Pair]:
    """Yield the pairs of one F: each system tuple in the order of names takes the first gold tuple that is left for it."""
    waiting = sorted((name, mentions) for mentions in neighbours for name in ours[mentions])
    taken: set[Holding] = set()
    for name, mentions in waiting:
        free = [of_gold for of_gold in neighbours[mentions] if theirs[of_gold]]
        if not free:
            continue
        best = min(free, key=lambda of_gold: theirs[of_gold][0])
        yield name, theirs[best].pop(0), overlap
        taken.add(name)
    for mentions in neighbours:
        ours[mentions] = [name for name in ours[mentions] if name not in taken]

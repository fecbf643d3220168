"""The profile `corefud-1.2`: the CorefUD scorer pairs distinct mentions, and then looks each one up on the other side by its places.

A mention is known by its *key*: its places, with `match: head` also its head. Entities may share keys. A key that entities share
belongs to the last of them; a key that is on both sides leads where the pair that was noted last leads.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from pytest_nlpeval.metrics.coreference import Shared
from pytest_nlpeval.metrics.muc import partition
from pytest_nlpeval.tasks.coref.document import Entity, Side
from pytest_nlpeval.tasks.coref.matching import NOBODY, match
from pytest_nlpeval.tasks.coref.mentions import Mention, Mentions
from pytest_nlpeval.tasks.coref.options import Match, Options
from pytest_nlpeval.tasks.coref.pairing import Pairing

MentionKey: TypeAlias = Hashable
Keys: TypeAlias = Sequence[MentionKey]


def pair_by_look_up(gold: Mentions, system: Mentions, options: Options) -> Pairing:
    """Return how the entities of two sides meet in the CorefUD scorer."""
    how = options.match or "exact"
    sides = Side.of(gold), Side.of(system)
    sizes = [list(map(len, side.entities)) for side in sides]
    distinct = [{_key(mention, how): row for row, mention in reversed(list(enumerate(side.mentions)))} for side in sides]
    keys = [list(reversed(side)) for side in distinct]
    rows = [np.array(list(side.values())[::-1], np.int64) for side in distinct]
    partners = match(gold.picked(rows[0]), system.picked(rows[1]), how)
    pairs = [(key, keys[1][other]) for key, other in zip(keys[0], partners.tolist(), strict=True) if other != NOBODY]
    to = {own: other for own, other in pairs if own != other}
    to |= {other: own for own, other in pairs if own != other}
    entities = [[[_key(mention, how) for mention in entity] for entity in side.entities] for side in sides]
    owners = [_owners(side.entities, own) for side, own in zip(sides, entities, strict=True)]
    looked_up = [
        {key: other[at] for key in own if (at := to.get(key, key)) in other}
        for own, other in zip(keys, reversed(owners), strict=True)
    ]
    shared = [
        Shared(own_sizes, others, _found(own, ranks))
        for own_sizes, others, own, ranks in zip(sizes, reversed(sizes), entities, looked_up, strict=True)
    ]
    links = [
        sum(len(chain) - len(partition(chain, ranks)) for chain in own) for own, ranks in zip(entities, looked_up, strict=True)
    ]
    both = Shared(sizes[0], sizes[1], _leading(entities[0], entities[1], to))
    return Pairing((gold, system), _partners(sides, how, to), len(pairs), links[0], links[1], shared[0], shared[1], both)


def _key(mention: Mention, how: Match) -> MentionKey:
    return (mention.places, mention.head) if how == "head" else mention.places


def _owners(entities: Sequence[Entity], keys: Sequence[Keys]) -> dict[MentionKey, int]:
    """Return for each key the last entity that has it, by first mentions: first place, more places first, last place."""
    firsts = [min((mention.places[0], -len(mention.places), mention.places[-1]) for mention in entity) for entity in entities]
    owners: dict[MentionKey, int] = {}
    for rank in sorted(range(len(entities)), key=firsts.__getitem__):
        owners.update(dict.fromkeys(keys[rank], rank))
    return owners


def _found(entities: Sequence[Keys], looked_up: Mapping[MentionKey, int]) -> Counter[tuple[int, int]]:
    """Return how many mentions of each entity are found in each entity of the other side."""
    return Counter((rank, looked_up[key]) for rank, entity in enumerate(entities) for key in entity if key in looked_up)


def _leading(gold: Sequence[Keys], system: Sequence[Keys], to: Mapping[MentionKey, MentionKey]) -> Counter[tuple[int, int]]:
    """Return how many mentions of each gold entity lead into each system entity; one that leads nowhere stands for itself."""
    having: defaultdict[MentionKey, list[int]] = defaultdict(list)
    for rank, entity in enumerate(system):
        for key in entity:
            having[key].append(rank)
    counts: Counter[tuple[int, int]] = Counter()
    for rank, entity in enumerate(gold):
        for key in entity:
            counts.update((rank, other) for other in having.get(to.get(key, key), ()))
    return counts


def _partners(sides: tuple[Side, Side], how: Match, to: Mapping[MentionKey, MentionKey]) -> dict[int, int]:
    """Return for gold mentions the system mention of the same key, else the one that they lead to; by ranks."""
    gold, system = sides
    rank_of = {_key(mention, how): rank for rank, mention in enumerate(system.mentions)}
    partners: dict[int, int] = {}
    for rank, mention in enumerate(gold.mentions):
        key = _key(mention, how)
        other = rank_of.get(key, rank_of.get(to.get(key, key)))
        if other is not None:
            partners[rank] = other
    return partners

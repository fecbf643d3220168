"""The profile `corefud-1.2`: the CorefUD scorer pairs distinct mentions, and then looks each one up on the other side by its places.

A mention is known by its *key*: its places, with `match: head` also its head; keys are numbers here. Entities may share keys. A key that
entities share belongs to the last of them; a key that is on both sides leads where the pair that was noted last leads.
"""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.metrics.coreference import Shared
from pytest_nlpeval.tasks.coref.matching import NOBODY, match
from pytest_nlpeval.tasks.coref.mentions import Mentions, Numbers, keys_of, spans
from pytest_nlpeval.tasks.coref.options import Options
from pytest_nlpeval.tasks.coref.pairing import Pairing, Sides, entities_of, owners_of


def pair_by_look_up(sides: Sides, number: int, options: Options) -> Pairing:
    """Return how the entities of two sides meet in so many documents in the CorefUD scorer."""
    how = options.match or "exact"
    names, ranks = np.unique(np.concatenate(keys_of(*sides, with_heads=how == "head")), return_inverse=True)
    keys = np.split(ranks, [len(sides[0].firsts)])
    rows = [np.unique(own, return_index=True)[1] for own in keys]
    matched = match(sides[0].picked(rows[0]), sides[1].picked(rows[1]), how)
    pairs = np.flatnonzero(matched != NOBODY)
    to = _leading(len(names), keys[0][rows[0][pairs]], keys[1][rows[1][matched[pairs]]])
    owners = [owners_of(side, number) for side in sides]
    entities = [entities_of(*side) for side in zip(sides, owners, strict=True)]
    last = [_last_entities(*side, len(names)) for side in zip(sides, owners, keys, strict=True)]

    def found(own: int, other: int) -> Shared:
        looked_up = last[other][to[keys[own]]]
        is_there = looked_up != NOBODY
        return Shared.of(number, (entities[own], entities[other]), owners[own][is_there], looked_up[is_there])

    starts, ends = (np.searchsorted(keys[1], np.arange(len(names)), side) for side in ("left", "right"))
    own, other = spans(starts[to[keys[0]]], ends[to[keys[0]]])
    both = Shared.of(number, (entities[0], entities[1]), owners[0][own], owners[1][other])
    row_of = np.where(starts < ends, ends - 1, NOBODY)
    partners = np.where(row_of[keys[0]] != NOBODY, row_of[keys[0]], row_of[to[keys[0]]])
    numbers = np.bincount(sides[0].documents[rows[0][pairs]], minlength=number)
    return Pairing(partners, numbers, found(0, 1), found(1, 0), both)


def _leading(number: int, gold: Numbers, system: Numbers) -> Numbers:
    """Return where each of so many keys leads, given the keys of the pairs; one that is in no pair leads to itself."""
    to = np.arange(number)
    differ = gold != system
    to[gold[differ]] = system[differ]
    to[system[differ]] = gold[differ]
    return to


def _last_entities(mentions: Mentions, owners: Numbers, keys: Numbers, number: int) -> Numbers:
    """Return for each key the last entity that has it, `NOBODY` if none has; entities are in the order of their first mentions.

    Of mentions that begin at one place the one of more places is the first, then the one that ends first.
    """
    in_order = owners[np.lexsort((owners, mentions.lasts, -mentions.lengths(), mentions.firsts))]
    different, firsts = np.unique(in_order, return_index=True)
    places = np.zeros(len(owners), np.int64)
    places[different] = firsts
    last = np.full(number, NOBODY)
    np.maximum.at(last, keys, places[owners])
    entities: Numbers = np.append(in_order, NOBODY)[last]
    return entities

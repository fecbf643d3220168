"""How the entities of documents meet: the pairs of mentions, and what each side's entities find of the other's."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.coreference import Entities, Shared
from pytest_nlpeval.tasks.coref.matching import NOBODY, match
from pytest_nlpeval.tasks.coref.mentions import Mentions, Numbers
from pytest_nlpeval.tasks.coref.options import Options

Sides = tuple[Mentions, Mentions]
"""The mentions of gold and the system in the same documents."""


class Pairing(NamedTuple):
    """What measures are made of: pairs of mentions, and numbers of mentions that entities share.

    `partners` has for each gold mention the row of the system's, `NOBODY` for none, and `numbers` the number of pairs of each document.
    `gold` has what gold's entities find in the system's, `system` the reverse; `both` is what CEAF pairs entities by. In `standard` all
    of these are the same numbers, since pairs are pairs.
    """

    partners: Numbers
    numbers: Numbers
    gold: Shared
    system: Shared
    both: Shared


def pair(sides: Sides, number: int, options: Options) -> Pairing:
    """Return how the entities of two sides meet in so many documents."""
    gold, system = sides
    partners = match(gold, system, options.match or "exact")
    rows = np.flatnonzero(partners != NOBODY)
    own, other = (owners_of(side, number) for side in sides)
    entities = entities_of(gold, own), entities_of(system, other)
    shared = Shared.of(number, entities, own[rows], other[partners[rows]])
    return Pairing(partners, np.bincount(gold.documents[rows], minlength=number), shared, shared.exchanged(), shared)


def owners_of(mentions: Mentions, number: int) -> Numbers:
    """Return the entity of each mention: the first entity of a document is that of the row where the document begins."""
    return mentions.bounds(number)[mentions.documents] + mentions.owners


def entities_of(mentions: Mentions, owners: Numbers) -> Entities:
    """Return the entities, of which a document has at most as many as it has rows."""
    return Entities(mentions.documents, np.bincount(owners, minlength=len(owners)))


def numbers_of_zeros(sides: Sides, partners: Numbers, number: int) -> dict[str, Numbers]:
    """Return how many anaphoric zeros of each document are right (`tp`), wrongly linked (`wl`), missed (`fn`) and spurious (`fp`)."""
    gold, system = sides
    are_zeros = [side.zeros.astype(np.bool_) for side in sides]
    if not any(flags.any() for flags in are_zeros):
        return dict.fromkeys(("tp", "wl", "fn", "fp"), np.zeros(number, np.int64))
    own, other = (owners_of(side, number) for side in sides)
    is_anaphor, is_spurious = (flags & ~_are_first(owners) for flags, owners in zip(are_zeros, (own, other), strict=True))
    is_spurious[partners[is_anaphor & (partners != NOBODY)]] = False
    rows = np.flatnonzero(partners != NOBODY)
    is_linked, is_new = np.zeros((2, len(partners)), np.bool_)
    is_linked[rows] = ~_are_first(other)[partners[rows]]
    is_new[rows] = _are_first(own[rows] * len(other) + other[partners[rows]])
    flags = {"tp": is_anaphor & is_linked & ~is_new, "wl": is_anaphor & is_linked & is_new, "fn": is_anaphor & ~is_linked}
    numbers = {name: np.bincount(gold.documents[which], minlength=number) for name, which in flags.items()}
    return numbers | {"fp": np.bincount(system.documents[is_spurious], minlength=number)}


def _are_first(numbers: Numbers) -> NDArray[np.bool_]:
    """Return which numbers are the first of their kind."""
    are_first = np.zeros(len(numbers), np.bool_)
    are_first[np.unique(numbers, return_index=True)[1]] = True
    return are_first

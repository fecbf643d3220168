"""Which span of gold goes with which one of the system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.overlap import Extent, pair_extents, pair_spans
from pytest_nlpeval.tasks.spans.document import Spans

Integers = NDArray[np.int64]
Pairs = tuple[Integers, Integers]
"""Ranks of spans of gold and of the system, those of one pair at the same place, or other numbers for two sides."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """How the spans of two sides, with labels from one list of names, go together.

    `same` are the pairs of one extent and label, `extents` further ones of one extent, `overlapping` further ones that overlap: together a
    greatest one-to-one matching. `labelled` are, beside `same`, the pairs of a greatest matching of the spans of each label alone.
    """

    gold: Spans
    system: Spans
    same: Pairs
    extents: Pairs
    overlapping: Pairs
    labelled: Pairs

    @property
    def pairs(self) -> Pairs:
        """All pairs whatever their labels, those with the same extent and label first."""
        gold, system = zip(self.same, self.extents, self.overlapping, strict=True)
        return np.concatenate(gold), np.concatenate(system)


def with_common_names(gold: Spans, system: Spans) -> tuple[Spans, Spans]:
    """Return the spans of both sides with the labels of both as names."""
    names = tuple(sorted({*gold.names, *system.names}))
    rank_of = {name: rank for rank, name in enumerate(names)}
    sides = (
        replace(side, names=names, label=np.array([rank_of[name] for name in side.names], np.int64)[side.label])
        for side in (gold, system)
    )
    return next(sides), next(sides)


def match(gold: Spans, system: Spans) -> Matching:
    """Return how the spans of two sides with the same names go together."""
    keys = _extent_keys(gold, system)
    width = max(1, len(gold.names))
    labelled_keys = (keys[0] * width + gold.label, keys[1] * width + system.label)
    same = _common(*labelled_keys)
    rest = _without((np.arange(len(gold)), np.arange(len(system))), same)
    within = _common(*(_numbered(side_keys[ranks]) for side_keys, ranks in zip(keys, rest, strict=True)))
    extents = rest[0][within[0]], rest[1][within[1]]
    left = _without(rest, extents)
    overlapping = _pairs(gold, system, left, 0)
    end = int(max(gold.end.max(initial=0), system.end.max(initial=0)))
    return Matching(gold, system, same, extents, overlapping, _pairs(gold, system, rest, end))


def _extent_keys(gold: Spans, system: Spans) -> Pairs:
    """Return a number for each extent, the same for equal ones of both sides, in the order of starts."""
    beyond = int(max(gold.end.max(initial=0), system.end.max(initial=0))) + 1
    keys = [side.start * beyond + side.end for side in (gold, system)]
    split: dict[Extent, int] = {}
    for side, numbers in zip((gold, system), keys, strict=True):
        for rank, extent in side.gaps.items():
            numbers[rank] = -1 - split.setdefault(extent, len(split))
    _, ranks = np.unique(np.concatenate(keys), return_inverse=True)
    return ranks[: len(gold)], ranks[len(gold) :]


def _common(ours: Integers, theirs: Integers) -> Pairs:
    """Return where the numbers are that both sides have; each side has a number once."""
    _, first, second = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    return first, second


def _without(ranks: Pairs, taken: Pairs) -> Pairs:
    first, second = (np.setdiff1d(side, gone, assume_unique=True) for side, gone in zip(ranks, taken, strict=True))
    return first, second


def _numbered(keys: Integers) -> Integers:
    """Return different numbers for equal keys: the first of a key has the same one wherever the key occurs, and so has the second."""
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    begins = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    repeated = np.arange(len(sorted_keys)) - np.repeat(begins, np.diff(begins, append=len(sorted_keys)))
    numbers = np.empty_like(keys)
    numbers[order] = sorted_keys + (repeated << 32)
    return numbers


def _pairs(gold: Spans, system: Spans, ranks: Pairs, way: int) -> Pairs:
    """Return a greatest matching of some spans; `way` is how far those of a label are moved from those of the label before."""
    ours, theirs = (
        (side.start[chosen] + way * side.label[chosen], side.end[chosen] + way * side.label[chosen])
        for side, chosen in zip((gold, system), ranks, strict=True)
    )
    near = np.flatnonzero(_is_near(ours, theirs)), np.flatnonzero(_is_near(theirs, ours))
    if gold.gaps or system.gaps:
        extents = (
            [side.extent(rank, way * int(side.label[rank])) for rank in chosen[some].tolist()]
            for side, chosen, some in zip((gold, system), ranks, near, strict=True)
        )
        pairs = pair_extents(*extents)
    else:
        parts = (
            list(zip(start[some].tolist(), end[some].tolist(), strict=True))
            for (start, end), some in zip((ours, theirs), near, strict=True)
        )
        pairs = pair_spans(*parts)
    ranks_of_pairs = np.array(pairs, np.int64).reshape(-1, 2)
    return ranks[0][near[0][ranks_of_pairs[:, 0]]], ranks[1][near[1][ranks_of_pairs[:, 1]]]


def _is_near(spans: Pairs, others: Pairs) -> NDArray[np.bool_]:
    """Return which spans, by start and end, have one of the others that begins before they end and does not end before they begin."""
    begun, over = np.searchsorted(np.sort(others[0]), spans[1]), np.searchsorted(np.sort(others[1]), spans[0], side="right")
    is_near: NDArray[np.bool_] = begun > over
    return is_near

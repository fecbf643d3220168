"""Segments as pairs of a reference and the hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.ngrams import blocks

Ints = NDArray[np.int64]
Numbers = NDArray[np.int64] | NDArray[np.float64]

T = TypeVar("T")

_CHARACTERS_AT_ONCE = 1 << 20


@light_dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """All references, segment by segment, and the hypothesis of each segment, "" for none.

    `segments` has the segment of each reference, and `ranks` its place among the references of the segment, from 0. Each segment has one
    reference at least.
    """

    references: Sequence[str]
    segments: Ints
    ranks: Ints
    hypotheses: Sequence[str]

    @classmethod
    def of(cls, references: Sequence[Sequence[str]], hypotheses: Sequence[str]) -> Pairs:
        """Return the pairs of segments with their references."""
        numbers = np.fromiter(map(len, references), np.int64, len(references))
        segments = np.repeat(np.arange(len(references)), numbers)
        starts = np.cumsum(numbers) - numbers
        return cls(
            [text for own in references for text in own], segments, np.arange(len(segments)) - starts[segments], hypotheses
        )

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.references)

    def with_hypotheses(self, of_segments: Sequence[T]) -> list[T]:
        """Return what the hypotheses have, for each pair."""
        return [of_segments[segment] for segment in self.segments.tolist()]

    def first_best(self, *losses: Numbers) -> Ints:
        """Return the pair of each segment whose losses are least, the first deciding, then the second; of equal pairs the first."""
        if len(self) == len(self.hypotheses):
            return np.arange(len(self))
        order = np.lexsort((self.ranks, *losses[::-1], self.segments))
        return order[np.flatnonzero(np.diff(self.segments[order], prepend=-1))]

    def greatest(self, of_pairs: Ints) -> Ints:
        """Return the greatest number of each segment's pairs."""
        starts = np.flatnonzero(np.diff(self.segments, prepend=-1))
        return np.maximum.reduceat(of_pairs, starts) if len(starts) else of_pairs

    def sums(self, of_pairs: Ints) -> Ints:
        """Return the sum of the numbers of each segment's pairs."""
        return np.bincount(self.segments, of_pairs, len(self.hypotheses)).astype(np.int64)


def in_blocks(work: Callable[[slice], Ints], sizes: Sequence[int], width: int, most: int = _CHARACTERS_AT_ONCE) -> Ints:
    """Return what work on blocks of consecutive rows gives, shape `(rows, width)`; `sizes` are those of the rows."""
    numbers = np.zeros((len(sizes), width), np.int64)
    for block in blocks(sizes, most):
        numbers[block] = work(block)
    return numbers

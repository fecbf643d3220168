"""Minimal alignments of sequences: hits, substitutions, deletions and insertions.

Source: V. I. Levenshtein, Binary codes capable of correcting deletions, insertions and reversals, Soviet Physics Doklady 10, 1966. A
sequence is a text, each of whose characters stands for a token. Of the minimal alignments the one of rapidfuzz is taken: the common
beginning and the common end are hits; what is left is read back from the ends, where a deletion goes before an insertion, and an
insertion before a hit or substitution, as far as the distance stays minimal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import LCSseq, Levenshtein

Counts = NDArray[np.int64]


class Edits(NamedTuple):
    """What became of the tokens of references, for each pair of a reference and a hypothesis; shape `(pairs,)` each."""

    hits: Counts
    substitutions: Counts
    deletions: Counts
    insertions: Counts

    @property
    def errors(self) -> Counts:
        """The edit distance of each pair."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def reference_length(self) -> Counts:
        """The number of tokens of each reference."""
        return self.hits + self.substitutions + self.deletions


def edits(references: Sequence[str], hypotheses: Sequence[str]) -> Edits:
    """Return the numbers of hits and of errors of each kind in an alignment of each pair.

    Quadratic in the length of a pair, 64 tokens at a time.

    >>> [counts.tolist() for counts in edits(["abcd", "", "ab"], ["acdx", "y", "ab"])]
    [[3, 0, 2], [0, 0, 0], [1, 0, 0], [1, 1, 0]]
    """
    lengths, hypothesis_lengths = (np.fromiter(map(len, texts), np.int64, len(texts)) for texts in (references, hypotheses))
    distances = process.cpdist(references, hypotheses, scorer=Levenshtein.distance, dtype=np.int64)
    shorter = lengths - hypothesis_lengths
    deletions = np.maximum(shorter, 0)
    for pair in np.flatnonzero(distances - np.abs(shorter) > 1).tolist():  # elsewhere the lengths tell the deletions
        stretches = operations(references[pair], hypotheses[pair])
        deletions[pair] = sum(end - start for kind, start, end, _, _ in stretches if kind == "delete")
    insertions = deletions - shorter
    substitutions = distances - deletions - insertions
    return Edits(lengths - substitutions - deletions, substitutions, deletions, insertions)


def common_lengths(first: Sequence[str], second: Sequence[str]) -> Counts:
    """Return the length of the longest common subsequence of each pair of sequences, shape `(pairs,)`.

    >>> common_lengths(["abcd"], ["axbd"]).tolist()
    [3]
    """
    lengths: Counts = process.cpdist(first, second, scorer=LCSseq.similarity, dtype=np.int64)
    return lengths


Operation = tuple[str, int, int, int, int]
"""`equal`, `replace`, `delete` or `insert`, the stretch of the reference and that of the hypothesis, both half-open."""


def operations(reference: str, hypothesis: str) -> list[Operation]:
    """Return the stretches of the alignment that `edits` counts, from the beginning to the end.

    >>> operations("abcd", "acdx")
    [('equal', 0, 1, 0, 1), ('delete', 1, 2, 1, 1), ('equal', 2, 4, 1, 3), ('insert', 4, 4, 3, 4)]
    """
    stretches: Any = Levenshtein.opcodes(reference, hypothesis)
    alignment: list[Operation] = stretches.as_list()
    return alignment


def spelt(*sides: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return sequences of words as texts in which equal words are equal characters, for each side.

    At most 1,114,112 different words have a character each; `ValueError` if there are more.

    >>> [[len(text) for text in side] for side in spelt([["to", "be"]], [["be", "to", "to"]])]
    [[2], [3]]
    """
    lists = [list(side) for side in sides]
    words = dict.fromkeys(chain.from_iterable(chain.from_iterable(lists)))
    characters = dict(zip(words, map(chr, range(len(words))), strict=True))
    return [["".join(map(characters.__getitem__, sequence)) for sequence in side] for side in lists]

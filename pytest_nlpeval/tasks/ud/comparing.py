"""What is right of the aligned words: tags, lemmas, heads, relations, functional children, enhanced edges."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.ud.alignment import Alignment, align_words
from pytest_nlpeval.tasks.ud.document import Document, codes_in
from pytest_nlpeval.tasks.ud.inventory import CONTENT, FUNCTIONAL
from pytest_nlpeval.tasks.ud.options import Options, first_part
from pytest_nlpeval.tasks.ud.paths import Paths
from pytest_nlpeval.tasks.ud.table import Coder, Column, Field, Flags, Integers


@light_dataclass(frozen=True)
class Comparison:
    """Gold and system, word by aligned word. Flags have one entry for each aligned pair, in the order of gold."""

    gold: Document
    system: Document
    options: Options

    @cached_property
    def alignment(self) -> Alignment:
        """The aligned words."""
        return align_words(self.gold, self.system)

    @property
    def is_parsed(self) -> bool:
        """Whether both sides have trees."""
        return self.gold.is_parsed and self.system.is_parsed

    def of_pairs(self, gold: Integers | Flags, system: Integers | Flags) -> tuple[Integers | Flags, Integers | Flags]:
        """Return what two arrays, of gold's and of the system's words, have for each pair."""
        return gold[self.alignment.gold], system[self.alignment.system]

    def _is_same(self, name: Field, read: Callable[[str], str] = str) -> Flags:
        names = Coder()
        ours, theirs = (codes_in(rewritten(side.fields[name], read), names) for side in (self.gold, self.system))
        first, second = self.of_pairs(ours, theirs)
        same: Flags = first == second
        return same

    @cached_property
    def upos(self) -> Flags:
        """Pairs with the same UPOS."""
        return self._is_same("UPOS")

    @cached_property
    def xpos(self) -> Flags:
        """Pairs with the same XPOS."""
        return self._is_same("XPOS")

    @cached_property
    def ufeats(self) -> Flags:
        """Pairs with the same features."""
        return self._is_same("FEATS", self.options.compared_features)

    @cached_property
    def lemmas(self) -> Flags:
        """Pairs with the same lemma, or without one in gold."""
        flags: Flags = self._is_same("LEMMA") | self.gold.fields["LEMMA"].is_in("_")[self.alignment.gold]
        return flags

    @cached_property
    def relation(self) -> Flags:
        """Pairs with the same relation."""
        return self._is_same("DEPREL", self.options.relation)

    @cached_property
    def uas(self) -> Flags:
        """Pairs whose heads are aligned, or that are both roots."""
        ours, theirs = self.of_pairs(self.gold.heads, self.system.heads)
        flags: Flags = self.alignment.node_of[theirs] == ours if self.is_parsed else np.zeros(len(ours), np.bool_)
        return flags

    @cached_property
    def las(self) -> Flags:
        """Pairs with the same head and relation."""
        return self.uas & self.relation

    @cached_property
    def mlas(self) -> Flags:
        """Pairs with the same head, relation, UPOS and features, whose functional children are so, too, each with its partner."""
        gold, system = self.gold, self.system
        ours, theirs = (is_functional(side) for side in (gold, system))
        # of las, the partner of a functional word has its relation, and is functional, too
        alike = ours[self.alignment.gold] & self.las & self.upos & self.ufeats
        heads = gold.heads[self.alignment.gold[alike]]
        shared = np.bincount(heads, minlength=gold.number + 1)
        numbers = [np.bincount(side.heads[flags], minlength=side.number + 1) for side, flags in ((gold, ours), (system, theirs))]
        in_gold, in_system = self.of_pairs(numbers[0], numbers[1])
        paired = shared[self.alignment.gold]
        flags: Flags = self.las & self.upos & self.ufeats & (in_gold == paired) & (in_system == paired)
        return flags

    @cached_property
    def edges(self) -> EdgeComparison:
        """What is right of the enhanced edges."""
        return compare_edges(self)


def rewritten(column: Column, read: Callable[[str], str]) -> Column:
    """Return a column with `read` each of its strings."""
    return column if read is str else Column(column.codes, tuple(map(read, column.names)))


def is_content(side: Document) -> Flags:
    """Return which words have a relation of content words; none of a file that is not parsed."""
    return _has_relation(side, CONTENT)


def is_functional(side: Document) -> Flags:
    """Return which words have a relation of function words; none of a file that is not parsed."""
    return _has_relation(side, FUNCTIONAL)


def _has_relation(side: Document, relations: frozenset[str]) -> Flags:
    column = side.fields["DEPREL"]
    return column.flagged([side.is_parsed and first_part(name) in relations for name in column.names])


@light_dataclass(frozen=True, slots=True, eq=False)
class EdgeComparison:
    """The numbers of gold's and of the system's edges, and the gold words of those that are right: `elas` whole, `eulas` without subtypes.

    `missing` and `extra` flag gold's and the system's edges that have no equal, of aligned words alone.
    """

    elas: Integers
    eulas: Integers
    missing: Flags
    extra: Flags


def compare_edges(comparison: Comparison) -> EdgeComparison:
    """Return which edges of aligned words are equal: heads aligned or 0, and the same labels."""
    gold, system, alignment = comparison.gold, comparison.system, comparison.alignment
    child, head = alignment.node_of[system.edges.word], alignment.node_of[system.edges.head]
    is_whole = (child >= 0) & (head >= 0)
    sides = []
    for label_of in (str, first_part):
        paths = Paths()
        ours, theirs = (
            np.array(paths.added(side.edges.paths, label_of), np.int64)[side.edges.path]
            if len(side.edges.path)
            else side.edges.path
            for side in (gold, system)
        )
        size = max(len(paths.steps), 1)
        first = (gold.edges.word * (gold.number + 1) + gold.edges.head) * size + ours
        second = ((child * (gold.number + 1) + head) * size + theirs)[is_whole]
        sides.append((first, second, size * (gold.number + 1)))
    (first, second, _), (short, other, unit) = sides
    is_found = np.isin(first, second, assume_unique=True)  # edges of a side are distinct, and words aligned one to one
    extra = (child >= 0) & ~is_whole
    extra[np.flatnonzero(is_whole)[~np.isin(second, first, assume_unique=True)]] = True
    is_aligned = np.zeros(gold.number, np.bool_)
    is_aligned[alignment.gold] = True
    return EdgeComparison(
        gold.edges.word[is_found], _shared(short, other) // unit, ~is_found & is_aligned[gold.edges.word], extra
    )


def _shared(first: Integers, second: Integers) -> Integers:
    """Return the numbers that both lists have, each as often as the list that has it less often.

    >>> _shared(np.array([1, 1, 2, 3]), np.array([1, 1, 1, 2])).tolist()
    [1, 1, 2]
    """
    (ours, our_counts), (theirs, their_counts) = (np.unique(side, return_counts=True) for side in (first, second))
    both, of_first, of_second = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    shared: Integers = np.repeat(both, np.minimum(our_counts[of_first], their_counts[of_second]))
    return shared

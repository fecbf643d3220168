"""Which word of the system's is which of gold's: by the characters that they cover, inside multiword tokens by their forms.

Source: conll18_ud_eval.py 1.2 (CoNLL 2018 shared task), whose description aligns only words inside multiword spans by form.
"""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.common_subsequence import align_common
from pytest_nlpeval.tasks.ud.document import Document, Spans, codes_in
from pytest_nlpeval.tasks.ud.fields import stripped
from pytest_nlpeval.tasks.ud.table import Coder, Column, Integers

UNALIGNED = -1


@light_dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """The aligned words, both sides ascending, and where a system's node lies in gold.

    `node_of` gives for each system word the rank of its gold word or `UNALIGNED`, and at its end, for HEAD 0, gold's number of words.
    """

    gold: Integers
    system: Integers
    node_of: Integers


def align_words(gold: Document, system: Document) -> Alignment:
    """Return the one-to-one alignment of the words of two files with the same characters."""
    multiword = multiword_spans(gold.ranges, system.ranges)
    groups = [_group_of(side.words, multiword) for side in (gold, system)]
    plain = [np.flatnonzero(group < 0) for group in groups]
    length = len(gold.characters)
    keys = [side.words.keys(length)[words] for side, words in zip((gold, system), plain, strict=True)]
    _, of_gold, of_system = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    pairs = [(plain[0][of_gold], plain[1][of_system]), _inside(gold, system, groups, len(multiword))]
    ours, theirs = (np.concatenate(part) for part in zip(*pairs, strict=True))
    order = np.argsort(ours)
    node_of = np.full(system.number + 1, UNALIGNED)
    node_of[theirs], node_of[-1] = ours, gold.number
    return Alignment(ours[order], theirs[order], node_of)


def multiword_spans(first: Spans, second: Spans) -> Spans:
    """Return the spans of all ranges, joined where they share a character; those that touch share none.

    >>> spans = multiword_spans(*(Spans(*map(np.array, ends)) for ends in (([0, 8], [4, 9]), ([3, 6], [6, 8]))))
    >>> spans.start.tolist(), spans.end.tolist()
    ([0, 6, 8], [6, 8, 9])
    """
    start, end = np.append(first.start, second.start), np.append(first.end, second.end)
    if not len(start):
        return Spans(start, end)
    order = np.lexsort((end, start))
    start, reach = start[order], np.maximum.accumulate(end[order])
    begins = np.flatnonzero(np.append(True, start[1:] >= reach[:-1]))
    ends = np.append(begins[1:], len(start)) - 1
    return Spans(start[begins], reach[ends])


def _group_of(words: Spans, multiword: Spans) -> Integers:
    """Return the rank of the multiword span that each word lies in completely, -1 for none."""
    if not len(multiword):
        return np.full(len(words), -1)
    group = np.searchsorted(multiword.start, words.start, side="right") - 1
    is_inside = (group >= 0) & (words.end <= multiword.end[group])
    return np.where(is_inside, group, -1)


def _inside(gold: Document, system: Document, groups: list[Integers], number: int) -> tuple[Integers, Integers]:
    """Return the aligned words inside multiword spans."""
    names = Coder()
    sides = []
    for side, group in zip((gold, system), groups, strict=True):
        words = np.flatnonzero(group >= 0)
        used, ranks = np.unique(side.fields["FORM"].codes[words], return_inverse=True)
        forms = stripped([side.fields["FORM"].names[code].lower() for code in used.tolist()])
        codes = codes_in(Column(ranks.astype(np.int32), tuple(forms)), names)
        cuts = np.searchsorted(group[words], np.arange(number + 1)).tolist()
        sides.append((words, codes.tolist(), cuts))
    (ours, our_codes, our_cuts), (theirs, their_codes, their_cuts) = sides
    pairs: list[tuple[int, int]] = []
    for rank in range(number):
        start, other = our_cuts[rank], their_cuts[rank]
        common = align_common(our_codes[start : our_cuts[rank + 1]], their_codes[other : their_cuts[rank + 1]])
        pairs += [(start + one, other + two) for one, two in common]
    places = np.array(pairs, np.int64).reshape(-1, 2)
    return ours[places[:, 0]], theirs[places[:, 1]]

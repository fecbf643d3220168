"""What tag sequences mean: the lenient reading, the strict reading of five schemes, and which scheme a file has.

Sources: Tjong Kim Sang, Veenstra, Representing Text Chunks, EACL 1999 (IOB1, IOB2, IOE1, IOE2); conlleval.pl of 2004 and seqeval 1.2.2.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.spans.options import Scheme

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

O, B, I, E, S = range(5)  # noqa: E741 - the letters of the tags

LETTERS = {"B": B, "I": I, "E": E, "S": S, "L": E, "U": S, "M": I}
"""The letters of tags; those of BILOU and BMES are read as letters of IOBES."""

WORDS: dict[Scheme, frozenset[int]] = {
    "IOB1": frozenset((I, B)),
    "IOB2": frozenset((I, B)),
    "IOE1": frozenset((I, E)),
    "IOE2": frozenset((I, E)),
    "IOBES": frozenset((B, I, E, S)),
}
"""The letters of each scheme beside O."""

_SWAPPED = np.array([O, E, I, B, S])


@light_dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The tags of a file that are not O, one entry of each array per tag.

    `place` is the rank of the token, `letter` one of B, I, E, S and `label` the label's number. `adjoins` says that the tag stands directly
    behind the one before it, in the same sentence.
    """

    place: Integers
    letter: Integers
    label: Integers
    adjoins: Flags

    def __len__(self) -> int:
        """How many there are."""
        return len(self.place)

    @property
    def fits(self) -> Flags:
        """Whether a tag stands directly behind one of the same label."""
        fits: Flags = self.adjoins & (self.label == _before(self.label, -1))
        return fits

    def mirrored(self) -> Marks:
        """Return the tags from right to left, with B for E and E for B."""
        adjoins = np.append(self.adjoins[1:], False)[::-1] if len(self) else self.adjoins
        return Marks(-self.place[::-1], _SWAPPED[self.letter][::-1], self.label[::-1], adjoins)

    def among(self, letters: frozenset[int]) -> Flags:
        """Return which tags have one of the letters."""
        table = np.zeros(5, np.bool_)
        table[list(letters)] = True
        chosen: Flags = table[self.letter]
        return chosen


@light_dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Which tags are in a span (`kept`), and which go on with that of the tag before (`joins`)."""

    kept: Flags
    joins: Flags

    def spans(self, marks: Marks) -> tuple[Integers, Integers, Integers]:
        """Return the start, the end (excluded) and the label of each span, in the order of starts."""
        first, last = self.bounds()
        return marks.place[first], marks.place[last] + 1, marks.label[first]

    def bounds(self) -> tuple[Integers, Integers]:
        """Return the ranks of the first and the last tag of each span."""
        begins = self.kept & ~self.joins
        ends = self.kept & ~np.append(self.joins[1:], False)
        return np.flatnonzero(begins), np.flatnonzero(ends)


def lenient(marks: Marks) -> Groups:
    """Return how conlleval reads tags: every tag is in a span, and I or E goes on with B or I of the same label before it."""
    return Groups(np.ones(len(marks), np.bool_), marks.fits & marks.among(_GOES_ON) & _before(marks.among(_IS_OPEN), 0))


_GOES_ON, _IS_OPEN = frozenset((I, E)), frozenset((B, I))


def strict(marks: Marks, scheme: Scheme) -> Groups:
    """Return how a scheme reads tags: only what is written as it demands is in a span.

    IOE1 and IOE2 are the mirror images of IOB1 and IOB2.
    """
    match scheme:
        case "IOB1":
            return _iob1(marks)
        case "IOB2" | "IOBES":
            return _whole(marks, lenient(replace(marks, letter=np.where(marks.among(WORDS[scheme]), marks.letter, O))), scheme)
        case _:
            return _mirrored(strict(marks.mirrored(), "IOB1" if scheme == "IOE1" else "IOB2"))


def _whole(marks: Marks, groups: Groups, scheme: Scheme) -> Groups:
    """Keep the groups that begin and end as a span of the scheme does."""
    heads, tails = groups.bounds()
    head, tail = marks.letter[heads], marks.letter[tails]
    good = head == B
    if scheme == "IOBES":
        good = (head == S) | (good & (tail == E))
    kept = np.repeat(good, np.diff(heads, append=len(marks)))
    return Groups(kept, groups.joins & kept)


def _iob1(marks: Marks) -> Groups:
    """Return the reading of IOB1: of B tags in a row, all are in spans if I of their label stands before the first, otherwise none is."""
    is_b, is_i, fits = marks.letter == B, marks.letter == I, marks.fits
    goes_on = fits & is_b & _before(is_b, 0)
    heads = np.flatnonzero(~goes_on)
    allowed = is_b & np.repeat((fits & _before(is_i, 0))[heads], np.diff(heads, append=len(marks)))
    kept = is_i | allowed
    return Groups(kept, fits & is_i & _before(kept, 0))


def _mirrored(groups: Groups) -> Groups:
    joins = np.append(False, groups.joins[::-1][:-1]) if len(groups.joins) else groups.joins
    return Groups(groups.kept[::-1], joins)


def found_schemes(marks: Marks, file_of: Integers, files: int) -> list[Scheme]:
    """Return the scheme of each of several files, going by the letters that it has and by how its spans are marked.

    `file_of` has the rank of the file that each tag is in.
    """
    has_b, has_e, has_s = (np.bincount(file_of[marks.letter == letter], minlength=files) > 0 for letter in (B, E, S))
    between = _only_between(marks, file_of, files)
    between_from_right = _only_between(marks.mirrored(), file_of[::-1], files) if has_e.any() else between
    schemes: list[Scheme] = [
        ("IOE1" if from_right else "IOE2") if has_end else ("IOB1" if from_left else "IOB2")
        for has_end, from_left, from_right in zip(has_e.tolist(), between.tolist(), between_from_right.tolist(), strict=True)
    ]
    return ["IOBES" if is_iobes else scheme for is_iobes, scheme in zip(has_s | (has_b & has_e), schemes, strict=True)]


def _only_between(marks: Marks, file_of: Integers, files: int) -> Flags:
    """Return in which files each B stands directly behind a tag of its label, and some span has no B."""
    is_b = marks.letter == B
    heads = np.flatnonzero(~lenient(marks).joins)
    has_b = np.logical_or.reduceat(is_b, heads) if len(heads) else np.zeros(0, np.bool_)
    alone, without = (
        np.bincount(file_of[ranks], minlength=files) for ranks in (np.flatnonzero(is_b & ~marks.fits), heads[~has_b])
    )
    flags: Flags = (alone == 0) & (without > 0)
    return flags


def _before(entries: NDArray[Any], fill: int) -> NDArray[Any]:
    """Return for each entry the one before it."""
    shifted = np.roll(entries, 1)
    shifted[:1] = fill
    return shifted

"""Codes of the fields of a file: which of them are the same string, found without making a string of each field.

A field of up to 32 bytes is read as numbers of eight bytes. A hash of these gives it a slot; fields that have the slot of an unlike field,
and longer ones, are looked up as bytes. So no two unlike fields ever have one code, whatever their hashes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]

(_LINE_FEED,) = b"\n"

_WIDTH = 8
_WORDS = (1, 4)
"""How many numbers short fields are, and fields of medium length."""

_MASKS = np.array([(1 << 8 * size) - 1 for size in range(_WIDTH + 1)], np.uint64)
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64)
"""Odd numbers whose bits look like chance."""

_MOST_BITS = 18


class Bytes:
    """A file's bytes, of which parts are compared."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._bytes = np.frombuffer(data, np.uint8)
        padded = data + bytes(_WIDTH * _WORDS[-1])
        self._numbers = np.ndarray((len(padded) - _WIDTH + 1,), "<u8", padded, strides=(1,))

    def coded(self, starts: Integers, ends: Integers) -> tuple[Codes, tuple[str, ...]]:
        """Return a code for each part of the bytes, from `starts` up to `ends`, and the strings that the codes stand for, each once."""
        codes = np.full(len(starts), -1, np.int32)
        names: list[str] = []  # no part has a line feed
        sizes = ends - starts
        shortest = -1
        for words in _WORDS:
            rows = np.flatnonzero((sizes > shortest) & (sizes <= words * _WIDTH))
            shortest = words * _WIDTH
            if len(rows):
                codes_of_rows, firsts = _slots(self._keys(starts[rows], sizes[rows], words))
                codes[rows] = np.where(codes_of_rows >= 0, codes_of_rows + len(names), -1)
                names += self._strings(starts[rows[firsts]], ends[rows[firsts]])
        rows = np.flatnonzero(codes < 0)
        known: defaultdict[bytes, int] = defaultdict(count(len(names)).__next__)
        bounds = zip(starts[rows].tolist(), ends[rows].tolist(), strict=True)
        codes[rows] = [known[self.data[start:end]] for start, end in bounds]
        return codes, (*names, *(part.decode() for part in known))

    def _keys(self, starts: Integers, sizes: Integers, words: int) -> list[NDArray[np.uint64]]:
        """Return parts as so many numbers each, 0 behind their ends; no part has a NUL byte."""
        offsets = range(0, words * _WIDTH, _WIDTH)
        return [self._numbers[starts + offset] & _MASKS[np.clip(sizes - offset, 0, _WIDTH)] for offset in offsets]

    def _strings(self, starts: Integers, ends: Integers) -> list[str]:
        sizes = ends - starts + 1  # with the tab or line feed behind each part
        behind = np.cumsum(sizes)
        parts = self._bytes[np.repeat(starts - behind + sizes, sizes) + np.arange(int(sizes.sum()))]
        parts[behind - 1] = _LINE_FEED
        return parts.tobytes().decode().split("\n")[:-1]


def _slots(keys: Sequence[NDArray[np.uint64]]) -> tuple[Codes, Integers]:
    """Return a code for each key, -1 for one whose slot another key has, and for each code a row that has it."""
    number = len(keys[0])
    bits = min((4 * number).bit_length(), _MOST_BITS)
    mixed = sum((key * factor for key, factor in zip(keys, _FACTORS, strict=False)), np.zeros(number, np.uint64))
    slots = ((mixed ^ (mixed >> np.uint64(29))) * _FACTORS[1] >> np.uint64(64 - bits)).astype(np.int64)
    rows = np.arange(number, dtype=np.int32)
    holder = np.empty(1 << bits, np.int32)  # read only where it was written
    holder[slots] = rows
    holders = holder[slots]
    is_holder = holders == rows
    codes = (np.cumsum(is_holder, dtype=np.int32) - np.int32(1))[holders]
    is_alike = np.ones(number, np.bool_)
    for key in keys:
        is_alike &= key == key[holders]
    codes[~is_alike] = -1
    return codes, np.flatnonzero(is_holder)

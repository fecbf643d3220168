"""Pairs what begins and what ends the mentions of plain blocks (`plain_rows`), all of a piece of a file together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pytest_nlpeval.tasks.coref.plain_rows import BYTES, Bytes, Numbers, Rows, Truths, packed


class Chunks(NamedTuple):
    """What begins or ends mentions: its row, where its text begins and ends, whether it begins a mention, and whether it ends one.

    They are in the order in which they are read.
    """

    rows: Numbers
    starts: Numbers
    ends: Numbers
    begins: Truths
    is_ending: Truths

    def where(self, kept: Truths | Numbers) -> Chunks:
        """Return some of them."""
        return Chunks._make(column[kept] for column in self)


class Found(NamedTuple):
    """Mentions in the order in which they end: the id of each, its first row, last row and that of its head; and which blocks are plain.

    No two of them have the same first row and last row. `begun` is greater for one that begins later, and `is_headless` says which mentions
    of several rows do not say what their head is.
    """

    ids: list[str]
    firsts: Numbers
    lasts: Numbers
    heads: Numbers
    begun: Numbers
    is_headless: Truths
    is_plain: Truths


def mentions_of(rows: Rows, codes: Bytes, chunks: Chunks, heads: Numbers, is_plain: Truths) -> Found:
    """Return the mentions of plain blocks; one that has a mention without end, or two of the same rows, is no longer plain.

    The texts of chunks are the ids of entities. Heads are counted from 1; 0 is that of a mention that has none, -1 is wrong.
    """
    is_plain[rows.block_of[chunks.rows[chunks.ends - chunks.starts > _LONGEST]]] = False
    kept = is_plain[rows.block_of[chunks.rows]]
    chunks, heads = chunks.where(kept), heads[kept]
    names, of_name = _coded(codes, chunks.starts, chunks.ends)
    begun, ended = _paired(chunks, of_name, rows.block_of, is_plain)
    firsts, lasts, head = chunks.rows[begun], chunks.rows[ended], heads[begun]
    spans = np.sort(lasts * (len(rows.line_of) + 1) + firsts)
    is_plain[rows.block_of[spans[1:][np.diff(spans) == 0] // (len(rows.line_of) + 1)]] = False
    is_plain[rows.block_of[firsts[(head < 0) | (head > lasts - firsts + 1)]]] = False
    good = is_plain[rows.block_of[firsts]]
    firsts, lasts, head, begun = firsts[good], lasts[good], head[good], begun[good]
    ids = [names[rank] for rank in of_name[begun].tolist()]
    return Found(ids, firsts, lasts, firsts + np.maximum(head, 1) - 1, begun, (head == 0) & (firsts < lasts), is_plain)


_LONGEST = 64
"""How many bytes an id has at most in a plain block: it is looked at some bytes at a time."""


def _coded(codes: Bytes, starts: Numbers, ends: Numbers) -> tuple[list[str], Numbers]:
    """Return the different texts between starts and ends, and the rank of each among these."""
    ranks = np.zeros(len(starts), np.int64)
    for shift in range(0, int((ends - starts).max(initial=0)), BYTES):
        _, words = np.unique(packed(codes, np.minimum(starts + shift, ends), ends), return_inverse=True)
        ranks = np.unique(ranks * len(starts) + words, return_inverse=True)[1] if shift else words
    some = np.empty(ranks.max(initial=-1) + 1, np.int64)
    some[ranks] = np.arange(len(ranks))
    text = codes.tobytes()
    return [text[start:end].decode() for start, end in zip(starts[some].tolist(), ends[some].tolist(), strict=True)], ranks


def _paired(chunks: Chunks, names: Numbers, block_of: Numbers, is_plain: Truths) -> tuple[Numbers, Numbers]:
    """Return the chunks with which each mention begins and ends, in the order of the latter; the same chunk for a mention of one row.

    An end is that of the latest mention of its name in its block that is open, which is the first end behind it at its depth. Where there
    is not one end for each beginning, blocks are no longer plain. `names` are the ranks of those of entities.
    """
    whole = chunks.begins & chunks.is_ending
    blocks = block_of[chunks.rows]
    order = np.flatnonzero(~whole)
    few = names[order].astype(np.min_scalar_type(names.max(initial=0)))  # numbers of two bytes or one are sorted in linear time
    order = order[np.argsort(few, kind="stable")]
    steps = np.where(chunks.begins[order], 1, -1)
    is_first = (np.diff(names[order], prepend=-1) != 0) | (np.diff(blocks[order], prepend=-1) != 0)
    sums = np.cumsum(steps)
    before = (sums - steps)[is_first][np.cumsum(is_first) - 1]
    depths = sums - before + (steps < 0)
    is_last = np.append(is_first[1:], True)[: len(order)]
    is_wrong = (depths < 1) | (is_last & (sums != before))
    is_plain[blocks[order[is_wrong]]] = False
    kept = is_plain[blocks[order]]
    order, depths = order[kept], depths[kept]
    if depths.max(initial=0) > 1:
        order = order[np.lexsort((depths, blocks[order], names[order]))]
    whole &= is_plain[blocks]
    begun = np.concatenate((order[::2], np.flatnonzero(whole)))
    ended = np.concatenate((order[1::2], np.flatnonzero(whole)))
    in_order = np.argsort(ended)
    return begun[in_order], ended[in_order]

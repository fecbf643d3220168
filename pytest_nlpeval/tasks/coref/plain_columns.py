"""Finds the mentions of plain blocks of CoNLL columns (`plain_rows`), all of a piece of a file together.

A block stays plain if each last column is made of pieces with `|` between, none begins a mention behind the end of another one at the same
token, and all mentions that begin in it end in it, each with places of its own. The others are read by `conll`, whose rules these are.
"""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.tasks.coref.plain_chunks import Chunks, Found, mentions_of
from pytest_nlpeval.tasks.coref.plain_rows import Rows, Truths

NOTHING = "-_*"
"""What the last column of a token says at which no mention begins or ends."""


def find_mentions(rows: Rows) -> Found:
    """Return the mentions of all blocks that are plain and remain so."""
    is_plain = rows.is_plain.copy()
    is_nothing = np.isin(rows.codes[rows.last_starts], list(NOTHING.encode())) & (rows.last_ends - rows.last_starts == 1)
    of_cell, codes, borders = rows.last_columns(~is_nothing, "|")
    ends = np.flatnonzero(codes == ord("|"))
    starts = np.append(0, ends + 1)[:-1]
    of_piece = of_cell[np.searchsorted(borders, starts, "right") - 1]
    opens, closes = codes[starts] == ord("("), codes[ends - 1] == ord(")")
    signs = np.searchsorted(np.flatnonzero((codes < ord("0")) | (codes > ord("9"))), ends)  # all that are no digits
    chunks = Chunks(of_piece, starts + opens, ends - closes, opens, closes)
    is_wrong = ~(opens | closes) | (chunks.starts >= chunks.ends) | (np.diff(signs, prepend=-1) != 1 + opens + closes)
    is_wrong |= _is_behind_end(chunks)
    is_plain[rows.block_of[of_piece[is_wrong]]] = False
    order = np.argsort(of_piece * 3 + np.where(opens, 1 - closes, 2), kind="stable")  # of a token (N) first, then (N, then N)
    return mentions_of(rows, codes, chunks.where(order), np.zeros(len(order), np.int64), is_plain)


def _is_behind_end(chunks: Chunks) -> Truths:
    """Whether a chunk begins a mention of several tokens, and another one ends before it at the same token."""
    ranks = np.arange(len(chunks.rows))
    latest = np.maximum.accumulate(np.where(chunks.begins, -1, ranks))
    is_behind: Truths = chunks.begins & ~chunks.is_ending & (latest >= np.searchsorted(chunks.rows, chunks.rows))
    return is_behind

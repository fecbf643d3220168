"""Heads and basic trees: every word's head, whether there is one root, and whether every word reaches it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ud.numbering import MOST, Numbering
from pytest_nlpeval.tasks.ud.options import first_part
from pytest_nlpeval.tasks.ud.table import Flags, Integers, Table
from pytest_nlpeval.wording import quoted

NO_HEAD = -1

MOST_NAMED = 10
"""How many IDs a message lists."""


@light_dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """The rank of each word's head among all words of the file, the number of words for HEAD 0; `NO_HEAD` throughout if not `is_parsed`."""

    heads: Integers
    is_parsed: bool


def is_parsed(table: Table, numbering: Numbering) -> bool:
    """Whether a word has another HEAD than `_`."""
    return not table.columns["HEAD"].is_in("_")[numbering.words].all()


def read_trees(table: Table, numbering: Numbering, log: ProblemLog) -> Trees:
    """Return the head of each word, with all problems of heads and trees in the log; sentences whose IDs are wrong are left out."""
    words, number = numbering.words, len(numbering.words)
    if not is_parsed(table, numbering):
        if number:
            log.add("ud.unparsed", "every HEAD is `_`; measures of trees have no value", int(table.line[words[0]]))
        return Trees(np.full(number, NO_HEAD), is_parsed=False)
    column = table.columns["HEAD"]
    values = np.array([_value(name) for name in column.names], np.int64)[column.codes[words]]
    sentence = table.sentence[words]
    is_sound, size = numbering.is_sound[sentence], numbering.sizes[sentence]
    is_wrong = is_sound & ((values < 0) | (values > size))
    table.log_each(
        log,
        "ud.head",
        words[is_wrong].tolist(),
        lambda row: _fault(column[row], int(numbering.sizes[table.sentence[row]])),
        "HEAD",
    )
    first = (np.cumsum(numbering.sizes) - numbering.sizes)[sentence]
    heads = np.where(values == 0, number, np.clip(first + values - 1, 0, max(number - 1, 0)))
    is_whole = numbering.is_sound.copy()
    is_whole[sentence[is_wrong]] = False
    _check_trees(table, numbering, heads, is_whole, log)
    return Trees(heads, is_parsed=True)


def _value(head: str) -> int:
    """Return HEAD as a number, -1 if it is none."""
    is_numeral = head.isascii() and head.isdecimal() and (head == "0" or not head.startswith("0"))
    return -1 if not is_numeral else int(head) if len(head) < 10 else MOST


def _fault(head: str, size: int) -> str:
    words = f"0 or a word of the sentence, 1 to {size}"
    if head in ("_", ""):
        return f"the word has no head, and others have one; expected {words}"
    return f"{quoted(head)} is no head; expected {words}"


def _check_trees(table: Table, numbering: Numbering, heads: Integers, is_whole: Flags, log: ProblemLog) -> None:
    words = numbering.words
    sentence = table.sentence[words]
    is_root = heads == len(words)
    roots = np.bincount(sentence[is_root], minlength=len(is_whole))
    first_rows = np.searchsorted(table.sentence, np.arange(len(is_whole)))
    hint = "; write `_` in every HEAD if there are no trees" if is_root.all() else ""
    for rank in np.flatnonzero((roots > 1) & is_whole).tolist():
        ids = _listed(numbering.low[words[(sentence == rank) & is_root]].tolist()) if log.keeps("ud.roots") else ""
        table.log(log, "ud.roots", int(first_rows[rank]), f"{roots[rank]} words have HEAD 0: {ids}; expected one{hint}")
    reaches = reaching(heads, int(numbering.sizes.max(initial=1)))
    lost = np.bincount(sentence[~reaches], minlength=len(is_whole))
    for rank in np.flatnonzero((lost > 0) & is_whole).tolist():
        ids = _listed(numbering.low[words[(sentence == rank) & ~reaches]].tolist()) if log.keeps("ud.cycle") else ""
        table.log(log, "ud.cycle", int(first_rows[rank]), f"words do not reach HEAD 0, but go round in a circle: {ids}")
    relation = table.columns["DEPREL"]
    is_called = relation.flagged([first_part(name) == "root" for name in relation.names])[words]
    wrong = words[(is_called != is_root) & is_whole[sentence]]
    table.log_each(log, "ud.root-label", wrong.tolist(), lambda row: root_fault(relation[row]), "DEPREL")


def root_fault(label: str) -> str:
    """Return what is wrong with a relation that is root and has a head, or the other way round."""
    if first_part(label) == "root":
        return f"{quoted(label)} has another head than 0; expected root for HEAD 0 alone"
    return f"HEAD is 0 and the relation {quoted(label)}; expected root"


def _listed(ids: Iterable[int]) -> str:
    numbers = list(ids)
    rest = len(numbers) - MOST_NAMED
    return ", ".join(map(str, numbers[:MOST_NAMED])) + (f" and {rest:,} more" if rest > 0 else "")


def reaching(heads: Integers, longest: int) -> Flags:
    """Return which nodes reach the end, which is `len(heads)`, by going from head to head; no way is longer than `longest`.

    Every step doubles the way: 17 of them are enough for 100,000 words.

    >>> reaching(np.array([3, 0, 2]), 3).tolist()
    [True, True, False]
    """
    end = len(heads)
    ahead = np.append(heads, end)
    way = 1
    while way <= longest:
        ahead = ahead[ahead]
        way *= 2
    reached: Flags = ahead[:-1] == end
    return reached

"""The readers: a CoNLL-U file to a document, with all that is wrong in it."""

from __future__ import annotations

import unicodedata

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import read_text
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.ud.comments import check_normal_form, check_texts, read_comments
from pytest_nlpeval.tasks.ud.document import Document, make_document
from pytest_nlpeval.tasks.ud.enhanced import read_edges
from pytest_nlpeval.tasks.ud.fields import check_forms, check_values, with_fields_filled
from pytest_nlpeval.tasks.ud.numbering import number_rows
from pytest_nlpeval.tasks.ud.options import Options
from pytest_nlpeval.tasks.ud.table import Lines, read_table
from pytest_nlpeval.tasks.ud.trees import is_parsed, read_trees
from pytest_nlpeval.wording import quoted

_SHOWN = 20
"""How many characters of each side a difference shows."""


def read_gold(source: Source, _documents: Documents, _options: Options, log: ProblemLog) -> Document | None:
    """Return the document of a gold file, or None with all problems in the log."""
    return read_conllu(source, log)


def read_system(source: Source, documents: Documents, _options: Options, log: ProblemLog) -> Document | None:
    """Return the document of a system file, or None with all problems in the log; without gold, characters are not compared."""
    document = read_conllu(source, log)
    gold: Document | None = documents.get("gold")
    if document is not None and gold is not None and document.characters != gold.characters:
        _log_difference(document, gold, log)
        return None
    return document


def read_conllu(source: Source, log: ProblemLog) -> Document | None:
    """Return what a CoNLL-U file says; None if it has no sentence, or IDs, forms, heads or paths that cannot be scored."""
    data = read_text(source, log, keeps_blank_end=True)
    if data is None:
        return None
    lines = Lines(data)
    check_normal_form(lines, log)
    table = read_table(lines, log)
    units, texts = read_comments(table, log)
    numbering = number_rows(table, log)
    table = with_fields_filled(table, numbering, log)
    check_forms(table, numbering, log)
    check_values(table, numbering, is_parsed=is_parsed(table, numbering), log=log)
    check_texts(table, numbering, texts, log)
    trees = read_trees(table, numbering, log)
    edges = read_edges(table, numbering, log)
    if log.count(*(code for code, kind in log.kinds.items() if kind.fixed)):
        return None
    if not len(numbering.words):
        log.add(
            "ud.no-sentence", "no sentence has a word, only empty nodes; expected words with the IDs 1, 2 …", int(table.line[0])
        )
        return None
    return make_document(table, numbering, trees, edges, units)


def _log_difference(system: Document, gold: Document, log: ProblemLog) -> None:
    """Log the first character that differs, at the system token that has it, or at the last one if the system ends before."""
    place = common_length(system.characters, gold.characters)
    here, there = (_token_at(document, place) for document in (system, gold))
    line, line_of_gold = int(system.token_lines[here]), int(gold.token_lines[there])
    ours, theirs = (_shown(document.characters, place) for document in (system, gold))
    same = unicodedata.normalize("NFC", system.characters) == unicodedata.normalize("NFC", gold.characters)
    hint = "; in Unicode normal form C (NFC) both are the same: normalise the files" if same else ""
    if not ours:
        found = f"the characters end here, and on line {line_of_gold} of gold {theirs} follows"
    elif not theirs:
        found = f"the characters go on with {ours}, and those of gold end on line {line_of_gold}"
    else:
        found = f"the characters are {ours} and on line {line_of_gold} of gold {theirs}"
    log.add("ud.text", f"{found}; expected the same but for white space{hint}", line)


def _token_at(document: Document, place: int) -> int:
    return min(int(np.searchsorted(document.tokens.end, place, side="right")), len(document.tokens) - 1)


def _shown(characters: str, place: int) -> str:
    return quoted(characters[place : place + _SHOWN]) if place < len(characters) else ""


def common_length(first: str, second: str) -> int:
    """Return how many characters two strings have in common at their beginning.

    >>> common_length("abcd", "abxd"), common_length("ab", "abc")
    (2, 2)
    """
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low

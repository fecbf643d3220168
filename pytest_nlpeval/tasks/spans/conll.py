"""Reads CoNLL columns: one token per line, sentences end at blank lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import read_text
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.spans.document import Document, Spans, Tags
from pytest_nlpeval.tasks.spans.hints import Hint, hint_of
from pytest_nlpeval.tasks.spans.labels import fault_of
from pytest_nlpeval.tasks.spans.options import LAST, Options, Side
from pytest_nlpeval.tasks.spans.schemes import Groups, Marks, found_scheme, lenient, strict
from pytest_nlpeval.tasks.spans.sentences import Sentences, check_sentences
from pytest_nlpeval.tasks.spans.strings import Strings
from pytest_nlpeval.tasks.spans.table import TAB, Lines, Table, read_lines, tokens_of, without_blank_ends
from pytest_nlpeval.tasks.spans.tags import Meanings, parse_tag, say_misplaced, say_no_tag
from pytest_nlpeval.wording import plural, quoted

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _File:
    """What is known of a file while it is checked; `column` is that of the tag."""

    lines: Lines
    table: Table
    column: int
    log: ProblemLog
    hint: Hint

    def tag(self, rank: int) -> str:
        """Return the tag of a token."""
        return self.lines.names[int(self.lines.tags[self.table.lines[rank]])]

    def log_each(self, code: str, ranks: Iterable[int], say: Callable[[int], str]) -> None:
        """Log a problem of the tag of each of some tokens, by their ranks."""
        for rank in ranks:
            line = int(self.table.lines[rank])
            if self.log.keeps(code):
                message = say(rank) + self.hint.at(line + 1)
                self.log.add(code, message, line + 1, self.lines.place(line, self.column))
            else:
                self.log.add(code, "", line + 1)


def read_conll(source: Source, documents: Documents, options: Options, log: ProblemLog, side: Side) -> Document | None:
    """Return the spans of a file in CoNLL columns, or None with all problems in the log.

    A system's tokens are compared with gold's, if that is among the documents.
    """
    text = read_text(source, log)
    if text is None:
        return None
    column = options.columns.gold if side == "gold" else options.columns.system
    lines = read_lines(without_blank_ends(text), options.columns.token, column)
    meanings = Meanings.of(lines.names)
    table = tokens_of(lines, meanings.bad)
    file = _File(lines, table, column, log, hint_of(text, "conll"))
    readable = _check_columns(file, max(2, options.columns.token, column))
    _check_other_tags(file, side)
    tokens = Strings(lines.data, lines.tokens[table.lines], lines.lengths[table.lines])
    page = Sentences(tokens, table.lines + 1, table.first)
    gold: Document | None = documents.get("gold")
    if side == "system" and gold is not None and isinstance(gold.page, Sentences):
        check_sentences(page, gold.page, log)
    return _document(file, meanings, readable, page, options)


def _check_columns(file: _File, least: int) -> Flags:
    """Log each token's line that has not as many columns as the first, or fewer than are needed; return which ones have these."""
    counts, number = file.lines.counts[file.table.lines], file.lines.number
    between = "a TAB" if file.lines.separator == TAB else "blanks"
    for rank in np.flatnonzero((counts != number) | (counts < least)).tolist():
        line, count = int(file.table.lines[rank]) + 1, int(counts[rank])
        number_of_columns = f"has {plural(count, 'column')}, with {between} between two of them"
        if count < least:
            file.log.add("spans.columns", f"{number_of_columns}; expected {least} or more{file.hint.at(line)}", line)
        else:
            file.log.add(
                "spans.column-count", f"{number_of_columns}; expected {number}, as the first line with a token has", line
            )
    readable: Flags = counts >= least
    return readable


def _check_other_tags(file: _File, side: Side) -> None:
    """Log that the last column is read, unless an option says so, where the one before has tags with spans, too.

    Chunks before the last column, as CoNLL-2003 has them, are told only if that has one of their labels, or no span.
    """
    number = file.lines.number
    if file.column != LAST or number < _LEAST_NESTED:
        return
    rows = [file.lines.fields(line) for line in file.table.lines[:_MOST_LOOKED_AT].tolist()]
    pairs = [[parse_tag(field) for field in row[-2:]] for row in rows if len(row) == number]
    before, last = ({tag[1] for tag in tags if tag} - {""} for tags in (zip(*pairs, strict=True) if pairs else ((), ())))
    shared = before & last
    if before and all(tag for pair in pairs for tag in pair) and (shared or not last or not before <= _CHUNKS):
        of_both = f", of {quoted(min(shared))} for one" if shared else ""
        message = f"columns {number - 1} and {number} both have tags{of_both}; column {number} is read"
        message += "" if last else ", which has no span"
        cure = f"say `columns: {{{side}: {number}}}` if it is to be, or `{{{side}: {number - 1}}}`"
        file.log.add("spans.tag-columns", f"{message}; {cure}", int(file.table.lines[0]) + 1)


_LEAST_NESTED = 3
"""A file of nested spans has a token and two tags."""

_MOST_LOOKED_AT = 10_000

_CHUNKS = frozenset(["NP", "VP", "PP", "ADVP", "SBAR", "ADJP", "PRT", "CONJP", "INTJ", "LST", "UCP", "NC", "VC", "PC", "SC"])
"""The labels of chunks: of CoNLL-2000, and the German ones of CoNLL-2003."""


def _document(file: _File, meanings: Meanings, readable: Flags, page: Sentences, options: Options) -> Document | None:
    """Return what the tags say, or None with what is wrong with them in the log."""
    codes = file.lines.tags[file.table.lines]
    if meanings.bad.any():
        bad = np.flatnonzero(meanings.bad[codes] & readable)
        file.log_each("spans.tag", bad.tolist(), lambda rank: say_no_tag(file.tag(rank)))
    marks = meanings.marks(codes, page.first)
    groups = _groups(file, marks, options)
    start, end, label = groups.spans(marks)
    used, ranks = np.unique(label, return_inverse=True)
    spans = Spans(tuple(meanings.labels[code] for code in used.tolist()), start, end, ranks, np.arange(len(start)))
    _check_labels(file, spans, options)
    if file.log.has_errors:
        return None
    units = tuple(map(str, page.lines[page.first].tolist()))
    return Document(spans, units, page.first, page, Tags(file.lines.names, codes, page.first))


def _groups(file: _File, marks: Marks, options: Options) -> Groups:
    """Return which tags are in spans; each that the scheme does not allow where it stands is logged."""
    scheme = options.scheme or found_scheme(marks)
    allowed = strict(marks, scheme)
    outside = np.flatnonzero(~allowed.kept)
    letters = dict(zip(marks.place[outside].tolist(), marks.letter[outside].tolist(), strict=True))
    meaning = "it counts as O" if options.reading == "strict" else "it is read as in conlleval"
    file.log_each("spans.scheme", letters, lambda rank: f"{say_misplaced(file.tag(rank), letters[rank], scheme)}; {meaning}")
    return allowed if options.reading == "strict" else lenient(marks)


def _check_labels(file: _File, spans: Spans, options: Options) -> None:
    faults = {code: fault_of(name, options) for code, name in enumerate(spans.names)}
    bad = np.flatnonzero(np.isin(spans.label, [code for code, fault in faults.items() if fault]))
    labels = dict(zip(spans.start[bad].tolist(), spans.label[bad].tolist(), strict=True))
    file.log_each("spans.label", labels, lambda rank: faults[labels[rank]])

"""Reads CoNLL columns: one token per line, sentences end at blank lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import read_text
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.spans.document import Document, Read, Spans, Tags
from pytest_nlpeval.tasks.spans.hints import Hint, hint_of
from pytest_nlpeval.tasks.spans.labels import fault_of
from pytest_nlpeval.tasks.spans.options import LAST, Options, Scheme, Side
from pytest_nlpeval.tasks.spans.schemes import Groups, Marks, found_schemes, lenient, strict
from pytest_nlpeval.tasks.spans.sentences import Sentences, check_sentences
from pytest_nlpeval.tasks.spans.strings import Strings
from pytest_nlpeval.tasks.spans.table import TAB, Lines, Table, read_lines, tokens_of, without_blank_ends
from pytest_nlpeval.tasks.spans.tags import Meanings, parse_tag, say_misplaced, say_no_tag
from pytest_nlpeval.wording import plural, quoted

Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]


@light_dataclass(frozen=True, slots=True, eq=False)
class _Files:
    """What is known of files while they are checked: they are read as one, with a blank line between two of them.

    `texts` and `logs` are those of each, and `starts` has the line of the whole, from 0, with which each begins. `column` is that of the
    tag.
    """

    lines: Lines
    table: Table
    column: int
    texts: Sequence[bytes]
    logs: Sequence[ProblemLog]
    starts: Integers
    hints: dict[int, Hint] = field(default_factory=dict)

    def tag(self, rank: int) -> str:
        """Return the tag of a token."""
        return self.lines.names[int(self.lines.tags[self.table.lines[rank]])]

    def file_of(self, lines: Integers) -> Integers:
        """Return the rank of the file that each line of the whole is in."""
        return np.searchsorted(self.starts, lines, side="right") - 1

    def own_lines(self, lines: Integers) -> Integers:
        """Return the number of each line of the whole in its own file, from 1."""
        own: Integers = lines - self.starts[self.file_of(lines)] + 1
        return own

    def place(self, line: int) -> tuple[ProblemLog, int]:
        """Return the log of the file that a line of the whole is in, and the line's number there, from 1."""
        rank = bisect_right(self.starts, line) - 1
        return self.logs[rank], line - int(self.starts[rank]) + 1

    def hint(self, line: int) -> str:
        """Return the end of a message about a line of the whole."""
        rank = bisect_right(self.starts, line) - 1
        if rank not in self.hints:
            self.hints[rank] = hint_of(self.texts[rank], "conll")
        return self.hints[rank].at(line - int(self.starts[rank]) + 1)

    def log_each(self, code: str, ranks: Iterable[int], say: Callable[[int], str]) -> None:
        """Log a problem of the tag of each of some tokens, by their ranks."""
        for rank in ranks:
            line = int(self.table.lines[rank])
            log, own = self.place(line)
            if log.keeps(code):
                log.add(code, say(rank) + self.hint(line), own, self.lines.place(line, self.column))
            else:
                log.add(code, "", own)


def read_conll(source: Source, documents: Documents, options: Options, log: ProblemLog, side: Side) -> Document | None:
    """Return the spans of a file in CoNLL columns, or None with all problems in the log.

    A system's tokens are compared with gold's, if that is among the documents.
    """
    text = read_text(source, log)
    read = None if text is None else read_texts([text], documents.get("gold"), options, [log], log, side)
    return read and read.document


def read_texts(
    texts: Sequence[bytes], gold: Document | None, options: Options, logs: Sequence[ProblemLog], log: ProblemLog, side: Side
) -> Read | None:
    """Return the spans of files of one shape, each as `formats.text.read_text` gives it; None if one has errors.

    `logs` are those of the files; where tokens are not gold's stands in `log`. Lines and names of units are those in each file.
    """
    column = options.columns.gold if side == "gold" else options.columns.system
    lines = read_lines(without_blank_ends(b"\n".join(texts)), options.columns.token, column)
    starts = np.cumsum([0, *(text.count(b"\n") + 1 for text in texts[:-1])])
    meanings = Meanings.of(lines.names)
    table = tokens_of(lines, meanings.bad)
    files = _Files(lines, table, column, texts, logs, starts)
    readable = _check_columns(files, max(2, options.columns.token, column))
    _check_other_tags(files, side)
    tokens = Strings(lines.data, lines.tokens[table.lines], lines.lengths[table.lines])
    page = Sentences(tokens, files.own_lines(table.lines), table.first)
    if side == "system" and gold is not None and isinstance(gold.page, Sentences):
        check_sentences(page, gold.page, log)
    document = _document(files, meanings, readable, page, options)
    if document is None or log.has_errors:
        return None
    of_tokens = files.file_of(table.lines)
    sentences, number = (np.bincount(ranks, minlength=len(texts)) for ranks in (of_tokens[table.first], of_tokens))
    return Read(document, sentences, number)


def _check_columns(files: _Files, least: int) -> Flags:
    """Log each token's line that has not as many columns as the first, or fewer than are needed; return which ones have these."""
    counts, number = files.lines.counts[files.table.lines], files.lines.number
    between = "a TAB" if files.lines.separator == TAB else "blanks"
    for rank in np.flatnonzero((counts != number) | (counts < least)).tolist():
        line, count = int(files.table.lines[rank]), int(counts[rank])
        log, own = files.place(line)
        number_of_columns = f"has {plural(count, 'column')}, with {between} between two of them"
        if count < least:
            log.add("spans.columns", f"{number_of_columns}; expected {least} or more{files.hint(line)}", own)
        else:
            log.add("spans.column-count", f"{number_of_columns}; expected {number}, as the first line with a token has", own)
    readable: Flags = counts >= least
    return readable


def _check_other_tags(files: _Files, side: Side) -> None:
    """Log that the last column is read, unless an option says so, where the one before has tags with spans, too.

    Chunks before the last column, as CoNLL-2003 has them, are told only if that has one of their labels, or no span.
    """
    if files.column != LAST or files.lines.number < _LEAST_NESTED:
        return
    cuts = np.searchsorted(files.table.lines, files.starts)
    for log, start, lines in zip(files.logs, files.starts.tolist(), np.split(files.table.lines, cuts[1:]), strict=True):
        _check_other_tags_of_file(files.lines, lines, start, log, side)


def _check_other_tags_of_file(lines: Lines, of_tokens: Integers, start: int, log: ProblemLog, side: Side) -> None:
    number = lines.number
    rows = [lines.fields(line) for line in of_tokens[:_MOST_LOOKED_AT].tolist()]
    pairs = [[parse_tag(field) for field in row[-2:]] for row in rows if len(row) == number]
    before, last = ({tag[1] for tag in tags if tag} - {""} for tags in (zip(*pairs, strict=True) if pairs else ((), ())))
    shared = before & last
    if before and all(tag for pair in pairs for tag in pair) and (shared or not last or not before <= _CHUNKS):
        of_both = f", of {quoted(min(shared))} for one" if shared else ""
        message = f"columns {number - 1} and {number} both have tags{of_both}; column {number} is read"
        message += "" if last else ", which has no span"
        cure = f"say `columns: {{{side}: {number}}}` if it is to be, or `{{{side}: {number - 1}}}`"
        log.add("spans.tag-columns", f"{message}; {cure}", int(of_tokens[0]) - start + 1)


_LEAST_NESTED = 3
"""A file of nested spans has a token and two tags."""

_MOST_LOOKED_AT = 10_000

_CHUNKS = frozenset(["NP", "VP", "PP", "ADVP", "SBAR", "ADJP", "PRT", "CONJP", "INTJ", "LST", "UCP", "NC", "VC", "PC", "SC"])
"""The labels of chunks: of CoNLL-2000, and the German ones of CoNLL-2003."""


def _document(files: _Files, meanings: Meanings, readable: Flags, page: Sentences, options: Options) -> Document | None:
    """Return what the tags say, or None with what is wrong with them in the logs."""
    codes = files.lines.tags[files.table.lines]
    if meanings.bad.any():
        bad = np.flatnonzero(meanings.bad[codes] & readable)
        files.log_each("spans.tag", bad.tolist(), lambda rank: say_no_tag(files.tag(rank)))
    marks = meanings.marks(codes, page.first)
    groups = _groups(files, marks, options)
    start, end, label = groups.spans(marks)
    used, ranks = np.unique(label, return_inverse=True)
    spans = Spans(tuple(meanings.labels[code] for code in used.tolist()), start, end, ranks, np.arange(len(start)))
    _check_labels(files, spans, options)
    if any(log.has_errors for log in files.logs):
        return None
    units = tuple(map(str, page.lines[page.first].tolist()))
    return Document(spans, units, page.first, page, Tags(files.lines.names, codes, page.first))


def _groups(files: _Files, marks: Marks, options: Options) -> Groups:
    """Return which tags are in spans; each that the scheme of its file does not allow where it stands is logged."""
    file_of = files.file_of(files.table.lines[marks.place])
    number = len(files.texts)
    schemes = [options.scheme] * number if options.scheme else found_schemes(marks, file_of, number)
    strictly = {scheme: strict(marks, scheme) for scheme in dict.fromkeys(schemes)}
    meaning = "it counts as O" if options.reading == "strict" else "it is read as in conlleval"
    for scheme, allowed in strictly.items():
        of_scheme = np.array([its_own == scheme for its_own in schemes], np.bool_)
        outside = np.flatnonzero(~allowed.kept & of_scheme[file_of])
        letters = dict(zip(marks.place[outside].tolist(), marks.letter[outside].tolist(), strict=True))
        say = partial(_say_misplaced, files, letters, scheme, meaning)
        files.log_each("spans.scheme", letters, say)
    return strictly[options.scheme] if options.scheme and options.reading == "strict" else lenient(marks)


def _say_misplaced(files: _Files, letters: Mapping[int, int], scheme: Scheme, meaning: str, rank: int) -> str:
    return f"{say_misplaced(files.tag(rank), letters[rank], scheme)}; {meaning}"


def _check_labels(files: _Files, spans: Spans, options: Options) -> None:
    faults = {code: fault_of(name, options) for code, name in enumerate(spans.names)}
    bad = np.flatnonzero(np.isin(spans.label, [code for code, fault in faults.items() if fault]))
    labels = dict(zip(spans.start[bad].tolist(), spans.label[bad].tolist(), strict=True))
    files.log_each("spans.label", labels, lambda rank: faults[labels[rank]])

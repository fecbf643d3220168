"""The readers of both roles: the format is told from the content, and a system's documents are compared with gold's."""

from __future__ import annotations

import re
from typing import Literal

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import read_text
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents as Files
from pytest_nlpeval.tasks.coref.conll import BEGIN, read_conll
from pytest_nlpeval.tasks.coref.corefud import read_corefud
from pytest_nlpeval.tasks.coref.document import Document, Documents
from pytest_nlpeval.tasks.coref.json_lines import read_jsonl
from pytest_nlpeval.tasks.coref.mentions import STEP, Mentions
from pytest_nlpeval.tasks.coref.options import Format, Options
from pytest_nlpeval.wording import nearest, plural, quoted

Side = Literal["gold", "system"]

_CONLL = re.compile(rf"^{BEGIN.pattern}".encode(), re.MULTILINE)
_COREFUD = re.compile(rb"^[^\t\n#][^\t\n]*(?:\t[^\t\n]*){9}$", re.MULTILINE)


def read_gold(source: Source, _files: Files, options: Options, log: ProblemLog) -> Documents | None:
    """Return the documents of a gold file in any of the three formats, or None with all problems in the log."""
    gold = _read(source, options, log, "gold")
    if gold is not None and gold.format != "corefud":
        if options.match in ("head", "partial"):
            log.add("coref.match", f"match: {options.match} needs heads, which only CorefUD has; choose match: exact")
        if options.profile != "standard":
            log.add("coref.match", f"profile: {options.profile} is about CorefUD, which the gold file is not; leave it out")
    return None if log.has_errors else gold


def read_system(source: Source, files: Files, options: Options, log: ProblemLog) -> Documents | None:
    """Return the documents of a system file, or None with all problems in the log; without gold, what compares the two is not checked."""
    system = _read(source, options, log, "system")
    gold: Documents | None = files.get("gold")
    if system is not None and gold is not None:
        if (gold.format == "corefud") != (system.format == "corefud"):
            log.add(
                "coref.format", f"is {_NAMES[system.format]}, and gold is {_NAMES[gold.format]}; CorefUD goes with CorefUD only"
            )
        else:
            _compare(gold, system, log)
    return None if log.has_errors else system


_NAMES: dict[Format, str] = {"conll": "CoNLL", "jsonl": "JSON Lines", "corefud": "CorefUD"}


def _read(source: Source, options: Options, log: ProblemLog, side: Side) -> Documents | None:
    text = read_text(source, log)
    if text is None:
        return None
    if text.lstrip().startswith(b"{"):
        silent = Source(source.label, text)  # what is wrong with the text is logged already
        return read_jsonl(silent, options, log, side)
    if b"begin document" in text and _CONLL.search(text):
        return read_conll(text, options, log)
    if _COREFUD.search(text):
        return read_corefud(text, options, log)
    expected = "expected CoNLL with a line `#begin document`, JSON Lines, or CorefUD with rows of 10 columns"
    log.add("coref.format", f"{'is empty' if not text else 'is in no format that is known'}; {expected}", 1)
    return None


def _compare(gold: Documents, system: Documents, log: ProblemLog) -> None:
    """Log the documents that one side has alone, and those whose words differ."""
    for name, document in system.by_name.items():
        own = gold.by_name.get(name)
        if own is None:
            if log.keeps("coref.unknown"):
                message = f"gold has no document {quoted(name)}; {nearest(name, gold.by_name)}; it is left out"
                log.add("coref.unknown", message, document.line)
            else:
                log.add("coref.unknown", "", document.line)
        elif _has_same_length(own, document, log):
            _compare_words(own, document, log)
            if document.length is None and own.length is not None:
                _check_places(system.mentions_of([name]), own.length, log)
    may_be_unread = log.count("coref.json") > 0  # a line that is told already may have any name
    for name, own in gold.by_name.items():
        if name not in system.by_name and not may_be_unread:
            message = f"the document {quoted(name)} of gold's line {own.line} is not there; it is scored as one without mentions"
            log.add("coref.missing", message, where=name)


def _has_same_length(gold: Document, system: Document, log: ProblemLog) -> bool:
    """Whether both have as many tokens, or as many words in each sentence; if not, it is logged."""
    if len(gold.sentences) != len(system.sentences):
        numbers = plural(len(system.sentences), "sentence"), len(gold.sentences)
    elif gold.sentences != system.sentences:
        pairs = enumerate(zip(gold.sentences, system.sentences, strict=True), 1)
        rank, (expected, number) = next(item for item in pairs if item[1][0] != item[1][1])
        numbers = f"{plural(number, 'word')} in sentence {rank}", expected
    elif gold.length != system.length and system.length is not None:
        numbers = plural(system.length, "token"), gold.length or 0
    else:
        return True
    log.add("coref.tokens", f"the document {quoted(gold.name)} has {numbers[0]}, gold {numbers[1]:,}", system.line)
    return False


def _check_places(mentions: Mentions, length: int, log: ProblemLog) -> None:
    """Log the mentions of a system's document, which does not say how many tokens there are, that are outside gold's."""
    is_outside = mentions.lasts >= length * STEP
    for last, line in zip((mentions.lasts[is_outside] // STEP).tolist(), mentions.lines[is_outside].tolist(), strict=True):
        message = f"a mention ends at token {last:,}; expected one below {length:,}, the number of gold's tokens"
        log.add("coref.offset", message, line)


def _compare_words(gold: Document, system: Document, log: ProblemLog) -> None:
    if gold.has_subtokens or system.has_subtokens or gold.written == system.written or gold.words is None or system.words is None:
        return
    for rank, (expected, word) in enumerate(zip(gold.words, system.words, strict=True)):
        if expected is not None and word is not None and expected != word:
            place = _place(gold, rank)
            message = f"in the document {quoted(gold.name)}, {place} is {quoted(word)}, in gold {quoted(expected)}"
            log.add("coref.words", f"{message}; places count", system.line)
            return


def _place(document: Document, rank: int) -> str:
    """Return how a message calls a word, from its rank in the list of words."""
    if not document.sentences:
        return f"token {rank}"
    sentence = 0
    while rank > document.sentences[sentence]:
        rank -= document.sentences[sentence] + 1
        sentence += 1
    return f"word {rank} of sentence {sentence + 1}"

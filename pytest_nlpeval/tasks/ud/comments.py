"""The comments that are read: `# sent_id`, which names a unit, and `# text`, which is compared with the tokens."""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ud.fields import space_after
from pytest_nlpeval.tasks.ud.numbering import Numbering
from pytest_nlpeval.tasks.ud.table import Lines, Table
from pytest_nlpeval.wording import quoted

_COMMENT = re.compile(r"#\s*(sent_id|text)\s*=(.*)", re.DOTALL)

_COMBINING = 0xCC
"""The first byte of U+0300 in UTF-8; whatever comes before that character stays as it is in every normal form C."""

Named = dict[int, tuple[int, str]]
"""The line, from 0, and the value of a comment of each sentence that has one."""


def read_comments(table: Table, log: ProblemLog) -> tuple[tuple[str, ...] | None, Named]:
    """Return the names of all sentences, None if they get numbers, and their texts."""
    comments: dict[str, Named] = {"sent_id": {}, "text": {}}
    codes = {"sent_id": "ud.sent-id", "text": "ud.text-comment"}
    is_clear = True
    for sentence, line in table.comments:
        match = _COMMENT.fullmatch(table.lines[line])
        if match is None:
            continue
        name, value = match[1], match[2].strip()
        if sentence in comments[name]:
            log.add(
                codes[name],
                f"`# {name}` stands twice in the sentence; the first one is on line {comments[name][sentence][0] + 1}",
                line + 1,
            )
            is_clear = is_clear and name != "sent_id"
        elif value or name == "text":
            comments[name][sentence] = line, value
    is_clear = _check_names(comments["sent_id"], log) and is_clear
    for name, named in comments.items():
        _log_unnamed(table, name, named, log)
    named = comments["sent_id"]
    is_named = is_clear and len(named) == len(table.is_sound)
    return tuple(named[rank][1] for rank in range(len(named))) if is_named else None, comments["text"]


def _log_unnamed(table: Table, name: str, named: Named, log: ProblemLog) -> None:
    code = f"ud.no-{name.replace('_', '-')}"
    if log.enabled(code):
        rows = np.searchsorted(table.sentence, sorted(set(range(len(table.is_sound))) - named.keys()))
        table.log_each(log, code, rows[rows < len(table.line)].tolist(), lambda _: f"the sentence has no `# {name}`")


def _check_names(named: Named, log: ProblemLog) -> bool:
    """Log names with white space and those that stand twice; return whether there are none."""
    first: dict[str, int] = {}
    is_clear = True
    for line, name in named.values():
        if any(map(str.isspace, name)):
            log.add("ud.sent-id", f"the name {quoted(name)} has white space; expected none", line + 1)
            is_clear = False
        elif name in first:
            log.add("ud.sent-id", f"the name {quoted(name)} stands on line {first[name] + 1}, too; expected each once", line + 1)
            is_clear = False
        first.setdefault(name, line)
    return is_clear


def check_texts(table: Table, numbering: Numbering, texts: Named, log: ProblemLog) -> None:
    """Log each `# text` that is not the tokens' forms, with white space between two unless the first has SpaceAfter=No."""
    if not texts or not log.enabled("ud.text-comment"):
        return
    forms, misc = table.columns["FORM"], table.columns["MISC"]
    tokens = np.sort(np.concatenate((numbering.ranges, numbering.words[numbering.range_of < 0])))
    is_close = misc.flagged(["No" in space_after(name) for name in misc.names])[tokens].tolist()
    pieces = list(map(forms.names.__getitem__, forms.codes[tokens].tolist()))
    spaced = [piece if close else piece + " " for piece, close in zip(pieces, is_close, strict=True)]
    cuts = np.searchsorted(table.sentence[tokens], np.arange(len(table.is_sound) + 1)).tolist()
    for sentence, (line, text) in texts.items():
        start, end = cuts[sentence : sentence + 2]
        if "".join(spaced[start:end]).rstrip(" ") == text or not table.is_sound[sentence]:
            continue
        message = _difference(text, pieces[start:end], is_close[start:end])
        if message:
            log.add("ud.text-comment", message, line + 1)


def _difference(text: str, forms: list[str], is_close: list[bool]) -> str:
    """Return what is wrong with a text, "" for nothing: white space may be of any length."""
    rest = text
    for rank, (form, close) in enumerate(zip(forms, is_close, strict=True)):
        if not rest.startswith(form):
            return f"`# text` has {quoted(rest, 20)} where the tokens go on with {quoted(form, 20)}; expected the tokens' forms"
        rest = rest[len(form) :]
        if close or rank == len(forms) - 1:
            continue
        if not rest[:1].isspace():
            return f"`# text` has no white space behind {quoted(form, 20)}; write it, or SpaceAfter=No in MISC of the token"
        rest = rest.lstrip()
    return f"`# text` goes on behind the last token: {quoted(rest.strip(), 20)}" if rest.strip() else ""


def check_normal_form(lines: Lines, log: ProblemLog) -> None:
    """Log each line that is not in Unicode normal form C."""
    if lines.bytes.max(initial=0) < _COMBINING or unicodedata.is_normalized("NFC", lines.data.decode()):
        return
    for rank in range(len(lines)):
        if not unicodedata.is_normalized("NFC", lines[rank]):
            log.add("ud.nfc", "the line is not in Unicode normal form C (NFC); normalise the file", rank + 1)

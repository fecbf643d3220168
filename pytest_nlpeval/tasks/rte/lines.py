"""Reads the lines of a run: id, judgment and confidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.rte.confidence import MAX_LENGTH, NONE, SYNTAX, confidence_key, key_of_decimal
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition
from pytest_nlpeval.wording import quoted

Judgment = tuple[int, str, bool, float]
"""A line's number, the pair's id, whether the run says that entailment holds, and the confidence's key or `NONE`."""

_FORMS = {
    edition: re.compile(
        f"([0-9]+) ({edition.positive}|{edition.negative})(?: ({SYNTAX})){'?' if edition.has_confidence else '{0}'}"
    )
    for edition in (FIRST, LATER)
}


def read_lines(lines: Iterable[str], first: int, edition: Edition, log: ProblemLog) -> Iterator[Judgment]:
    """Yield the judgments of lines, the first of which has the number `first`.

    A line that is wrong is left out, with its errors in the log; what is tolerated gets a warning.
    """
    form = _FORMS[edition]
    for number, line in enumerate(lines, first):
        match = form.fullmatch(line) or _tidied(line, number, edition, log)
        if match:
            name, word, confidence = match.groups()
            key = NONE if confidence is None else key_of_decimal(confidence)
            if key is None:
                _log_confidence(confidence, name, number, log)
            else:
                yield number, name, word == edition.positive, key


def _tidied(text: str, number: int, edition: Edition, log: ProblemLog) -> re.Match[str] | None:
    """Return the match of a line whose only mistake is its white space; log whatever is wrong."""
    fields = [field for field in text.replace("\t", " ").split(" ") if field]
    if not 2 <= len(fields) <= (3 if edition.has_confidence else 2) or fields[0] == "ranked:":
        log.add("rte.line", _expected(text, fields, edition), number)
        return None
    tidy = " ".join(fields)
    if text != tidy:
        log.add("rte.blanks", "tabs, several blanks or blanks at an end; expected single blanks between fields", number)
    match = _FORMS[edition].fullmatch(tidy)
    if not match:
        _log_fields(fields, number, edition, log)
    return match


def is_numeral(name: str) -> bool:
    """Whether a name consists of the digits 0 to 9 only, as the ids of pairs do."""
    return name.isascii() and name.isdigit()


def _log_fields(fields: list[str], number: int, edition: Edition, log: ProblemLog) -> None:
    """Log each field that is wrong."""
    name, word, *confidence = fields
    if not is_numeral(name):
        log.add("rte.line", f"{quoted(name)} is not a pair id; expected a numeral", number)
    if word not in (edition.positive, edition.negative):
        wrong = LATER if edition is FIRST else FIRST
        hint = f" ({word} belongs to edition {wrong.name})" if word in (wrong.positive, wrong.negative) else ""
        message = f"judgment {quoted(word)}; expected exactly {edition.positive} or {edition.negative}{hint}"
        log.add("rte.judgment", message, number)
    for text in confidence:
        if confidence_key(text) is None:
            _log_confidence(text, name, number, log)


def _log_confidence(text: str, name: str, number: int, log: ProblemLog) -> None:
    message = f"confidence {quoted(text)} is not a decimal from 0 to 1 of at most {MAX_LENGTH} characters, such as 0.75"
    log.add("rte.confidence", message, number, where=f"pair {name}")


def _expected(text: str, fields: list[str], edition: Edition) -> str:
    if not fields:
        return "the line is blank; expected a judgment on every line"
    if fields[0] == "ranked:" and edition is FIRST:
        return '"ranked:" opens a run of editions 2 and 3, but this is edition 1: leave the line out, or set the option edition'
    form = "id TRUE|FALSE [confidence]" if edition.has_confidence else "id YES|NO"
    return f"{len(fields)} fields in {quoted(text)}; expected `{form}`"

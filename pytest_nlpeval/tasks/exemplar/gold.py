"""Reads the gold standard: sentences with their entity pair, trigger and allowed tokens."""

from __future__ import annotations

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import lines_of, read_text
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.exemplar.options import Options
from pytest_nlpeval.tasks.exemplar.sentence import Sentence, read_sentence
from pytest_nlpeval.tasks.exemplar.table import (
    ABSENT,
    FIELDS,
    QUOTED,
    RELATION,
    SENTENCE,
    TRIGGER,
    field_column,
    first_row,
    log_empty,
)
from pytest_nlpeval.wording import quoted


@light_dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The rows of a gold file, one entry of each tuple per row; the first row is line 2.

    `pairs` are Entity1 and Entity2 with a tab between. `triggers` are the tokens of the trigger ("" where there is no
    relation) and `windows` those inside windows, as text: a million small sets would cost a gigabyte. `text` is the file,
    to quote from.
    """

    pairs: tuple[str, ...]
    triggers: tuple[str, ...]
    windows: tuple[str, ...]
    text: bytes


def read_gold(source: Source, _documents: Documents, _options: Options, log: ProblemLog) -> Gold | None:
    """Return the rows of a gold file, or None with all problems in the log."""
    text = read_text(source, log)
    if text is None:
        return None
    lines = lines_of(text)
    first = first_row(lines, bool(lines) and "[[[" in lines[0], ", ".join(FIELDS), log)
    pairs: list[str] = []
    triggers: list[str] = []
    windows: list[str] = []
    for number, line in enumerate(lines[first - 1 :], first):
        pair, trigger, window = _row(line, number, log)
        pairs.append(pair)
        triggers.append(trigger)
        windows.append(window)
    return None if log.has_errors else Gold(tuple(pairs), tuple(triggers), tuple(windows), text)


def _row(line: str, number: int, log: ProblemLog) -> tuple[str, str, str]:
    """Return the entity pair, the trigger ("" for none) and the text of the windows."""
    fields = line.split("\t")
    if len(fields) != len(FIELDS):
        message = f"expected 5 fields separated by tabs ({', '.join(FIELDS)}), found {len(fields):,}: {quoted(line, QUOTED)}"
        log.add("exemplar.fields", message, number)
        return "", "", ""
    relation, trigger = fields[RELATION].strip(), fields[TRIGGER].strip()
    sentence = read_sentence(fields[SENTENCE])
    if relation and trigger:
        _check_relation(relation, trigger, line, number, log)
    else:
        for rank in (RELATION, TRIGGER):
            if not fields[rank].strip():
                log_empty(line, number, rank, log)
    _check_sentence(sentence, trigger, line, number, log)
    return f"{fields[0].strip()}\t{fields[2].strip()}", "" if trigger == ABSENT else trigger, sentence.windows


def _check_relation(relation: str, trigger: str, line: str, number: int, log: ProblemLog) -> None:
    if relation == trigger:
        return
    if ABSENT in (relation, trigger):
        has, lacks = (TRIGGER, RELATION) if relation == ABSENT else (RELATION, TRIGGER)
        what = f"{FIELDS[lacks]} is `{ABSENT}`, but {FIELDS[has]} is {quoted(trigger if has == TRIGGER else relation)}"
        message = f"{what}; write `{ABSENT}` in both, or the trigger in both"
        log.add("exemplar.absence", message, number, field_column(line, lacks), FIELDS[lacks])
    elif relation.split() != trigger.split():
        message = f"Relation is {quoted(relation)}, but Trigger is {quoted(trigger)}; expected the same tokens"
        log.add("exemplar.relation", message, number, field_column(line, RELATION), "Relation")


def _check_sentence(sentence: Sentence, trigger: str, line: str, number: int, log: ProblemLog) -> None:
    outline = sentence.outline
    if outline.faults:
        _log_faults(sentence, line, number, log)
        return
    if len(outline.entities) != 2:
        _log_entities(sentence, line, number, log)
    if len(outline.triggers) > 1:
        column = field_column(line, SENTENCE) + sentence.offset(outline.triggers[1])
        message = (
            f"expected at most one trigger, marked with `{{{{{{ }}}}}}`, found {len(outline.triggers):,}; this is the second"
        )
        log.add("exemplar.triggers", message, number, column, FIELDS[SENTENCE])
    elif trigger:
        _check_trigger(sentence.trigger, trigger, line, number, log)


def _check_trigger(marked: list[str] | None, trigger: str, line: str, number: int, log: ProblemLog) -> None:
    if marked == (None if trigger == ABSENT else trigger.split()):
        return
    marks = "no trigger is marked" if marked is None else f"the marked trigger is {quoted(' '.join(marked))}"
    what = f"Trigger is {quoted(trigger)}, but in the sentence {marks}"
    message = f"{what}; expected the same tokens in both, or `{ABSENT}` and no mark"
    log.add("exemplar.trigger", message, number, field_column(line, TRIGGER), "Trigger")


def _log_faults(sentence: Sentence, line: str, number: int, log: ProblemLog) -> None:
    start = field_column(line, SENTENCE)
    for fault in sentence.faults():
        log.add("exemplar.marks", fault.message, number, start + fault.offset, FIELDS[SENTENCE])


def _log_entities(sentence: Sentence, line: str, number: int, log: ProblemLog) -> None:
    marks = sentence.outline.entities
    column = field_column(line, SENTENCE)
    message = f"expected exactly two entities, marked with `[[[ ]]]`, found {len(marks):,}"
    if len(marks) > 2:
        column += sentence.offset(marks[2])
        message += "; this is the third"
    log.add("exemplar.entities", message, number, column, FIELDS[SENTENCE])

"""Reads a system's output: the text of each segment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.records import File, Ids, pair_by_id, pair_by_line, read_ids
from pytest_nlpeval.kit.records.reading import Records
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.text.gold import Gold, Rows
from pytest_nlpeval.tasks.text.normalising import normalised
from pytest_nlpeval.tasks.text.options import SYSTEM, Options
from pytest_nlpeval.tasks.text.reading import check_lengths, file_of, read_segments, texts_of
from pytest_nlpeval.wording import plural

FURTHER = tuple(f"gold{number}" for number in range(2, 9))
"""The roles of files with further references."""

_MANY = 100


@light_dataclass(frozen=True, slots=True, eq=False)
class System:
    """The hypotheses for gold's segments, in their order, None for none; without gold, those of the file's rows.

    `lines` gives the line of each, 0 where the file has none. `left_out` is how many records `where` left out.
    """

    texts: Sequence[str | None]
    lines: Sequence[int]
    left_out: int = 0


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> System | None:
    """Return the hypotheses of a system's file, or None with all problems in the log.

    Without gold among the documents, whatever needs it is not checked.
    """
    gold: Gold | None = documents.get("gold")
    file = file_of(source, options, SYSTEM, log)
    if gold:
        file = file.paired_like(gold_has_ids=gold.ids is not None)
    if log.has_errors:
        return None
    file, records = read_segments(file, (), options.texts[SYSTEM])
    if records is None:
        return None
    texts = _hypotheses(records, options, file)
    ids = read_ids(records, file) if file.has_ids else None
    if gold is None:
        return None if file.log.has_errors else System(texts, records.lines)
    rows = _paired(gold, ids, len(records), file)
    if rows is None:
        return None
    of_segments: list[str | None] = [None] * len(gold.units)
    lines = [0] * len(gold.units)
    for row, segment in enumerate(np.where(rows >= 0, gold.rows[rows], -1).tolist()):
        if segment >= 0:
            of_segments[segment], lines[segment] = texts[row], records.lines[row]
    system = System(of_segments, lines, records.left_out)
    _check_empty(system, documents, options, file)
    _check_tokens(texts, options, file)
    return None if file.log.has_errors else system


def _paired(gold: Gold, ids: Ids | None, number: int, file: File) -> Rows | None:
    """Return the row of gold's file that each row answers, -1 for none; None with problems in the log."""
    rows = pair_by_id(gold.ids, ids, file) if gold.ids and ids else pair_by_line(len(gold.rows), number, file)
    return None if file.log.has_errors else rows


def _hypotheses(records: Records, options: Options, file: File) -> list[str | None]:
    hypotheses: list[str | None] = []
    (field,) = options.texts[SYSTEM]
    for row, (texts, is_list, is_wrong) in enumerate(texts_of(records, field, file)):
        line, place = records.lines[row], records.place(row)
        if len(texts) > 1 and not is_wrong:
            file.add("value", f"has {plural(len(texts), 'text')}; a segment has one hypothesis", line, place)
        elif not texts and not is_wrong:
            file.add("null", f"has {'an empty list' if is_list else 'no text'}; write one, if only an empty one", line, place)
        check_lengths(texts, line, file, options)
        hypotheses.append(texts[0] if texts else None)
    return hypotheses


def _check_empty(system: System, documents: Documents, options: Options, file: File) -> None:
    """Log hypotheses that are empty, where normalisation leaves something of every reference."""
    gold: Gold = documents["gold"]
    every = [gold.references, *(documents[role] for role in FURTHER if role in documents)]
    for segment, text in enumerate(system.texts):
        if text is not None and not text.strip():
            references = [reference for own in every for reference in own[segment]]
            if all(map(str.strip, normalised(references, options))):
                file.add(
                    "empty", f"the hypothesis of {gold.units[segment]} is empty; the reference is not", system.lines[segment]
                )


def _check_tokens(texts: Sequence[str | None], options: Options, file: File) -> None:
    """Log that the hypotheses seem to be split into tokens, which BLEU does again."""
    if options.has("bleu") and options.tokenize in {"13a", "intl", "zh"}:
        number = sum(text is not None and text.rstrip().endswith(" .") for text in texts)
        if number >= _MANY:
            message = (
                f"{number:,} hypotheses end in a blank and a full stop: BLEU splits tokens itself; give text, or tokenize: none"
            )
            file.add("tokenized", message)

"""Small CoNLL files counted together: a document of forty tokens takes a hundred calls of NumPy, and so do a hundred such documents."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

import numpy as np

from pytest_nlpeval.columns import Column, Sparse
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import read_text
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Together
from pytest_nlpeval.tasks.spans.conll import Read, read_texts
from pytest_nlpeval.tasks.spans.counting import counted
from pytest_nlpeval.tasks.spans.document import Document
from pytest_nlpeval.tasks.spans.labels import check_number
from pytest_nlpeval.tasks.spans.options import Options, Side
from pytest_nlpeval.tasks.spans.table import shape_of, without_blank_ends
from pytest_nlpeval.tasks.spans.wrong_spans import explain_each


def count_together(
    files: Mapping[str, Mapping[str, Source]], options: Options, logs: Mapping[str, Mapping[str, ProblemLog]]
) -> Together | None:
    """Return what counting CoNLL files one by one gives; None if they must be.

    They must be if one has errors, other tokens than its gold, or other columns than the rest. The files of a side are read as one, with
    a blank line between two of them.
    """
    if options.format != "conll":
        return None
    gold = _read("gold", files, options, logs, None)
    system = gold and _read("system", files, options, logs, gold.document)
    if gold is None or system is None or (gold.sentences != system.sentences).any():
        return None
    columns, matching = counted(gold.document, system.document, options)
    ends = np.cumsum(gold.sentences)
    evidence = Evidence(tuple(files), tuple(gold.sentences.tolist()), gold.document.units, _in_order(columns, ends.tolist()))
    each = explain_each(gold.document, system.document, matching, np.cumsum(gold.tokens).tolist())
    return Together(evidence, dict(zip(files, each, strict=True)))


def _read(
    side: Side,
    files: Mapping[str, Mapping[str, Source]],
    options: Options,
    logs: Mapping[str, Mapping[str, ProblemLog]],
    gold: Document | None,
) -> Read | None:
    """Return the files of a side as one; None if any of them would be read in another way alone, or has errors."""
    side_logs = [logs[name][side] for name in files]
    texts = [read_text(sources[side], log) for sources, log in zip(files.values(), side_logs, strict=True)]
    filled = [text for text in texts if text]
    shapes = {shape_of(without_blank_ends(text)) for text in filled}
    if len(filled) < len(texts) or len(shapes) > 1 or any(not number for _, number in shapes):
        return None
    of_tokens = side_logs[0].for_attempt()
    read = read_texts(filled, gold, options, side_logs, of_tokens, side)
    if read:
        check_number({*read.document.spans.names, *(gold.spans.names if gold else ())}, options, of_tokens)
    return read if of_tokens.is_empty else None


_OF_LABELS = ("gold", "system", "correct", "overlap", "confused")


def _in_order(columns: Mapping[str, Column], ends: Sequence[int]) -> dict[str, Column]:
    """Return the columns as merging the evidence of each document orders them: a label's come with the first document that has it."""

    def document(name: str) -> int:
        column = columns[name]
        if not isinstance(column, Sparse) or name.partition(".")[0] not in _OF_LABELS:
            return 0  # every document has it
        return bisect_right(ends, int(column.rows[0]))

    return {name: columns[name] for name in sorted(columns, key=document)}

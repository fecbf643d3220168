"""Small files counted together: a document of forty tokens takes a hundred calls of NumPy, and so do a hundred such documents."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

import numpy as np

from pytest_nlpeval.columns import Column, Sparse
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Together
from pytest_nlpeval.tasks.spans.counting import counted
from pytest_nlpeval.tasks.spans.document import Document, Read
from pytest_nlpeval.tasks.spans.labels import check_number
from pytest_nlpeval.tasks.spans.options import Options, Side
from pytest_nlpeval.tasks.spans.wrong_spans import explain_each


def count_together(
    files: Mapping[str, Mapping[str, Source]], options: Options, logs: Mapping[str, Mapping[str, ProblemLog]]
) -> Together | None:
    """Return what counting files of CoNLL or JSON Lines one by one gives; None if they must be.

    They must be if one has errors, or would be read in another way alone. The files of a side are read as one.
    """
    if options.format not in _READERS:
        return None

    def read(side: Side, gold: Document | None) -> Read | None:
        sources, side_logs = [of_case[side] for of_case in files.values()], [logs[name][side] for name in files]
        return _READERS[options.format](side, sources, options, side_logs, gold)

    gold = read("gold", None)
    system = gold and read("system", gold.document)
    if gold is None or system is None or (gold.units != system.units).any():
        return None
    columns, matching = counted(gold.document, system.document, options)
    ends = np.cumsum(gold.units)
    evidence = Evidence(tuple(files), tuple(gold.units.tolist()), gold.document.units, _in_order(columns, ends.tolist()))
    each = explain_each(gold.document, system.document, matching, np.cumsum(gold.places).tolist())
    return Together(evidence, dict(zip(files, each, strict=True)))


def _of_conll(
    side: Side, sources: Sequence[Source], options: Options, side_logs: Sequence[ProblemLog], gold: Document | None
) -> Read | None:
    """Return CoNLL files as one, with a blank line between two of them; None if one has errors, or other columns than the rest."""
    from pytest_nlpeval.formats.text import read_text  # as in the next function: a run has files of one format
    from pytest_nlpeval.tasks.spans.conll import read_texts
    from pytest_nlpeval.tasks.spans.table import shape_of, without_blank_ends

    texts = [read_text(source, log) for source, log in zip(sources, side_logs, strict=True)]
    filled = [text for text in texts if text]
    shapes = {shape_of(without_blank_ends(text)) for text in filled}
    if len(filled) < len(texts) or len(shapes) > 1 or any(not number for _, number in shapes):
        return None
    of_tokens = side_logs[0].for_attempt()
    read = read_texts(filled, gold, options, side_logs, of_tokens, side)
    if read:
        check_number({*read.document.spans.names, *(gold.spans.names if gold else ())}, options, of_tokens)
    return read if of_tokens.is_empty else None


def _of_json_lines(
    side: Side, sources: Sequence[Source], options: Options, side_logs: Sequence[ProblemLog], gold: Document | None
) -> Read | None:
    """Return files of JSON Lines as one; None if one has errors or a group in no record, or seems to be of another format."""
    from pytest_nlpeval.kit.records import joined
    from pytest_nlpeval.tasks.spans.hints import hint_of
    from pytest_nlpeval.tasks.spans.records import CONVENTIONS, Records, read_file

    if any(hint_of(source.data, "jsonl").text for source in sources if not source.data.startswith(b"{")):
        return None
    file = joined(sources, options.shape(side).layout, CONVENTIONS, side_logs)
    document = read_file(file, gold, options, side) if file else None
    if file is None or document is None or not isinstance(document.page, Records):
        return None
    check_number({*document.spans.names, *(gold.spans.names if gold else ())}, options, file.log)
    of_units = document.page.ids.files
    groups = [None] * len(of_units) if document.groups is None else document.groups
    grouped = {rank for rank, group in zip(of_units, groups, strict=True) if group is not None}
    if not file.log.is_empty or (document.groups is not None and grouped != {*of_units}):
        return None
    cuts = np.searchsorted(of_units, range(len(sources) + 1))
    bounds = np.array([*document.page.starts, sum(map(len, document.page.texts))], np.int64)
    return Read(document, np.diff(cuts), np.diff(bounds[cuts]))


_READERS = {"conll": _of_conll, "jsonl": _of_json_lines}

_OF_LABELS = ("gold", "system", "correct", "overlap", "confused")


def _in_order(columns: Mapping[str, Column], ends: Sequence[int]) -> dict[str, Column]:
    """Return the columns as merging the evidence of each document orders them: a label's come with the first document that has it."""

    def document(name: str) -> int:
        column = columns[name]
        if not isinstance(column, Sparse) or name.partition(".")[0] not in _OF_LABELS:
            return 0  # every document has it
        return bisect_right(ends, int(column.rows[0]))

    return {name: columns[name] for name in sorted(columns, key=document)}

"""Reads JSON: records with a text and its spans by offsets in code points, or with tokens and their tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from pytest_nlpeval.explanations import Passage
from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Dialect
from pytest_nlpeval.kit.groups import group_column
from pytest_nlpeval.kit.records import Conventions, File, Ids, may_pair_by_line, pair_by_id, pair_by_line
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.overlap import Extent
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.spans.document import Document, Span, Spans
from pytest_nlpeval.tasks.spans.hints import hint_of
from pytest_nlpeval.tasks.spans.json_records import Record, read_json_records
from pytest_nlpeval.tasks.spans.labels import fault_of
from pytest_nlpeval.tasks.spans.offsets import Spot, check_covered, check_offsets
from pytest_nlpeval.tasks.spans.options import Options, Side
from pytest_nlpeval.wording import quoted

CONVENTIONS = Conventions(
    "spans",
    Dialect.of("spans.json", objects=True, blank_lines=True, greatest=2**64),
    list_field="entities",
    advice='write "spans": [] where the system finds none',
    codes={"column": "group", "missing-id": "missing", "length": "records", "wrong-id": "record", "no-id": "record"},
)


@light_dataclass(frozen=True, slots=True, eq=False)
class Records:
    """The texts of gold's records, where each begins in all of them together, their ids, and the line of the file's own record."""

    texts: Sequence[str]
    starts: Sequence[int]
    ids: Ids
    lines: Sequence[int | None]

    def text(self, spans: Spans, rank: int) -> str:
        """Return the covered text of a span."""
        unit = self._unit(spans, rank)
        return self.texts[unit][int(spans.start[rank]) - self.starts[unit] : int(spans.end[rank]) - self.starts[unit]]

    def line(self, spans: Spans, rank: int) -> int | None:
        """Return the line of the record of a span."""
        return self.lines[self._unit(spans, rank)]

    def line_at(self, unit: int, _place: int) -> int | None:
        """Return the line of a record."""
        return self.lines[unit]

    def passage(self, unit: int, gold: Extent, system: Extent) -> Passage:
        """Return the text of a record with what either side marks in it."""
        start = self.starts[unit]
        sides = ([(low - start, high - start) for low, high in side] for side in (gold, system))
        return Passage.cut(self.texts[unit], *sides)

    def _unit(self, spans: Spans, rank: int) -> int:
        return int(np.searchsorted(self.starts, spans.start[rank], side="right")) - 1


def read_records(source: Source, documents: Documents, options: Options, log: ProblemLog, side: Side) -> Document | None:
    """Return the spans of a file of JSON records, or None with all problems in the log.

    A system's records are paired with gold's, if that is among the documents, and compared.
    """
    hint = hint_of(source.data, "jsonl")
    if hint.text:
        log.add("spans.json", f"is no JSON object{hint.text}", hint.line, 1)
        return None
    file = File(source, options.shape(side).layout, CONVENTIONS, log)
    return read_file(file, documents.get("gold"), options, side)


def read_file(file: File, gold: Document | None, options: Options, side: Side) -> Document | None:
    """Return the spans of a file, or of several that are read as one, whose problems are in the log then."""
    shape, log = options.shape(side), file.log
    table = read_json_records(file, shape, is_gold=side == "gold", group=options.group if side == "gold" else None)
    if table is None:
        return None
    records, ids, left_out = table
    if side == "system" and gold is not None and isinstance(gold.page, Records):
        paired = _paired(records, ids, gold, gold.page, options, file)
        return paired and replace(paired, left_out=left_out)
    for record in records:
        _check_items(record, record.text, options, log)
    groups = None
    if side == "gold" and options.group is not None:
        groups = group_column([record.group for record in records], [record.line for record in records], "spans", log)
    if log.has_errors:
        return None
    texts = [record.text or "" for record in records]
    starts = list(accumulate(map(len, texts), initial=0))[:-1]
    page = Records(texts, starts, ids, file.own_lines(ids.lines))
    units = tuple(str(line) if name is None else name for line, name in zip(page.lines, ids.names, strict=True))
    return replace(_document(records, units, page), left_out=left_out, groups=groups)


def _document(records: Sequence[Record | None], units: tuple[str, ...], page: Records) -> Document:
    spans = [
        Span(start + item.start, start + item.end, item.label)
        for record, start in zip(records, page.starts, strict=True)
        for item in (record.items if record else ())
    ]
    return Document(Spans.of(list(dict.fromkeys(spans))), units, np.array(page.starts, np.int64), page)


def _check_items(record: Record, text: str | None, options: Options, log: ProblemLog) -> None:
    """Log what is wrong with the spans of a record, whose text is not always known."""
    seen: set[tuple[int, int, str]] = set()
    for item in record.items:
        spot = Spot(log, record.line, item.where)
        if fault := fault_of(item.label, options):
            spot.add("spans.label", fault)
        if check_offsets([(item.start, item.end)], text, spot):
            if text is not None and item.text is not None:
                check_covered(item.text, ((item.start, item.end),), text, spot)
            key = item.start, item.end, item.label
            if key in seen:
                spot.add(
                    "spans.duplicate", f"{quoted(item.label)} from {item.start} to {item.end} is there already; it counts once"
                )
            seen.add(key)


def _paired(records: Sequence[Record], ids: Ids, gold: Document, page: Records, options: Options, file: File) -> Document | None:
    """Return the spans of a system's records, each as the answer to one of gold's: by id if all of both files have one, else by place."""
    is_by_id = None not in ids.names and None not in page.ids.names
    if not is_by_id and not may_pair_by_line(page.ids, ids):
        return None
    rows = pair_by_id(page.ids, ids, file) if is_by_id else pair_by_line(len(page.texts), len(records), file)
    answers: list[Record | None] = [None] * len(page.texts)
    for record, row in zip(records, rows.tolist(), strict=True):
        if row >= 0:
            answers[row] = record
            _check_text(record, page.texts[row], page.lines[row], file.log)
            _check_items(record, page.texts[row], options, file.log)
    if file.log.has_errors:
        return None
    lines = file.own_lines([record and record.line for record in answers])
    return _document(answers, gold.units, Records(page.texts, page.starts, page.ids, lines))


def _check_text(record: Record, text: str, line: int | None, log: ProblemLog) -> None:
    if record.text is None or record.text == text:
        return
    start = next((rank for rank, pair in enumerate(zip(record.text, text, strict=False)) if pair[0] != pair[1]), None)
    start = min(len(record.text), len(text)) if start is None else start
    here, there = (quoted(side[start : start + 20]) if start < len(side) else "the end" for side in (record.text, text))
    message = f"the text is not that of line {line} of gold: from offset {start} on, {here} instead of {there}"
    log.add("spans.other-text", message, record.line, where="text")

"""Recognises the files of the task: documents in CoNLL columns, CorefUD with entities, JSON Lines with clusters."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.task import LIKELY, SURE, Guess
from pytest_nlpeval.tasks.coref.conll import BEGIN
from pytest_nlpeval.tasks.coref.corefud import HEADER
from pytest_nlpeval.tasks.coref.options import Format

_WHY: dict[Format, str] = {
    "corefud": "CorefUD, rows of ten columns with entities",
    "conll": "columns between `#begin document` and `#end document`",
    "jsonl": "JSON Lines with clusters",
}


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guess: both files have entities. CorefUD goes with CorefUD only, also with CoNLL-U that has no entity."""
    formats = [_format_of(samples.gold, "clusters"), _format_of(samples.system, "predicted_clusters", "clusters")]
    gold, system = formats
    if gold and system and (gold == "corefud") == (system == "corefud"):
        why = _WHY[gold] if gold == system else f"{_WHY[gold]}, and {_WHY[system]}"
        yield Guess(SURE, {}, why)
    elif "corefud" in formats and all(map(_has_ten_columns, (samples.gold, samples.system))):
        yield Guess(LIKELY, {}, f"{_WHY['corefud']} on one side, and none on the other")


def _format_of(sample: Sample, *keys: str) -> Format | None:
    """Return the format of a file with entities, None of any other; in JSON these stand under one of the keys."""
    records = sample.json_lines
    if records:
        return "jsonl" if all("doc_key" in record and any(key in record for key in keys) for record in records) else None
    if any(map(BEGIN.fullmatch, sample.lines)):
        return "conll"
    return "corefud" if any(map(HEADER.fullmatch, sample.lines)) and _has_ten_columns(sample) else None


def _has_ten_columns(sample: Sample) -> bool:
    rows = [line for line in sample.lines if line.strip() and not line.startswith("#")]
    return bool(rows) and all(row.count("\t") == 9 for row in rows)

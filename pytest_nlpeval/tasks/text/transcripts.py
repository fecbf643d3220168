"""Transcripts as records: NIST's trn, words and then `(id)`, and Kaldi's text files, the id and then words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from pytest_nlpeval.formats.text import lines_of, read_text
from pytest_nlpeval.kit.records import BLANKS, FAULT, Field, File, Records
from pytest_nlpeval.tasks.text.options import TRN
from pytest_nlpeval.wording import quoted

_ID: Field = "(id)"


class _Utterance(NamedTuple):
    line: int
    name: str
    text: str


def read_transcripts(file: File) -> tuple[File, Records | None]:
    """Return the records of a file in trn or Kaldi's format, and the file as one whose ids are in them; None with problems in the log."""
    file = replace(file, layout=replace(file.layout, id=(_ID,), first_place=None))
    data = read_text(file.source, file.log, keeps_blank_end=True)
    if data is None:
        return file, None
    lines = lines_of(data)
    utterances = list(_of_trn(lines, file) if file.format == TRN else _of_kaldi(lines, file))
    names, texts = [utterance.name for utterance in utterances], [utterance.text for utterance in utterances]
    records = Records([utterance.line for utterance in utterances], lambda field: names if field == _ID else texts)
    return file, records


_TRN = re.compile(r"(.*)\(([^()]*)\)[ \t]*", re.DOTALL)
_ALTERNATIVES = re.compile(r"\{[^{}]*(?<=\s)/(?=\s)[^{}]*\}")


def _of_trn(lines: list[str], file: File) -> Iterator[_Utterance]:
    for line, text in enumerate(lines, 1):
        if text.startswith(";;") or not text.strip():
            continue
        match = _TRN.fullmatch(text)
        if not match:
            file.add("trn", f"{quoted(text[-30:].strip())} does not end in an id; write it behind the words: (id)", line)
            continue
        if alternatives := _ALTERNATIVES.search(match[1]):
            message = f"{quoted(alternatives[0])} are alternatives; choose one, or tolerate that all their parts count as words"
            file.add("alternatives", message, line)
        name = match[2].strip(BLANKS)
        if not name:
            file.add("no-id", "the brackets at the end are empty; write the id into them: (id)", line)
        yield _Utterance(line, name or FAULT, match[1])


def _of_kaldi(lines: list[str], file: File) -> Iterator[_Utterance]:
    for line, text in enumerate(lines, 1):
        name = text.split(maxsplit=1)[0] if text[:1].strip() else ""
        if not name:
            file.add("no-id", "does not begin with an id; write it there, then white space and the words", line)
        yield _Utterance(line, name or FAULT, text[len(name) :])

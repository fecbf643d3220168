"""Describes files that no task recognises: what cannot be read in them, or which fields they have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pytest_nlpeval.files import IS_POINTER, LFS, Source
from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.formats.text import read_text, text_kinds
from pytest_nlpeval.kit.recognition import shuffled_field
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run.recognition.neighbours import sample_of
from pytest_nlpeval.run.recognition.sides import Paths
from pytest_nlpeval.wording import plural, printable

_MOST_NAMED = 12


def unreadable(pair: Paths, folder: Path) -> list[str]:
    """Return the first problem of each of the first files of a pair that is no text, or a pointer to it."""
    return [problem for sample in _samples(pair, folder) if (problem := _problem(sample))]


def described(pair: Paths, folder: Path) -> list[str]:
    """Return what a reader sees in each of the first files of a pair, and why their records do not pair by line."""
    samples = [*_samples(pair, folder)]
    shuffled = shuffled_field(Samples(samples[0], samples[-1])) if samples else ""
    cure = (
        [f'"{printable(shuffled)}" has the same values in another order, some of them twice: give the records ids']
        if shuffled
        else []
    )
    return [f"{sample.path}: {_form(sample)}" for sample in samples] + cure


def _samples(pair: Paths, folder: Path) -> Iterator[Sample]:
    doc = pair.docs[0] if pair.docs else ""
    for path in dict.fromkeys((pair.gold, pair.system)):
        if sample := sample_of(path, doc, folder):
            yield sample


def _problem(sample: Sample) -> str:
    """Return the first problem of a file as text, "" if it has none; of a long file the last line of the sample is not looked at."""
    if sample.data.startswith(LFS):
        return f"{sample.path}: file.missing: {IS_POINTER}"
    log = ProblemLog(sample.path, text_kinds("off"))
    data = sample.data if sample.is_whole else sample.data[: sample.data.rfind(b"\n") + 1] or sample.data
    read_text(Source(sample.path, data), log)
    return str(next(iter(log.problems()), ""))


def _form(sample: Sample) -> str:
    """Return what a text is: XML, records with their fields, JSON, or lines."""
    if sample.root:
        return f"XML with the root element {printable(sample.root)}"
    if fields := [field for field in sample.fields if field]:
        more = f" and {len(fields) - _MOST_NAMED} more" if len(fields) > _MOST_NAMED else ""
        return f"records with the fields {', '.join(map(printable, fields[:_MOST_NAMED]))}{more}"
    if isinstance(sample.document, dict):
        return f"a JSON object with the keys {', '.join(map(printable, [*sample.document][:_MOST_NAMED]))}"
    if not sample.text.strip():
        return "empty"
    return plural(len(sample.lines), "line") + ("" if sample.is_whole else " and more")

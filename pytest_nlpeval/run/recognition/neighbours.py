"""Samples of the files of a pair, and of those that lie near them and may have a role of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath

from pytest_nlpeval.files import FILE_KINDS, read_source, with_few_parts
from pytest_nlpeval.formats.samples import HEAD, Sample, Samples
from pytest_nlpeval.patterns import DOC
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run.recognition.sides import Paths, files_in, joined

MOST_NEIGHBOURS = 100
_HEAD_OF_NEIGHBOURS = 1 << 14


def samples_of(pair: Paths, folder: Path) -> Samples | None:
    """Return samples of the first files of a pair and of their neighbours; None if one of the two cannot be read.

    Neighbours lie in the folder of gold's file or of the system's, in the folder around, or in another one there. If files are of
    documents, neighbours are those of the same document, in whose place `{doc}` stands then, and what lies beside the folders of both.
    """
    doc = pair.docs[0] if pair.docs else ""
    gold, system = (sample_of(path, doc, folder) for path in (pair.gold, pair.system))
    if gold is None or system is None:
        return None
    texts = dict.fromkeys(islice(_neighbours(pair, folder), MOST_NEIGHBOURS))
    others = (sample_of(text, doc, folder, _HEAD_OF_NEIGHBOURS) for text in texts)
    return Samples(gold, system, [other for other in others if other])


def sample_of(text: str, doc: str, folder: Path, size: int = HEAD) -> Sample | None:
    """Return the sample of a file, of a pattern that of a document's; None if it cannot be read.

    It has the first `size` bytes; with the usual size it has a JSON document whole, which nothing else can tell.
    """
    path = folder / text.replace(DOC, doc)
    try:
        if not path.is_file():
            return None
        with path.open("rb") as stream:
            data = stream.read(size + 1)
    except (OSError, ValueError):
        return None
    sample = Sample(text, data[:size], len(data) <= size)
    if size == HEAD and not sample.is_whole and data[:1] in (b"{", b"[") and not sample.json_lines:
        log = ProblemLog(text, FILE_KINDS)
        source = read_source(path, log)
        source = source and with_few_parts(source, log)
        return None if source is None else Sample(text, source.data)
    return sample


def _neighbours(pair: Paths, folder: Path) -> Iterator[str]:
    taken = pair.files("gold") | pair.files("system") | {pair.gold, pair.system}
    for side in (pair.gold, pair.system):
        around = PurePosixPath(side.replace(DOC, "x")).parent
        yield from (text for text in _in(str(around), pair, folder) if text not in taken)
    parents = dict.fromkeys(str(PurePosixPath(side.replace(DOC, "x")).parent.parent) for side in (pair.gold, pair.system))
    for parent in parents:
        for name in _folders_in(folder / parent):
            yield from (text for text in _in(joined(parent, name), pair, folder) if text not in taken)
    for parent in parents:
        yield from (text for text in _in(parent, pair, folder, beside=True) if text not in taken)


def _folders_in(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith("."))
    except OSError:
        return []


def _in(text: str, pair: Paths, folder: Path, *, beside: bool = False) -> Iterator[str]:
    """Yield the neighbours in a folder: with documents the patterns that give all of these a file, and single files `beside` them."""
    listed = files_in(folder, text)
    if not pair.docs:
        yield from listed
        return
    if beside:
        yield from (path for path in listed if not any(doc in path for doc in pair.docs[:3]))
    names = set(listed)
    for path in listed:
        ahead, found, behind = path.rpartition(pair.docs[0])
        if found and "/" not in behind and all(f"{ahead}{doc}{behind}" in names for doc in pair.docs):
            yield f"{ahead}{DOC}{behind}"

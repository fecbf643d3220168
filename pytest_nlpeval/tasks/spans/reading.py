"""The readers of each role: those of the format that the options name."""

from __future__ import annotations

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import decoded
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Deferred, Documents
from pytest_nlpeval.tasks.spans.document import Document
from pytest_nlpeval.tasks.spans.labels import check_number
from pytest_nlpeval.tasks.spans.options import Options, Side

_READERS = {
    "conll": Deferred("pytest_nlpeval.tasks.spans.conll:read_conll"),
    "jsonl": Deferred("pytest_nlpeval.tasks.spans.records:read_records"),
    "brat": Deferred("pytest_nlpeval.tasks.spans.brat:read_brat"),
}


def read_plain_text(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> str | None:
    """Return the text that brat's annotations are about, line ends and all, but without a byte order mark."""
    if options.format != "brat":
        log.add("spans.roles", f"is given as `text`, which only format: brat has; leave it out, as format is {options.format}")
        return None
    return decoded(source, log)


def read_gold(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Document | None:
    """Return the spans of a gold file, or None with all problems in the log."""
    return _read(source, documents, options, log, "gold")


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Document | None:
    """Return the spans of a system file, or None with all problems in the log; without gold, what compares the two is not checked."""
    return _read(source, documents, options, log, "system")


def _read(source: Source, documents: Documents, options: Options, log: ProblemLog, side: Side) -> Document | None:
    document: Document | None = _READERS[options.format](source, documents, options, log, side)
    if document is None:
        return None
    gold: Document | None = documents.get("gold")
    check_number({*document.spans.names, *(gold.spans.names if gold else ())}, options, log)
    return None if log.count("spans.too-many") else document

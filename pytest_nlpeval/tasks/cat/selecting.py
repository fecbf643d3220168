"""Reads gold and system files and selects what the profile scores of them."""

from __future__ import annotations

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.cat.config_file import configuration_of
from pytest_nlpeval.tasks.cat.options import Options
from pytest_nlpeval.tasks.cat.standard.selection import Selection, select
from pytest_nlpeval.tasks.cat.xml import reading
from pytest_nlpeval.tasks.cat.xml.document import Document


def read_gold(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Selection | None:
    """Return what is scored of the file, or None with all problems in the log."""
    return _selected(reading.read_gold(source, documents, options, log), documents, options, log)


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Selection | None:
    """Return what is scored of the file, or None with all problems in the log; its tokens must be the gold file's."""
    gold: Selection | None = documents.get("gold")
    others = {**documents, "gold": gold.document} if gold else documents
    return _selected(reading.read_system(source, others, options, log), documents, options, log)


def _selected(document: Document | None, documents: Documents, options: Options, log: ProblemLog) -> Selection | None:
    configuration = configuration_of(documents, options)
    if document is None:
        return None
    if configuration is None or options.profile == "nwr2014":
        return Selection(document)
    return select(document, configuration, options.limit, log)

"""Reads gold and system files, and selects what the profile scores of them."""

from __future__ import annotations

import hashlib

from pytest_nlpeval.files import Source
from pytest_nlpeval.metrics.partners import Items
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.cat.config_file import check_annotations, configuration_of
from pytest_nlpeval.tasks.cat.options import Options
from pytest_nlpeval.tasks.cat.rows import TLINK
from pytest_nlpeval.tasks.cat.standard.selection import Selection, select
from pytest_nlpeval.tasks.cat.xml.document import Tokens
from pytest_nlpeval.tasks.cat.xml.reader import read_document


def read_gold(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Selection | None:
    """Return what is scored of a gold file, or None with all problems in the log; those of `options.annotations` are logged here, too."""
    check_annotations(options, log)
    return _read(source, None, documents, options, log)


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Selection | None:
    """Return what is scored of a system file, or None with all problems in the log.

    Its tokens must be the gold file's; without a gold file they may be any.
    """
    gold: Selection | None = documents.get("gold")
    return _read(source, gold.document.tokens if gold else None, documents, options, log)


def asks(documents: Documents, _options: Options) -> Items:
    """Return the one question of a document: its tokens, with their ids and sentences."""
    gold: Selection = documents["gold"]
    tokens = gold.document.tokens
    digest = hashlib.sha256(repr((tokens.ids, tokens.texts, tokens.sentences)).encode())
    return Items([""], [digest.hexdigest()], [""])


def _read(source: Source, gold: Tokens | None, documents: Documents, options: Options, log: ProblemLog) -> Selection | None:
    """Return a file's selection, which for the profile `nwr2014` and without configuration is the bare document.

    Attributes are read only of the NAMEs whose attributes are scored, and of TLINKs, which need their type.
    """
    configuration = configuration_of(documents, options)
    scored = None if configuration is None else configuration.with_attributes | {TLINK}
    is_original = options.profile == "nwr2014"
    document = read_document(source, log, gold, scored, checks_case=not is_original)
    if document is None:
        return None
    if configuration is None or is_original:
        return Selection(document)
    return select(document, configuration, options.limit, log)

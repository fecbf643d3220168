"""Reads the task file that systems are given: the pairs, most often without judgments. Runs are checked against it before gold exists."""

from __future__ import annotations

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import WINDOW_BYTES
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition, Options
from pytest_nlpeval.tasks.rte.pairs import (
    Gathered,
    Pairs,
    check_settings,
    edition_by_judgments,
    gather,
    kept_pairs,
    setting_ranks,
)


def read_task_file(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Pairs | None:
    """Return the pairs of an `entailment-corpus`, judged or not, or None with all problems in the log.

    Judgments are checked as in gold where there are any, and then only tell the edition; so does, without any, an application setting
    that only one edition has. If nothing tells the edition, the run does.
    """
    pairs = gather(source, options, log)
    edition = edition_by_judgments(pairs, options, log, required=False) or _edition_by_settings(pairs)
    check_settings(pairs, edition, log)
    ranks, kept = kept_pairs(pairs, log)
    if log.has_errors:
        return None
    return Pairs(edition, ranks, setting_ranks(pairs.tasks, (edition or FIRST).settings)[kept], source.reader(WINDOW_BYTES))


def _edition_by_settings(pairs: Gathered) -> Edition | None:
    """Return the edition of the first pair whose task only one edition has."""
    own = {**dict.fromkeys(FIRST.settings, FIRST), **dict.fromkeys(LATER.settings, LATER)}
    shared = set(FIRST.settings) & set(LATER.settings)
    return next((own[task] for task in pairs.tasks if task in own and task not in shared), None)

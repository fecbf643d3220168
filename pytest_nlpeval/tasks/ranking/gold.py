"""Reads judgements: the grades of documents for topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.ranking.detecting import read_content
from pytest_nlpeval.tasks.ranking.lists import Index, Lists, topic_names, without_duplicates
from pytest_nlpeval.tasks.ranking.options import GOLD, Options
from pytest_nlpeval.tasks.ranking.problems import warn
from pytest_nlpeval.tasks.ranking.records import Described
from pytest_nlpeval.tasks.ranking.topics import Groups, groups_of

GREATEST_GRADE, GREATEST_EXPONENT = 1_000_000, 50


@light_dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The judgements of a file: its topics are the units, their values grades. `texts` are those of topics that have one."""

    lists: Lists
    groups: Groups
    texts: Mapping[str, str] = field(default_factory=dict)


def read_gold(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the judgements of a file, or None with all problems in the log."""
    content = read_content(source, options, GOLD, log)
    if content is None:
        return None
    lists = without_duplicates(Index.of(content.lists), log, best=False).lists
    _check_grades(lists, options, log)
    topics: Described | None = documents.get("topics")
    groups = groups_of(lists.topics, (topics, content.described), options, log)
    if log.has_errors:
        return None
    numbers = np.bincount(lists.topic[lists.values >= options.rel], minlength=len(lists.topics))
    warn(log, "no-relevant", topic_names(lists, numbers == 0), "without a relevant document", _consequence(options))
    described = topics if topics is not None and topics.texts else content.described
    return Gold(lists, groups, described.texts if described else {})


def _consequence(options: Options) -> str:
    return "not counted" if options.is_standard else f"they count 0 in the profile {options.profile}"


def _check_grades(lists: Lists, options: Options, log: ProblemLog) -> None:
    """Log grades that are too great, or in a profile not whole."""
    greatest = GREATEST_GRADE if options.gains == "linear" else GREATEST_EXPONENT
    for row in np.flatnonzero(np.abs(lists.values) > greatest).tolist():
        message = f"the grade {lists.values[row]:g} is beyond {greatest:,}" + (
            "" if options.gains == "linear" else ", the greatest with exponential gains"
        )
        log.add("ranking.grade", message, lists.line(row), where=lists.where(row))
    if options.is_standard:
        return
    for row in np.flatnonzero(lists.values != np.rint(lists.values)).tolist():
        if not np.isnan(lists.values[row]):
            message = f"the grade {lists.values[row]:g} is not whole, as {options.profile} needs it; take the profile standard"
            log.add("ranking.grade", message, lists.line(row), where=lists.where(row))

"""Evidence of rankings: one row per topic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pytest_nlpeval.evidence import Column, Evidence, Sparse
from pytest_nlpeval.metrics.retrieval import Rankings, Values, ideal
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.ranking.gold import Gold
from pytest_nlpeval.tasks.ranking.lists import topic_names
from pytest_nlpeval.tasks.ranking.measures import GROUP, HAS_GAIN, HAS_RELEVANT, HAS_RESULTS, Name
from pytest_nlpeval.tasks.ranking.options import Options
from pytest_nlpeval.tasks.ranking.places import Paired
from pytest_nlpeval.tasks.ranking.problems import warn
from pytest_nlpeval.tasks.ranking.system import System
from pytest_nlpeval.tasks.ranking.wrong_documents import explain


def count(documents: Documents, options: Options, log: ProblemLog) -> Counted:
    """Return one row per topic of gold, named by its id, and why topics are not right.

    Columns: the value of each measure, under its name; `has-relevant`, `has-gain` and `has-results`, 0 or 1: whether gold has a relevant
    document, one with a gain above 0, and the system a result; and `group.<value>`, 1 for the topics of a group.
    """
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    level = Paired.of(gold, system, options)
    _warn(level, options, log)
    paired = level if options.is_standard else level.by_document()
    rankings = paired.rankings()
    topics = rankings.topics
    flags = {HAS_RELEVANT: topics.relevant > 0, HAS_GAIN: ideal(topics) > 0, HAS_RESULTS: topics.results > 0}
    columns: dict[str, Column] = {name: values_of(rankings, Name.of(name)) for name in options.measures}
    columns |= {name: flag.astype(np.int8) for name, flag in flags.items()}
    for place, group in enumerate(gold.groups.names):
        rows = np.flatnonzero(gold.groups.of_topics == place)
        columns[f"{GROUP}{group}"] = Sparse.of(rows, np.ones(len(rows), np.int8), len(gold.lists.topics))
    return Counted(Evidence.of(gold.lists.topics, columns), explain(paired, options))


def values_of(rankings: Rankings, name: Name) -> Values:
    """Return the value that a measure has for each topic, 0 where it has none."""
    topics = rankings.topics
    cut = name.cut
    of_sets: dict[str, Callable[[], Values]] = {
        "Rprec": lambda: rankings.recall(topics.relevant),
        "Bpref": rankings.bpref,
        "SetP": rankings.set_precision,
        "SetR": lambda: rankings.recall(None),
        "SetF": rankings.set_f,
    }
    if name.base in of_sets:
        return of_sets[name.base]()
    if name.base in {"nDCG", "AP", "RR"}:
        return {"nDCG": rankings.ndcg, "AP": rankings.average_precision, "RR": rankings.reciprocal_rank}[name.base](cut)
    of_cut = {"P": rankings.precision, "R": rankings.recall, "Success": rankings.success, "Judged": rankings.judged_share}
    return of_cut[name.base](cut or 0)


def _warn(level: Paired, options: Options, log: ProblemLog) -> None:
    """Log what only both sides together show."""
    names = level.gold.lists
    decides = "their mean over all orders counts" if options.is_standard else "the ids of the documents decide"
    warn(
        log,
        "ties",
        topic_names(names, level.tied_topics()),
        f"have equal scores for documents of unlike gain or relevance: {decides}",
    )
    if not len(level.found.row) and level.topics.results.any():
        (own,), (other,) = (
            level.system.lists.documents.names([0]),
            names.documents.names([0]) if len(names.documents) else ("none",),
        )
        message = f'no result is a document that gold grades: the first result is "{own}", gold\'s first is "{other}"; are the ids others?'
        log.add("ranking.other-documents", message)

"""Reads results: for each topic documents with scores, or in order."""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.ranking.detecting import read_content
from pytest_nlpeval.tasks.ranking.gold import Gold
from pytest_nlpeval.tasks.ranking.ids import Flags, Integers
from pytest_nlpeval.tasks.ranking.lists import Index, Lists, topic_names, without_duplicates
from pytest_nlpeval.tasks.ranking.options import SYSTEM, Options
from pytest_nlpeval.tasks.ranking.problems import warn
from pytest_nlpeval.wording import quoted

System = Index
"""The results of a file, no document twice in a topic, and where each is found."""


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> System | None:
    """Return the results of a file, or None with all problems in the log.

    Without gold among the documents, topics are not compared with it.
    """
    content = read_content(source, options, SYSTEM, log)
    if content is None:
        return None
    lists = content.lists
    if content.ranks is not None and content.is_ranked is not None and not log.has_errors:
        _check_rank_order(lists, content.ranks, content.is_ranked, log)
    del content
    index = without_duplicates(Index.of(lists), log, best=True)
    gold: Gold | None = documents.get("gold")
    if gold is not None and lists.topics:
        _check_topics(gold, lists, log)
    return None if log.has_errors else index


def _check_topics(gold: Gold, lists: Lists, log: ProblemLog) -> None:
    """Log topics that only one side has."""
    asked, given = dict.fromkeys(gold.lists.topics), dict.fromkeys(lists.topics)
    if asked.keys().isdisjoint(given):
        message = f"no topic is one of gold's: there is {_some(given)}, gold has {_some(asked)}"
        log.add("ranking.other-topics", message)
        return
    if not log.count(
        *(f"ranking.{name}" for name in ("fields", "quotes", "json", "shape"))
    ):  # what cannot be read is not missing
        warn(
            log,
            "missing-topic",
            [topic for topic in asked if topic not in given],
            "of gold that this file lacks",
            "no results there",
        )
    warn(log, "unknown-topic", [topic for topic in given if topic not in asked], "that gold lacks", "left out")


def _some(topics: dict[str, None]) -> str:
    first = next(iter(topics), None)
    return "none" if first is None else quoted(first)


def _check_rank_order(lists: Lists, ranks: Integers, is_ranked: Flags, log: ProblemLog) -> None:
    """Log the topics in which, of two documents, the one with the higher score has the higher rank."""
    topic, values = lists.topic, lists.values
    follows = topic[1:] == topic[:-1]
    is_grouped = bool((topic[1:] >= topic[:-1]).all())
    if is_grouped and is_ranked.all() and not (follows & ((values[1:] > values[:-1]) | (ranks[1:] < ranks[:-1]))).any():
        return  # the file has the order of scores and of ranks
    rows = np.flatnonzero(is_ranked)
    rows = rows[np.lexsort((-values[rows], topic[rows]))]
    places = np.unique(ranks[rows], return_inverse=True)[1].astype(np.int64)
    starts = np.append(True, (np.diff(topic[rows]) != 0) | (np.diff(values[rows]) != 0))[: len(rows)]
    base = topic[rows].astype(np.int64) * (len(rows) + 1)
    greatest = np.maximum.accumulate(base + places)  # the greatest rank so far in the topic
    before = np.append(-1, greatest[:-1])[: len(rows)]
    of_block = before[np.flatnonzero(starts)][np.cumsum(starts) - 1]  # that of all documents with higher scores
    wrong = np.flatnonzero(np.bincount(topic[rows][of_block > base + places]))
    cure = "are the scores distances? `order: rank` goes by the ranks"
    warn(log, "rank-order", topic_names(lists, wrong), "with higher ranks for higher scores", cure)

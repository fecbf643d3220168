"""Ranked retrieval: search, the retrievers of retrieval-augmented generation, recommenders.

Sources: trec_eval 9.0.8 and 10.0; McSherry, Najork, Computing Information Retrieval Performance Measures Efficiently in the Presence of
Tied Scores, ECIR 2008; MacAvaney, Macdonald, Ounis, Streamlining Evaluation with ir-measures, ECIR 2022 (names of measures).
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.ranking.measures import measures, notes, signature
from pytest_nlpeval.tasks.ranking.native import native
from pytest_nlpeval.tasks.ranking.options import options
from pytest_nlpeval.tasks.ranking.problems import PROBLEMS

STARTER = Starter(
    gates=(
        StarterGate("nDCG@10", 0.4, "graded relevance of the first ten results"),
        StarterGate("R@100", 0.5, "relevant documents among the first hundred"),
        StarterGate("coverage", 0.99, "nearly every topic has results"),
    ),
)

TASK = Task(
    name="ranking",
    summary="Ranked retrieval: search, retrievers, recommenders (TREC runs, BEIR, JSON)",
    version="1",
    roles=(
        Role(
            "topics",
            "gold",
            "texts and groups of the topics: JSON Lines with `_id` or `id`, or a table",
            Deferred("pytest_nlpeval.tasks.ranking.topics:read_topics"),
            required=False,
            suffixes=(".jsonl", ".tsv"),
        ),
        Role(
            "gold",
            "gold",
            "judgements: trec's qrels, BEIR's TSV, CSV, JSON or JSON Lines with grades of documents per topic",
            Deferred("pytest_nlpeval.tasks.ranking.gold:read_gold"),
            suffixes=(".qrels", ".tsv", ".csv", ".json", ".jsonl"),
        ),
        Role(
            "system",
            "system",
            "results: a TREC run, TSV, CSV, JSON or JSON Lines with scores of documents per topic, or lists in order",
            Deferred("pytest_nlpeval.tasks.ranking.system:read_system"),
            suffixes=(".trec", ".tsv", ".csv", ".json", ".jsonl"),
        ),
    ),
    options=options,
    options_schema=json_schema("ranking.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.ranking.counting:count"),
    measures=measures,
    signature=signature,
    fixed_measures=False,
    native=native,
    notes=notes,
    starter=STARTER,
    reading=("format", "id", "document", "relevant", "ranking", "order"),
    asks=Deferred("pytest_nlpeval.tasks.ranking.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.ranking.asking:restate"),
    recognise=Deferred("pytest_nlpeval.tasks.ranking.recognising:recognise"),
)

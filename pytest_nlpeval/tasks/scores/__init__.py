"""Results per item that another tool worked out: a judge's scores, tests that pass, latencies and costs.

Sources: Chen et al. 2021 (pass@k), Yao et al. 2024 (pass^k), Hyndman and Fan 1996 (percentiles); spelt out in the task's page.
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.scores.measures import measures, notes
from pytest_nlpeval.tasks.scores.options import of_then, options, signature
from pytest_nlpeval.tasks.scores.problems import PROBLEMS

_SUFFIXES = (".jsonl", ".json", ".tsv", ".csv", ".txt")

STARTER = Starter(
    options={
        "repeats": 3,
        "error": "error",
        "results": {"right": {"pass": True, "missing": 0}},
    },
    gates=(
        StarterGate("right.pass_rate", 0.5, "of an item's repeats are right, on average"),
        StarterGate("coverage", 0.9, "of the items have all their values"),
    ),
)

TASK = Task(
    name="scores",
    summary="Results per item that another tool worked out: judges, tests, latencies, costs, with repeats.",
    version="1",
    roles=(
        Role(
            "gold",
            "gold",
            "the items: any file that has their ids, such as the data set itself",
            Deferred("pytest_nlpeval.tasks.scores.gold:read_gold"),
            suffixes=_SUFFIXES,
            is_question=True,
        ),
        Role(
            "system",
            "system",
            "a record per item, or per item and repeat, with the results; JSON, JSON Lines, TSV, CSV, or lines with one number each",
            Deferred("pytest_nlpeval.tasks.scores.system:read_system"),
            suffixes=_SUFFIXES,
        ),
    ),
    options=options,
    options_schema=json_schema("scores.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.scores.counting:count"),
    measures=measures,
    signature=signature,
    fixed_measures=False,
    notes=notes,
    graphs=Deferred("pytest_nlpeval.tasks.scores.graphs:graphs"),
    starter=STARTER,
    reading=("format", "items", "where", "id", "pair"),
    of_then=of_then,
    asks=Deferred("pytest_nlpeval.tasks.scores.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.scores.asking:restate"),
    falls=("mean", "pass_rate"),
    recognise=Deferred("pytest_nlpeval.tasks.scores.recognising:recognise"),
)

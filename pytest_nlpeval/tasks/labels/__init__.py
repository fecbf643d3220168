"""Classification of items, multi-label classification, and scores (regression, similarity).

Sources: the metrics of scikit-learn and SciPy, and what they cite; spelt out in the task's page.
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.labels.measures import measures, notes, signature
from pytest_nlpeval.tasks.labels.native import native
from pytest_nlpeval.tasks.labels.options import options
from pytest_nlpeval.tasks.labels.problems import PROBLEMS

_SUFFIXES = (".tsv", ".csv", ".jsonl", ".txt")

STARTER = Starter(
    options={"labels": ["negative", "neutral", "positive"]},
    gates=(
        StarterGate("accuracy", 0.5, "of the judged items"),
        StarterGate("macro.f1", 0.5, "mean F1 of the labels"),
        StarterGate("coverage", 0.99, "nearly every item has an answer"),
    ),
)

TASK = Task(
    name="labels",
    summary="Labels, sets of labels or scores of items: classifiers, regression and similarity models.",
    version="2",
    roles=(
        Role(
            "gold",
            "gold",
            "TSV, CSV or JSON Lines with an id and a label, set or score per row; or lines with one each",
            Deferred("pytest_nlpeval.tasks.labels.gold:read_gold"),
            suffixes=_SUFFIXES,
        ),
        Role(
            "system",
            "system",
            "the same for the system's answers, perhaps with probabilities; not necessarily in the same format",
            Deferred("pytest_nlpeval.tasks.labels.system:read_system"),
            suffixes=_SUFFIXES,
        ),
    ),
    options=options,
    options_schema=json_schema("labels.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.labels.counting:count"),
    measures=measures,
    signature=signature,
    fixed_measures=False,
    native=native,
    notes=notes,
    graphs=Deferred("pytest_nlpeval.tasks.labels.graphs:graphs"),
    starter=STARTER,
    reading=("format", "items", "where", "id", "pair", "label", "separator", "probability"),
    asks=Deferred("pytest_nlpeval.tasks.labels.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.labels.asking:restate"),
    recognise=Deferred("pytest_nlpeval.tasks.labels.recognising:recognise"),
)

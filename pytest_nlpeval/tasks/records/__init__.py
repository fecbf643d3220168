"""Structured output against gold: extracted fields, slots, tool calls, relations, events.

Sources: the specification of the task's page; the scorers that it is compared with there (Donut, TRADE, SpERT, BFCL).
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.records.measures import measures, notes, signature
from pytest_nlpeval.tasks.records.options import READING, options
from pytest_nlpeval.tasks.records.problems import PROBLEMS

_SUFFIXES = (".jsonl", ".json", ".tsv", ".csv")

STARTER = Starter(
    gates=(
        StarterGate("micro.f1", 0.5, "F1 of all fields"),
        StarterGate("parsed", 0.99, "nearly every record can be used"),
        StarterGate("coverage", 0.99, "nearly every id has a record"),
    ),
)

TASK = Task(
    name="records",
    summary="Structured output: extracted fields, slots, tool calls, relations and events.",
    version="1",
    roles=(
        Role(
            "gold",
            "gold",
            "JSON Lines, JSON, TSV or CSV with an id and a record per item; or one record as a JSON document",
            Deferred("pytest_nlpeval.tasks.records.gold:read_gold"),
            suffixes=_SUFFIXES,
        ),
        Role(
            "schema",
            "gold",
            "one JSON Schema that the system's records should satisfy",
            Deferred("pytest_nlpeval.tasks.records.schema:read_schema"),
            required=False,
            suffixes=(".json",),
            once=True,
        ),
        Role(
            "system",
            "system",
            "the system's records for the same ids; not necessarily in the same format",
            Deferred("pytest_nlpeval.tasks.records.system:read_system"),
            suffixes=_SUFFIXES,
        ),
    ),
    options=options,
    options_schema=json_schema("records.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.records.counting:count"),
    measures=measures,
    signature=signature,
    fixed_measures=False,
    notes=notes,
    graphs=Deferred("pytest_nlpeval.tasks.records.graphs:graphs"),
    starter=STARTER,
    reading=READING,
    asks=Deferred("pytest_nlpeval.tasks.records.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.records.asking:restate"),
    recognise=Deferred("pytest_nlpeval.tasks.records.recognising:recognise"),
)

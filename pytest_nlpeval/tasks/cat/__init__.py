"""Entities, events, times and relations in CAT XML (NewsReader), with the temporal evaluation of TempEval-3.

Source: README of the NewsReader scorer for CAT XML (A.-L. Minard, FBK, 2014); UzZaman and Allen, Temporal Evaluation, ACL 2011.
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.cat.measures import measures, notes, signature
from pytest_nlpeval.tasks.cat.native import native
from pytest_nlpeval.tasks.cat.options import lacks_annotations, make_options
from pytest_nlpeval.tasks.cat.problems import PROBLEMS

STARTER = Starter(
    options={
        "annotations": [
            {"name": "EVENT_MENTION", "type": "markable", "attributes": ["pred", "polarity"]},
            {"name": "TIMEX3", "type": "markable", "attributes": ["type", "value"]},
            {"name": "TIMEX3", "type": "instance", "specificity": "comparable", "attributes": ["type", "value"]},
            {"name": "TLINK", "type": "one2one", "specificity": "directional", "attributes": ["relType"]},
            {"name": "REFERS_TO", "type": "many2one", "specificity": "directional"},
        ],
    },
    gates=(
        StarterGate("EVENT_MENTION.strict.f1", 0.5, "events; the extents have to be equal"),
        StarterGate("TIMEX3.strict.f1", 0.5, "times"),
        StarterGate("TLINK.tempeval.f1", 0.2, "temporal links; what follows counts, not what is written"),
        StarterGate("REFERS_TO.strict.f1", 0.5, "coreference, by links between mentions"),
    ),
)

TASK = Task(
    name="cat",
    summary="Entities, events, times and relations in CAT XML (NewsReader), with TempEval-3's temporal evaluation",
    version="4",
    roles=(
        Role(
            "config",
            "gold",
            "what is scored: tab-separated lines NAME, type, specificity, attributes; or give the option `annotations` instead",
            Deferred("pytest_nlpeval.tasks.cat.config_file:read_config"),
            required=lacks_annotations,
            suffixes=(".txt",),
            once=True,
        ),
        Role(
            "gold",
            "gold",
            "CAT XML: tokens, markables, relations; labelled or not",
            Deferred("pytest_nlpeval.tasks.cat.reading:read_gold"),
        ),
        Role("system", "system", "CAT XML with the same tokens", Deferred("pytest_nlpeval.tasks.cat.reading:read_system")),
    ),
    options=make_options,
    options_schema=json_schema("cat.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.cat.counting:count"),
    measures=measures,
    signature=signature,
    notes=notes,
    fixed_measures=False,
    native=native,
    starter=STARTER,
    asks=Deferred("pytest_nlpeval.tasks.cat.reading:asks"),
    recognise=Deferred("pytest_nlpeval.tasks.cat.recognising:recognise"),
)

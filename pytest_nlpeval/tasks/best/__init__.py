"""Source-and-target belief and sentiment (BeSt, TAC 2016/2017): who holds what attitude towards what.

Source: Task Description for Source/Target Belief and Sentiment Component Evaluation (BeSt) at TAC 2017, V.2.5.
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.formats.xml import XML_KINDS
from pytest_nlpeval.problems import Kind
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.best.measures import measures, signature
from pytest_nlpeval.tasks.best.native import native
from pytest_nlpeval.tasks.best.options import Options
from pytest_nlpeval.tasks.best.quotes import notes

PROBLEMS = {
    **XML_KINDS,
    "text.encoding": text_kinds("off")["text.encoding"],
    "best.ere-id": Kind("error", "an id appears twice in an ERE file", fixed=True),
    "best.ere-offset": Kind("error", "an offset or length in an ERE file is not a number", fixed=True),
    "best.ere-reference": Kind("error", "an argument in an ERE file names no mention or filler, or the entity is another one's"),
    "best.no-id": Kind("error", "a target or source names no mention", fixed=True),
    "best.unknown-id": Kind("error", "a target or source names a mention that the ERE file does not have", fixed=True),
    "best.source": Kind("error", "a source is not an entity mention", fixed=True),
    "best.source-type": Kind("warning", "a source is an entity of a type other than PER, ORG, GPE"),
    "best.target": Kind("error", "a belief's target is an entity mention"),
    "best.target-kind": Kind("warning", "<entity>, <relation> or <event> names a mention of another kind"),
    "best.section": Kind(
        "error", "a belief among the sentiments, or a sentiment among the beliefs; if tolerated, it is left out"
    ),
    "best.value": Kind("error", "a belief type other than cb, ncb, rob, na, or a polarity other than pos, neg, none", fixed=True),
    "best.attribute": Kind(
        "warning", "a belief's polarity other than pos, neg, or a sarcasm other than yes, no; neither is scored"
    ),
    "best.confidence": Kind("warning", "a confidence is not a number from 0 to 1; it is not scored"),
    "best.repeated": Kind("warning", "offset, length or text, where repeated, differ from the ERE file"),
    "best.duplicate": Kind("warning", "the same annotation appears twice; it counts once"),
}

STARTER = Starter(
    gates=(
        StarterGate("belief.full.micro.f1", 0.5, "F of beliefs; all mentions of a target are wanted"),
        StarterGate("sentiment.full.micro.f1", 0.5, "F of sentiments; all mentions of a target are wanted"),
    ),
)

TASK = Task(
    name="best",
    summary="Source-and-target belief and sentiment (BeSt, TAC 2016/2017): who believes or feels what towards what?",
    version="2",
    roles=(
        Role(
            "ere",
            "gold",
            "rich_ere.xml: entities, relations and hoppers with their mentions, gold or predicted",
            Deferred("pytest_nlpeval.tasks.best.ere:read_ere"),
            suffixes=(".rich_ere.xml", ".xml"),
            is_question=True,
        ),
        Role(
            "source",
            "gold",
            "the text that offsets count in; where it is given, annotations in quotes are left out",
            Deferred("pytest_nlpeval.tasks.best.quotes:read_source_text"),
            required=False,
            suffixes=(".txt",),
            is_question=True,
        ),
        Role(
            "gold",
            "gold",
            "best.xml: beliefs and sentiments towards mentions of the ERE file",
            Deferred("pytest_nlpeval.tasks.best.annotations:read_annotations"),
            suffixes=(".best.xml", ".xml"),
        ),
        Role(
            "system",
            "system",
            "best.xml: the same, by the system",
            Deferred("pytest_nlpeval.tasks.best.annotations:read_annotations"),
            suffixes=(".best.xml", ".xml"),
        ),
    ),
    options=Options,
    options_schema=json_schema("best.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.best.counting:count"),
    measures=measures,
    signature=signature,
    native=native,
    starter=STARTER,
    notes=notes,
    recognise=Deferred("pytest_nlpeval.tasks.best.recognising:recognise"),
)

"""Binary relation extraction: which words of a sentence express the relation between its two entities.

Source: README of the EXEMPLAR evaluation; Mesquita, Schmidek, Barbosa, Effectiveness and Efficiency of Open Relation
Extraction, EMNLP 2013.
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.problems import Kind
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.exemplar.measures import measures, signature
from pytest_nlpeval.tasks.exemplar.native import native
from pytest_nlpeval.tasks.exemplar.options import Options

PROBLEMS = {
    **text_kinds("off"),
    "exemplar.header": Kind("error", "the first line is not a header", fixed=True),
    "exemplar.fields": Kind("error", "a line lacks a field or has too many", fixed=True),
    "exemplar.empty": Kind("error", "Relation or Trigger is empty; absence is written `---`", fixed=True),
    "exemplar.absence": Kind("error", "only one of Relation and Trigger is `---`", fixed=True),
    "exemplar.relation": Kind("error", "Relation and Trigger differ; if tolerated, Trigger counts"),
    "exemplar.marks": Kind("error", "marks in the sentence are unbalanced or badly nested", fixed=True),
    "exemplar.entities": Kind("error", "the sentence marks fewer or more than two entities; does not change scores"),
    "exemplar.triggers": Kind("error", "the sentence marks several triggers; if tolerated, the field Trigger counts"),
    "exemplar.trigger": Kind("error", "Trigger is not what the sentence marks; if tolerated, the field Trigger counts"),
    "exemplar.line-count": Kind("error", "the system file has fewer or more lines than the gold file", fixed=True),
    "exemplar.pair": Kind("error", "a line's entity pair is not that of the gold file's line", fixed=True),
}

STARTER = Starter(
    gates=(StarterGate("f1", 0.5, "F of the extractions"), StarterGate("precision", 0.5, "what is extracted is right"))
)

TASK = Task(
    name="exemplar",
    summary="Binary relation extraction (EXEMPLAR): which words express the relation between two entities?",
    version="1",
    roles=(
        Role(
            "gold",
            "gold",
            "tab-separated: Entity1, Relation, Entity2, Trigger, Annotated Sentence; a header line",
            Deferred("pytest_nlpeval.tasks.exemplar.gold:read_gold"),
            suffixes=(".tsv", ".txt"),
        ),
        Role(
            "system",
            "system",
            "tab-separated: Entity1, Relation, Entity2; line k answers the gold file's line k",
            Deferred("pytest_nlpeval.tasks.exemplar.system:read_system"),
            suffixes=(".tsv", ".txt"),
        ),
    ),
    options=Options,
    options_schema=json_schema("exemplar.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.exemplar.counting:count"),
    measures=measures,
    signature=signature,
    native=native,
    starter=STARTER,
    asks=Deferred("pytest_nlpeval.tasks.exemplar.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.exemplar.asking:restate"),
    recognise=Deferred("pytest_nlpeval.tasks.exemplar.recognising:recognise"),
)

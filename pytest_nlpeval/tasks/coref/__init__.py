"""Coreference resolution: which mentions are one entity? CoNLL-2011 and 2012, CorefUD, JSON Lines.

Sources: the reference coreference scorer 8.01 (Pradhan, Luo, Recasens, Hovy, Ng, Strube, 2014); coval (Moosavi and Strube, 2016); the
CorefUD scorer 1.2 (CRAC 2024).
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.problems import Kind
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.coref.measures import measures, signature
from pytest_nlpeval.tasks.coref.native import native
from pytest_nlpeval.tasks.coref.options import Options

PROBLEMS = {
    **text_kinds("off"),
    "coref.format": Kind("error", "no known format, or CorefUD against another one", fixed=True),
    "coref.match": Kind("error", "an option needs heads, or is about CorefUD, and gold is not CorefUD", fixed=True),
    "coref.json": Kind("error", "jsonl: a line is no object, or a key is missing or not of its type", fixed=True),
    "coref.offset": Kind("error", "jsonl: a mention ends before it begins, or lies outside its document", fixed=True),
    "coref.columns": Kind("error", "a row has fewer than 2 columns (CoNLL), or not 10 (CorefUD)", fixed=True),
    "coref.outside": Kind("error", "conll: a token outside a document", fixed=True),
    "coref.ids": Kind("error", "corefud: the IDs of a sentence are out of sequence", fixed=True),
    "coref.header": Kind("error", "corefud: `Entity` without a usable `global.Entity`, or two that differ", fixed=True),
    "coref.brackets": Kind("error", "the mentions of a token cannot be read, or one has no id", fixed=True),
    "coref.document": Kind("error", "two documents of a file have one name", fixed=True),
    "coref.tokens": Kind("error", "system and gold have not the same number of tokens", fixed=True),
    "coref.words": Kind("error", "a word of the system is not gold's; if tolerated, places count"),
    "coref.missing": Kind("error", "the system lacks a document of gold; if tolerated, it has no mentions"),
    "coref.unknown": Kind("error", "gold lacks a document of the system; if tolerated, it is left out"),
    "coref.unopened": Kind("error", "a mention ends that has not begun; if tolerated, it is left out"),
    "coref.unclosed": Kind("error", "a mention does not end; if tolerated, it is left out"),
    "coref.parts": Kind("error", "corefud: a mention lacks a part; if tolerated, it is left out"),
    "coref.head": Kind("error", "corefud: a head that is none of the mention's nodes; if tolerated, it is the first node"),
    "coref.deps": Kind("error", "corefud: a dependency of a zero cannot be read; if tolerated, it is left out"),
    "coref.shared": Kind("error", "a mention is in two entities; if tolerated, the first keeps it (in corefud-1.2, both)"),
    "coref.duplicate": Kind("warning", "an entity has a mention twice; it counts once"),
    "coref.crossing": Kind("warning", "conll: a mention begins behind the end of one of its entity; it is read first"),
    "coref.end": Kind("warning", "conll: a document has no line that ends it"),
    "coref.no-heads": Kind("warning", "corefud: mentions of several words have no head; the first word is taken"),
    "coref.range": Kind("warning", "corefud: a row of a multiword token has `Entity`; it does not count"),
}

STARTER = Starter(
    gates=(
        StarterGate("conll.f1", 0.5, "the CoNLL average of MUC, B-cubed and CEAF-e"),
        StarterGate("lea.f1", 0.4, "F of links, weighted by the size of entities"),
        StarterGate("mentions.recall", 0.5, "mentions that are found"),
    )
)

_SUFFIXES = (".conll", ".conllu", ".jsonl", ".v4_gold_conll", ".txt")

TASK = Task(
    name="coref",
    summary="Coreference resolution: CoNLL-2011/2012 columns, CorefUD or JSON Lines.",
    version="1",
    roles=(
        Role(
            "gold",
            "gold",
            "documents with their entities: CoNLL columns, CorefUD or JSON Lines, told by their content",
            Deferred("pytest_nlpeval.tasks.coref.reading:read_gold"),
            suffixes=_SUFFIXES,
        ),
        Role(
            "system",
            "system",
            "the same documents; CorefUD goes with CorefUD only",
            Deferred("pytest_nlpeval.tasks.coref.reading:read_system"),
            suffixes=_SUFFIXES,
        ),
    ),
    options=Options,
    options_schema=json_schema("coref.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.coref.counting:count"),
    measures=measures,
    signature=signature,
    native=native,
    starter=STARTER,
    asks=Deferred("pytest_nlpeval.tasks.coref.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.coref.asking:restate"),
    recognise=Deferred("pytest_nlpeval.tasks.coref.recognising:recognise"),
)
